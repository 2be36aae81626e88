#!/usr/bin/env bash
# --renderer: pictures of scenes by OpenGL against those of the software renderer, in files and in windows, and the
# fallback without OpenGL. Without OpenGL the comparisons are left out.
. "$(dirname "$0")/checks.sh"
write_cloth cloth.lua

refused "--renderer of an unknown name" "expected software, opengl or opengles" run cloth.lua --headless --renderer vulkan
refused "--renderer without a name" "expected software|opengl|opengles after it" run cloth.lua --headless --renderer

headless() { # FRAMES: the hash without a window
    springtide run "${2:-cloth.lua}" --headless --frames "$1" --hash
}

run run cloth.lua --headless --frames 3 --size 160x90 --png plain.png --hash
hash=$out
run run cloth.lua --headless --frames 3 --size 160x90 --png software.png --renderer software --hash
passes "headless pictures are the software renderer's" cmp plain.png software.png
equals "the state does not depend on --renderer" "$out" "$hash"

# --- no OpenGL: one line, and the other renderer
export __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null
run run cloth.lua --headless --frames 3 --size 160x90 --png without.png --renderer opengl --hash
unset __EGL_VENDOR_LIBRARY_FILENAMES
equals "no OpenGL: status" "$status" 0
equals "no OpenGL: one line" "$(wc -l <.err)" 1
contains "no OpenGL: what draws" "$err" "the software renderer draws: OpenGL: "
passes "no OpenGL: the software renderer's picture" cmp without.png plain.png
equals "no OpenGL: the same state" "$out" "$hash"

run run cloth.lua --headless --frames 3 --size 160x90 --png opengl.png --renderer opengl --hash
equals "OpenGL: status" "$status" 0
equals "OpenGL: the same state" "$out" "$hash"
if [ -n "$err" ]; then
    echo "# $err"
    finish
fi

# --- the same pictures
cat >compare.c <<'C'
// Mean difference of components (0 to 255), and share of pixels with one that is off by more than 24, of two PNGs
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned char *read_picture(const char *path, png_image *image)
{
    *image = (png_image) { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_file(image, path))
        return NULL;
    image->format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(*image));
    return png_image_finish_read(image, NULL, pixels, 0, NULL) ? pixels : NULL;
}

int main(int count, char **words)
{
    png_image a, b;
    unsigned char *p = read_picture(words[1], &a), *q = read_picture(words[count - 1], &b);
    if (!p || !q || a.width != b.width || a.height != b.height)
        return 2;
    double mean = 0, share = 0, pixels = (double)a.width * a.height;
    for (size_t i = 0; i < (size_t)a.width * a.height; i++) {
        int most = 0;
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            int off = abs(p[k] - q[k]);
            mean += off;
            most = off > most ? off : most;
        }
        share += most > 24;
    }
    printf("%.4f %.5f\n", mean / (3 * pixels), share / pixels);
    free(p);
    free(q);
    return 0;
}
C
passes "the program that compares builds" gcc -std=c17 -o compare compare.c -lpng

alike() { # NAME PICTURE PICTURE MEAN SHARE: differ by no more than these
    local seen
    seen=$(./compare "$2" "$3")
    passes "$1: $seen" awk -v "most=$4 $5" 'BEGIN { split(most, m) } { exit !($1 <= m[1] && $2 <= m[2]) }' <<<"$seen"
}
alike "a picture is like itself" plain.png plain.png 0 0
fails "different pictures are told apart" test "$(./compare plain.png plain.png)" = "$(./compare plain.png opengl.png)"

both() { # NAME MEAN SHARE WORDS...: a scene by both renderers
    local name=$1 mean=$2 share=$3 renderer
    shift 3
    for renderer in software opengl; do
        springtide run "$@" --headless --size 480x270 --png $renderer.png --renderer $renderer
    done
    alike "$name" software.png opengl.png "$mean" "$share"
}
# A few times what llvmpipe was measured to differ by: other drivers lay their samples elsewhere
both "cloth and rope" 0.15 0.001 cloth.lua --frames 12
both "springs" 0.2 0.001 cloth.lua --frames 12 --wireframe
both "colours and arrows" 0.3 0.002 cloth.lua --frames 12 --colour strain --show velocities,contacts
both "springs by kind" 0.25 0.001 cloth.lua --frames 12 --show springs
both "curtain" 0.25 0.001 "$root/scenes/curtain.lua" --frames 2
both "pendulum" 0.15 0.001 "$root/scenes/pendulum.lua" --frames 20
both "drape" 0.15 0.001 "$root/scenes/papers/drape.lua" --frames 2
both "brush" 0.4 0.003 "$root/scenes/table1/brush.lua" --frames 2

