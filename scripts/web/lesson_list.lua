-- Lists the lessons of the course for the page: number, name and title, the first heading of the text.
--     LUA_PATH="scripts/?.lua" lua5.4 scripts/web/lesson_list.lua scenes/course NN-NAME...
local json = require "springtide.check.json"

local folder = assert(arg[1], "usage: lua5.4 lesson_list.lua FOLDER NAME...")
local list = json.list {}
for i = 2, #arg do
  local file = assert(io.open(("%s/%s/lesson.md"):format(folder, arg[i]), "r"))
  local title
  for line in file:lines() do
    title = title or line:match("^#%s+(.-)%s*$")
  end
  file:close()
  list[#list + 1] = { number = math.tointeger(tonumber(arg[i]:match "^%d+")), name = arg[i], title = title or arg[i] }
end
io.write(json.text(list))
