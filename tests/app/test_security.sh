#!/usr/bin/env bash
# Attempts of a hostile scene: shell commands through gnuplot, writing and reading outside of its folders, terminal
# control codes. And files: links, devices, modes, two runs into one folder, interrupted recordings.
. "$(dirname "$0")/checks.sh"
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # of runs that a signal ends
escape=$'\x1b'

scene() { # FILE LUA
    printf 'local tide = require "springtide"\n%s\nlocal scene = tide.scene { timestep = 1 / 60 }\nreturn scene\n' "$2" >"$1"
}

headless() { # FILE OPTIONS...
    run run "$@" --headless
}

# --- names that are commands of gnuplot or the shell

while IFS='|' read -r what lua where; do
    write_cloth_with name.lua "$lua"
    headless name.lua --frames 1
    equals "$what with a newline: status" "$status" 1
    contains "$what with a newline: message" "$err" "$where"
    contains "$what with a newline: remedy" "$err" "is a control character or no UTF-8; expected printable text"
    equals "$what with a newline: one line" "$(wc -l <.err)" 1
done <<'LIST'
a parameter's name|tide.param("a\nb", 1)|param: name = a?
a unit|tide.param("a", 1, { unit = "x\n!touch PWNED\n#" })|param "a": unit
a help|tide.param("a", 1, { help = "x\27[2J" })|param "a": help
a text|tide.param("a", "x\ny")|param "a":
a choice|tide.param("a", "x", { choices = { "x", "y\127" } })|param "a": choices
a title|scene.title = "a\nb"|scene: title
a body's name|scene:body("a\nb", { mesh = tide.mesh.grid { columns = 2, rows = 2 }, mass = 1, stiffness = 1 })|scene: body
a collider's name|scene:collider("a\rb", { shape = "sphere", radius = 1 })|scene: collider
a solver's name|tide.solver { name = "a\nb", step = function() end }|name
a solver's help|tide.solver { name = "ab", help = "b\nc", step = function() end }|help
a solver's option|tide.solver { name = "ab", options = { x = { 1, unit = "\n" } }, step = function() end }|unit
a plot|scene:plot("a\nb", 1)|scene: plot
the name of a colour|scene:body("cloth"):colour(function() return 1 end, { name = "a\nb" })|name
no UTF-8|scene.title = "a\xff"|scene: title
a control character of two bytes|scene.title = "a\u{9b}2J"|scene: title
a path|tide.mesh.load("a\nb.obj")|mesh load: path
LIST

name=$'x\n!touch PWNED\n#.lua'
write_cloth "$name"
run convergence "$name" --cost --sweep stiffness=20,80 --out named
equals "a newline in the name of the scene's file: status" "$status" 1
contains "a newline in the name of the scene's file: message" "$err" "control character, such as a newline; rename the file"
write_cloth quote.lua
# A name that would be an expression of gnuplot's, and quotes and back ticks where they are allowed.
sed -e 's/"stiffness", 50/"system(\\"touch PWNED\\")", 50/' -e "s/max = 1000/max = 1000, unit = \"'; system('touch PWNED') \`touch PWNED\`\"/" \
    quote.lua >"it's \`touch PWNED\`.lua"
run convergence "it's \`touch PWNED\`.lua" --cost --sweep 'system("touch PWNED")=20,80' --frames 2 --out quoted
equals "a parameter that gnuplot would run: status" "$status" 0
contains "a parameter that gnuplot would run: its column" "$(head -n 1 quoted/cost.csv)" ",system__touch_PWNED__,"
if command -v gnuplot >/dev/null; then
    passes "a parameter that gnuplot would run: the picture is drawn" test -s quoted/cost.png
fi
sed 's/"stiffness", 50/"#", 50/' quote.lua >comment.lua
run convergence comment.lua --cost --sweep '#=20,80' --frames 2 --out comment
equals "a parameter that begins a comment: status" "$status" 0
if command -v gnuplot >/dev/null; then
    passes "a parameter that begins a comment: the picture is drawn" test -s comment/cost.png
fi
equals "nothing was run" "$(find . -name 'PWNED*')" ""

# --- codes that a terminal obeys

