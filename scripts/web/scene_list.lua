-- Lists the scenes for the page: the path, the title that the script gives, and the sentence of its first comment.
--     LUA_PATH="scripts/?.lua" lua5.4 scripts/web/scene_list.lua scenes PATH...
local json = require "springtide.check.json"

local folder = assert(arg[1], "usage: lua5.4 scene_list.lua FOLDER PATH...")
local list = json.list {}

-- Returns the first sentence of the comment that begins the script.
local function about(text)
  local words = {}
  for line in text:gmatch("[^\n]*") do
    local comment = line:match("^%-%-%s*(.*)$")
    if not comment or comment == "" then
      break
    end
    words[#words + 1] = comment
  end
  local all = table.concat(words, " ")
  return all:match("^(.-)[.:]%s+%u") or all
end

for i = 2, #arg do
  local file = assert(io.open(folder .. "/" .. arg[i], "r"))
  local text = file:read("a")
  file:close()
  local title = text:match('%f[%w]title = "([^"]*)"')
  list[#list + 1] = {
    path = arg[i], title = title or arg[i]:match("([^/]+)%.lua$"), about = about(text):gsub("[.:]$", ""),
    group = arg[i]:match("^(.*)/") or "",
  }
end
table.sort(list, function(a, b)
  if a.group ~= b.group then
    return a.group < b.group
  end
  return a.title < b.title
end)
io.write(json.text(list))
