-- Finds the programs that the project's shell scripts call, and checks that scripts/setup.sh installs each of them:
--     lua5.4 tests/scripts/programs.lua ROOT
-- prints a line of TAP for each program. A program is a word in the place of a command that is neither a builtin, nor a
-- keyword, nor a function of a script, nor a path. Here-documents and text in single quotes are not read.

local function set(words)
  local found = {}
  for word in words:gmatch("%S+") do
    found[word] = true
  end
  return found
end

-- Programs that every Debian has.
local essential = set [[
  apt-get awk base64 basename bash cat chmod cksum cmp cp cut date diff dirname dpkg dpkg-deb dpkg-query env find flock
  grep gzip head id ln ls md5sum mkdir mkfifo mktemp mv nice nproc od paste perl readlink realpath rm rmdir sed seq sh
  sha256sum sleep sort stat tail tar tee timeout touch tr truncate uname uniq wc xargs yes ]]

-- The Debian packages of the others. ar, nm, objdump and strip are in binutils, on which gcc depends.
local packages = {
  gcc = "gcc", nm = "gcc", make = "make", ["pkg-config"] = "pkg-config", premake4 = "premake4", ["lua5.4"] = "lua5.4",
  luacheck = "lua-check", busted = "lua-busted", python3 = "python3", gnuplot = "gnuplot-nox", Xvfb = "xvfb",
  ["xvfb-run"] = "xvfb", localedef = "locales", assimp = "assimp-utils", ar = "gcc", objdump = "gcc", strip = "gcc",
  ["g++"] = "g++", ["dpkg-architecture"] = "dpkg-dev", ["dpkg-shlibdeps"] = "dpkg-dev", ["dpkg-source"] = "dpkg-dev",
  lintian = "lintian", emcc = "emscripten", node = "nodejs", npm = "npm",
}

-- Programs that a script looks for and does without.
local optional = set [[ blender ccache clang ffmpeg ffprobe git premake5 scontrol sinfo slurmctld slurmd squeue sudo
  tetgen wine wineserver ]]

