// The function print of scripts, and what the console hears of a line that runs.
#include "script/console_parts.h"

#include "base/characters.h"
#include "script/identity.h"

#include <stdio.h>
#include <string.h>

static void print_bytes(const tide_context *context, const char *bytes, size_t size)
{
    if (!size)
        return;
    if (!context->console)
        lua_writestring(bytes, size);
    else if (context->console->print)
        context->console->print(context->console->context, bytes, size);
}

// Makes output safe for a terminal: control characters become \xNN, so that the terminal prints them and does not obey
// them.
void tide_print_text(const tide_context *context, const char *text, size_t size)
{
    size_t start = 0;
    for (size_t i = 0; i < size;) {
        char shown[8];
        size_t length = text[i] == '\n' || text[i] == '\t' ? 1 : tide_printable_length(text + i, size - i);
        if (!length) {
            print_bytes(context, text + start, i - start);
            tide_visible_text(text + i, 1, shown, sizeof shown);
            print_bytes(context, shown, strlen(shown));
            start = i + 1;
        }
        i += length ? length : 1;
    }
    print_bytes(context, text + start, size - start);
}

int tide_print_call(lua_State *L)
{
    int count = lua_gettop(L);
    const tide_context *context = tide_context_of(L);
    for (int i = 1; i <= count; i++) {
        size_t length;
        const char *text = tide_push_text(L, i, &length);
        print_bytes(context, "\t", i > 1);
        tide_print_text(context, text, length);
        lua_pop(L, 1);
    }
    print_bytes(context, "\n", 1);
    if (!context->console)
        fflush(stdout);
    return 0;
}

void tide_console_note_step(lua_State *L, const tide_scene *scene)
{
    const tide_context *context = tide_context_of(L);
    if (context->console && scene == context->console_scene && context->console->stepped)
        context->console->stepped(context->console->context);
}
