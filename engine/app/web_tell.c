// How messages are written, and those about errors.
#include "app/web_state.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

tide_web tide_web_page;

uint64_t tide_web_count(double value, uint64_t most)
{
    return !(value > 0) ? 0 : value < (double)most ? (uint64_t)value : most;
}

tide_text *tide_web_tell(const char *type)
{
    tide_text *text = &tide_web_page.messages;
    tide_json_open(text, NULL, '{');
    tide_json_string(text, "type", type);
    return text;
}

void tide_web_told(void)
{
    tide_json_close(&tide_web_page.messages, '}');
    tide_text_add(&tide_web_page.messages, "\n", 1);
}

void tide_web_tell_print(const char *kind, const char *bytes, size_t size)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text shown = { 0 };
    tide_text_add(&shown, bytes, size);
    tide_text *text = tide_web_tell("print");
    tide_json_string(text, "kind", kind);
    tide_json_string(text, "text", shown.failed || !shown.bytes ? "" : shown.bytes);
    tide_web_told();
}

void tide_web_end_line(void)
{
    tide_text *line = &tide_web_page.printed;
    if (line->length && !line->failed)
        tide_web_tell_print("output", line->bytes, line->length);
    tide_text_clear(line);
}

// --- errors ----------------------------------------------------------------------------------------------------------

// Adds file and line of a place, "curtain.lua:12".
static void add_place(tide_text *text, const char *where)
{
    char file[sizeof((tide_error *)NULL)->where];
    const char *colon = strrchr(where, ':');
    size_t length = colon ? (size_t)(colon - where) : strlen(where);
    memcpy(file, where, length);
    file[length] = '\0';
    tide_json_string(text, "file", file);
    tide_json_count(text, "line", colon ? strtoul(colon + 1, NULL, 10) : 0);
}

static void add_message(tide_text *text, const tide_error *error)
{
    char message[1200];
    tide_error bare = *error;
    bare.where[0] = '\0';
    tide_json_string(text, "message", tide_error_text(&bare, message, sizeof message));
}

// Lua's messages about the text of a file say near what.
static bool is_about_syntax(const tide_error *error)
{
    return error->status == TIDE_ERROR_SCRIPT && strstr(error->remedy, " near ");
}

void tide_web_tell_error(const char *where, const tide_error *error, const char *traceback)
{
    tide_text *text = tide_web_tell("error");
    tide_json_string(text, "where", strcmp(where, "run") == 0 && is_about_syntax(error) ? "syntax" : where);
    add_place(text, error->where);
    add_message(text, error);
    tide_json_string(text, "traceback", traceback);
    tide_json_open(text, "suggestions", '[');
    tide_json_close(text, ']');
    tide_json_boolean(text, "exploded", false);
    tide_web_told();
}

static void add_suggestions(tide_text *text, tide_live *live)
{
    tide_suggestion suggestions[TIDE_SUGGESTION_MAX];
    uint32_t count = tide_live_suggestions(live, suggestions);
    tide_json_open(text, "suggestions", '[');
    for (uint32_t i = 0; i < count; i++) {
        tide_json_open(text, NULL, '{');
        tide_json_string(text, "label", suggestions[i].label);
        tide_json_close(text, '}');
    }
    tide_json_close(text, ']');
}

static uint64_t hash_failure(const tide_failure *failure)
{
    uint64_t hash = tide_hash_bytes(TIDE_HASH_START, &failure->kind, sizeof failure->kind);
    hash = tide_hash_bytes(hash, &failure->frame, sizeof failure->frame);
    hash = tide_hash_string(tide_hash_string(hash, failure->error.where), failure->error.object);
    return tide_hash_string(tide_hash_string(hash, failure->error.value), failure->error.remedy);
}

bool tide_web_tell_failure(void)
{
    static const char *const places[] = { "", "step", "run", "input", "draw" };
    tide_job *job = tide_web_job();
    if (!job)
        return false;
    const tide_failure *failure = tide_live_failure(job->live);
    uint64_t now = failure->kind == TIDE_FAILURE_NONE ? 0 : hash_failure(failure), before = tide_web_page.told;
    tide_web_page.told = now;
    if (now == before)
        return false;
    tide_web_page.dirty = true;
    bool syntax = failure->kind == TIDE_FAILURE_RUN && is_about_syntax(&failure->error);
    tide_text *text = tide_web_tell(now ? "error" : "mended");
    if (now) {
        tide_json_string(text, "where", syntax ? "syntax" : places[failure->kind]);
        add_place(text, failure->error.where);
        add_message(text, &failure->error);
        tide_json_string(text, "theory", failure->theory);
        tide_json_string(text, "traceback", tide_script_traceback(tide_live_script(job->live)));
        add_suggestions(text, job->live);
        tide_json_boolean(text, "exploded", failure->exploded);
    }
    tide_web_told();
    return now != 0;
}
