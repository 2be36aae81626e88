#include "base/places.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static bool place_of(HMODULE module, char *path, size_t size)
{
    wchar_t wide[4096];
    char named[PATH_MAX], real[PATH_MAX];
    path[0] = '\0';
    DWORD length = GetModuleFileNameW(module, wide, 4096);
    bool known = length && length < 4096 &&
                 WideCharToMultiByte(CP_UTF8, 0, wide, -1, named, sizeof named, NULL, NULL) && realpath(named, real) &&
                 snprintf(path, size, "%s", real) < (int)size;
    if (!known)
        path[0] = '\0';
    return known;
}

bool tide_place_of_program(char *path, size_t size)
{
    return place_of(NULL, path, size);
}

bool tide_place_of_code(char *path, size_t size)
{
    HMODULE file = NULL;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       (LPCWSTR)(void *)&tide_place_of_code, &file);
    return place_of(file, path, size);
}

const char *tide_place_to_start(void)
{
    static char path[PATH_MAX];
    return tide_place_of_program(path, sizeof path) ? path : "springtide.exe";
}
