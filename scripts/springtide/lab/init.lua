-- The laboratory: studies that measure solvers on a scene. `springtide convergence SCENE.lua` runs them and writes
-- tables and pictures; from Lua they return plain data:
--
--   local lab = require "springtide.lab"
--   local result = lab.convergence("curtain.lua", { frame = 25, solvers = { "local_global", "newton,linear=pcg" } })
--   for _, point in ipairs(result.groups[1].curves[1].points) do print(point.iterations, point.error) end
--
-- The source is a scene's file, which every run opens anew, or a live scene, which every run forks. The options:
--   solvers     a list of "NAME" or "NAME,option=value,..."; "" is the scene's own solver
--   sweep       { name = "stiffness", values = { 20, 80 } }: a curve or point for each value of a parameter. With
--               of = "option" the name is an option of the solvers, like "damping.mass"; "timestep" is the timestep
--   across      the second axis of lab.stability and lab.cost, likewise
--   params, timestep, seed    how a file is opened, as for tide.load
--   frame, frames, iterations, halvings    see the study
--   seconds     a function that returns seconds of computing; by default os.clock
--   progress    called as progress(what, done, of) during long work
--   each        called with every part of the result as soon as it is measured
--
-- Each study is a file of this folder: copy it and change it.
local lab = {}

for _, name in ipairs { "convergence", "order", "stability", "cost", "pictures", "velocities" } do
  lab[name] = require("springtide.lab." .. name).measure
end

return lab
