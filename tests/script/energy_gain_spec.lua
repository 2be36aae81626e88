local tide = require "springtide"

-- A flat bar of 41 x 2 x 9 vertices, a little tilted, that falls 1 m onto a floor without restitution: a step at the
-- impact moves farther than the bar is thick.
local function falling_bar(stiffness, solver)
  local scene = tide.scene { timestep = 1 / 30, solver = solver }
  local mesh = tide.mesh.box { size = { 1, 0.05, 0.2 }, cells = { 40, 1, 8 } }
  scene:body("bar", {
    mesh = mesh:rotate({ 0, 0, 1 }, 0.05):translate(0, 1.025, 0), mass = 4, stiffness = stiffness, restitution = 0,
  })
  scene:collider("floor", { shape = "plane", restitution = 0 })
  return scene
end

-- The largest gain of 20 steps, J, and whether a step warned of it with its own frame.
local function run(scene)
  local most, warned = 0, false
  for frame = 1, 20 do
    assert(scene:step())
    local report = scene:report()
    most = math.max(most, report.energy_gain)
    local text = "the step to frame " .. frame .. " gained "
    warned = warned or (report.warning or ""):find(text, 1, true) ~= nil
  end
  return most, warned
end

describe("the energy gain of a step", function()
  for _, case in ipairs {
    { "vertex block descent turns a bar inside out", "vbd", 1 },
    { "20 iterations of local/global are too few", "local_global", 10 },
  } do
    it("is told where " .. case[1], function()
      local most, warned = run(falling_bar(1e4, { case[2], iterations = 20 }))
      assert.is_true(most > case[3])
      assert.is_true(warned)
    end)
  end

  it("is 0 where iterations suffice and while a bar falls", function()
    local scene = falling_bar(1e4, { "newton", iterations = 100 })
    local most, warned = run(scene)
    assert.is_true(most < 1e-6)
    assert.is_false(warned)
  end)
end)
