-- Newton's method in every step, written in Lua, and how it converges: each point is the norm of grad g after an
-- iteration, each line a step. The text counts iterations and halvings of the last step.
local tide = require "springtide"

local stiffness = tide.param("stiffness", 200, { min = 10, max = 5000, scale = "log", unit = "N/m" })
local search = tide.param("line_search", "on", { choices = { "on", "off" } })
local matrix = tide.param("matrix", "projected when needed", { choices = {
  "projected when needed", "always projected", "as it is" } })
local most = tide.param("iterations", 30, { min = 1, max = 60, help = "at most, in a step" })

local curves, halvings, note = {}, 0, ""
tide.solver { name = "watched_newton", help = "implicit Euler by Newton's method, with a record", order = 1,
  step = function(system, state, h)
    local y, M, x = state.inertial, system:mass_matrix(), state.inertial:copy()
    local function g(at)
      local d = system:gather(at - y)
      return 0.5 * d:dot(M * d) + h ^ 2 * system:energy(at)
    end
    local function gradient(at)
      return M * system:gather(at - y) + h ^ 2 * system:gather(system:gradient(at))
    end
    local r, curve = gradient(x), {}
    local enough = 1e-8 * r:norm() + 1e-13
    halvings, note = 0, ""
    while true do
      curve[#curve + 1] = math.log(r:norm() + 1e-16, 10)
      if r:norm() <= enough or #curve > most then break end
      local projected = matrix == "always projected"
      local factor = tide.linear.cholesky(M + h ^ 2 * system:hessian(x, { project = projected }))
      if not factor then
        note = "; the matrix was not positive definite"
        if matrix == "as it is" then break end
        factor = assert(tide.linear.cholesky(M + h ^ 2 * system:hessian(x, { project = true })))
      end
      local d = -factor:solve(r)
      local length, before, slope, move = 1, g(x), r:dot(d), system:scatter(d)
      before = before + 1e-13 * math.abs(before)           -- near the minimum g falls by less than its rounding
      while search == "on" and g(x + length * move) > before + 1e-4 * length * slope and length > 1e-9 do
        length, halvings = length / 2, halvings + 1
      end
      x:add(move, length)
      r = gradient(x)
    end
    table.insert(curves, 1, curve)
    curves[7] = nil
    return x, { iterations = #curve - 1, converged = r:norm() <= enough }
  end,
}

local scene = tide.scene { title = "Newton's method", timestep = 1 / 30, solver = "watched_newton",
  camera = { position = { 1.7, 0, 3.1 }, target = { 1.1, -0.45, 0 } }, ground = { height = -1.25, solid = false } }
local curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = 13, rows = 13, width = 1, height = 1 }, mass = 1, stiffness = stiffness, bend = 20,
})
curtain:pin { 1, 13 }

function scene.update()
  if curves[1] then scene:plot("iterations", #curves[1] - 1) end
end

function scene.draw(canvas)
  local function place(iteration, exponent) return 1.35 + 0.05 * (iteration - 1), 0.05 * exponent - 0.1, 0 end
  canvas:colour(0.3, 0.3, 0.3)
  for exponent = -12, 0, 4 do
    local x, y, z = place(1, exponent)
    canvas:line(x, y, z, x + 1, y, z, 1)
    canvas:label(x - 0.1, y + 0.03, z, ("1e%d"):format(exponent), 13)
  end
  canvas:label(1.85, 0.12, 0, "norm of grad g after each iteration", 15)
  canvas:text(20, 20, ("%d iterations, %d halvings%s"):format(#(curves[1] or { 0 }) - 1, halvings, note), 18)
  for age = #curves, 1, -1 do
    local fade, curve = (age - 1) / 7, curves[age]
    canvas:colour(0.1 + 0.8 * fade, 0.3 + 0.6 * fade, 0.75 + 0.2 * fade)
    for i, exponent in ipairs(curve) do
      local x, y, z = place(i, exponent)
      canvas:point(x, y, z, 7)
      if i > 1 then
        local u, v, w = place(i - 1, curve[i - 1])
        canvas:line(u, v, w, x, y, z, 2)
      end
    end
  end
end

return scene
