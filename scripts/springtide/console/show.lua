-- Converts values to readable text for the console: tables to a depth, long ones only in part.
local DEPTH = 3 -- of nested tables
local ITEMS = 24 -- of a table
local INNER_TEXT = 200 -- bytes of a string in a table
local LINE = 76 -- bytes of a table on one line
local SHOWN = 1 << 16 -- bytes in all

local words = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true
               until while]]):gmatch("%a+") do
  words[word] = true
end

local function escape(c)
  return c == "\n" and "\\n" or (c == '"' or c == "\\") and "\\" .. c or ("\\%03d"):format(c:byte())
end

local function quote(text)
  local shown = '"' .. text:sub(1, INNER_TEXT):gsub('[%c"\\]', escape) .. '"'
  return #text > INNER_TEXT and ("%s... (%d bytes)"):format(shown, #text) or shown
end

local function count(number, one, many)
  return ("%d %s"):format(number, number == 1 and one or many)
end

-- Objects of the engine, by class.
local describe = {
  ["tide.Scene"] = function(scene)
    local bodies, vertices = scene:bodies(), 0
    for _, body in ipairs(bodies) do
      vertices = vertices + body.vertex_count
    end
    return ('scene "%s": t = %g s, frame %d, %s, %d vertices, %s, solver %s'):format(
      scene.title, scene.time, scene.frame, count(#bodies, "body", "bodies"), vertices,
      count(#scene:colliders(), "collider", "colliders"), scene:report().solver)
  end,
  ["tide.Body"] = function(body)
    return ('body "%s": %d vertices, %d springs, %d triangles'):format(
      body.name, body.vertex_count, body.spring_count, body.triangle_count)
  end,
  ["tide.Mesh"] = function(mesh)
    return ("mesh: %d vertices, %d edges, %d triangles, %d tetrahedra"):format(
      mesh.vertex_count, mesh.edge_count, mesh.triangle_count, mesh.tetrahedron_count)
  end,
}

-- engine: the functions of engine/script/console_engine.c. `before`: bytes of the text before this value.
return function(value, engine, before)
  local show

  local function show_key(key, length)
    if type(key) == "string" and key:find("^[%a_][%w_]*$") and not words[key] then
      return key .. " = "
    end
    return "[" .. show(key, DEPTH, 0, length) .. "] = "
  end

  -- Returns the items of a table: on one line, or with `wide` one per line.
  local function show_items(items, keys, depth, indent, wide, length)
    local parts, list = {}, 0
    local function add(part)
      parts[#parts + 1] = part
      length = length + #part
    end
    for i, key in ipairs(keys) do
      if length >= SHOWN then
        break
      end
      add((i > 1 and "," or "") .. (wide and "\n" .. ("  "):rep(indent + 1) or " "))
      if i > ITEMS then
        add(("... (%d in all)"):format(#keys))
        break
      end
      if math.type(key) == "integer" and key == list + 1 then
        list = key
      else
        add(show_key(key, length))
      end
      add(show(rawget(items, key), depth + 1, indent + 1, length))
    end
    add(wide and "\n" .. ("  "):rep(indent) or " ")
    return table.concat(parts)
  end

  local function show_table(items, depth, indent, length)
    local keys = engine.keys(items)
    if #keys == 0 then
      return "{}"
    elseif depth >= DEPTH then
      return ("{ ... (%d in all) }"):format(#keys)
    end
    local text = show_items(items, keys, depth, indent, false, length + 1)
    if 1 + #text + 2 * indent > LINE or text:find("\n", 1, true) then
      text = show_items(items, keys, depth, indent, true, length + 1)
    end
    return "{" .. text .. "}"
  end

  function show(shown, depth, indent, length)
    if length >= SHOWN then
      return ""
    end
    shown = engine.plain(shown)
    local kind = type(shown)
    if kind == "number" then
      return shown ~= shown and "nan" or tostring(shown) -- without the sign of NaN
    elseif kind == "string" then
      return depth == 0 and shown:sub(1, SHOWN) or quote(shown)
    elseif kind ~= "table" then
      local own = kind == "userdata" and describe[getmetatable(shown)]
      return own and own(shown) or engine.describe(shown)
    end
    local own = engine.text(shown)
    return own and own:sub(1, SHOWN) or show_table(shown, depth, indent, length)
  end

  return show(value, 0, 0, before)
end
