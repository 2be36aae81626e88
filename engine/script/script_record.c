#include "script/script_record.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "formats/reading.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static void free_texts(tide_script_text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tide_free((void *)texts[i].path); // owns the text
    tide_free(texts);
}

tide_script_record *tide_script_record_of(lua_State *L)
{
    const tide_context *context = tide_context_of(L);
    return context ? context->record : NULL;
}

void tide_script_record_free(tide_script_record *record)
{
    for (size_t i = 0; i < record->file_count; i++)
        tide_free(record->files[i]);
    tide_free(record->files);
    free_texts(record->given, record->given_count);
    free_texts(record->texts, record->text_count);
    tide_free(record->traceback);
    tide_free(record->wrapped);
    tide_free(record->wrapped_message);
    tide_text_free(&record->notice);
    *record = (tide_script_record) { 0 };
}

// --- files -----------------------------------------------------------------------------------------------------------

void tide_script_record_file(lua_State *L, const char *path)
{
    tide_script_record *record = tide_script_record_of(L);
    if (!record)
        return;
    for (size_t i = 0; i < record->file_count; i++)
        if (strcmp(record->files[i], path) == 0)
            return;
    if (!tide_grow(&record->files, &record->file_capacity, record->file_count + 1, sizeof *record->files))
        tide_raise_memory(L, "script");
    char *copied = tide_copy_string(path);
    if (!copied)
        tide_raise_memory(L, "script");
    record->files[record->file_count++] = copied;
}

void tide_script_each_part(lua_State *L, const char *path, void (*visit)(lua_State *, const char *, void *),
                           void *context)
{
    static const tide_mesh_format *const formats[] = { &tide_mesh_format_tetgen_node, &tide_mesh_format_tetgen_ele };
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t f = 0; dot && f < sizeof formats / sizeof *formats; f++) {
        if (strcasecmp(dot, formats[f]->extension) != 0)
            continue;
        size_t room = strlen(path) + 16;
        char *name = lua_newuserdatauv(L, room, 0);
        for (const char *const *part = formats[f]->parts; *part; part++) {
            tide_mesh_file_beside(path, *part, name, room);
            visit(L, name, context);
        }
        lua_pop(L, 1);
    }
}

static void record_part(lua_State *L, const char *path, void *unused)
{
    (void)unused;
    tide_script_record_file(L, path);
}

void tide_script_record_mesh(lua_State *L, const char *path)
{
    tide_script_record_file(L, path);
    tide_script_each_part(L, path, record_part, NULL);
}

// --- texts -----------------------------------------------------------------------------------------------------------

static const tide_script_text *find_text(const tide_script_text *texts, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(texts[i].path, path) == 0)
            return &texts[i];
    return NULL;
}

static const char library_name[] = "@library";

// Pushes the name of a text: its path, but "@library/springtide/wind.lua" for a module of the Lua library, independent
// of the library's folder.
static const char *name_text(lua_State *L, const char *path)
{
    bool found = lua_getfield(L, LUA_REGISTRYINDEX, "tide.library") == LUA_TSTRING;
    const char *library = found ? lua_tostring(L, -1) : "";
    size_t length = strlen(library);
    if (found && strncmp(path, library, length) == 0 && path[length] == '/')
        lua_pushfstring(L, "%s%s", library_name, path + length);
    else
        lua_pushstring(L, path);
    lua_remove(L, -2);
    return lua_tostring(L, -1);
}

// Finds the text that replaces a path, under the name on top or, for older recordings, under the path itself.
static const tide_script_text *find_given(const tide_script_record *record, const char *name, const char *path)
{
    const tide_script_text *given = find_text(record->given, record->given_count, name);
    return given ? given : find_text(record->given, record->given_count, path);
}

bool tide_script_record_give(tide_script_record *record, const tide_script_text *texts, size_t count)
{
    if (!tide_grow(&record->given, &record->given_capacity, record->given_count + count, sizeof *record->given))
        return false;
    for (size_t i = 0; i < count; i++) {
        tide_script_text *given = (tide_script_text *)find_text(record->given, record->given_count, texts[i].path);
        char *path = tide_copy_string(texts[i].path);
        char *text = path ? tide_own(path, tide_copy_bytes(texts[i].text, texts[i].size)) : NULL;
        if (!text) {
            tide_free(path);
            return false;
        }
        if (given)
            tide_free((void *)given->path);
        else
            given = &record->given[record->given_count++];
        *given = (tide_script_text) { path, text, texts[i].size };
    }
    return true;
}

