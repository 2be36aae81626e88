#!/usr/bin/env bash
# `springtide repl`: lines from a pipe and from a terminal; and the console of the window, its lines in a replay.
. "$(dirname "$0")/checks.sh"
write_cloth cloth.lua

repl() { # LINES WORDS...: output as `run`
    printf '%s\n' "$1" | "$build/springtide" repl "${@:2}" >.out 2>.err
    status=$?
    out=$(<.out)
    err=$(<.err)
}

repl 'scene:step(10) print(scene:hash())' cloth.lua --hash
equals "a line of a pipe: status" "$status" 0
hash=$(springtide run cloth.lua --headless --frames 10 --hash)
equals "it has the state of a run, and prints it as one does" "$out" "$hash"$'\n'"$hash"
equals "and says nothing else" "$err" ""
repl 'scene:step(10)' cloth.lua --hash --solver newton --set stiffness=120 --seed 3 --timestep 0.01 --threads 1
equals "options are those of run" "$out" "true"$'\n'"$(springtide run cloth.lua --headless --frames 10 --hash \
    --solver newton --set stiffness=120 --seed 3 --timestep 0.01)"
repl $'for i = 1, 3 do\n\n  print(i)\nend\n=1 + 1, "x"\nx = { 1,\n 2 }\nx'
equals "without a scene, and statements over lines" "$out" $'1\n2\n3\n2  x\n{ 1, 2 }'
equals "status without a scene" "$status" 0
repl 'body = scene:body("s", { mesh = tide.mesh.strand { points = 5 }, mass = 1, stiffness = 10 }) body:pin { 1 }
scene:step(20) body:position(5)
print(scene.frame, #scene:bodies(), (select(2, body:position(5))) < -0.1)'
equals "an empty world is filled by lines" "$out" $'20\t1\ttrue'

repl $'x = 1\nerror("boom")\nprint("on")\nlocal function f() error("deep") end f() x = 2\n=x\nscene:stepp()\nif' cloth.lua
equals "lines that fail: status" "$status" 1
equals "others are run, and nothing is changed" "$out" $'on\n1'
contains "an error with the line of the input" "$err" 'springtide: line 2: console:1: boom'
contains "a traceback" "$err" "console:1: in main chunk"
contains "the nearest name" "$err" 'did you mean "step"?'
contains "a statement without an end" "$err" "line 7: console:1: unexpected symbol near <eof>"
repl 'while true do end
print("alive")' cloth.lua --time-limit 2
equals "an endless loop is stopped" "$out" alive
contains "and said to be" "$err" "it took more than 2 s"
repl '' missing.lua
equals "no such scene: status" "$status" 1
repl '' cloth.lua --set nothing=1
equals "no such parameter: status" "$status" 2
repl '' cloth.lua --solver newtn
equals "no such solver: status" "$status" 2
repl '' cloth.lua --frames 3
equals "an option of others: status" "$status" 2
repl $'=1\n'"$(printf 'x%.0s' {1..20000})"$' = 1\n=2' cloth.lua
equals "a long line" "$out" $'1\n2'
printf '=1\n\0\n=2 + 1' | springtide repl >.out 2>.err
equals "a zero byte, and a last line without an end" "$(<.out)" $'1\n3'

# Ctrl-C stops the running line, and later lines of a pipe.
mkfifo lines
set -m # a job of its own, which does not ignore the signal
env --default-signal=INT "$build/springtide" repl cloth.lua <lines >.out 2>.err &
exec 3>lines
printf 'for _ = 1, 9999 do print("ready") end while true do end\nprint("on")\n' >&3
until grep -q ready .out || ! kill -0 $!; do sleep 0.1; done
kill -INT $!
wait $!
equals "Ctrl-C: status as by the signal" "$?" 130
set +m
exec 3>&-
contains "the line was interrupted" "$(<.err)" "interrupted"
fails "and none came after it" grep -qx on .out

# Recorded, and done again.
repl $'cloth = scene:body("cloth")\nscene:step(3)\ncloth:set_velocity(1, math.random(), 2, 0)\nerror()\nscene.state.x = 2 scene:step(2)' \
    cloth.lua --record r.replay --hash
recorded=$(tail -n 1 .out)
contains "lines are in the replay" "$(grep '^at' r.replay)" 'at 0 console "cloth:set_velocity(1, math.random(), 2, 0)" 0'
fails "but those that failed" grep -qF 'error()' r.replay
equals "and done again to the same state" "$(springtide run --replay r.replay --headless --hash)" "$recorded"
equals "every state of it" "$(springtide run --replay r.replay --headless --verify)" "the same: 5 states of the replay"
sed 's/state.x = 2/state.x = 3/' r.replay >other.replay
run run --replay other.replay --headless --verify
equals "another line leads to another state: status" "$status" 1
contains "which is found where it is" "$err" "other.replay:$(grep -n '^state ' r.replay | tail -n 1 | cut -d: -f 1): replay: frame 5 differs"
sed 's/console "scene:step(3)"/console "scene:step(3"/' r.replay >other.replay
run run --replay other.replay --headless
equals "a line that fails: status" "$status" 1
contains "with the line of the replay" "$err" "other.replay:"
sed 's/console "scene:step(3)" 0/console "scene:step(3)" 7/' r.replay >other.replay
run run --replay other.replay --headless
equals "one that is cut short: status" "$status" 1

# A terminal: editing, history, completion.
if command -v python3 >/dev/null; then
    cat >terminal.py <<'PY'
# Types texts into a terminal, each after the expected output of the one before; prints missing output.
import os, pty, re, select, signal, sys, termios, time

pid, fd = pty.fork()
if pid == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whatever runs the tests may ignore it
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""

def listen(until):  # five minutes without a byte mean that it hangs: load does not delay it so long
    global seen
    seen = b""
    while not re.search(until, seen):
        if not select.select([fd], [], [], 300)[0]:
            return False
        try:
            seen += os.read(fd, 4096)
        except OSError:
            return False
    return True

# The editor shows its prompt before it sets the terminal to pass keys on as they are.
def await_editor():
    while termios.tcgetattr(fd)[3] & termios.ICANON and not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        time.sleep(0.01)

def check(what, keys, until, running=False):
    if not running:
        await_editor()
    os.write(fd, keys)
    if not listen(until):  # what comes next would wait in vain as well
        print("not", what, repr(seen))
        os.kill(pid, signal.SIGKILL)
        sys.exit(1)

if not listen(rb"Ctrl-D ends\.[^>]*> "):
    print("no greeting", repr(seen))
check("a value", b"1 + 1\r", rb"\n2\r\n[^>]*> ")
check("a statement", b"x = 17\r", rb"\r\n[^>]*> ")
check("editing", b"y\x7fx+1\x1b[D\x1b[D * 2\x01=\x1b[1~\x1b[C\x1b[4~\r", rb"\n35\r\n[^>]*> ")
check("earlier lines", b"\x1b[A\x1b[A\x1b[A\r", rb"\n2\r\n[^>]*> ")
check("and later ones", b"\x1b[A\x1b[A\x1b[A\x1b[B\x0b\r", rb"\n35\r\n[^>]*> ")
check("completion", b"no words\x15scene:ste\t(2)\r", rb"\ntrue\r\n[^>]*> ")
# Keys that come before the line is shown again could be dropped with it by the Ctrl-C.
check("what may come", b"scene:s\t", rb"set_touching  snapshot  solver_info  step[^>]*> [^>]*scene:s")
check("given up", b"\x03", rb"\r\n[^>]*> ")
check("a field", b"scene.fram\t\r", rb"\n2\r\n[^>]*> ")
check("a statement over lines", b"for i = 1, 2 do\r", rb">> ")
check("its end", b"print('no. ' .. i) end\r", rb"no\. 2\r\n[^>]*> ")
check("a letter of two bytes", "x = 'äö'\x1b[D\x7f\x1b[C\r".encode(), rb"\r\n[^>]*> ")
check("is one", b"#x\r", rb"\n2\r\n[^>]*> ")
check("an error in red", b"error('boom')\r", rb"\x1b\[31mconsole:1: boom\x1b\[0m(.|\n)*> ")
check("a loop that runs", b"print('run' .. 'ning') while true do end\r", rb"running")
check("a loop that is stopped", b"\x03", rb"interrupted(.|\n)*> ", running=True)
check("alive", b"x = 3 =x\r", rb"\r\n(.|\n)*> ")
await_editor()
os.write(fd, b"\x04")
try:
    while os.read(fd, 4096):
        pass
except OSError:
    pass  # the terminal is closed
print("status", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
    equals "a terminal" "$(python3 terminal.py "$build/springtide" repl cloth.lua 2>&1)" "status 0"
fi

# What shows values and completes names is Lua in the scene's state, out of the scene's reach.
cat >changed.lua <<'LUA'
local tide = require "springtide"
string.format, string.rep, string.gsub, table.concat, type, rawget, math.type, ipairs = nil
tostring = function() return "changed" end
for _, name in pairs { "show", "complete" } do
  assert(not pcall(require("springtide.console." .. name), 1, {}))
end
return tide.scene {}
LUA
equals "a scene cannot change how values are shown" \
    "$(echo '{ 1, "a\nb", { x = scene.time } }' | springtide repl changed.lua 2>&1)" '{ 1, "a\nb", { x = 0.0 } }'

# The window: a line that is typed is in the replay, and leads to the same state.
export SDL_VIDEODRIVER=dummy
. "$root/tests/app/window_events.sh"
window "wait:2 key:Space wait:3 text:\`scene:body('cloth'):unpin{1} key:Return wait:60 text:scene:step(5) key:Return wait:60 \
text:x=1 key:Return wait:60 text:error() key:Return wait:60 key:Escape wait:5 key:Space" \
    run cloth.lua --frames 40 --hash --record w.replay --size 800x600
equals "a line in the window: status" "$status" 0
replay=$(grep '^at' w.replay)
contains "it is recorded" "$replay" "console \"scene:body('cloth'):unpin{1}\" 0"
contains "one that steps, too" "$replay" 'console "scene:step(5)" 0'
equals "and done again to the same state" "$(springtide run --replay w.replay --headless --hash)" "$out"
contains "every frame of it" "$(springtide run --replay w.replay --headless --verify)" "the same:"
finish