cat >codes.lua <<'LUA'
local tide = require "springtide"
print("\27[2Jone\tfield", "\u{9b}2J", "\x9b2J", "a\rb", "ä€😀")
local scene = tide.scene { title = "codes" }
function scene.update() error("\27]0;title\7 two\nlines") end
return scene
LUA
headless codes.lua --frames 1
equals "print" "$out" $'\\x1B[2Jone\tfield\t\\xC2\\x9B2J\t\\x9B2J\ta\\x0Db\tä€😀'
contains "an error" "$err" $'\\x1B]0;title\\x07 two\nlines'
fails "an error: nothing raw" grep -q "$escape" .err
scene load.lua 'local f = load("error(1)", "=\27[2Jchunk") f()'
headless load.lua --frames 1
contains "a chunk's name" "$err" '\x1B[2Jchunk'
fails "a chunk's name: nothing raw" grep -q "$escape" .err
scene missing.lua 'require("\27[2Jx")'
headless missing.lua --frames 1
fails "a module's name: nothing raw" grep -q "$escape" .err
printf 'print("\\27[2J")\n"\\27[3J"\nerror("\\27[4J")\n' | springtide repl codes.lua >.out 2>.err
fails "a console: nothing raw" grep -q "$escape" .out .err
contains "a console: what was printed" "$(<.out)" '\x1B[2J'

# --- writing

mkdir -p inside/deep victim
echo precious >victim/file
ball='tide.mesh.sphere { radius = 1, subdivisions = 0 }'
for path in ../out.obj "$folder/absolute.obj" inside/../../out.obj link/out.obj link.obj; do
    ln -sfn "$folder/victim" inside/link
    ln -sfn "$folder/victim/file" inside/link.obj
    scene inside/save.lua "assert($ball:save('$path'))"
    (cd inside && springtide run save.lua --headless --frames 1) >.out 2>.err
    equals "a scene saves $path: status" $? 1
    contains "a scene saves $path: message" "$(<.err)" "a scene writes only into the current folder ($folder/inside)"
done
equals "and nothing is written" "$(find . -name '*.obj' -type f)" ""
rm inside/link inside/link.obj
ln -s deep/target.obj inside/near.obj
scene inside/save.lua "assert($ball:save('a.obj')) assert($ball:save('deep/b.obj')) local ok, why = $ball:save('near.obj') assert(not ok, why) print(why)"
(cd inside && springtide run save.lua --headless --frames 1) >.out 2>.err
equals "a scene saves into its output folder" "$(find inside -name '*.obj' -type f | sort | tr '\n' ' ')" "inside/a.obj inside/deep/b.obj "
contains "a link within it is refused" "$(<.out)" "is a symbolic link, which is not written through"
scene inside/fifo.lua "local ok, why = $ball:save('fifo.obj') print(ok, why)"
mkfifo inside/fifo.obj
(cd inside && springtide run fifo.lua --headless --frames 1) >.out 2>.err
contains "a scene writes into no FIFO" "$(<.out)" "is a device, FIFO or socket, which is not replaced"

# Links that somebody else has made where a run writes.
write_cloth cloth.lua
for name in s.csv p.png r.replay w.world e.obj v.mp4; do
    ln -sf "$folder/victim/file" "$name"
    ln -sf "$folder/victim/file" "$name.part"
done
for line in "--stats s.csv" "--png p.png --size 32x24" "--record r.replay" "--save-world w.world" "--export e.obj" \
    "--video v.mp4 --size 32x24"; do
    read -ra words <<<"$line"
    headless cloth.lua --frames 1 "${words[@]}"
    equals "a link as the target of ${words[0]}: status" "$status" 1
    contains "a link as the target of ${words[0]}: message" "$err" "is a symbolic link"
    passes "a link as the target of ${words[0]}: it stays" test -L "${words[1]}"
    rm "${words[1]}"
    headless cloth.lua --frames 1 "${words[@]}"
    equals "a link that is called like a temporary file, ${words[0]}: status" "$status" 0
    passes "a link that is called like a temporary file, ${words[0]}: it stays" test -L "${words[1]}.part"
