// Opens and saves world files, which live_world.c writes and reads.
#include "session/live_state.h"

#include "base/memory.h"

#include "base/input_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

tide_status tide_live_save_world(tide_live *live, const char *path, tide_error *error)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    TIDE_TRY(tide_live_write_world(live, &text, error));
    return tide_text_save(&text, path, path, error);
}

static tide_status read_whole_file(const char *path, tide_text *text, tide_error *error)
{
    char part[1 << 14];
    FILE *file = fopen(path, "rb");
    size_t got = file ? 1 : 0;
    int reason = file ? 0 : errno;
    while (got && !text->failed) {
        got = fread(part, 1, sizeof part, file);
        tide_text_add(text, part, got);
    }
    if (file && ferror(file))
        reason = errno;
    if (file)
        fclose(file);
    if (text->failed)
        return tide_fail_memory(error, path);
    return reason ? tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot be read: %s", strerror(reason))
                  : TIDE_OK;
}

tide_status tide_live_open_world(tide_live *live, const char *path, tide_error *error)
{
    tide_text text = { 0 };
    tide_status status = tide_input_file_check(path, path, error);
    if (status == TIDE_OK)
        status = read_whole_file(path, &text, error);
    if (status == TIDE_OK)
        status = tide_live_apply(
            live, &(tide_input) { .kind = TIDE_INPUT_RESTORE, .text = text.bytes, .size = text.length }, error);
    tide_text_free(&text);
    if (status == TIDE_ERROR_FORMAT && error)
        tide_error_locate(error, path, 0);
    return status;
}
