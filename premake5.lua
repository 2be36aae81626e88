-- Makes build/Makefile. Run by scripts/build.sh with premake 5 ("premake5 gmake") or with Debian's premake 4.3
-- ("premake4 --file=premake5.lua gmake").

if not workspace then -- premake 4: what this file needs of premake 5
  workspace = solution
  removefiles = excludes
  function filter(pattern)
    configuration(type(pattern) == "string" and pattern:gsub("^configurations:", "") or {})
  end
  function symbols()
    flags { "Symbols" }
  end
  -- Objects are named after their source's base name: two sources of one name in different folders would collide.
  local basename = path.getbasename
  function path.getbasename(file)
    local inner = file:match("^%.%./%w+/(.+)%.c$")
    return inner and inner:gsub("/", "_") or basename(file)
  end
end

local function pkg_config(packages)
  local pipe = io.popen("pkg-config --cflags --libs " .. packages)
  local flags = pipe:read("*a")
  pipe:close()
  if flags == "" then
    error("pkg-config does not know all of: " .. packages .. "; scripts/setup.sh installs what is needed", 0)
  end
  local compile, libraries = {}, {}
  for flag in flags:gmatch("%S+") do
    if flag:find("^%-l") then
      table.insert(libraries, flag:sub(3))
    else
      table.insert(compile, flag)
    end
  end
  return compile, libraries
end

local lua_flags, lua_libraries = pkg_config "lua5.4"
local sdl_flags, sdl_libraries = pkg_config "sdl2"
local png_flags, png_libraries = pkg_config "libpng"
local zlib_flags, zlib_libraries = pkg_config "zlib"
local gl_flags, gl_libraries = pkg_config "epoxy"
local edit_flags, edit_libraries = pkg_config "libedit"
local hdf5_flags, hdf5_libraries = pkg_config "hdf5-serial"
local hdf5_folders = {} -- it is not where the others are
for _, flag in ipairs(hdf5_flags) do
  table.insert(hdf5_folders, flag:match "^%-L.*")
end
local gui_flags, gui_libraries = pkg_config "imgui"
local markdown_flags, markdown_libraries = pkg_config "md4c"
local _, confinement_libraries = pkg_config "libseccomp"

-- The module shows the world luaopen_springtide and nothing else.
os.mkdir("build")
local exports = assert(io.open("build/springtide.map", "w"))
exports:write("{ global: luaopen_springtide; local: *; };\n")
exports:close()
local foreign = assert(io.open("build/springtide_c.map", "w"))
foreign:write("{ global: tide_foreign_*; local: *; };\n")
foreign:close()

workspace "Springtide"
  configurations { "Release", "Debug", "Sanitize" }
  location "build"
  language "C"
  symbols "On"

local of_c = { "-std=c17", "-Wmissing-prototypes" }

local function common(name, of_language)
  location "build"
  includedirs { "engine" }
  buildoptions(of_language or of_c)
  buildoptions {
    "-Wall", "-Wextra", "-Wsign-conversion", "-Werror",
    "-pthread", "-ffp-contract=off", "-fPIC", "-fno-semantic-interposition",
  }
  buildoptions(lua_flags)
  buildoptions(sdl_flags)
  buildoptions(png_flags)
  buildoptions(zlib_flags)
  buildoptions(gl_flags)
  buildoptions(edit_flags)
  buildoptions(markdown_flags)
  buildoptions(hdf5_flags)
  for configuration_name, options in pairs {
    Release = { "-O3", "-DNDEBUG" },
    Debug = { "-O0" },
    Sanitize = { "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer" },
  } do
    local folder = "build/" .. configuration_name:lower()
    filter("configurations:" .. configuration_name)
      targetdir(folder)
      objdir(folder .. "/objects/" .. name)
      buildoptions(options)
  end
  filter "configurations:Sanitize"
    linkoptions { "-fsanitize=address,undefined" }
  filter {}
end

