#define _POSIX_C_SOURCE 200809L
#include "session/output.h"

#include "base/decimal.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- patterns --------------------------------------------------------------------------------------------------------

// A '%' directive of a pattern.
typedef struct directive {
    const char *start;
    size_t length; // 0: an unknown directive
    char kind;     // 'd': the frame's number, 's': a name
    int digits;
    bool zeros;
} directive;

// Finds the first directive from `text` on; false: none.
static bool find_directive(const char *text, directive *found)
{
    const char *p = strchr(text, '%');
    if (!p)
        return false;
    *found = (directive) { .start = p++ };
    found->zeros = *p == '0';
    p += found->zeros;
    if (*p >= '1' && *p <= '9')
        found->digits = *p++ - '0';
    if (*p == 'd' || (*p == 's' && p == found->start + 1)) {
        found->kind = *p;
        found->length = (size_t)(p + 1 - found->start);
    }
    return true;
}

static bool has_directive(const char *pattern, char kind)
{
    directive found;
    for (; find_directive(pattern, &found); pattern = found.start + 1)
        if (found.kind == kind)
            return true;
    return false;
}

bool tide_pattern_is_numbered(const char *pattern)
{
    return has_directive(pattern, 'd');
}

bool tide_pattern_is_named(const char *pattern)
{
    return has_directive(pattern, 's');
}

tide_status tide_pattern_check_directives(const char *option, const char *pattern, bool names, tide_error *error)
{
    directive found;
    int numbers = 0, others = 0, names_found = 0;
    for (const char *rest = pattern; find_directive(rest, &found); rest = found.start + 1) {
        numbers += found.kind == 'd';
        names_found += found.kind == 's';
        others += found.kind == 0;
    }
    if (numbers <= 1 && names_found <= names && others == 0)
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", option, pattern,
                     names ? "expected at most one number of the frame, %%d or %%04d, one %%s for the body's name, and "
                             "no other %%"
                           : "expected at most one number of the frame, %%d or %%04d, and no other %%");
}

bool tide_pattern_ends_in(const char *pattern, const char *ending)
{
    size_t length = strlen(pattern), end = strlen(ending);
    return length > end && strcmp(pattern + length - end, ending) == 0 && pattern[length - end - 1] != '/';
}

tide_status tide_pattern_check(const char *option, const char *pattern, const char *ending, tide_error *error)
{
    if (!tide_pattern_ends_in(pattern, ending))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", option, pattern,
                         "expected a name that ends in %s, like out/%%04d%s", ending, ending);
    return tide_pattern_check_directives(option, pattern, false, error);
}

tide_status tide_make_folders(const char *path, tide_error *error)
{
    char folder[4096];
    if (strlen(path) >= sizeof folder)
        return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "the name is too long");
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t length = (size_t)(slash - path);
        if (length == 0)
            continue;
        memcpy(folder, path, length);
        folder[length] = '\0';
        struct stat info;
        int reason = mkdir(folder, 0777) == 0 ? 0 : errno; // stat changes errno
        if (reason && (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)))
            return tide_fail(error, TIDE_ERROR_FILE, folder, NULL, NULL, "this folder cannot be made: %s",
                             reason == EEXIST ? "a file has its name" : strerror(reason));
    }
    return TIDE_OK;
}

// Adds a body's name as a file name: characters that a path must not have become %2F and the like.
static void add_name(tide_text *text, const char *name)
{
    for (const char *c = name; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        bool plain =
            byte > ' ' && byte != 0x7f && !strchr("/\\:*?\"<>|%", *c) && !(c == name && (*c == '.' || *c == '-'));
        if (plain)
            tide_text_add(text, c, 1);
        else
            tide_text_format(text, "%%%02X", byte);
    }
}

tide_status tide_pattern_path(const char *pattern, uint64_t frame, const char *name, char *path, size_t size,
                              tide_error *error)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    directive found;
    const char *rest = pattern;
    for (; find_directive(rest, &found); rest = found.start + (found.length ? found.length : 1)) {
        tide_text_add(&text, rest, (size_t)(found.start - rest));
        if (found.kind == 'd')
            tide_text_format(&text, found.zeros ? "%0*" PRIu64 : "%*" PRIu64, found.digits, frame);
        else if (found.kind == 's' && name)
            add_name(&text, name);
    }
    tide_text_add(&text, rest, strlen(rest));
    bool fits = !text.failed && text.length < size;
    if (fits)
        memcpy(path, text.bytes, text.length + 1);
    return text.failed ? tide_fail_memory(error, pattern)
           : fits      ? tide_make_folders(path, error)
                       : tide_fail(error, TIDE_ERROR_FILE, pattern, NULL, NULL, "the name is too long");
}
