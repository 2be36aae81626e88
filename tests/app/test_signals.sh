#!/usr/bin/env bash
# The program receives its signals itself, whatever a library traps.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy

# A METIS that traps SIGTERM, as the real one does while it orders, and that is ended meanwhile. A trap that is called
# ends the program with status 99; the real one would jump out of another thread's stack.
cat >metis.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void trap(int number)
{
    _exit(99 + 0 * number);
}

int METIS_NodeND(int *n, int *starts, int *neighbours, int *weights, int *options, int *order, int *inverse)
{
    int (*real)(int *, int *, int *, int *, int *, int *, int *) = dlsym(RTLD_NEXT, "METIS_NodeND");
    void (*before)(int) = signal(SIGTERM, trap);
    kill(getpid(), atoi(getenv("ENDING_SIGNAL")));
    int status = real(n, starts, neighbours, weights, options, order, inverse);
    signal(SIGTERM, before);
    return status;
}
C
passes "the stand-in for METIS builds" gcc -shared -fPIC -o metis.so metis.c -ldl

cat >block.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene {}
scene:body("block", { mesh = tide.mesh.box { cells = { 14, 14, 14 } }, mass = 1, stiffness = 100 })
return scene
LUA
for signal in TERM INT HUP; do
    number=$(kill -l $signal)
    for words in "--headless --frames 1000000000" "--frames 1000000000 --size 64x48"; do
        # shellcheck disable=SC2086
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" LD_PRELOAD=$folder/metis.so ENDING_SIGNAL=$number \
            env --default-signal=INT,TERM,HUP "$build/springtide" run block.lua $words >.out 2>.err
        equals "SIG$signal while METIS orders ($words): the program ends by it" "$?" $((128 + number))
    done
done

# A signal that the program is to ignore is ignored, as by nohup.
trap '' HUP
springtide run block.lua --headless --frames 12 --size 16x16 --png %d.png &
until [ -e 3.png ] || ! kill -0 $!; do sleep 0.05; done
kill -s HUP $!
wait $!
equals "a signal that was ignored before: status" "$?" 0
equals "a signal that was ignored before: all pictures" "$(find . -name '*.png' | wc -l)" 12
trap - HUP

# In a window a signal closes it, and files are whole.
write_cloth cloth.lua
stop_when TERM '[ -e w/3.png ]' run cloth.lua --frames 1000000000 --size 64x48 --png w/%d.png --record w.replay
equals "a window: status" "$status" 143
contains "a window: its recording is whole" "$(springtide run --replay w.replay --headless --verify)" "the same: "
finish