-- What every product links to besides libspringtide.
local function engine_libraries()
  linkoptions { "-pthread" }
  links { "libspringtide", "cholmod", "suitesparseconfig" }
  links(png_libraries)
  links(zlib_libraries)
  links { "m" }
end

project "libspringtide"
  kind "StaticLib"
  targetname "springtide"
  files { "engine/**.c", "engine/**.h" }
  removefiles { "engine/session/**", "engine/gui/**", "engine/app/**", "engine/**_web.c", "engine/**_windows.c" }
  common "libspringtide"

-- The panels' widgets stand on a library of C++, and are the only C++ here. What is its own is no matter of our warnings.
local of_gui = { "-std=c++17", "-fno-exceptions", "-fno-rtti" }
for _, flag in ipairs(gui_flags) do
  table.insert(of_gui, (flag:gsub("^%-I", "-isystem ")))
end

project "gui"
  kind "StaticLib"
  language "C++"
  targetname "springtide-gui"
  files { "engine/gui/gui*.cpp" }
  common("gui", of_gui)

-- What they draw with. Each of these libraries needs only those after it.
project "gui-drawing"
  kind "StaticLib"
  targetname "springtide-gui-drawing"
  files { "engine/gui/gui_*.c" }
  common "gui-drawing"

-- The program but for its main, for the tests.
project "app"
  kind "StaticLib"
  targetname "springtide-app"
  for _, folder in ipairs { "session", "gui", "app" } do
    files { "engine/" .. folder .. "/**.c", "engine/" .. folder .. "/**.h" }
  end
  removefiles { "engine/app/main.c", "engine/app/power.c", "engine/gui/gui_*.c", "engine/**_web.c", "engine/**_windows.c" }
  common "app"

local function app_libraries()
  links { "app", "gui", "gui-drawing" }
  links(gui_libraries)
  links(edit_libraries)
  links(confinement_libraries)
  links(hdf5_libraries)
  linkoptions(hdf5_folders)
  links { "stdc++" }
end

project "springtide"
  kind "ConsoleApp"
  files { "engine/app/main.c", "engine/app/power.c" }
  app_libraries()
  engine_libraries()
  links(markdown_libraries)
  links(gl_libraries)
  links(sdl_libraries)
  links(lua_libraries)
  common "springtide"

-- `require "springtide"`: the program that loads it brings the Lua library. It stays loaded when the Lua state is
-- closed (nodelete): the threads of the pool, which wait in its code, live on.
project "springtide-module"
  kind "SharedLib"
  targetname "springtide"
  targetprefix ""
  linkoptions { "-Wl,-u,luaopen_springtide", "-Wl,--version-script=springtide.map", "-Wl,-z,nodelete" }
  engine_libraries()
  common "springtide-module"

-- Scenes for other languages (engine/script/foreign.h), with Lua in it. Its name is not libspringtide.so, which programs
-- of C would be linked to in place of libspringtide.a.
project "springtide-c"
  kind "SharedLib"
  targetname "springtide_c"
  targetprefix ""
  linkoptions { "-Wl,-u,tide_foreign_open", "-Wl,--version-script=springtide_c.map", "-Wl,-z,nodelete" }
  engine_libraries()
  links(lua_libraries)
  common "springtide-c"

project "tests"
  kind "ConsoleApp"
  targetname "springtide-tests"
  files { "tests/**.c", "tests/**.h" }
  removefiles { "tests/fuzz/**", "tests/bench/**" } -- scripts/fuzz.sh builds the former, "bench" the latter
  includedirs { "tests" }
  app_libraries()
  engine_libraries()
  links(markdown_libraries)
  links { "cmocka" }
  links(gl_libraries)
  links(sdl_libraries)
  links(lua_libraries)
  common "tests"

-- What tests/bench/run.sh measures in C.
project "bench"
  kind "ConsoleApp"
  targetname "springtide-bench"
  files { "tests/bench/**.c", "tests/bench/**.h" }
  includedirs { "tests" }
  engine_libraries()
  links(lua_libraries)
  common "bench"