bool tide_script_record_gives(lua_State *L, const char *path)
{
    const tide_script_record *record = tide_script_record_of(L);
    if (!record)
        return false;
    bool given = find_given(record, name_text(L, path), path);
    lua_pop(L, 1);
    return given;
}

bool tide_script_record_has(lua_State *L, const char *path)
{
    return tide_script_record_gives(L, path) || access(path, R_OK) == 0;
}

static tide_status read_file(const char *path, char **text, size_t *size, tide_error *error)
{
    char *bytes = NULL;
    size_t capacity = 0, length = 0, got = 1;
    tide_status status = tide_input_file_check(path, path, error);
    FILE *file = status == TIDE_OK ? fopen(path, "rb") : NULL;
    if (status != TIDE_OK)
        return status;
    if (!file)
        return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot be read: %s", strerror(errno));
    while (status == TIDE_OK && got > 0) {
        if (!tide_grow(&bytes, &capacity, length + 4096, 1)) {
            status = tide_fail_memory(error, "script");
            break;
        }
        got = fread(bytes + length, 1, capacity - length, file);
        length += got;
        if (ferror(file))
            status = tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot be read: %s", strerror(errno));
    }
    fclose(file);
    if (status != TIDE_OK) {
        tide_free(bytes);
        return status;
    }
    *text = bytes;
    *size = length;
    return TIDE_OK;
}

// Reads the text of a path and stores it in the record. Raises errors.
static const tide_script_text *read_text(lua_State *L, tide_script_record *record, const char *path)
{
    const char *name = name_text(L, path);
    const tide_script_text *given = find_given(record, name, path);
    if (!find_text(record->texts, record->text_count, name)) {
        char *copy = NULL;
        if (!tide_grow(&record->texts, &record->text_capacity, record->text_count + 1, sizeof *record->texts) ||
            !(copy = tide_copy_string(name)))
            tide_raise_memory(L, "script");
        record->texts[record->text_count++] = (tide_script_text) { .path = copy };
    }
    tide_script_text *kept = (tide_script_text *)find_text(record->texts, record->text_count, name);
    lua_pop(L, 1);
    tide_error error;
    char *text = NULL;
    size_t size = given ? given->size : 0;
    if (!given)
        tide_raise_unless_ok(L, read_file(path, &text, &size, &error), &error);
    else if (!(text = tide_copy_bytes(given->text, size)))
        tide_raise_memory(L, "script");
    tide_free((void *)kept->text);
    kept->text = tide_own((void *)kept->path, text);
    kept->size = size;
    return kept;
}

int tide_script_record_load(lua_State *L, const char *path)
{
    tide_script_record *record = tide_script_record_of(L);
    if (!record) {
        tide_error error;
        tide_raise_unless_ok(L, tide_input_file_check(path, path, &error), &error);
        return luaL_loadfilex(L, path, "t");
    }
    const tide_script_text *read = read_text(L, record, path);
    const char *text = read->text;
    size_t size = read->size;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { // byte order mark
        text += 3;
        size -= 3;
    }
    if (size && text[0] == '#') { // a #! line
        const char *end = memchr(text, '\n', size);
        size = end ? size - (size_t)(end - text) : 0;
        text = end;
    }
    const char *name = lua_pushfstring(L, "@%s", path);
    int status = luaL_loadbufferx(L, text, size, name, "t");
    lua_remove(L, -2);
    return status;
}

static bool same_texts(const tide_script_record *a, const tide_script_record *b)
{
    bool same = a->text_count == b->text_count;
    for (size_t i = 0; same && i < a->text_count; i++) {
        const tide_script_text *other = find_text(b->texts, b->text_count, a->texts[i].path);
        same = other && other->size == a->texts[i].size && memcmp(other->text, a->texts[i].text, other->size) == 0;
    }
    return same;
}

void tide_script_record_compare(tide_script_record *record, const tide_script_record *before)
{
    if (!record->notice.length || strcmp(record->notice.bytes, "nothing changed") != 0 || same_texts(record, before))
        return;
    tide_text_clear(&record->notice);
    tide_text_format(&record->notice, "the script changed, its world did not");
}

