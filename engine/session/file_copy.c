#define _POSIX_C_SOURCE 200809L
#include "session/file_copy.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

tide_status tide_copy_file(const char *from, const char *to, tide_error *error)
{
    char block[65536];
    size_t size;
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wbx") : NULL;
    const char *object = in && !out ? to : from;
    bool good = in && out;
    while (good && (size = fread(block, 1, sizeof block, in)) > 0)
        good = fwrite(block, 1, size, out) == size;
    good = good && !ferror(in);
    int reason = errno;
    if (in)
        fclose(in);
    if (out && fclose(out) != 0)
        good = false;
    return good ? TIDE_OK : tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL, "%s", strerror(reason));
}

tide_status tide_read_whole(const char *path, char **bytes, size_t *size, tide_error *error)
{
    enum { MOST = 4 << 20 };
    char block[65536];
    size_t count;
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    TIDE_TRY(tide_input_file_check(path, path, error));
    FILE *file = fopen(path, "rb");
    if (!file)
        return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "%s", strerror(errno));
    while (text.length <= MOST && (count = fread(block, 1, sizeof block, file)) > 0)
        tide_text_add(&text, block, count);
    bool failed = ferror(file);
    int reason = errno;
    fclose(file);
    tide_text_add(&text, "", 1);
    if (failed)
        return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "%s", strerror(reason));
    if (text.failed)
        return tide_fail_memory(error, path);
    if (text.length > MOST)
        return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "it has more than 4 MB");
    *size = text.length - 1;
    *bytes = text.bytes;
    text = (tide_text) { 0 };
    return TIDE_OK;
}
