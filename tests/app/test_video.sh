#!/usr/bin/env bash
# Videos, without a window and in one: what ffmpeg is told and given, by a stand-in of that name; what becomes of a run
# where there is none or it fails; the last ten seconds. Where the real one is installed, what it writes is looked at.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy
. "$root/tests/app/window_events.sh"
write_cloth cloth.lua # steps of 1/60 s
real=$(command -v ffmpeg)

# The stand-in writes a line with its arguments and the number of pictures that it received.
mkdir stand-in none
stand_in() { # BODY: what it does before
    cat >stand-in/ffmpeg <<SH
#!$BASH
size= rate= muxer= previous=
for word; do
    case \$previous in
    -video_size) size=\$word ;;
    -framerate) rate=\$word ;;
    -f) muxer=\$word ;;
    esac
    previous=\$word
done
$1
bytes=\$(wc -c)
picture=\$((4 * \${size%x*} * \${size#*x}))
left=
[ \$((bytes % picture)) -eq 0 ] || left=", and a part"
echo "\$muxer \$size \$rate \$((bytes / picture)) pictures\$left" >"\${word#file:}"
SH
    chmod +x stand-in/ffmpeg
}
stand_in ''
usual=$PATH
PATH=$folder/stand-in:$usual

# --- without a window
hash=$(springtide run cloth.lua --headless --frames 12 --hash)
run run cloth.lua --headless --frames 12 --hash --size 96x64 --video new/folder/a.mp4
equals "a video: status" "$status" 0
equals "a video does not change the state" "$out" "$hash"
equals "a video: nothing else is said" "$err" ""
equals "a video: a picture for a step" "$(<new/folder/a.mp4)" "mp4 96x64 60/1 12 pictures"
equals "a video: nothing beside it" "$(ls new/folder)" a.mp4
while read -r ending muxer rate pictures; do
    run run cloth.lua --headless --frames 12 --size 96x64 --video "a.$ending"
    equals ".$ending" "$(<"a.$ending")" "$muxer 96x64 $rate/1 $pictures pictures"
done <<'LIST'
mkv matroska 60 12
mov mov 60 12
webm webm 60 12
avi avi 60 12
gif gif 30 6
apng apng 30 6
webp webp 30 6
LIST
while read -r option value rate pictures; do
    run run cloth.lua --headless --frames 120 --size 32x24 --video rate.mp4 "$option" "$value"
    equals "$option $value: as long as the scene" "$(<rate.mp4)" "mp4 32x24 $rate $pictures pictures"
done <<'LIST'
--fps 25 25/1 50
--fps 100 100/1 200
--fps 7.5 15/2 15
--timestep 0.01 50/1 60
--timestep 0.1 10/1 120
--timestep 0.001 1000/17 7
LIST
run run cloth.lua --headless --frames 0 --video nothing.mp4
equals "no frames: status" "$status" 0
fails "no frames: no file" test -n "$(find . -name "nothing.mp4*")"
name='-i $(touch oops) "%d" '"it's;.mkv"
run run cloth.lua --headless --frames 3 --size 32x24 --video "$name"
equals "a hostile name: status" "$status" 0
passes "a hostile name: the file" test -s "./$name"
fails "a hostile name: no shell has seen it" test -e oops
run run cloth.lua --headless --frames 3 --size 32x24 --video v.mp4 --png v-%d.png --stats v.csv --export v-%d.ply
equals "with all other files: status" "$status" 0
equals "with all other files: the video" "$(<v.mp4)" "mp4 32x24 60/1 3 pictures"
equals "with all other files: these" "$(ls v-*.png v-*.ply v.csv | wc -l)" 7

# A scene that fails in the middle keeps what there was until then.
write_cloth_with late.lua 'function scene.update() if scene.frame == 5 then error("too late") end end'
run run late.lua --headless --frames 20 --size 32x24 --video late.mp4
equals "a scene that fails: status" "$status" 1
contains "a scene that fails: message" "$err" "too late"
equals "a scene that fails: the video up to there" "$(<late.mp4)" "mp4 32x24 60/1 5 pictures"

# Stopped: a whole file. The signal goes to all that the terminal runs, as Ctrl-C does.
for signal in INT TERM; do
    stop_when $signal "[ -e $signal-3.png ]" run cloth.lua --headless --frames 100000000 --size 32x24 \
        --png "$signal-%d.png" --video "$signal.mp4"
    equals "stopped by $signal: status" "$status" $((128 + $(kill -l $signal)))
    passes "stopped by $signal: a whole video" grep -Eq '^mp4 32x24 60/1 [1-9][0-9]* pictures$' $signal.mp4
    equals "stopped by $signal: nothing beside it" "$(find . -name "$signal.mp4.*.part")" ""
done

write_cloth_with slow.lua 'function scene.update() for _ = 1, 1e8 do end end'
"$build/springtide" run slow.lua --headless --size 32x24 --png slow-%d.png --video slow.mp4 2>/dev/null &
while [ ! -e slow-2.png ]; do sleep 0.1; done
kill $!
kill $! # as when both the program and its group are signalled
wait $!
equals "stopped twice at once: status" $? 143
passes "stopped twice at once: a whole video" grep -Eq '^mp4 32x24 60/1 [1-9][0-9]* pictures$' slow.mp4

# --- no ffmpeg, or one that fails
without() { # WORDS...: as `run`, with a PATH that has nothing in it
    PATH=$folder/none "$build/springtide" "$@" >.out 2>.err
    status=$?
    out=$(<.out)
    err=$(<.err)
}
without run cloth.lua --headless --frames 3 --hash --size 96x64 --video out/b.mp4
equals "no ffmpeg: status" "$status" 0
contains "no ffmpeg: it says what to install and what is written" "$err" \
    "ffmpeg is not installed (apt install ffmpeg), so PNG files are written and no video: out/b-00001.png"
equals "no ffmpeg: in one line" "$(wc -l <.err)" 1
equals "no ffmpeg: the pictures" "$(ls out | xargs)" "b-00001.png b-00002.png b-00003.png"
springtide run cloth.lua --headless --frames 3 --size 96x64 --png same-%d.png
springtide run cloth.lua --headless --frames 3 --size 96x64 --png again-%d.png
for i in 1 2 3; do
    passes "no ffmpeg: picture $i is that of --png" cmp "out/b-0000$i.png" "same-$i.png"
    passes "the same command gives the same picture $i" cmp "again-$i.png" "same-$i.png"
done

failing() { # NAME BODY MESSAGE
    stand_in "$2"
    run run cloth.lua --headless --frames 60 --size 640x360 --video failed.mp4
    equals "$1: status" "$status" 1
    contains "$1: message" "$err" "$3"
    equals "$1: one line" "$(wc -l <.err)" 1
    fails "$1: no file" test -n "$(find . -name "failed.mp4*")"
}
failing "ffmpeg fails at once" 'echo "Unknown encoder" >&2; echo "and so on" >&2; exit 1' \
    "failed.mp4: ffmpeg ended with status 1: Unknown encoder; and so on"
failing "ffmpeg fails in the middle" 'head -c 3000000 >/dev/null; echo "No space left on device" >&2; exit 5' \
    "failed.mp4: ffmpeg ended with status 5: No space left on device"
failing "ffmpeg is killed" 'kill -9 $$' "failed.mp4: ffmpeg ended by signal 9"
failing "ffmpeg fails at the end" 'cat >/dev/null; echo "no trailer" >&2; exit 2' \
    "failed.mp4: ffmpeg ended with status 2: no trailer"
stand_in ''
mkdir folder.mp4
run run cloth.lua --headless --frames 100000000 --video folder.mp4
equals "a folder of this name: status, at once" "$status" 1
contains "a folder of this name: message" "$err" "folder.mp4: a folder has this name"
run run cloth.lua --headless --frames 100000000 --video cloth.lua/a.mp4
equals "a file in the way: status, at once" "$status" 1
contains "a file in the way: message" "$err" "a file has its name"

# --- in a window
window "key:q" cloth.lua --hash --size 320x180 --video never.mp4
equals "closed before the first step: status" "$status" 0
window "key:space key:. key:. key:. key:. wait:2 key:q" cloth.lua --hash --size 320x180 --video window.mp4
equals "a window: the state" "$out" "$(springtide run cloth.lua --headless --frames 4 --hash)"
equals "a window: a picture for a step" "$(<window.mp4)" "mp4 320x180 60/1 4 pictures"
run run cloth.lua --frames 7 --hash --size 320x180 --video seven.mp4
equals "a window that runs: the state" "$out" "$(springtide run cloth.lua --headless --frames 7 --hash)"
equals "a window that runs: a picture for a step" "$(<seven.mp4)" "mp4 320x180 60/1 7 pictures"

hash=$(springtide run cloth.lua --headless --frames 10 --hash)
steps="key:. key:. key:. key:. key:. "
slow= # each of them is shown
for i in 1 2 3 4 5 6 7 8 9 10; do slow="${slow}key:. wait:12 "; done
window "key:space key:v $steps$steps key:v wait:30 key:v key:. key:v wait:30 key:q" cloth.lua --size 320x180
equals "V and V: status" "$status" 0
equals "V and V: every second of 10 steps" "$(<cloth-0001.mp4)" "mp4 320x180 30/1 5 pictures"
fails "V, one step and V: there is no picture yet" test -n "$(find . -name "cloth-0002.mp4*")"
window "key:space key:v $steps$steps key:q" cloth.lua --hash --size 320x180 --fps 60
equals "V and the end: the state" "$out" "$hash"
equals "V and the end: the whole video" "$(<cloth-0002.mp4)" "mp4 320x180 60/1 10 pictures"
window "key:space key:v key:v wait:9 key:q" cloth.lua --size 320x180
equals "V and V without a step: status" "$status" 0
equals "V and V without a step: no file" "$(echo cloth-*)" "cloth-0001.mp4 cloth-0002.mp4"

window "key:space $slow key:b wait:2 $steps wait:200 key:q" cloth.lua --hash --size 320x180
equals "B: the state is what it would be without" "$out" "$(springtide run cloth.lua --headless --frames 15 --hash)"
equals "B: every second of 10 steps" "$(<cloth-0003.mp4)" "mp4 320x180 30/1 5 pictures"
window "key:space $slow key:b key:q" cloth.lua --hash --size 320x180
equals "B and the end: the state" "$out" "$hash"
equals "B and the end: the whole video" "$(<cloth-0004.mp4)" "mp4 320x180 30/1 5 pictures"
window "key:space key:b wait:9 key:q" cloth.lua --size 320x180
equals "B before the first step: status" "$status" 0
fails "B before the first step: no file" test -e cloth-0005.mp4
many= # 14 s of a scene of steps of 1/2 s
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do many="${many}key:. wait:9 key:. wait:9 "; done
window "key:space $many key:b wait:9 key:q" cloth.lua --size 160x120 --timestep 0.5
equals "B keeps ten seconds" "$(<cloth-0005.mp4)" "mp4 160x120 2/1 20 pictures"
window "key:space key:v $slow key:b wait:2 key:. key:v wait:50 key:q" cloth.lua --hash --size 320x180
equals "V and B at once: the state" "$out" "$(springtide run cloth.lua --headless --frames 11 --hash)"
equals "V and B at once: the one" "$(<cloth-0006.mp4)" "mp4 320x180 30/1 5 pictures"
equals "V and B at once: the other" "$(<cloth-0007.mp4)" "mp4 320x180 30/1 5 pictures"
window "key:space $slow key:r wait:9 key:. wait:9 key:. wait:9 key:left wait:9 key:. wait:9 key:b wait:20 key:q" \
    cloth.lua --size 320x180
equals "B shows what was shown, to and fro" "$(<cloth-0008.mp4)" "mp4 320x180 30/1 7 pictures"

# A replay is the same with a video made of it.
window "key:space $steps key:q" cloth.lua --size 320x180 --record a.replay
run run --replay a.replay --verify --headless --size 96x64 --video replay.mp4
equals "a replay: status" "$status" 0
contains "a replay: the same states" "$out" "the same"
equals "a replay: the video" "$(<replay.mp4)" "mp4 96x64 60/1 5 pictures"

stand_in 'echo "Unknown encoder" >&2; exit 1'
window "key:space key:v $steps key:. wait:20 key:q" cloth.lua --hash --size 640x360
equals "V and ffmpeg fails: the window goes on" "$out" "$(springtide run cloth.lua --headless --frames 6 --hash)"
contains "V and ffmpeg fails: message" "$err" "ffmpeg ended with status 1: Unknown encoder"
window "key:space $slow key:b wait:100 key:. key:q" cloth.lua --hash --size 640x360
equals "B and ffmpeg fails: the window goes on" "$out" "$(springtide run cloth.lua --headless --frames 11 --hash)"
contains "B and ffmpeg fails: message" "$err" "ffmpeg ended with status 1: Unknown encoder"
run run cloth.lua --frames 9 --size 640x360 --video window-failed.mp4
equals "--video in a window and ffmpeg fails: status" "$status" 1
equals "ffmpeg failed: no half-written file" "$(ls | grep -E '0009|part|window-failed')" ""
window_without() { # as `window`
    SPRINGTIDE_EVENTS=$1 LD_PRELOAD=$folder/events.so PATH=$folder/none "$build/springtide" "${@:2}" >.out 2>.err
    status=$?
}
window_without "key:space key:v key:. key:. key:. key:. key:v wait:2 $slow key:b wait:3 key:q" cloth.lua --size 160x90
equals "no ffmpeg in a window: status" "$status" 0
equals "no ffmpeg in a window: pictures of V and of B" "$(ls cloth-*.png | xargs)" \
    "$(printf 'cloth-0009-0000%d.png ' 1 2)$(printf 'cloth-0010-0000%d.png ' 1 2 3 4 5 6 | xargs)"

# --- the real one
PATH=$usual
if [ -n "$real" ] && command -v ffprobe >/dev/null; then
    for ending in mp4 mkv mov webm avi gif apng; do
        run run cloth.lua --headless --frames 12 --size 97x63 --fps 20 --video "real.$ending"
        equals "the real ffmpeg: .$ending: status" "$status" 0
        equals "the real ffmpeg: .$ending: pictures" "$(ffprobe -v error -count_frames -select_streams v \
            -show_entries stream=nb_read_frames -of csv=p=0 "real.$ending")" 4
    done
    equals "the real ffmpeg: an even size" \
        "$(ffprobe -v error -show_entries stream=width,height -of csv=p=0 real.mp4)" 98,64
    springtide run cloth.lua --headless --frames 12 --size 97x63 --fps 20 --video twice.mp4
    passes "the real ffmpeg: the same command gives the same file" cmp real.mp4 twice.mp4
fi
finish
