#define _GNU_SOURCE // for realpath
#include "base/places.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// As seen from the folder of the program or the module: the source tree, a folder to carry about, an installation. A
// module lies up to three folders below "lib" (lib/x86_64-linux-gnu/lua/5.4).
static const char *const places[] = {
    ".", "..", "../..", "../share/springtide", "../../../share/springtide", "../../../../share/springtide"
};
enum { PLACES = sizeof places / sizeof *places };

static bool is_there(const char *base, const char *below, const char *part, const char *marker, char *folder,
                     size_t size)
{
    char path[PATH_MAX], marked[PATH_MAX], real[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s/%s", base, below, part) >= (int)sizeof path ||
        snprintf(marked, sizeof marked, "%s/%s", path, marker) >= (int)sizeof marked || access(marked, R_OK) != 0 ||
        !realpath(path, real) || snprintf(folder, size, "%s", real) >= (int)size) {
        folder[0] = '\0';
        return false;
    }
    return true;
}

static bool is_named(const char *part, const char *marker, char *folder, size_t size)
{
    const char *named = getenv("SPRINGTIDE_SCRIPTS");
    if (!named || !named[0])
        return false;
    return strcmp(part, "scripts") == 0 ? is_there(named, ".", ".", marker, folder, size)
                                        : is_there(named, "..", part, marker, folder, size);
}

bool tide_place_of_program_folder(char *folder, size_t size)
{
    char *slash = tide_place_of_program(folder, size) ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

bool tide_place_find(const char *part, const char *marker, char *folder, size_t size)
{
    bool (*const bases[])(char *, size_t) = { tide_place_of_code, tide_place_of_program };
    bool scripts = strcmp(part, "scripts") == 0;
    if (scripts && is_named(part, marker, folder, size))
        return true;
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
        char base[PATH_MAX], *slash = bases[b](base, sizeof base) ? strrchr(base, '/') : NULL;
        if (!slash)
            continue;
        *slash = '\0';
        for (size_t i = 0; i < PLACES; i++)
            if (is_there(base, places[i], part, marker, folder, size))
                return true;
    }
    if (!scripts && is_named(part, marker, folder, size))
        return true;
    folder[0] = '\0';
    return false;
}

void tide_place_list(const char *part, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < PLACES && used < size; i++) {
        const char *before = i == 0 ? "" : i + 1 < PLACES ? ", " : " nor ";
        used += (size_t)(i == 0 ? snprintf(text, size, "%s", part)
                                : snprintf(text + used, size - used, "%s%s/%s", before, places[i], part));
    }
}
