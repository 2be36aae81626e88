-- Writes the man page to standard output: lua5.4 scripts/package/man_page.lua PROGRAM YEAR-MONTH-DAY
package.path = arg[0]:match "^(.-)[^/]*$" .. "?.lua;" .. package.path
local about = require "help".read(arg[1])

local function escape(text)
  return (text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("^([.'])", "\\&%1"))
end

local function put(...)
  io.write(table.concat({ ... }), "\n")
end

-- Text whose lines and columns stay as they are.
local function put_lines(text)
  put ".nf"
  for line in (text .. "\n"):gmatch "(.-)\n" do
    put(escape(line))
  end
  put ".fi"
end

local function put_options(options)
  for _, option in ipairs(options) do
    put ".TP"
    put("\\fB", escape(option.name), "\\fR", option.argument ~= "" and " " .. escape(option.argument) or "")
    put(escape(option.text))
  end
end

put(('.TH SPRINGTIDE 1 "%s" "Springtide %s" "User Commands"'):format(arg[2], about.version))
put ".SH NAME"
put("springtide \\- ", escape(about.title))
put ".SH SYNOPSIS"
put_lines((about.usage:gsub("^  ", ""):gsub("\n  ", "\n")))
put ".SH DESCRIPTION"
put "Springtide simulates cloth, hair and soft solids, with contact and friction. A scene is a script in Lua. It can be"
put "changed while it runs: the world goes on from its present state. The scenes that come with the program are in"
put "/usr/share/springtide/scenes; with no word, the program shows them in a window."
for _, command in ipairs(about.commands) do
  put(".SH ", command.name:upper())
  put("\\fB", escape(command.synopsis), "\\fR")
  put ".PP"
  put(escape(command.text:sub(1, 1):upper() .. command.text:sub(2)), ".")
  if command.details ~= "" then
    put ".PP"
    put_lines(command.details)
  end
  put_options(command.options)
end
put ".SH EXIT STATUS"
put "0 done, 1 a scene or a check failed, 2 a wrong command line."
put ".SH ENVIRONMENT"
for _, variable in ipairs {
  { "SPRINGTIDE_SCRIPTS", "the folder of the Lua library, where it is not the one that came with the program" },
  { "SPRINGTIDE_DATA", "a folder whose files every scene may read" },
  { "SDL_VIDEODRIVER", "how the window reaches the display: x11, wayland, offscreen" },
} do
  put ".TP"
  put("\\fB", variable[1], "\\fR")
  put(escape(variable[2]))
end
put ".SH EXAMPLES"
put_lines [[
springtide /usr/share/springtide/scenes/curtain.lua
springtide run curtain.lua --headless --frames 60 --png out/%04d.png
springtide run curtain.lua --set stiffness=500 --solver local_global,iterations=30
lua5.4 -e 'tide = require "springtide"']]
