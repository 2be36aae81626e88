-- What the studies share: how they open a scene, the axes, the names of curves, and the fit of a slope.
local tide = require "springtide"

local shared = {}

-- --- failures --------------------------------------------------------------------------------------------------------

local failure = { __tostring = function(self) return self.message end }

-- Ends a study. `usage`: the options are wrong, { option, value or false, remedy }.
function shared.fail(message, usage)
  error(setmetatable({ message = message, usage = usage }, failure))
end

-- Passes on what a call returned, or ends the study where that is nil and a message.
function shared.check(value, message, ...)
  if value == nil or value == false then
    shared.fail(message or "failed")
  end
  return value, message, ...
end

-- Runs a command: calls run(request, functions), and refuses the command line where a failure says that it is wrong.
-- Returns what `run` returns (true where that is nothing), or nil and a message.
function shared.command(run, request, functions)
  local results = table.pack(pcall(run, request, functions))
  if results[1] then
    if results[2] == nil and results[3] == nil then
      return true
    end
    return results[2], results[3]
  end
  local raised = results[2]
  if type(raised) == "table" and raised.usage then
    if raised.usage.solver then
      return functions.refuse_solver(raised.usage.solver)
    end
    local option, value, remedy = table.unpack(raised.usage)
    return functions.refuse(option and "--" .. option or nil, value or nil, remedy)
  end
  return nil, tostring(raised)
end

-- --- studies ---------------------------------------------------------------------------------------------------------

local study_class = {}
study_class.__index = study_class

-- A study of a source with its options; `defaults` has the study's own: name, solvers, frames and so on.
function shared.begin(source, options, defaults)
  local study = setmetatable({ source = source, weight = 0 }, study_class)
  for _, values in ipairs { defaults, options or {} } do
    for name, value in pairs(values) do
      study[name] = value
    end
  end
  study.progress = study.progress or function() end
  study.each = study.each or function() end
  study.scene_name = type(source) == "string" and source or source.title
  local os = rawget(_G, "os")
  study.seconds = study.seconds or os and os.clock
  return study
end

function study_class:refuse(option, value, remedy)
  shared.fail(("lab.%s: %s%s: %s"):format(self.name, option, value and " = " .. value or "", remedy),
              { option, value or false, remedy })
end

-- Seconds of computing so far.
function study_class:clock()
  if not self.seconds then
    shared.fail(("lab.%s: scenes have no clock; run it by `springtide convergence` or plain Lua"):format(self.name))
  end
  return self.seconds()
end

-- The values of an axis; one `false` where there is no axis.
function shared.values(axis)
  return axis and axis.values or { false }
end

local function kind_of(axis)
  return axis.of or (axis.name == "timestep" and "timestep" or "parameter")
end

-- The solver's text with the options that the axes give it.
function study_class:solver_text(solver, sweep, across)
  for _, place in ipairs { { self.sweep, sweep }, { self.across, across } } do
    local axis, value = place[1], place[2]
    if axis and value and solver and solver ~= "" and kind_of(axis) == "option" then
      solver = ("%s,%s=%.17g"):format(solver, axis.name, value)
    end
  end
  return solver
end

local function open_file(study, how)
  if study.open_file then
    return study.open_file(how)
  end
  for name, value in pairs(study.params or {}) do
    how.set[name] = how.set[name] or value
  end
  how.seed = study.seed
  return tide.load(study.source, how)
end

local function fork(study, how)
  if next(how.set) then
    study:refuse("sweep", next(how.set), "a live scene has no parameters to change; give the name of the scene's file")
  end
  local scene = study.source:fork()
  scene.timestep = how.timestep or scene.timestep
  scene.solver = how.solver or scene.solver
  return scene
end

-- Opens the scene. `how` may have a solver's text ("" and nil: the scene's own), a value on each axis and a timestep.
function study_class:open(how)
  local solver, set = self:solver_text(how.solver, how.sweep, how.across), {}
  local timestep = how.timestep or self.timestep
  for _, name in ipairs { "sweep", "across" } do
    local axis, value = self[name], how[name]
    if axis and value and kind_of(axis) == "parameter" then
      set[axis.name] = value
    elseif axis and value and kind_of(axis) == "timestep" then
      timestep = value
    end
  end
  local given = { solver = solver ~= "" and solver or nil, timestep = timestep, set = set }
  local scene = shared.check((type(self.source) == "string" and open_file or fork)(self, given))
  -- Worlds are memory outside of Lua, which the collector does not see.
  self.weight = self.weight + 500 + scene:system().particle_count
  if self.weight > 50000 then
    self.weight = 0
    collectgarbage()
  end
  return scene
end

-- Steps to the state before the step to `frame`, which counts from 1.
function study_class:run_to(scene, frame)
  while scene.frame + 1 < frame do
    shared.check(scene:step())
    self.progress("frames", scene.frame, frame - 1)
  end
end

-- --- solvers ---------------------------------------------------------------------------------------------------------

-- The option of a tide.SolverInfo by its name, or nil.
function shared.option(info, name)
  for _, option in ipairs(info.options) do
    if option.name == name then
      return option
    end
  end
end

-- The solver's text with one more option, unless it gives the option already or the solver has none of that name.
function shared.with_option(info, text, name, value)
  if text == "" or not shared.option(info, name) or text:find("," .. name .. "=", 1, true) then
    return text
  end
  return ("%s,%s=%.12g"):format(text, name, value)
end

-- The names of the engine's solvers that `accepts` takes.
function shared.solvers(accepts)
  local names = {}
  for _, info in ipairs(tide.solvers()) do
    if accepts(info) then
      names[#names + 1] = info.name
    end
  end
  return names
end

-- --- names -----------------------------------------------------------------------------------------------------------

-- The name of a curve: the solver's text and the value of the sweep. A comma would end a cell for gnuplot.
function study_class:label(solver, sweep)
  local text = solver ~= "" and solver or nil
  if self.sweep and sweep then
    text = ("%s %s=%.6g"):format(text or "", self.sweep.name, sweep)
  end
  return ((text or "as the scene has it"):gsub(",", " "))
end

-- A file's name with a solver's text in it: "stability_newton-linear-pcg.csv".
function shared.file_name(start, solver, ending)
  return start .. solver:sub(1, 127):gsub("[^%w_.]", "-") .. ending
end

-- --- numbers ---------------------------------------------------------------------------------------------------------

-- The slope of log y over log x by least squares; points are { x, y }. nil where it is not defined.
function shared.slope(points)
  local n, x, y, xx, xy = #points, 0, 0, 0, 0
  for _, point in ipairs(points) do
    local u, v = math.log(point[1]), math.log(point[2])
    x, y, xx, xy = x + u, y + v, xx + u * u, xy + u * v
  end
  local spread = n * xx - x * x
  return n > 1 and spread > 1e-9 * n * xx and (n * xy - x * y) / spread or nil
end

-- Quotes a text where a comma or a quote would be read as more.
function shared.csv_text(text)
  return text:find('[,"\n]') and '"' .. text:gsub('"', '""') .. '"' or text
end

function shared.is_finite(x)
  return x ~= nil and x == x and x ~= math.huge and x ~= -math.huge
end

return shared
