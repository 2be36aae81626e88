#define _GNU_SOURCE
#include "base/places.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char itself[] = "/proc/self/exe";

// The path by which the program was started.
static const char *started_as(void)
{
    return (const char *)(uintptr_t)getauxval(AT_EXECFN);
}

bool tide_place_of_program(char *path, size_t size)
{
    char real[PATH_MAX];
    ssize_t length = readlink(itself, real, sizeof real - 1);
    real[length > 0 ? length : 0] = '\0';
    if (length <= 0 && (!started_as() || !realpath(started_as(), real))) // no /proc
        real[0] = '\0';
    bool whole = real[0] && snprintf(path, size, "%s", real) < (int)size;
    if (!whole)
        path[0] = '\0';
    return whole;
}

const char *tide_place_to_start(void)
{
    return access(itself, X_OK) == 0 || !started_as() ? itself : started_as();
}

// The headers of the program lie on its first page.
static bool is_program(const void *first_page)
{
    return (uintptr_t)getauxval(AT_PHDR) - (uintptr_t)first_page < 4096;
}

bool tide_place_of_code(char *path, size_t size)
{
    char real[PATH_MAX];
    Dl_info info;
    path[0] = '\0';
    if (!dladdr((const void *)&tide_place_of_code, &info) || is_program(info.dli_fbase))
        return tide_place_of_program(path, size);
    bool known = info.dli_fname && realpath(info.dli_fname, real) && snprintf(path, size, "%s", real) < (int)size;
    if (!known)
        path[0] = '\0';
    return known;
}
