# For tests of the window, to be sourced after checks.sh: a library in front of SDL that feeds events from
# SPRINGTIDE_EVENTS, one a poll: key:NAME, shift:NAME, ctrl:NAME, text:LETTERS (keys that type them), click:BUTTON:X:Y,
# drag:BUTTON:DX:DY, wheel:N, wait:POLLS, and, for what goes on in between, down:BUTTON:X:Y, move:X:Y, up:BUTTON:X:Y,
# mod:shift (or ctrl, none); drop:FILE; close: the window's button; touch:FILE makes the file, until:FILE waits for it.
# key:q comes twice: the second answers the question.
#
# Where SPRINGTIDE_SHOWN names a file, the last picture that was shown is in it, or in FILE.busy, of one that was shown
# while a script ran, when the program only asks whether the window is to close (R, G, B, A, row by row). The answer to
# that is yes once there is a FILE.close.
cat >events.c <<'C'
#define _GNU_SOURCE
#include <SDL.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static SDL_Event queue[512];
static int queued, waits, idle, asked;
static char awaited[1024];
static char words[4096], nothing[1], *script;

static void push(SDL_Event event)
{
    queue[queued++] = event;
}

static void read_word(const char *word)
{
    char name[32];
    int a = 0, b = 0, c = 0;
    SDL_Event event = { 0 };
    if (sscanf(word, "wait:%d", &waits) == 1 || sscanf(word, "until:%1023s", awaited) == 1)
        return;
    if (strncmp(word, "touch:", 6) == 0) {
        fclose(fopen(word + 6, "w"));
        return;
    }
    if (sscanf(word, "key:%31s", name) == 1 || sscanf(word, "shift:%31s", name) == 1 ||
        sscanf(word, "ctrl:%31s", name) == 1) {
        event.type = SDL_KEYDOWN;
        event.key.keysym.mod = word[0] == 's' ? KMOD_LSHIFT : word[0] == 'c' ? KMOD_LCTRL : KMOD_NONE;
        event.key.keysym.sym = SDL_GetKeyFromName(name);
        if (event.key.keysym.sym == SDLK_UNKNOWN)
            fprintf(stderr, "unknown key %s\n", name);
        push(event);
        if (event.key.keysym.sym == SDLK_q) // the second is the answer, where it asks
            push(event);
    } else if (strncmp(word, "text:", 5) == 0) { // keys with what they type
        for (const char *c = word + 5; *c; c++) {
            SDL_Event typed = { .text = { .type = SDL_TEXTINPUT, .text = { *c } } };
            event.type = SDL_KEYDOWN;
            event.key.keysym.sym = *c;
            push(event);
            push(typed);
        }
    } else if (sscanf(word, "click:%d:%d:%d", &a, &b, &c) == 3 || sscanf(word, "drag:%d:%d:%d", &a, &b, &c) == 3) {
        event.type = SDL_MOUSEBUTTONDOWN;
        event.button.button = (Uint8)a;
        event.button.x = word[0] == 'c' ? b : 100;
        event.button.y = word[0] == 'c' ? c : 100;
        push(event);
        if (word[0] == 'd') {
            SDL_Event motion = { .motion = { .type = SDL_MOUSEMOTION, .x = 100 + b, .y = 100 + c, .xrel = b, .yrel = c } };
            push(motion);
        }
        event.type = SDL_MOUSEBUTTONUP;
        push(event);
    } else if (sscanf(word, "down:%d:%d:%d", &a, &b, &c) == 3 || sscanf(word, "up:%d:%d:%d", &a, &b, &c) == 3) {
        event.type = word[0] == 'd' ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
        event.button.button = (Uint8)a;
        event.button.x = b;
        event.button.y = c;
        push(event);
    } else if (sscanf(word, "move:%d:%d", &a, &b) == 2) {
        SDL_Event motion = { .motion = { .type = SDL_MOUSEMOTION, .x = a, .y = b } };
        push(motion);
    } else if (sscanf(word, "mod:%31s", name) == 1) {
        SDL_SetModState(!strcmp(name, "shift") ? KMOD_LSHIFT : !strcmp(name, "ctrl") ? KMOD_LCTRL : KMOD_NONE);
    } else if (strcmp(word, "close") == 0) { // the window's button
        event.type = SDL_QUIT;
        push(event);
    } else if (strncmp(word, "drop:", 5) == 0) {
        event.type = SDL_DROPFILE;
        event.drop.file = SDL_strdup(word + 5);
        push(event);
    } else if (sscanf(word, "wheel:%d", &a) == 1) {
        event.type = SDL_MOUSEWHEEL;
        event.wheel.preciseY = (float)a;
        push(event);
    } else
        fprintf(stderr, "unknown event %s\n", word);
}

static const char *shown_path(const char *ending)
{
    static char path[1024];
    const char *name = getenv("SPRINGTIDE_SHOWN");
    snprintf(path, sizeof path, "%s%s", name ? name : "", ending);
    return name ? path : NULL;
}

int SDL_UpdateTexture(SDL_Texture *texture, const SDL_Rect *area, const void *pixels, int pitch)
{
    int width, height;
    char part[1100];
    int (*real)(SDL_Texture *, const SDL_Rect *, const void *, int) =
        (int (*)(SDL_Texture *, const SDL_Rect *, const void *, int))dlsym(RTLD_NEXT, "SDL_UpdateTexture");
    const char *path = shown_path(asked ? ".busy" : "");
    asked = 0;
    SDL_QueryTexture(texture, NULL, NULL, &width, &height);
    if (path) {
        snprintf(part, sizeof part, "%s.part", path);
        FILE *file = fopen(part, "wb");
        fwrite(pixels, (size_t)pitch, (size_t)height, file);
        fclose(file);
        rename(part, path);
    }
    return real(texture, area, pixels, pitch);
}

SDL_bool SDL_HasEvent(Uint32 type)
{
    const char *path = type == SDL_QUIT ? shown_path(".close") : NULL;
    asked = 1;
    return path && access(path, F_OK) == 0;
}

int SDL_PollEvent(SDL_Event *event)
{
    SDL_PumpEvents();
    asked = 0;
    if (!script)
        script = strncpy(words, getenv("SPRINGTIDE_EVENTS"), sizeof words - 1);
    if (waits > 0) {
        waits--;
        return 0;
    }
    if (awaited[0] && access(awaited, F_OK) != 0 && ++idle < 20000)
        return 0;
    awaited[0] = 0;
    if (!queued) {
        char *word = strsep(&script, " ");
        if (word && *word)
            read_word(word);
        if (!script)
            script = nothing;
    }
    // A window that should have ended closes after this many polls, so that a test fails and does not wait forever.
    if (!queued && script == nothing && ++idle > 20000)
        push((SDL_Event) { .type = SDL_QUIT });
    if (!queued)
        return 0;
    *event = queue[0];
    memmove(queue, queue + 1, (size_t)--queued * sizeof queue[0]);
    return 1;
}
C
passes "the library of events builds" gcc -shared -fPIC -o events.so events.c $(pkg-config --cflags sdl2)

window() { # EVENTS WORDS...: runs with these events; output as `run`. A busy machine does not reach the time limit.
    local limit=()
    [[ $# = 1 || " ${*:2} " = *" --time-limit "* ]] || limit=(--time-limit 1000)
    SPRINGTIDE_EVENTS=$1 LD_PRELOAD=$folder/events.so "$build/springtide" "${@:2}" "${limit[@]}" >.out 2>.err
    status=$?
    out=$(<.out)
    err=$(<.err)
}