done
ln -s "$folder/victim/file" table.csv
ln -s "$folder/victim/file" page.md
for line in "bench cloth.lua --frames 1 --warm-up 1 --runs 1 --csv table.csv" "reference page.md"; do
    read -ra words <<<"$line"
    run "${words[@]}"
    equals "a link as the target of ${words[0]}: status" "$status" 1
    contains "a link as the target of ${words[0]}: message" "$err" "${words[-1]}: is a symbolic link"
done
equals "what they lead to is as it was" "$(<victim/file)" precious

# Devices and FIFOs are written to, modes stay.
headless cloth.lua --frames 2 --stats /dev/null --save-world /dev/null
equals "a device: status" "$status" 0
passes "a device: it stays" test -c /dev/null
equals "standard output" "$(springtide run cloth.lua --headless --frames 2 --stats /dev/stdout | wc -l)" 3
mkfifo pipe.csv
cat pipe.csv >piped &
headless cloth.lua --frames 2 --stats pipe.csv
wait $!
equals "a FIFO: all rows" "$(wc -l <piped)" 3
passes "a FIFO: it stays" test -p pipe.csv
for name in s.csv p.png r.replay w.world e.obj; do
    rm -f "$name"
    touch "$name"
    chmod 640 "$name"
done
headless cloth.lua --frames 1 --stats s.csv --png p.png --size 32x24 --record r.replay --save-world w.world --export e.obj
equals "modes stay" "$(stat -c %a s.csv p.png r.replay w.world e.obj | tr '\n' ' ')" "640 640 640 640 640 "
(umask 027 && springtide run cloth.lua --headless --frames 1 --stats new.csv --png new.png --size 32x24)
equals "a new file's mode is the usual one" "$(stat -c %a new.csv new.png | tr '\n' ' ')" "640 640 "

# --- reading

mkdir -p scenes/parts data other
secret='token-4711 = secret'
echo "$secret" >other/secret
echo "$secret" >other/secret.obj
printf 'local tide = require "springtide"\nreturn tide.scene {}\n' >other/bob.lua
ln -s "$folder/other/secret" scenes/secret
ln -s "$folder/other" scenes/linked
ln -s "$folder/other/bob.lua" scenes/module.lua
printf '1 3 0 0\n1 0 0 0\n' >scenes/part.node
ln -s "$folder/other/secret" scenes/part.ele
while IFS='|' read -r what lua; do
    scene scenes/reads.lua "$lua"
    SPRINGTIDE_DATA=$folder/data run run scenes/reads.lua --headless --frames 1 --record read.replay
    equals "$what: status" "$status" 1
    contains "$what: message" "$err$out" "copy the file there"
    fails "$what: nothing of it is told" grep -qE 'token|4711|secret =' .err .out
    fails "$what: nothing of it is recorded" grep -qs 4711 read.replay
done <<LIST
an absolute path|tide.load("/etc/passwd")
a path upwards|tide.load("../other/bob.lua")
a path that goes up within|tide.load("parts/../../other/bob.lua")
a link|tide.load("secret")
a linked folder|tide.load("linked/bob.lua")
a linked module|require "module"
a mesh|tide.mesh.load("../other/secret.obj")
a mesh by an absolute path|tide.mesh.load("$folder/other/secret.obj")
a part of a mesh|tide.mesh.load("part.node")
what is not there|tide.load("/nowhere/at/all.lua")
LIST
ln -s "$folder/other/secret" data/secret
scene scenes/reads.lua 'tide.read("secret")'
SPRINGTIDE_DATA=$folder/data run run scenes/reads.lua --headless --frames 1
equals "a link in the data folder: status" "$status" 1
contains "a link in the data folder: message" "$err" "it leads out of the data folder"
scene scenes/reads.lua 'print(pcall(function() scene:reload("../other/bob.lua") end))'
sed -i '2{h;d};3{G}' scenes/reads.lua # after the scene is made
run run scenes/reads.lua --headless --frames 1
contains "a reload" "$out" "copy the file there"

