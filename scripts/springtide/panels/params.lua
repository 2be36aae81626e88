-- The parameters of a scene with their current values, as the panels copy them: lines of Lua, or options of the command
-- line.

-- A number with as few digits as give it again.
local function number_text(number)
  for digits = 6, 17 do
    local text = ("%." .. digits .. "g"):format(number)
    if tonumber(text) == number then
      return text
    end
  end
  return ("%.17g"):format(number)
end

-- A word for a shell: in single quotes where it needs them, with each ' escaped.
local function shell_word(text)
  return text:find "^[%w_+.,:/=-]+$" and text or "'" .. text:gsub("'", "'\\''") .. "'"
end

local function lua_string(text)
  return '"' .. text:gsub('["\\]', "\\%0"):gsub("%c", function(c)
    return ("\\%03d"):format(c:byte())
  end) .. '"'
end

local function is_finite(number)
  return number and number - number == 0
end

-- The table of options of tide.param, "" if all are the defaults.
local function options_of(param)
  local parts = {}
  local function add(name, text)
    parts[#parts + 1] = name .. " = " .. text
  end
  if param.type == "number" and param.minimum <= param.maximum then
    for _, bound in ipairs { { "min", param.minimum }, { "max", param.maximum } } do
      if is_finite(bound[2]) then
        add(bound[1], number_text(bound[2]))
      end
    end
  end
  if param.logarithmic then
    add("scale", '"log"')
  end
  if param.choices then
    local choices = {}
    for i, choice in ipairs(param.choices) do
      choices[i] = lua_string(choice)
    end
    add("choices", "{ " .. table.concat(choices, ", ") .. " }")
  end
  for _, name in ipairs { "unit", "help" } do
    if param[name] ~= "" then
      add(name, lua_string(param[name]))
    end
  end
  return parts[1] and (", { %s }"):format(table.concat(parts, ", ")) or ""
end

local function line_of_lua(param)
  if param.of_element then -- the script gives it to a body
    return ("-- %s = %s\n"):format(param.name, number_text(param.number))
  end
  local value = param.type == "number" and number_text(param.number)
    or param.type == "boolean" and tostring(param.number ~= 0) or lua_string(param.text)
  local variable = param.name:find "^[%a_][%w_]*$" and ("local %s = "):format(param.name) or ""
  return ("%stide.param(%s, %s%s)\n"):format(variable, lua_string(param.name), value, options_of(param))
end

local function option(param)
  local value = param.type == "number" and number_text(param.number) or param.text
  return "--set " .. shell_word(param.name .. "=" .. value)
end

return function(params, as_options)
  local texts = {}
  for i, param in ipairs(params) do
    texts[i] = (as_options and option or line_of_lua)(param)
  end
  return table.concat(texts, as_options and " " or "")
end
