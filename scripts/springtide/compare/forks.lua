-- Implements scene:compare: steps forks of a scene with several solvers and timesteps.

-- Steps the fork and stores the number of steps, their time and the error, if any.
local function take_steps(result, fork, steps)
  local taken, seconds = 0, 0
  while taken < steps do
    local done, message = fork:step()
    if not done then
      result.message = message
      break
    end
    -- The first step, which prepares the solver, does not count where there are more.
    seconds = seconds + ((taken > 0 or steps == 1) and fork:report().step_seconds or 0)
    taken = taken + 1
  end
  result.steps = taken
  result.iterations = fork:report().iterations
  if taken > 1 or steps == 1 then
    result.milliseconds = 1e3 * seconds / math.max(taken - 1, 1)
  end
end

-- Sets an option of the fork's solver, such as "iterations" or "damping.mass".
local function set_option(fork, name, value, engine)
  local solver = fork.solver
  local place, key = solver, name
  for part, rest in name:gmatch "([^.]+)%.([^.]+)" do
    place, key = solver[part], rest
  end
  if type(place) ~= "table" or place[key] == nil then
    engine.refuse_option(fork, name)
  end
  place[key] = value
  fork.solver = solver
end

-- engine: functions of engine/script/scene_compare.c.
return function(scene, options, engine)
  local frames, errors = engine.read(options)
  local solvers, timesteps = engine.list(options, "solvers"), engine.list(options, "timesteps")
  local varied, values = engine.varied(options)
  local results, whole = {}, frames * scene.timestep

  local function compute(solver, value, timestep)
    local fork = scene:fork()
    local result = { scene = fork, value = value }
    result.solver = engine.set_solver(fork, solver)
    if varied then
      set_option(fork, varied, value, engine)
    end
    result.timestep = engine.set_timestep(fork, timestep)
    take_steps(result, fork, math.max(1, math.floor(whole / result.timestep + 0.5)))
    if errors then
      result.error = engine.error(fork)
    end
    result.distance = engine.distance(fork, results[1] and results[1].scene or fork)
    result.energy = fork:energy().total
    result.hash = fork:hash()
    results[#results + 1] = result
  end

  for s = 1, solvers and rawlen(solvers) or 1 do
    for v = 1, values and rawlen(values) or 1 do
      for t = 1, timesteps and rawlen(timesteps) or 1 do
        compute(solvers and rawget(solvers, s), values and rawget(values, v), timesteps and rawget(timesteps, t))
      end
    end
  end
  return results
end