# Endless files are not opened: no FIFO and no device, whatever their names.
mkfifo scenes/pipe.lua scenes/pipe.obj pipe.world
ln -s /dev/zero scenes/zero.obj
scene scenes/module.lua 'require "pipe"'
scene scenes/mesh.lua 'assert(tide.mesh.load("pipe.obj"))'
while read -r line; do
    read -ra words <<<"$line"
    run "${words[@]}"
    equals "${words[*]}: status" "$status" 1
    contains "${words[*]}: message" "$err" "expected a regular file"
done <<'LIST'
run scenes/pipe.lua --headless --frames 1
run /dev/zero --headless --frames 1
run scenes/module.lua --headless --frames 1
run scenes/mesh.lua --headless --frames 1
run cloth.lua --headless --frames 1 --open-world pipe.world
run cloth.lua --headless --frames 1 --open-world /dev/zero
run --replay pipe.world --headless
check scenes/pipe.obj
check scenes/zero.obj
bench scenes/pipe.lua
convergence scenes/pipe.lua
LIST
rm scenes/pipe.lua scenes/pipe.obj scenes/zero.obj
scene scenes/asks.lua 'print(pcall(tide.mesh.load, "pipe.obj"))'
mkfifo scenes/pipe.obj
run run scenes/asks.lua --headless --frames 1 --record asks.replay
equals "a FIFO that a recorded scene asks for" "$status" 0
rm scenes/pipe.obj scenes/asks.lua
springtide run cloth.lua --headless --frames 1 --record zero.replay
sed -i '/^scene/i mesh "/dev/zero" 0123456789abcdef' zero.replay
run run --replay zero.replay --headless
equals "a recording with a device for a mesh: status" "$status" 1
contains "a recording with a device for a mesh: message" "$err" "expected a regular file"

# --- limits

scene grows.lua 'local t = {} while true do t[#t + 1] = {} end'
for line in "run --headless" bench convergence; do
    read -ra words <<<"$line"
    run "${words[0]}" grows.lua "${words[@]:1}" --memory-limit 16
    equals "memory of ${words[0]}: status" "$status" 1
    contains "memory of ${words[0]}: message" "$err" "out of memory: stopped at the limit of 16 MB"
    contains "memory of ${words[0]}: its help" "$(springtide help "${words[0]}")" "--memory-limit MB"
done

# Files that a scene may read.
printf 'local tide = require "springtide"\nassert(tide.load("../reads.lua", { set = { inner = true } }))\nreturn tide.scene {}\n' >scenes/parts/part.lua
echo 'return 42' >scenes/parts/number.lua
springtide run cloth.lua --headless --frames 0 --export scenes/parts/a.obj
cp scenes/parts/a.obj data/b.obj
scene scenes/reads.lua 'local inner = tide.param("inner", false)
if not inner then assert(tide.load("parts/part.lua")) end
assert(require "parts.number" == 42) assert(require "springtide.wind")
assert(tide.mesh.load("parts/a.obj")) assert(tide.mesh.load(tide.data("b.obj"))) assert(tide.read("b.obj"))
print(tide.mesh.load("parts/none.obj"))'
SPRINGTIDE_DATA=$folder/data run run scenes/reads.lua --headless --frames 1 --record read.replay
equals "its own folder, scripts/ and the data: status" "$status" 0
equals "its own folder, scripts/ and the data: nothing is said" "$err" ""
contains "a file that is not there" "$out" "cannot be opened: No such file"
rm -r scenes/parts/part.lua scenes/reads.lua
SPRINGTIDE_DATA=$folder/data run run --replay read.replay --headless --verify
contains "and again from the recording, without the scripts" "$out" "the same: 2 states"

# A replay from a stranger does not choose the folder that is read.
mkdir -p victim stranger
cp data/b.obj victim/c.obj
scene victim/mine.lua 'print(tide.mesh.load("c.obj"))'
springtide run victim/mine.lua --headless --frames 1 --record stranger/r.replay >.out
run run --replay stranger/r.replay --headless --verify
contains "a replay of a scene that is there reads its folder" "$out" "the same: 2 states"
echo >>victim/mine.lua
run run --replay stranger/r.replay --headless
equals "a replay of a scene that is not there: status" "$status" 1
contains "a replay of a scene that is not there: message" "$err$out" "its folder is not known to be its own"
cp stranger/r.replay victim/r.replay
run run --replay victim/r.replay --headless --verify
contains "a replay in the scene's folder reads it" "$out" "the same: 2 states"

