-- The laboratory: studies that measure solvers on a scene. `springtide convergence SCENE.lua` runs them and writes
-- tables and pictures. In Lua they return plain data:
--
--   local lab = require "springtide.lab"
--   local result = lab.convergence("curtain.lua", { frame = 25, solvers = { "local_global", "newton,linear=pcg" } })
--   for _, point in ipairs(result.groups[1].curves[1].points) do print(point.iterations, point.error) end
--
-- The source is a scene file, which every run opens again, or a live scene, which every run forks. The options:
--   solvers     a list of "NAME" or "NAME,option=value,..."; "" is the scene's own solver
--   sweep       { name = "stiffness", values = { 20, 80 } }: a curve or point for each value of a parameter. With
--               of = "option", `name` is a solver option such as "damping.mass". The name "timestep" is the timestep
--   across      the second axis of lab.stability and lab.cost, in the same form
--   params, timestep, seed    options for opening a file, as for tide.load
--   frame, frames, iterations, halvings    see the study
--   seconds     a function that returns the computing time in s; default os.clock
--   progress    called as progress(what, done, of) during long work
--   each        called with each part of the result as soon as it is measured
--
-- Each study is a file in springtide/lab/, which you can copy and change. The comment at its head describes what it
-- measures, with the formula and the source, and the fields of the result.
local lab = {}

---The error of one step against iterations and seconds (Liu et al. 2013, eq. 15).
---@param source string|tide.Scene
---@param options? table
---@return table
function lab.convergence(source, options)
  return require("springtide.lab.convergence").measure(source, options)
end

---The error after a fixed time against the timestep, with the order of accuracy.
---@param source string|tide.Scene
---@param options? table
---@return table
function lab.order(source, options)
  return require("springtide.lab.order").measure(source, options)
end

---Where solvers are stable over two axes, with the line of the theory (Shinya 2005).
---@param source string|tide.Scene
---@param options? table
---@return table
function lab.stability(source, options)
  return require("springtide.lab.stability").measure(source, options)
end

---Seconds of computing for a second of the scene, with what they depend on.
---@param source string|tide.Scene
---@param options? table
---@return table
function lab.cost(source, options)
  return require("springtide.lab.cost").measure(source, options)
end

---The state after a frame under each solver: what the steps took, and how far the particles are apart.
---@param source string|tide.Scene
---@param options? table
---@return table
function lab.pictures(source, options)
  return require("springtide.lab.pictures").measure(source, options)
end

---Velocities of the first body in time, and their spectrum over its grid (Ahmad et al. 2007).
---@param source string|tide.Scene
---@param options? table
---@return table
function lab.velocities(source, options)
  return require("springtide.lab.velocities").measure(source, options)
end

return lab
