-- The modules of the Lua library in the reference page and in the annotation file, from the annotations in them.
local modules = {}

local names = { "wind", "bristles", "motion", "creatures", "dancer", "lab", "check", "sweep", "optimise" }

local writer = {}
writer.__index = writer

local function new_comment()
  return { help = {}, takes = {}, returns = {} }
end

-- The tags of a comment.
local tags = {}

function tags:param(rest)
  local name, type = rest:match("^(%S*) *([^#]-) *$")
  if not name then
    name, type = rest:match("^(%S*) *([^#]-) *#")
  end
  table.insert(self.comment.takes, name .. ": " .. type)
end

tags["return"] = function(self, rest)
  table.insert(self.comment.returns, rest)
end

-- The lines of a class are written as they are found.
function tags:class(name)
  self.comment.of_class = true
  if not self.annotations then
    self.out:add("\n#### ", name, "\n", table.concat(self.comment.help, " "), "\n\n")
  end
end

function tags:field(rest)
  local name, type = rest:match("^(%S*) *(.*)$")
  local before, help = type:match("^(.-) # (.*)$")
  if not self.annotations then
    self.out:add("- `", name, ": ", before or type, "` ", help, "\n")
  end
end

function writer:read_comment(line)
  if self.comment.of_class and line:sub(1, 1) ~= "@" then
    self.comment = new_comment()
  end
  local tag, rest = line:match("^@(%w+) (.*)$")
  if tags[tag] then
    tags[tag](self, rest)
  elseif line:sub(1, 1) ~= "@" then
    table.insert(self.comment.help, line)
  end
end

function writer:write_function(declaration)
  local comment, name = self.comment, declaration:match("^[^(]*")
  local help, takes = table.concat(comment.help, " "), table.concat(comment.takes, ", ")
  local returns = comment.returns[1] and ": " .. table.concat(comment.returns, ", ") or ""
  local member = declaration:match("^[^.:]*%.([^(]*)")
  if not self.annotations then
    self.out:add("\n- `", name, "(", takes, ")", returns, "` ", help, "\n")
  elseif member then
    self.out:add("---@field ", member, " fun(", takes, ")", returns, " # ", help, "\n")
  end
end

function writer:read_line(line)
  local header = self.in_header and (line:match("^%-%-([^-].*)$") or line == "--" and "")
  if header then
    if not self.annotations then -- indented lines are code
      self.out:add(header:sub(1, 3) == "   " and "  " or "", (header:gsub("^ ", "")), "\n")
    end
    return
  end
  self.in_header = false
  local comment = line:match("^%-%-%-(.*)$")
  if comment then
    self:read_comment(comment)
    return
  end
  local declaration = line:match("^function (.*)$")
  if declaration and self.comment.help[1] and not self.comment.of_class then
    self:write_function(declaration)
  end
  self.comment = new_comment()
end

-- Writes all modules. `source` returns the text of a module.
function modules.write(out, source, annotations)
  for _, name in ipairs(names) do
    if annotations then
      out:add('---What `require "springtide.', name, '"` returns.\n---@class springtide.', name:sub(1, 1):upper(),
              name:sub(2), "Module\n")
    else
      out:add("\n### springtide.", name, "\n")
    end
    local w = setmetatable({ out = out, annotations = annotations, comment = new_comment(), in_header = true }, writer)
    for line in source(name):gmatch("([^\n]*)\n") do
      w:read_line(line)
    end
    out:add("\n")
  end
end

return modules