# --- messages and interruptions

passes "a system file system to look at" test -d /proc/sys
headless cloth.lua --frames 1 --png /proc/springtide/sub/%d.png --size 32x24
equals "a folder that cannot be made: status" "$status" 1
contains "a folder that cannot be made: message" "$err" "/proc/springtide: this folder cannot be made: "

mkdir small
cat >small.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene {}
scene:body("cloth", { mesh = tide.mesh.grid { columns = 100, rows = 100 }, mass = 1, stiffness = 10 })
return scene
LUA
for line in "--export small/a.obj" "--stats small/a.csv --frames 100" "--record small/a.replay --frames 100" "--save-world small/a.world"; do
    read -ra words <<<"$line"
    (ulimit -f 4 && springtide run small.lua --headless --frames 2 "${words[@]}") >.out 2>.err
    equals "a limit of file sizes, ${words[0]}: status" $? 1
    contains "a limit of file sizes, ${words[0]}: message" "$(<.err)" "File too large"
done
equals "a limit of file sizes: nothing half-written is left" "$(find small -name '*.part')" ""

# Two runs into one folder.
pids=()
for i in 1 2 3 4; do
    springtide run cloth.lua --headless --frames 12 --size 32x24 --png both/%d.png --export both/%d.obj 2>.err$i &
    pids+=($!)
done
for i in 1 2 3 4; do
    wait "${pids[i - 1]}"
    equals "run $i of four into one folder" "$? $(<.err$i)" "0 "
done
equals "their files" "$(find both -type f | wc -l)" 24

# A recording that is killed replays up to its last whole frame.
write_cloth_with endless.lua 'function scene.update() if scene.frame == 20 then while true do end end end'
set -m # else the shell makes what runs beside it ignore SIGINT
for signal in INT TERM HUP KILL; do
    "$build/springtide" run endless.lua --headless --frames 100 --record $signal.replay --stats $signal.csv --size 32x24 \
        --png $signal/%d.png 2>/dev/null &
    while kill -0 $! && ! { [ -e $signal/20.png ] && [ "$(wc -l <$signal.csv)" = 21 ]; }; do sleep 0.05; done
    kill -s $signal $!
    wait $! 2>/dev/null
    equals "killed by $signal in an endless loop: status" $? $((128 + $(kill -l $signal)))
    run run --replay $signal.replay --headless --verify
    equals "killed by $signal in an endless loop: what is verified" "$out" "the same: 21 states of the replay"
    contains "killed by $signal in an endless loop: the warning" "$err" "the recording was cut short here, after step 20"
    equals "killed by $signal in an endless loop: replay's hash" "$(springtide run --replay $signal.replay --headless --hash 2>/dev/null)" \
        "$(springtide run cloth.lua --headless --frames 20 --hash)"
    equals "killed by $signal in an endless loop: rows" "$(wc -l <$signal.csv)" 21
    [ $signal = KILL ] || equals "killed by $signal in an endless loop: nothing is left" "$(find . -name "$signal*.part")" ""
done

set +m

# A stopped ffmpeg is told of, and the run goes on with it.
mkdir stand-in
cat >stand-in/ffmpeg <<SH
#!$BASH
kill -STOP \$\$
for word; do :; done
cat >"\${word#file:}"
SH
chmod +x stand-in/ffmpeg
PATH=$folder/stand-in:$PATH "$build/springtide" run cloth.lua --headless --frames 60 --size 320x240 --video v.mp4 2>.err &
while kill -0 $! 2>/dev/null && ! grep -q 'is stopped' .err; do sleep 0.1; done
contains "a stopped ffmpeg" "$(<.err)" 'ffmpeg is stopped, and the run waits for it; `kill -CONT '
kill -s CONT "$(sed -n 's/.*kill -CONT \([0-9]*\).*/\1/p' .err)"
wait $!
equals "a stopped ffmpeg that goes on: status" $? 0
equals "a stopped ffmpeg that goes on: all pictures" "$(wc -c <v.mp4)" $((60 * 4 * 320 * 240))
finish
