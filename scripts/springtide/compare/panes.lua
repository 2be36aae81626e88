-- Implements tide.compare: writes the panes of a scene file in the syntax of the command line.

-- engine: functions of engine/script/scene_compare.c.
return function(options, engine)
  local function refuse(field, value, remedy)
    engine.refuse("compare", field, value, remedy)
  end

  local function numbers(list, field)
    local words = {}
    for i = 1, rawlen(list) do
      local value = rawget(list, i)
      if type(value) ~= "number" then
        refuse(field, value, "expected numbers")
      end
      words[i] = engine.number_text(value)
    end
    return table.concat(words, ",")
  end

  local function solvers(list)
    for i = 1, rawlen(list) do
      if type(rawget(list, i)) ~= "string" then
        refuse("solvers", rawget(list, i), 'expected texts, like "local_global,iterations=5"')
      end
      engine.check_text(rawget(list, i), "solvers")
    end
    return table.concat(list, ",")
  end

  -- Returns the text of the single parameter.
  local function vary(params)
    local name, list
    if type(params) == "table" then
      name, list = next(params)
    end
    if type(name) ~= "string" or type(list) ~= "table" or rawlen(list) == 0 then
      refuse("params", params, "expected a name with a list, like { stiffness = { 20, 80, 320 } }")
    end
    engine.check_text(name, "params")
    if next(params, name) ~= nil then
      refuse("params", nil, "expected one parameter; panes go through the values of one")
    end
    return name .. "=" .. numbers(list, "params")
  end

  local listed = { solvers = engine.list(options, "solvers"), timesteps = engine.list(options, "timesteps") }
  local params = rawget(options, "params")
  if not listed.solvers and not listed.timesteps and params == nil then
    refuse(nil, nil, "expected solvers, params or timesteps in it")
  end
  engine.declare(listed.solvers and solvers(listed.solvers), params ~= nil and vary(params) or nil,
                 listed.timesteps and numbers(listed.timesteps, "timesteps"))
end