local builtins = set [[ . : [ [[ alias bg break builtin cd continue declare disown echo eval exit export false fg
  getopts hash jobs kill let local mapfile popd printf pushd pwd read readonly return set shift shopt source test trap
  true type typeset ulimit umask unset wait ]]
local keywords = set "if then elif else while until do ! { time" -- a command follows
local closing = set "fi done esac } ]] function"
-- The command that they run follows their options and assignments, and so many words more.
local runners = {
  exec = 0, command = 0, env = 0, xargs = 0, alone = 0, beside = 0, quietly = 0,
  passes = 1, fails = 1, single = 1, tap = 1,
}

local function without_here_documents(text)
  local lines, closer = {}, nil
  for line in (text .. "\n"):gmatch("(.-)\n") do
    if closer then
      if line:match("^%s*(.-)$") == closer then
        closer = nil
      end
      line = ""
    else
      local bare = line:gsub("<<<", "")
      closer = bare:match("<<%-?%s*['\"]?([%w_]+)['\"]?")
    end
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end

local read_commands

-- Reads a word from `at`; commands in it are read too. Returns its text and where it ends.
local function read_word(text, at, found)
  local start = at
  while at <= #text do
    local c, two = text:sub(at, at), text:sub(at, at + 1)
    if c == "\\" then
      at = at + 2
    elseif c == "'" then
      at = (text:find("'", at + 1, true) or #text) + 1
    elseif two == "$(" and text:sub(at, at + 2) ~= "$((" or two == "<(" or two == ">(" then
      at = read_commands(text, at + 2, found)
    elseif two == "$(" then
      at = select(2, text:find("%b()", at + 1)) + 1
    elseif two == "${" then
      at = (text:find("}", at, true) or #text) + 1
    elseif c == '"' then
      at = at + 1
      while at <= #text and text:sub(at, at) ~= '"' do
        local pair = text:sub(at, at + 1)
        if pair == "$(" and text:sub(at, at + 2) ~= "$((" then
          at = read_commands(text, at + 2, found)
        elseif pair:sub(1, 1) == "\\" then
          at = at + 2
        else
          at = at + 1
        end
      end
      at = at + 1
    elseif c == "(" and text:sub(start, at - 1):find("^[%w_]+%+?=$") then -- an array
      at = select(2, text:find("%b()", at)) + 1
    elseif c:find("[%s;|&()<>]") then
      break
    else
      at = at + 1
    end
  end
  return text:sub(start, at - 1), at
end

-- Reads commands up to the parenthesis that closes them, or to the end. `found[word]` is told of each.
function read_commands(text, at, found)
  local expects, skipped, in_case, pattern = true, 0, 0, false
  while at <= #text do
    local c, two = text:sub(at, at), text:sub(at, at + 1)
    if c == "#" and text:sub(at - 1, at - 1):find("^[%s;]?$") then
      at = text:find("\n", at, true) or #text + 1
    elseif two == "((" then
      at, expects = select(2, text:find("%b()", at)) + 1, false
    elseif two == ";;" then
      at, pattern, expects = at + 2, true, false
    elseif c == ")" then
      if not pattern then
        return at + 1
      end
      at, pattern, expects = at + 1, false, true
    elseif c == "(" and not pattern then
      at, expects = read_commands(text, at + 1, found), false
    elseif c:find("[\n;|&(]") then
      at, expects, skipped = at + 1, not pattern, 0
    elseif c:find("[<>]") and two ~= "<(" and two ~= ">(" then
      at = text:find("[^<>&|%s]", at) or #text + 1
      local _
      _, at = read_word(text, at, found)
    elseif c:find("%s") or two == "\\\n" then
      at = at + (c == "\\" and 2 or 1)
    else
      local word
      word, at = read_word(text, at, found)
      if text:sub(at, at + 1) == "()" then -- a function
        at = at + 2
      elseif pattern then
        if word == "esac" then
          in_case, pattern = in_case - 1, false
        end
      elseif expects and skipped > 0 then
        skipped = skipped - 1
      elseif word == "in" and in_case > 0 and not expects then
        pattern = true
      elseif expects then
        if word == "case" then
          in_case, expects = in_case + 1, false
        elseif word == "esac" then
          in_case, expects = in_case - 1, false
        elseif word == "for" or word == "select" then
          expects = false
        elseif word:find("^%-%a$") and text:find("^%s+[%u_]+%s", at) then -- an option of env and its argument
          skipped = 1
        elseif runners[word] then
          found[word], skipped = true, runners[word]
        elseif not keywords[word] and not word:find("^[%w_]+%[?[^=]*%]?%+?=") and not word:find("^%-") then
          found[word], expects = true, closing[word] ~= nil
        end
      end
    end
  end
  return at
end

-- Samples that the reader must find.
local samples = {
  { "a=1 b -c | d && e; f & g", "b d e f g" },
  { 'x=$(h "$(i)" "j")\nk "a $(l) b" # m', "h i k l" },
  { "if n; then o; else ! p; fi\nwhile q; do r; done", "done fi n o p q r" },
  { "case $1 in\na | b) s ;;\n*) t ;;\nesac\nu", "s t u" },
  { "f() {\n(a; b) || c\n}\nd", "a b c d }" },
  { "list=(a b)\nenv -u A B=c v\npasses 'it is' w <x >y\nexec z", "env exec passes v w z" },
  { "a <<'E'\nb\nE\nc <<<d\nfor e in f g; do h; done", "a c done h" },
}

local function words_of(found)
  local words = {}
  for word in pairs(found) do
    words[#words + 1] = word
  end
  table.sort(words)
  return words
end

local root = arg[1]
local failures, count = 0, 0
local function report(good, name, why)
  count = count + 1
  failures = failures + (good and 0 or 1)
  print((good and "ok - " or "not ok - ") .. name .. (good and "" or "\n# " .. why))
end

for i, sample in ipairs(samples) do
  local found = {}
  read_commands(without_here_documents(sample[1]), 1, found)
  local words = table.concat(words_of(found), " ")
  report(words == sample[2], "the reader of scripts, sample " .. i, words)
end

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read("a")
end

local installed = {}
for list in read(root .. "/scripts/setup.sh"):gmatch("_packages=(%b())") do
  for name in list:sub(2, -2):gmatch("%S+") do
    installed[name] = true
  end
end

local functions, callers = {}, {}
local pipe <close> = assert(io.popen(("find '%s/scripts' '%s/tests' '%s/.ci' -name '*.sh' -o -path '*/.ci/run'"):format(
  root, root, root)))
local paths = {}
for path in pipe:lines() do
  paths[#paths + 1] = path
end
table.sort(paths)
for _, path in ipairs(paths) do
  local text = without_here_documents(read(path))
  for name in ("\n" .. text):gmatch("\n%s*([%w_]+)%(%)") do
    functions[name] = true
  end
  local found = {}
  read_commands(text, 1, found)
  for word in pairs(found) do
    callers[word] = callers[word] or path:sub(#root + 2)
  end
end
for _, word in ipairs(words_of(callers)) do
  if word:find("^%a[%w.+-]*$") and not (builtins[word] or keywords[word] or closing[word] or functions[word]
      or optional[word] or runners[word] and not essential[word]) then
    local package = packages[word]
    report(essential[word] or installed[package], word, callers[word] .. " calls it; " .. (package
      and "scripts/setup.sh does not install " .. package
      or "give its package in tests/scripts/programs.lua, and let scripts/setup.sh install that"))
  end
end
os.exit(failures == 0 and count > 40)
