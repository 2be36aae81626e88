-- Completes the name at the end of a line of the console.
local PARENTS = 8 -- longest chain of __index tables searched

-- Returns "body" or "collider" if the text ends in scene:body( or similar.
local function finder_before(text)
  text = text:gsub("[ (]*$", "")
  return text:match(":(body)$") or text:match(":(collider)$")
end

-- Returns the finder and the beginning of the name in the quotes at the end of the text.
local function open_name(text)
  local open
  for at, quote in text:gmatch "()([\"'])" do
    if not open then
      open = at
    elseif text:sub(open, open) == quote then
      open = nil
    end
  end
  local finder = open and finder_before(text:sub(1, open - 1))
  return finder, finder and text:sub(open + 1)
end

-- engine: the functions of engine/script/console_engine.c. Returns the candidates, one per line.
return function(text, engine)
  -- Returns the object of scene:body("NAME") or scene:collider("NAME") at the end of the text.
  local function find_part(before)
    local quote = before:match "([\"'])%)$"
    local head, name = before:match(quote == '"' and '^(.*)"([^"]*)"%)$' or "^(.*)'([^']*)'%)$")
    local finder = quote and head and finder_before(head)
    return finder and engine.scene[finder](engine.scene, name)
  end

  -- Returns a field: raw for tables, through the property for engine objects.
  local function field_of(value, name)
    if type(value) == "userdata" then
      return value[name]
    end
    value = engine.plain(value)
    for _ = 1, PARENTS do
      if type(value) ~= "table" then
        return nil
      end
      local found = rawget(value, name)
      if found ~= nil then
        return found
      end
      value = engine.parent(value)
    end
  end

  -- Returns the value of the dotted names at the end of the text.
  local function find_object(before)
    local part = find_part(before)
    if part then
      return part
    end
    local first, rest = before:match("[%w_.]*$"):match("^([%w_]*)(.*)$")
    local value = engine.global(first)
    for name in rest:gmatch "%.([%w_]*)" do
      value = field_of(value, name)
    end
    return value
  end

  local start, names = text:match "[%w_]*$", {}

  local function add(from)
    for _, name in ipairs(from) do
      if name:sub(1, #start) == start and name:find "^[%a_][%w_]*$" then
        names[name] = true
      end
    end
  end

  -- Adds the fields or methods of a value and of its parents.
  local function add_names_of(value, methods)
    local is_object = type(value) == "userdata"
    value = engine.plain(value)
    value = type(value) == "table" and value or engine.parent(value)
    for _ = 1, PARENTS do
      if not value then
        break
      end
      add(engine.names(value, is_object, methods))
      value = engine.parent(value)
    end
  end

  local finder, opened = open_name(text)
  if finder then
    engine.begin(#opened)
    local list = {}
    for _, name in ipairs(engine.parts(finder)) do
      list[#list + 1] = name:sub(1, #opened) == opened and not name:find("\n", 1, true) and name .. "\n" or ""
    end
    return table.concat(list)
  end
  engine.begin(#start)
  local before = text:sub(1, #text - #start)
  local mark = before:match "[.:]$"
  if mark then
    add_names_of(find_object(before:sub(1, -2)), mark == ":")
  elseif start ~= "" then
    for _, environment in ipairs(engine.environments()) do
      add(engine.names(environment, false, false))
    end
  end
  local list = {}
  for i, name in ipairs(engine.keys(names)) do
    list[i] = name .. "\n"
  end
  return table.concat(list)
end