// --- calls -----------------------------------------------------------------------------------------------------------

enum { FIRST_CALLS = 12, LAST_CALLS = 8 };

static void add_call(tide_text *text, lua_State *L, lua_Debug *call)
{
    lua_getinfo(L, "nSlt", call);
    bool in_c = strcmp(call->what, "C") == 0;
    if (in_c && !call->name)
        return; // internal functions of the engine
    const char *source = call->source[0] == '@' || call->source[0] == '=' ? call->source + 1 : "(script)";
    tide_text_format(text, "%s", text->length ? "\n" : "");
    if (in_c)
        tide_text_format(text, "in function '%s'", call->name);
    else if (strcmp(call->what, "main") == 0)
        tide_text_format(text, "%s:%d: in main chunk", source, call->currentline);
    else if (call->name)
        tide_text_format(text, "%s:%d: in function '%s'", source, call->currentline, call->name);
    else
        tide_text_format(text, "%s:%d: in the function at line %d", source, call->currentline, call->linedefined);
    if (call->istailcall)
        tide_text_format(text, " (whose callers ended by calling it)");
}

// Returns the depth of the stack by bisection, because reaching a level takes time proportional to its depth.
static int count_calls(lua_State *L)
{
    lua_Debug call;
    int low = 0, high = 1;
    while (lua_getstack(L, high, &call)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(lua_getstack(L, middle, &call) ? &low : &high) = middle;
    }
    return high;
}

// Lists the calls from a level on, after those in `before`.
static char *list_calls(lua_State *L, int first, const char *before)
{
    tide_text text = { 0 };
    lua_Debug call;
    int count = count_calls(L);
    tide_text_add(&text, before, strlen(before));
    for (int level = first; level < count; level++) {
        if (level == first + FIRST_CALLS && count - level > LAST_CALLS) {
            tide_text_format(&text, "\n... %d calls in between", count - level - LAST_CALLS);
            level = count - LAST_CALLS;
        }
        if (lua_getstack(L, level, &call))
            add_call(&text, L, &call);
    }
    char *copied = text.failed ? NULL : tide_copy_string(text.length ? text.bytes : "");
    tide_text_free(&text);
    return copied;
}

// Tells whether the error being raised is the recorded one on its way out.
static bool is_continued(lua_State *L, const tide_script_record *record)
{
    const tide_context *context = tide_context_of(L);
    char text[TIDE_MESSAGE_SIZE];
    const char *message = lua_tostring(L, 1);
    return context && record->traceback && message && strcmp(context->last_error.where, record->cause.where) == 0 &&
           strcmp(context->last_error.remedy, record->cause.remedy) == 0 &&
           strcmp(tide_error_text(&context->last_error, text, sizeof text), message) == 0;
}

static bool is_wrapped(const tide_script_record *record, const char *message)
{
    return record->wrapped && record->wrapped_message && message && strcmp(record->wrapped_message, message) == 0;
}

void tide_script_record_thread(lua_State *L, lua_State *thread)
{
    tide_script_record *record = tide_script_record_of(L);
    if (!record)
        return;
    const char *message = lua_type(thread, -1) == LUA_TSTRING ? lua_tostring(thread, -1) : NULL;
    char *calls = list_calls(thread, 0, is_wrapped(record, message) ? record->wrapped : "");
    tide_free(record->wrapped);
    record->wrapped = calls;
}

void tide_script_record_wrapped(lua_State *L)
{
    tide_script_record *record = tide_script_record_of(L);
    if (!record)
        return;
    tide_free(record->wrapped_message);
    record->wrapped_message = lua_type(L, -1) == LUA_TSTRING ? tide_copy_string(lua_tostring(L, -1)) : NULL;
}

void tide_script_record_calls(lua_State *L)
{
    tide_script_record *record = tide_script_record_of(L);
    if (!record || is_continued(L, record))
        return;
    const char *message = lua_tostring(L, 1);
    bool wrapped = is_wrapped(record, message);
    tide_free(record->traceback);
    record->traceback = list_calls(L, 1, wrapped ? record->wrapped : ""); // level 0 is the handler
    record->traced = true;
}

void tide_script_record_cause(lua_State *L, const tide_error *error)
{
    tide_script_record *record = tide_script_record_of(L);
    if (!record || !record->traced)
        return;
    record->cause = *error;
    record->traced = false;
}
