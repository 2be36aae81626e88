-- What is measured of the walker. `progress` is how far it comes in the direction x, less what it comes off that line.
-- Where it falls over this ends, and counts by the part of the time that it stood.
local top, feet, fallen -- the vertices of its back and of its soles

local function mean(scene, k, vertices)
  local walker, sum = scene:body "walker", 0
  for _, i in ipairs(vertices) do
    sum = sum + select(k, walker:position(i)) / #vertices
  end
  return sum
end

local function find_vertices(scene)
  local walker = scene:body "walker"
  top, feet = {}, {}
  for i = 1, walker.vertex_count do
    local _, y = walker:position(i)
    local list = (y > 0.29 and top) or (y < 0.01 and feet) or {}
    list[#list + 1] = i
  end
end

local function progress(scene, run)
  if not top then
    find_vertices(scene)
  end
  local x, z = mean(scene, 1, top), mean(scene, 3, top)
  if not fallen and mean(scene, 2, top) - mean(scene, 2, feet) < 0.2 then -- of 0.3 m
    fallen = { value = (x - math.abs(z)) * scene.frame / run.frames, time = scene.time }
  end
  return fallen and fallen.value or x - math.abs(z)
end

return {
  progress = { unit = "m", each = progress },
  upright = { unit = "s", at_end = function(scene) return fallen and fallen.time or scene.time end },
  aside = { unit = "m", at_end = function(scene) return mean(scene, 3, top) end },
}