# --- OpenGL ES draws what OpenGL draws
run run cloth.lua --headless --frames 3 --size 160x90 --png es.png --renderer opengles --hash
equals "OpenGL ES: status" "$status" 0
equals "OpenGL ES: the same state" "$out" "$hash"
if [ -z "$err" ]; then
    alike "OpenGL ES: the picture of OpenGL" opengl.png es.png 0.1 0.001
    springtide run cloth.lua --headless --frames 12 --wireframe --size 480x270 --png es.png --renderer opengles
    springtide run cloth.lua --headless --frames 12 --wireframe --size 480x270 --png opengl.png --renderer opengl
    alike "OpenGL ES: springs" opengl.png es.png 0.15 0.001
else
    contains "no OpenGL ES: what draws" "$err" "the software renderer draws: OpenGL: "
fi

# --- in windows: the driver `dummy` has no OpenGL, `offscreen` has
# SDL unloads the drivers that it uses itself, and what they keep to themselves is then a leak: no check for leaks there,
# only of the renderer's own context, without a window and beside SDL's dummy.
own_options=${ASAN_OPTIONS:-}
drivers() { # NAME: SDL's driver from now on
    export SDL_VIDEODRIVER=$1 ASAN_OPTIONS=$own_options
    [ "$1" = dummy ] || ASAN_OPTIONS="$own_options:detect_leaks=0"
}
for driver in dummy offscreen; do
    drivers $driver
    run run cloth.lua --frames 5 --hash --size 320x180 --renderer opengl --png $driver.png
    equals "a window by OpenGL, $driver: status" "$status" 0
    equals "a window by OpenGL, $driver: the state of a headless run" "$out" "$(headless 5)"
    equals "a window by OpenGL, $driver: nothing to tell" "$err" ""
    run run cloth.lua --frames 5 --hash --size 320x180 --renderer opengles --png $driver-es.png
    equals "a window by OpenGL ES, $driver: status" "$status" 0
    equals "a window by OpenGL ES, $driver: the state of a headless run" "$out" "$(headless 5)"
    equals "a window by OpenGL ES, $driver: nothing to tell" "$err" ""
    run run cloth.lua --frames 5 --hash --size 320x180 --renderer software --png $driver-software.png
    equals "a window by software, $driver: the state of a headless run" "$out" "$(headless 5)"
    equals "a window by software, $driver: nothing to tell" "$err" ""
done
drivers dummy
run run cloth.lua --frames 5 --hash --size 320x180
equals "a window without a graphics processor: one line" "$(wc -l <.err)" 1
contains "a window without a graphics processor: what draws" "$err" "the software renderer draws: OpenGL: "
equals "a window without a graphics processor: the state of a headless run" "$out" "$(headless 5)"

# G changes the renderer and back; keys come from a library in front of SDL, the first with the first poll and
# then one in eight.
cat >keys.c <<'C'
#include <SDL.h>
#include <stdlib.h>
#include <string.h>

int SDL_PollEvent(SDL_Event *event)
{
    static unsigned polls;
    const char *keys = getenv("SPRINGTIDE_KEYS");
    SDL_PumpEvents();
    if (polls++ % 8 || polls / 8 >= strlen(keys))
        return 0;
    memset(event, 0, sizeof *event);
    event->type = SDL_KEYDOWN;
    event->key.keysym.sym = (SDL_Keycode)keys[polls / 8];
    return 1;
}
C
passes "the library of keys builds" gcc -shared -fPIC -o keys.so keys.c $(pkg-config --cflags sdl2)
pressed() { # KEYS WORDS...: the window's picture after these keys; space comes first
    SPRINGTIDE_KEYS=" .$1qq" LD_PRELOAD=$folder/keys.so "$build/springtide" run cloth.lua --hash --size 320x180 \
        "${@:2}" >.out 2>.err
    status=$?
    out=$(<.out)
}
for driver in dummy offscreen; do
    drivers $driver
    pressed p --renderer software
    pressed gp --renderer software
    equals "G in a window, $driver: status" "$status" 0
    equals "G in a window, $driver: the state of a headless run" "$out" "$(headless 1)"
    pressed ggp --renderer software
    pressed gp --renderer opengl
    passes "G twice, $driver: the picture of before" cmp cloth-0001.png cloth-0003.png
    passes "G from OpenGL, $driver: the software renderer's picture" cmp cloth-0001.png cloth-0004.png
    fails "G, $driver: another renderer's picture" cmp -s cloth-0001.png cloth-0002.png
    alike "G, $driver: much alike" cloth-0001.png cloth-0002.png 0.3 0.002
    rm -f cloth-*.png
done
if command -v xvfb-run >/dev/null; then
    drivers x11
    for renderer in opengl software; do
        xvfb-run -a -s "-screen 0 640x480x24" "$build/springtide" run cloth.lua --frames 5 --hash --size 320x180 \
            --renderer $renderer >.out 2>.err
        equals "under Xvfb, $renderer: status" "$?" 0
        equals "under Xvfb, $renderer: the state of a headless run" "$(tail -n 1 .out)" "$(headless 5)"
        equals "under Xvfb, $renderer: nothing to tell" "$(<.err)" ""
    done
fi
finish
