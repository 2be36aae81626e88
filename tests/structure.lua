-- Checks that the tree keeps to its own rules: folders, layers, lists, file sizes, text. `lua5.4 tests/structure.lua`
-- from the root; with arguments, of the tree in that folder.
-- A check is a function over { path = text }; each has samples that it must refuse, so that no check can rot unseen
-- (a sample of false is a file that is not there).

local layers = {
  "base", "mesh", "geometry", "formats", "linear", "factor", "model", "solver", "collision", "contact", "world", "draw",
  "script", "session", "gui", "app",
}
local rank = {}
for i, name in ipairs(layers) do
  rank[name] = i
end

-- Removes comments and the contents of quotes; keeps line numbers.
local function bare_c(text)
  local out, position = {}, 1
  local function blank(from, to, with)
    out[#out + 1] = with .. text:sub(from, to):gsub("[^\n]", "")
    position = to + 1
  end
  while position <= #text do
    local at = text:find("[/\"']", position)
    if not at then
      break
    end
    out[#out + 1] = text:sub(position, at - 1)
    position = at
    local two, one = text:sub(at, at + 1), text:sub(at, at)
    if two == "//" then
      blank(at, (text:find("\n", at, true) or #text + 1) - 1, "")
    elseif two == "/*" then
      blank(at, select(2, text:find("*/", at + 2, true)) or #text, " ")
    elseif one == "/" then
      out[#out + 1], position = "/", at + 1
    else
      local last = at + 1
      while last <= #text and text:sub(last, last) ~= one and text:sub(last, last) ~= "\n" do
        last = last + (text:sub(last, last) == "\\" and 2 or 1)
      end
      blank(at, last, one .. one)
    end
  end
  out[#out + 1] = text:sub(position)
  return table.concat(out)
end

local function each_line(text, visit)
  local number = 0
  for line in (text .. "\n"):gmatch("(.-)\n") do
    number = number + 1
    visit(line, number)
  end
end

local function sorted(files)
  local paths = {}
  for path in pairs(files) do
    paths[#paths + 1] = path
  end
  table.sort(paths)
  return ipairs(paths)
end

local function is_c(path)
  return path:find("%.[ch]$") ~= nil or path:find("%.cpp$") ~= nil
end

local function engine_folder(path)
  return path:match("^engine/([^/]+)/")
end

local checks = {}

local function check(name, refused, run)
  checks[#checks + 1] = { name = name, refused = refused, run = run }
end

-- Calls report(path, line, text) for each line of each engine file that is of C.
local function engine_lines(files, bare, visit)
  for _, path in sorted(files) do
    if path:find("^engine/") and is_c(path) then
      each_line(bare and bare_c(files[path]) or files[path], function(line, number)
        visit(path, number, line)
      end)
    end
  end
end

local function include_of(line)
  local name = line:match('^%s*#%s*include%s*[<"]([^>"]+)[>"]')
  return name
end

check("the top holds the known files and folders only", {
  ["notes.txt"] = "", ["src/main.c"] = "",
}, function(files, report)
  local known = {
    engine = true, scripts = true, scenes = true, tests = true, vendor = true,
    ["premake5.lua"] = true, ["README.md"] = true, LICENSE = true,
  }
  for _, path in sorted(files) do
    local top = path:match("^[^/]+")
    if not known[top] and top:sub(1, 1) ~= "." then
      report(path, 0, top .. " does not belong at the top")
    end
  end
end)

check("what must be at the top is there", { LICENSE = false }, function(files, report)
  local needed = { "premake5.lua", "README.md", "LICENSE", "vendor/README.md", "scripts/run.sh", "tests/run.sh" }
  for _, path in ipairs(needed) do
    if not files[path] then
      report(path, 0, "missing")
    end
  end
end)

check("engine/ and tests/ have the known folders only", {
  ["engine/util/list.c"] = "", ["engine/list.c"] = "", ["engine/NOTES.md"] = "", ["tests/lists/test_list.c"] = "",
  ["engine/mesh/deep/a.c"] = "",
}, function(files, report)
  local of_tests = {
    scripts = true, scenes = true, golden = true, fuzz = true, bench = true, course = true, web = true,
  }
  for _, path in sorted(files) do
    local top, folder = path:match("^(%w+)/([^/]+)/")
    if top == "engine" and not rank[folder] or top == "tests" and not (rank[folder] or of_tests[folder]) then
      report(path, 0, "no such folder in the design")
    elseif path:find("^engine/[^/]+$") and path ~= "engine/springtide.h" and path ~= "engine/README.md"
      or path:find("^engine/[^/]+/[^/]+/") then
      report(path, 0, "a file of engine/ belongs in one of its folders")
    end
  end
end)

check("engine/ and each of its folders have a README.md, and the files that it names exist", {
  ["engine/README.md"] = false, ["engine/mesh/README.md"] = false,
  ["engine/model/README.md"] = "Begin with `no_such_file.c`.\n", ["engine/draw/README.md"] = "a `no_such_file.h` b\n",
}, function(files, report)
  local function exists(name)
    if name:find("/", 1, true) then
      return files[name] or files["engine/" .. name]
    end
    for _, folder in ipairs(layers) do
      if files["engine/" .. folder .. "/" .. name] then
        return true
      end
    end
    return files["engine/" .. name] or files[name]
  end
  for i = 0, #layers do
    local path = i == 0 and "engine/README.md" or "engine/" .. layers[i] .. "/README.md"
    if not files[path] then
      report(path, 0, "missing: say what the folder is for, its main types and where to begin reading")
    end
    each_line(files[path] or "", function(line, number)
      for name, ending in line:gmatch("`([%w_/]+%.(%l+))`") do
        if (" c h cpp lua sh "):find(" " .. ending .. " ", 1, true) and not exists(name) then
          report(path, number, name .. " does not exist")
        end
      end
    end)
  end
end)

check("README.md has at most 150 lines; it links to every page outside engine/, and the course to its lessons", {
  ["README.md"] = ("x\n"):rep(151), ["scenes/new.md"] = "", ["scripts/README.md"] = false,
  ["scenes/course/99-new/lesson.md"] = "",
}, function(files, report)
  local front, course = files["README.md"] or "", files["scenes/course/README.md"] or ""
  local _, lines = front:gsub("\n", "")
  if lines > 150 then
    report("README.md", 0, lines .. " lines")
  end
  for _, path in sorted(files) do
    local lesson = path:match("^scenes/course/(%d%d%-.*%.md)$")
    if lesson and not course:find("](" .. lesson, 1, true) then
      report(path, 0, "scenes/course/README.md does not link to this lesson")
    elseif path:find("%.md$") and not path:find("^engine/") and path ~= "README.md" and not lesson
      and not front:find("](" .. path, 1, true) then
      report(path, 0, "README.md does not link to this page")
    end
  end
  for link in front:gmatch("%]%(([%w_/%.]+)") do
    if not files[link] and link:find("%.md$") then
      report("README.md", 0, link .. " does not exist")
    end
  end
end)

check("vendor/ holds no third party's source", {
  ["vendor/stb_image.h"] = "",
}, function(files, report)
  for _, path in sorted(files) do
    if path:find("^vendor/") and path ~= "vendor/README.md" then
      report(path, 0, "vendor/ holds README.md only")
    end
  end
end)

check("a folder includes only from itself and from those before it", {
  ["engine/mesh/a.c"] = '#include "model/system.h"\n', ["engine/base/b.h"] = '#  include "mesh/mesh.h"\n',
  ["engine/world/c.c"] = '#include "../draw/image.h"\n', ["engine/mesh/d.c"] = '#include "springtide.h"\n',
}, function(files, report)
  engine_lines(files, false, function(path, number, line)
    local included, own = line:match('^%s*#%s*include%s*"([^"]+)"'), rank[engine_folder(path) or ""]
    if not included or not own then
      return
    end
    local theirs = rank[included:match("^([^/]+)/[^/]+$") or ""]
    local umbrella = included == "springtide.h" and own >= rank.script
    if not umbrella and not theirs then
      report(path, number, included .. ": name the header by its folder and name")
    elseif not umbrella and theirs > own then
      report(path, number, engine_folder(path) .. "/ may not include " .. included)
    end
  end)
end)

local function only(what, refused, matches, allowed)
  check(what, refused, function(files, report)
    engine_lines(files, false, function(path, number, line)
      local included = include_of(line)
      if included and matches(included) and not allowed(path) then
        report(path, number, included)
      end
    end)
  end)
end

only("only linear/ and factor/ include cholmod.h", {
  ["engine/solver/a.c"] = "#include <suitesparse/cholmod.h>\n", ["engine/model/b.c"] = "#include <cholmod.h>\n",
}, function(included)
  return included:lower():find("cholmod") or included:lower():find("suitesparse")
end, function(path)
  return engine_folder(path) == "linear" or engine_folder(path) == "factor"
end)

only("only script/ includes Lua", {
  ["engine/app/a.c"] = "#include <lua.h>\n", ["engine/world/b.c"] = '#include "lauxlib.h"\n',
}, function(included)
  return included:find("lua", 1, true) or included == "lauxlib.h"
end, function(path)
  return engine_folder(path) == "script"
end)

only("only gui/ and draw/gl_* include SDL or GL", {
  ["engine/app/run.c"] = "#include <SDL.h>\n",
  ["engine/draw/rasterizer.c"] = "#include <SDL2/SDL.h>\n", ["engine/script/b.c"] = "#include <epoxy/gl.h>\n",
}, function(included)
  return included:find("SDL") or included:find("^GL") or included:find("^EGL") or included:find("^epoxy/")
end, function(path)
  return engine_folder(path) == "gui" or path:find("^engine/draw/gl_") ~= nil
end)

only("only gui*.cpp in gui/ knows Dear ImGui", {
  ["engine/gui/panels.c"] = "#include <imgui.h>\n", ["engine/draw/b.c"] = '#include "imgui_internal.h"\n',
}, function(included)
  return included:lower():find("imgui")
end, function(path)
  return path:find("^engine/gui/gui[%w_]*%.cpp$") ~= nil or path == "engine/gui/gui_parts.h"
end)

check("C++ is there for Dear ImGui, and for the peers of tests/bench, only", {
  ["engine/gui/panels.cpp"] = "", ["tests/gui/test_gui.cpp"] = "", ["engine/mesh/a.cc"] = "",
  ["engine/base/b.hpp"] = "", ["tests/bench/solve.cpp"] = "", ["engine/app/peer_bullet.cpp"] = "",
}, function(files, report)
  for _, path in sorted(files) do
    local extension = path:match("%.(%w+)$")
    if extension and (" cpp cc cxx hpp hh hxx "):find(" " .. extension .. " ", 1, true)
      and not path:find("^engine/gui/gui[%w_]*%.cpp$") and not path:find("^tests/bench/peer_%w+%.cpp$") then
      report(path, 0, "is C++")
    end
  end
end)

check("nothing in engine/ calls exit, abort or the C library's allocator", {
  ["engine/mesh/a.c"] = "void f(void)\n{\n    exit (1);\n}\n", ["engine/mesh/b.c"] = "  p = malloc(3); // why\n",
  ["engine/draw/c.c"] = "if (x)\n    free(p);", ["engine/base/text.c"] = "char *t = strdup(s);",
  ["engine/world/d.c"] = "/* no */ abort();",
}, function(files, report)
  local banned = {}
  local names = "exit _exit _Exit quick_exit abort malloc calloc realloc free aligned_alloc posix_memalign strdup "
    .. "strndup asprintf vasprintf getline"
  for name in names:gmatch("%S+") do
    banned[name] = true
  end
  local in_memory = { aligned_alloc = true, free = true }
  engine_lines(files, true, function(path, number, line)
    for before, name in line:gmatch("([%.>]?)%f[%w_]([%a_][%w_]*)%s*%(") do
      if before == "" and banned[name] and not (path == "engine/base/memory.c" and in_memory[name]) then
        report(path, number, name)
      end
    end
  end)
end)

check("no file is longer than 700 lines", {
  ["engine/mesh/a.c"] = ("\n"):rep(701),
}, function(files, report)
  for _, path in sorted(files) do
    local _, lines = files[path]:gsub("\n", "")
    local generated = path == "scripts/springtide/library.lua"
    if lines > 700 and not generated and (is_c(path) or path:find("%.lua$") or path:find("%.sh$")) then
      report(path, 0, lines .. " lines")
    end
  end
end)

-- The functions and constants that the text of a file of C defines for others, and the names that it uses.
local names_of_text = {}

local function names_in(text)
  local names = names_of_text[text]
  if names then
    return names
  end
  names = { defined = {}, used = {} }
  names_of_text[text] = names
  local bare = "\n" .. bare_c(text)
  for statement, ending in bare:gmatch("\n([%a_][^;={}#]*)([;={])") do
    local name = ending == "{" and statement:match("(tide_[%w_]+)%s*%(")
      or ending == "=" and statement:gsub("%b[]", ""):match("(tide_[%w_]+)%s*$")
    if name and not statement:find("^static%f[^%w_]") then
      names.defined[name] = true
    end
  end
  for name in bare:gmatch("%f[%w_]tide_[%w_]+") do
    names.used[name] = true
  end
  return names
end

-- The file of one platform, NAME_web.c or NAME_windows.c, that takes the place of NAME.c.
local function platform_of(path)
  local platform = path:match("_(%l+)%.c$")
  return (platform == "web" or platform == "windows") and platform or nil
end

-- { folder = { file = { file that it uses = true } } }; files are paths. Of a sample, with the rest of the tree. What
-- several platforms define is the native file's.
local function uses_in_folders(files)
  local folders = {}
  for _, all in ipairs({ files, (getmetatable(files) or {}).__index }) do
    for path in pairs(all) do
      local folder = engine_folder(path)
      if folder and path:find("%.c%a*$") and files[path] then
        folders[folder] = folders[folder] or {}
        folders[folder][path] = {}
      end
    end
  end
  for _, uses in pairs(folders) do
    local definer = {}
    for path in pairs(uses) do
      for name in pairs(names_in(files[path]).defined) do
        definer[name] = (not platform_of(path) or not definer[name]) and path or definer[name]
      end
    end
    for path, used in pairs(uses) do
      for name in pairs(names_in(files[path]).used) do
        if definer[name] and definer[name] ~= path then
          used[definer[name]] = true
        end
      end
    end
  end
  return folders
end

-- Lists the circles of a folder: files each of which uses all others, directly or through others.
local function circles_in(uses)
  local reached, circles, placed = {}, {}, {}
  local function reach(from, path)
    for used in pairs(uses[path]) do
      if not reached[from][used] then
        reached[from][used] = true
        reach(from, used)
      end
    end
  end
  for path in pairs(uses) do
    reached[path] = {}
    reach(path, path)
  end
  for _, path in sorted(uses) do
    if reached[path][path] and not placed[path] then
      local circle = {}
      for _, other in sorted(reached[path]) do
        if reached[other][path] then
          circle[#circle + 1] = other
          placed[other] = true
        end
      end
      circles[#circles + 1] = circle
    end
  end
  return circles
end

-- Two files may share one type if the head of each, before its first include, names the other: "One type with b.c".
local function are_halves(files, circle)
  local function tells(path, other)
    local head = files[path]:match("^(.-)#%s*include") or ""
    return head:find("One type with " .. other:match("[^/]+$"), 1, true) ~= nil
  end
  return #circle == 2 and tells(circle[1], circle[2]) and tells(circle[2], circle[1])
end

check("no circle of files within a folder", {
  ["engine/mesh/box.c"] = "const tide_mesh_builder tide_mesh_box = { 0 };\nvoid f(void)\n{\n"
    .. "    tide_mesh_builder_at(0);\n}\n",
  ["engine/base/stop.c"] = "// One type with parallel.c.\n#include <a.h>\ntide_stop *tide_stop_current(void)\n{\n"
    .. "    tide_threads();\n}\n",
}, function(files, report)
  for folder, uses in pairs(uses_in_folders(files)) do
    for _, circle in ipairs(circles_in(uses)) do
      if not are_halves(files, circle) then
        report("engine/" .. folder .. "/", 0, "each of these uses all others: " .. table.concat(circle, " ")
          .. "; move what they share into a file below them")
      end
    end
  end
end)

check("every kind is in its folder's list", {
  ["engine/model/bend.c"] = "const tide_element_kind tide_bend = { 0 };\n",
  ["engine/solver/newton.c"] = "const tide_solver_kind tide_newton = {\n",
  ["engine/mesh/knot.c"] = "const tide_mesh_builder tide_mesh_knot = {\n",
  ["engine/collision/cone.c"] = "const tide_shape_kind tide_shape_cone = {\n",
}, function(files, report)
  local lists = {
    tide_element_kind = "engine/model/kinds.c",
    tide_solver_kind = "engine/solver/solvers.c",
    tide_mesh_builder = "engine/mesh/builders.c",
    tide_shape_kind = "engine/collision/shapes.c",
  }
  engine_lines(files, true, function(path, number, line)
    local kind, name = line:match("^const%s+([%w_]+)%s+([%w_]+)%s*=")
    local list = kind and lists[kind]
    if list and not bare_c(files[list] or ""):find("[&(]%s*" .. name .. "%f[^%w_]") then
      report(path, number, name .. " is not in " .. list)
    end
  end)
end)

check("no two files of engine/ have one name, and none is called internal.h", {
  ["engine/base/step.c"] = "// the world has one", ["engine/gui/internal.h"] = "",
}, function(files, report)
  for _, path in sorted(files) do
    local own, name = path:match("^engine/([^/]+)/([^/]+%.%a+)$")
    if name and is_c(path) then
      for _, folder in ipairs(layers) do
        if folder ~= own and files["engine/" .. folder .. "/" .. name] then
          report(path, 0, "engine/" .. folder .. "/ has a file of this name")
        end
      end
      if name == "internal.h" then
        report(path, 0, "a header is named after what it holds")
      end
    end
  end
end)

-- The linker takes one of two functions of one name in silence when they are in different libraries. A file NAME_web.c or
-- NAME_windows.c takes the place of NAME.c, and of files that only this calls, in the build for that platform.
check("no two files of engine/ for one platform define one name", {
  ["engine/app/a.c"] = "void tide_world_step(void)\n{\n}\n",
  ["engine/app/a_web.c"] = "void tide_window_open(void)\n{\n}\n",
}, function(files, report)
  local platforms = {}
  for _, all in ipairs({ files, (getmetatable(files) or {}).__index }) do -- of a sample, with the rest of the tree
    for _, path in sorted(all) do
      local platform = platform_of(path) or "native"
      local first = platforms[platform] or {}
      platforms[platform] = first
      for name in pairs(path:find("^engine/.*%.c$") and names_in(all[path]).defined or {}) do
        if first[name] and first[name] ~= path then
          report(path, 0, name .. " is in " .. first[name] .. " too")
        end
        first[name] = path
      end
    end
  end
end)

check("an include guard names its file", {
  ["engine/mesh/a.h"] = "#ifndef TIDE_A_H\n#define TIDE_A_H\n#endif\n", ["engine/draw/b.h"] = "#pragma once\n",
}, function(files, report)
  for _, path in sorted(files) do
    local folder, name = path:match("^engine/([^/]+)/([^/]+)%.h$")
    if folder then
      local guard = ("TIDE_%s_%s_H"):format(folder, name):upper():gsub("[^%w]", "_")
      if not files[path]:find("#ifndef " .. guard .. "\n#define " .. guard .. "\n", 1, true) then
        report(path, 0, "expected the guard " .. guard)
      end
    end
  end
end)

local function is_text(path)
  local extension = path:match("%.(%w+)$")
  local known = " c h cpp lua sh md txt csv obj mesh yml json "
  return not extension or path:find("^%.") ~= nil or known:find(" " .. extension .. " ", 1, true) ~= nil
end

check("no text names a place on one machine", {
  ["scripts/a.sh"] = "cd /ho" .. "me/someone/springtide\n", ["README.md"] = "see /op" .. "t/springtide\n",
  ["tests/mesh/b.c"] = 'open("/ro' .. 'ot/x")', ["scenes/c.lua"] = "-- C:" .. "\\Users\\me",
}, function(files, report)
  local places = { "/home/%w", "/root/", "/Users/%w", "/opt/%w", "%a:\\Users", "/mnt/%w" }
  for _, path in sorted(files) do
    if is_text(path) and path ~= "tests/structure.lua" then
      each_line(files[path], function(line, number)
        for _, place in ipairs(places) do
          local at = line:find(place)
          if at and not line:sub(at - 1, at - 1):find("[%w_.}]") then
            report(path, number, line)
          end
        end
      end)
    end
  end
end)

check("no trailing space, tab or missing last newline", {
  ["README.md"] = "a \nb\n", ["engine/mesh/a.c"] = "\tint x;\n", ["scenes/b.lua"] = "return 1", ["LICENSE"] = "a\r\n",
}, function(files, report)
  for _, path in sorted(files) do
    if is_text(path) then
      each_line(files[path], function(line, number)
        if line:find("[ \t\r]$") then
          report(path, number, "space at the end of the line")
        elseif line:find("\t", 1, true) and not path:find("%.obj$") and not path:find("%.mesh$") then
          report(path, number, "a tab")
        end
      end)
      if files[path] ~= "" and files[path]:sub(-1) ~= "\n" then
        report(path, 0, "no newline at the end")
      end
    end
  end
end)

check("no test is ended by the clock, which load on the machine reaches", {
  ["tests/app/test_a.sh"] = "timeout 600 springtide run a.lua\n", [".ci/run"] = "nice timeout -k 5 60 bash run.sh\n",
}, function(files, report)
  for _, path in sorted(files) do
    if path:find("^tests/.*%.sh$") or path:find("^%.ci/") then
      each_line(files[path], function(line, number)
        if not line:find("^%s*#") and (" " .. line):find("[%s;|&(]timeout%s+[-%d]") then
          report(path, number, "timeout; wait for what is to happen")
        end
      end)
    end
  end
end)

-- The tree itself.

local function quoted(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function read_tree(root)
  local files = {}
  local find = "find . -name .git -prune -o -path ./build -prune -o -type f -print"
  local pipe = assert(io.popen("cd " .. quoted(root) .. " && " .. find))
  for path in pipe:lines() do
    local file = assert(io.open(root .. "/" .. path, "rb"))
    files[path:sub(3)] = file:read("a")
    file:close()
  end
  pipe:close()
  return files
end

local passed, failed = 0, 0

local function result(name, problems)
  if #problems == 0 then
    passed = passed + 1
    print("ok      " .. name)
    return
  end
  failed = failed + 1
  print("not ok  " .. name)
  for _, problem in ipairs(problems) do
    print("        " .. problem)
  end
end

local function problems_of(run, files)
  local problems = {}
  run(files, function(path, number, text)
    problems[#problems + 1] = path .. (number > 0 and ":" .. number or "") .. ": " .. text
  end)
  return problems
end

local root = arg[1] or "."
local files = read_tree(root)
for _, one in ipairs(checks) do
  result(one.name, problems_of(one.run, files))
end

local accepted = {}
for _, one in ipairs(checks) do
  for path, text in pairs(one.refused) do
    local sample = setmetatable({ [path] = text }, { __index = files })
    if #problems_of(one.run, sample) == 0 then
      accepted[#accepted + 1] = one.name .. ": does not refuse the sample " .. path
    end
  end
end
result("each check refuses its bad samples", accepted)

if os.execute("command -v clang-format >/dev/null 2>&1") then
  local unformatted, names = {}, {}
  for _, path in sorted(files) do
    if is_c(path) then
      names[#names + 1] = quoted(path)
    end
  end
  local format = "clang-format --dry-run " .. table.concat(names, " ") .. " 2>&1"
  local pipe = assert(io.popen("cd " .. quoted(root) .. " && " .. format))
  local seen = {}
  for line in pipe:lines() do
    local path = line:match("^([^:]+):%d+:%d+: warning")
    if path and not seen[path] then
      seen[path] = true
      unformatted[#unformatted + 1] = path .. ": run clang-format -i on it"
    end
  end
  pipe:close()
  result(("clang-format leaves the %d C files as they are"):format(#names), unformatted)
else
  print("skipped clang-format: it is not installed")
end

print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0)
