-- A curtain by local and global steps, written in Lua, beside Newton's method in the same step: the points are what is
-- left of the error of g after each iteration (Liu et al. 2013, eq. 15). Green are the directions d of the local step.
local tide = require "springtide"

local stiffness = tide.param("stiffness", 80, { min = 5, max = 5000, scale = "log", unit = "N/m" })
local iterations = tide.param("iterations", 10, { min = 1, max = 100, help = "local and global steps in a timestep" })
local newton = tide.param("newton", "shown", { choices = { "shown", "not shown" } })

local curtain, factor, factored, directions = nil, nil, "", {}
local curves = {}

-- x - A^-1 grad g(x): a local and a global step, as this is the same (the lesson shows it).
local function local_global(system, state, h, g, gradient)
  local key = h .. " " .. stiffness
  if key ~= factored then factor, factored = assert(tide.linear.cholesky(system:matrix(h))), key end
  local x, values = state.inertial:copy(), {}
  for i = 1, math.floor(iterations + 0.5) do
    values[i] = g(x)
    x:add(system:scatter(factor:solve(gradient(x))), -1)
  end
  values[#values + 1] = g(x)
  return x, values
end

tide.solver { name = "watched_local_global", help = "local and global steps, with a record", order = 1,
  options = { iterations = 10 },
  step = function(system, state, h)
    local y, M = state.inertial, system:mass_matrix()
    local function g(at)
      local d = system:gather(at - y)
      return 0.5 * d:dot(M * d) + h ^ 2 * system:energy(at)
    end
    local function gradient(at)
      return M * system:gather(at - y) + h ^ 2 * system:gather(system:gradient(at))
    end
    local x, values = local_global(system, state, h, g, gradient)
    curves = { { "local/global", values } }
    if newton == "shown" then
      local z, list = y:copy(), { g(y) }
      for i = 1, 12 do
        local r = gradient(z)
        local A = tide.linear.cholesky(M + h ^ 2 * system:hessian(z))
          or tide.linear.cholesky(M + h ^ 2 * system:hessian(z, { project = true }))
        local move, t = system:scatter(-A:solve(r)), 1
        while g(z + t * move) > list[i] and t > 1e-6 do t = t / 2 end
        z:add(move, t)
        list[i + 1] = g(z)
      end
      curves[2] = { "newton", list }
    end
    directions = {}
    for s = 1, curtain.spring_count, 3 do
      local i, j, _, r = curtain:spring(s)
      local d = { x[3 * i - 2] - x[3 * j - 2], x[3 * i - 1] - x[3 * j - 1], x[3 * i] - x[3 * j] }
      local l = math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
      directions[#directions + 1] = { x[3 * j - 2], x[3 * j - 1], x[3 * j], d[1] * r / l, d[2] * r / l, d[3] * r / l }
    end
    return x, { iterations = #values - 1 }
  end,
}

local scene = tide.scene { title = "Local and global steps", timestep = 1 / 30, solver = "watched_local_global",
  camera = { position = { 1.7, 0, 3.1 }, target = { 1.1, -0.45, 0 } }, ground = { height = -1.25, solid = false } }
curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = 13, rows = 13, width = 1, height = 1 },
  mass = 1, stiffness = stiffness, bend = stiffness / 4,
})
curtain:pin { 1, 13 }

function scene.draw(canvas)
  canvas:colour(0.1, 0.6, 0.2)
  for _, d in ipairs(directions) do canvas:line(d[1], d[2], d[3], d[1] + d[4], d[2] + d[5], d[3] + d[6], 2) end
  local function place(i, left) return 1.35 + 0.03 * (i - 1), 0.1 * math.max(math.log(left, 10), -10), 0 end
  canvas:colour(0.3, 0.3, 0.3)
  for exponent = -10, 0, 2 do
    canvas:line(1.35, 0.1 * exponent, 0, 2.3, 0.1 * exponent, 0, 1)
    canvas:label(1.25, 0.1 * exponent + 0.03, 0, ("1e%d"):format(exponent), 12)
  end
  canvas:label(1.85, 0.3, 0, "what is left of the error of g", 15)
  local least = math.huge
  for _, curve in ipairs(curves) do least = math.min(least, table.unpack(curve[2])) end
  for c, curve in ipairs(curves) do
    local values, left = curve[2], nil
    canvas:colour(c == 1 and 0.1 or 0.85, 0.35, c == 1 and 0.75 or 0.1)
    canvas:label(1.35 + 0.4 * c, 0.18, 0, curve[1], 14)
    for i = 1, math.min(#values, 32) do
      local before = left
      left = (values[i] - least) / (values[1] - least + 1e-300) + 1e-16
      local x, y, z = place(i, left)
      canvas:point(x, y, z, 6)
      if before then
        local u, v, w = place(i - 1, before)
        canvas:line(u, v, w, x, y, z, 2)
      end
    end
  end
end

return scene
