-- Writes the completion for bash to standard output: lua5.4 scripts/package/completion.lua PROGRAM
package.path = arg[0]:match "^(.-)[^/]*$" .. "?.lua;" .. package.path
local about = require "help".read(arg[1])

local function names(list)
  local words = {}
  for _, item in ipairs(list) do
    words[#words + 1] = item.name
  end
  return table.concat(words, " ")
end

-- What an option's argument can be: names to choose from, or files.
local function action(option)
  local argument = option.argument
  if argument == "" then
    return nil
  elseif option.name:find "^%-%-solver" then
    return ('_springtide_names "%s"'):format(table.concat(about.lists.solvers, " "))
  elseif argument:find "^[%l|]+$" and argument:find "|" then
    return ('_springtide_words "%s"'):format(argument:gsub("|", " "))
  elseif argument:find "DIR" then
    return "_springtide_folders"
  elseif argument:find "FILE" or argument:find "PATTERN" or argument:find "OUT" then
    return "_springtide_files"
  end
  return ":"
end

io.write [==[
# Completion for springtide. Made of what the program tells about itself.
_springtide_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}
_springtide_names() { # of which options may follow
    _springtide_words "$1"
    [ ${#COMPREPLY[@]} -ne 1 ] || compopt -o nospace
}
_springtide_files() { # [ENDINGS]
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$current"; compgen -f ${1:+-X "!*.@($1)"} -- "$current")
}
_springtide_folders() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
}
_springtide() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    shopt -q extglob || { shopt -s extglob; trap 'shopt -u extglob; trap - RETURN' RETURN; }
    if [ "$COMP_CWORD" -eq 1 ] && [[ $current != -* ]]; then
]==]
io.write("        _springtide_files lua\n")
io.write('        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "',
  names(about.commands), '" -- "$current")\n')
io.write [==[
        return
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        _springtide_words "--help --version"
        return
    fi
    [[ $command != *.lua && $command != */* && $command != -* ]] || command=run
    case "$command $previous" in
]==]
for _, command in ipairs(about.commands) do
  for _, option in ipairs(command.options) do
    local act = action(option)
    if act then
      io.write("    '", command.name, " ", option.name, "') ", act, "; return ;;\n")
    end
  end
end
io.write [==[
    esac
    case "$command" in
]==]
for _, command in ipairs(about.commands) do
  local list = about.lists[command.name]
  local subject = command.synopsis:gsub("^springtide %S+ ?", ""):gsub(" ?%[OPTIONS%]$", "")
  io.write("    ", command.name, ")\n")
  io.write('        if [[ $current == -* ]]; then _springtide_words "', names(command.options),
    #command.options > 0 and " --help" or "--help", '"\n')
  if list then
    io.write('        else _springtide_words "', table.concat(list, " "), '"\n')
  elseif command.name == "help" then
    io.write('        else _springtide_words "', names(about.commands), '"\n')
  elseif subject:find "SCENE" then
    io.write "        else _springtide_files lua\n"
  elseif subject ~= "" then
    io.write "        else _springtide_files\n"
  end
  io.write "        fi ;;\n"
end
io.write [==[
    *) _springtide_words "--help --version" ;;
    esac
}
complete -F _springtide springtide
]==]
