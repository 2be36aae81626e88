-- Reads what the program tells about itself: commands, options and the names that its lists have. The man page and the
-- completion are made of it, so that they say what the program says.
local help = {}

local program

local function ask(words)
  local pipe = assert(io.popen(("'%s' %s 2>/dev/null"):format(program:gsub("'", "'\\''"), words)))
  local text = pipe:read "a"
  assert(pipe:close() and text ~= "", ("`springtide %s` failed"):format(words))
  return text
end

local function each_line(text)
  return (text:gsub("\n$", "") .. "\n"):gmatch "(.-)\n"
end

-- "  --name ARGUMENT   what it does", or the second half in a line of its own: { name, argument, text }.
local function read_options(text)
  local options = {}
  for line in each_line(text) do
    local name, rest = line:match "^  (%-%-?[%w-]+)(.*)"
    if name then
      local argument, said = rest:match "^ (%S.-)%s%s+(.*)"
      if not argument then
        argument, said = rest:match "^ (%S.*)" or "", rest:match "^%s%s+(.*)" or ""
      end
      options[#options + 1] = { name = name, argument = argument, text = said }
    elseif #options > 0 and options[#options].text == "" then
      options[#options].text = line:match "^%s*(.*)"
    end
  end
  return options
end

-- "springtide NAME SUBJECT [OPTIONS]", help, details, "Options of NAME", options.
local function read_command(name)
  local text = ask("help " .. name)
  local head, body = text:match "^(.-)\n(.*)"
  local said, rest = body:match "^  (.-)\n(.*)"
  local details, options = rest:match "^(.-)\nOptions of [%w_]+\n(.*)"
  return { name = name, synopsis = head, text = said, details = (details or rest):match "^%s*\n?(.-)%s*$",
    options = options and read_options(options) or {} }
end

-- The names at the beginnings of the lines of a list, with those of its columns left out.
local function read_names(list)
  local names = {}
  for line in each_line(ask(list)) do
    names[#names + 1] = line:match "^([%l][%w_]*)$" or line:match "^([%l][%w_]*) %(" or line:match "^([%l][%w_]*)  "
  end
  assert(#names > 0, ("`springtide %s` lists no name"):format(list))
  return names
end

local lists = { "solvers", "meshes", "shapes", "elements", "materials" }

-- Returns { version, title, usage, commands, lists }. A command has { name, synopsis, text, details, options }, and
-- each of `lists` the names that the command of its name lists.
function help.read(path)
  program = path
  local text = ask "--help"
  local read = {
    version = ask "--version":match "(%S+)%s*$",
    title = text:match "^[^\n]-: ([^\n]*)",
    usage = text:match "\n\n(.-)\n\nCommands\n",
    commands = {}, lists = {},
  }
  for line in each_line(text:match "\nCommands\n(.-)\n\n") do
    local name = line:match "^  (%l[%w_]*)"
    if name then
      read.commands[#read.commands + 1] = read_command(name)
    end
  end
  assert(#read.commands > 5, "the help lists no commands")
  for _, name in ipairs(lists) do
    read.lists[name] = read_names(name)
  end
  return read
end

return help
