-- Turns the annotations (scripts/springtide/library.lua) into the JSON from which the page's editor completes:
-- { classes = { NAME = { help, base, fields = { NAME = { type, help } } } } }
--     LUA_PATH="scripts/?.lua" lua5.4 scripts/web/completions.lua scripts/springtide/library.lua
local json = require "springtide.check.json"

local path = assert(arg[1], "usage: lua5.4 completions.lua LIBRARY.lua")
local classes, class, help = {}, nil, nil
for line in assert(io.open(path, "r")):lines() do
  local name, base = line:match("^%-%-%-@class ([%w_.|]+):?%s*(.*)$")
  local field, optional, text = line:match("^%-%-%-@field ([%w_]+)(%??) (.*)$")
  local said = line:match("^%-%-%-([^@].*)$")
  if name then
    class = { help = help or "", base = base, fields = {} }
    classes[name:match("[^|]+$")] = class
    help = nil
  elseif field and class then
    local type, about = text:match("^(.-)%s+# (.*)$")
    class.fields[field] = { (type or text) .. optional, about or "" }
  elseif said then
    help = help and help .. " " .. said or said
  elseif not line:find("^%-%-%-@field") then
    class, help = nil, nil
  end
end
assert(classes.tide and classes["tide.Scene"], path .. ": no annotations of tide; write them by `springtide reference`")
io.write((json.text({ classes = classes }):gsub("\n *", "")))
