#define _GNU_SOURCE
#include "base/places.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

bool tide_place_of_program(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    bool whole = length > 0 && length < (ssize_t)size - 1;
    path[whole ? length : 0] = '\0';
    return whole;
}

const char *tide_place_to_start(void)
{
    return "/proc/self/exe";
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
