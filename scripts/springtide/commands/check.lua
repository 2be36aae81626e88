-- `springtide check`: the mesh doctor.

local function edge_length(mesh, edge)
  local i, j = mesh:edge(edge)
  local ax, ay, az = mesh:vertex(i)
  local bx, by, bz = mesh:vertex(j)
  return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2 + (az - bz) ^ 2)
end

-- (b - a) . (c - a) x (d - a) / 6
local function tetrahedron_volume(mesh, tetrahedron)
  local corners = { mesh:tetrahedron(tetrahedron) }
  local ax, ay, az = mesh:vertex(corners[1])
  local s = {}
  for k = 2, 4 do
    local x, y, z = mesh:vertex(corners[k])
    s[k] = { x - ax, y - ay, z - az }
  end
  local b, c, d = s[2], s[3], s[4]
  return (b[1] * (c[2] * d[3] - c[3] * d[2]) + b[2] * (c[3] * d[1] - c[1] * d[3])
          + b[3] * (c[1] * d[2] - c[2] * d[1])) / 6
end

local function print_size(mesh)
  local x0, y0, z0, x1, y1, z1 = mesh:bounds()
  print(("  size        %.4g x %.4g x %.4g m"):format(x1 - x0, y1 - y0, z1 - z0))
  print(("  from        (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g)"):format(x0, y0, z0, x1, y1, z1))
  if mesh.edge_count > 0 then
    local shortest, longest, sum = math.huge, 0, 0
    for edge = 1, mesh.edge_count do
      local length = edge_length(mesh, edge)
      shortest, longest, sum = math.min(shortest, length), math.max(longest, length), sum + length
    end
    print(("  edges from  %.4g to %.4g m, mean %.4g m"):format(shortest, longest, sum / mesh.edge_count))
  end
  if mesh.tetrahedron_count > 0 then
    local volume = 0
    for tetrahedron = 1, mesh.tetrahedron_count do
      volume = volume + tetrahedron_volume(mesh, tetrahedron)
    end
    print(("  volume      %.4g m^3"):format(volume))
  end
end

-- Prints what the mesh is. Returns whether a body could be made of it.
local function tell(name, mesh)
  print(name)
  print(("  vertices    %9d\n  edges       %9d\n  triangles   %9d\n  tetrahedra  %9d"):format(
    mesh.vertex_count, mesh.edge_count, mesh.triangle_count, mesh.tetrahedron_count))
  print_size(mesh)
  local problems, notes = mesh:check()
  local good = true
  for _, problem in ipairs(problems) do
    print((problem.fatal and "error: " or "warning: ") .. problem.text)
    good = good and not problem.fatal
  end
  for _, note in ipairs(notes) do
    print("note: " .. note.text)
  end
  if #problems == 0 then
    print "no problem found"
  end
  return good
end

local done = {
  { "joined_vertices", "vertex", "vertices", "joined to others at the same place" },
  { "duplicate_elements", "element", "elements", "given before dropped" },
  { "joined_elements", "element", "elements", "dropped that joining made empty, equal or inner" },
  { "flat_elements", "flat triangle or tetrahedron", "flat triangles and tetrahedra", "removed" },
  { "dropped_vertices", "vertex", "vertices", "that nothing uses dropped" },
  { "turned_triangles", "triangle", "triangles", "turned" },
}

local function tell_mending(counts)
  for _, row in ipairs(done) do
    local count = counts[row[1]]
    if count > 0 then
      print(("mended: %d %s %s"):format(count, count == 1 and row[2] or row[3], row[4]))
    end
  end
  local pieces = counts.unorientable_pieces
  if pieces > 0 then
    local noun = pieces == 1 and "piece" or "pieces"
    print(("left as they are: %d %s of the surface with one side only"):format(pieces, noun))
  end
end

return function(request, functions)
  local options = { fix = request.fix == 1, weld = request.weld, scale = request.scale }
  if not request.out and (options.fix or options.weld or options.scale ~= 1) then
    return functions.refuse("-o", nil, "expected -o OUT, the file that the mended mesh is written to")
  end
  local mesh, message = functions.load_mesh(request.subjects[1])
  if not mesh then
    return nil, message
  end
  local good = tell(request.subjects[1], mesh)
  if not request.out then
    return good
  end
  local mended, counts = functions.mend_mesh(mesh, options)
  if not mended then
    return nil, counts
  end
  local saved, failure = mended:save(request.out)
  if not saved then
    return nil, failure
  end
  tell_mending(counts)
  if mended == mesh then
    print "nothing to mend"
  end
  return tell(request.out, mended)
end
