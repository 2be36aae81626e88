// Paths begin with a drive, as C:/, or with a share, as //server/share. Names differ by more than case.
#include "base/paths.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

// The absolute path without "." and "..", with '/', as text alone. False for what is no plain path: devices, and
// streams besides a file's content ("name:stream").
static bool make_absolute(const char *path, char whole[PATH_MAX])
{
    wchar_t wide[PATH_MAX], full[PATH_MAX];
    DWORD length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, PATH_MAX)
                       ? GetFullPathNameW(wide, PATH_MAX, full, NULL)
                       : 0;
    if (!length || length >= PATH_MAX || !WideCharToMultiByte(CP_UTF8, 0, full, -1, whole, PATH_MAX, NULL, NULL))
        return false;
    for (char *at = whole; *at; at++)
        if (*at == '\\')
            *at = '/';
    bool drive = whole[0] && whole[1] == ':' && whole[2] == '/';
    bool share = strncmp(whole, "//", 2) == 0 && !strchr("./?", whole[2]);
    return (drive && !strchr(whole + 2, ':')) || (share && !strchr(whole, ':'));
}

bool tide_path_resolve(const char *path, char *resolved, size_t size)
{
    char whole[PATH_MAX], head[PATH_MAX], real[PATH_MAX];
    if (!path[0] || !make_absolute(path, whole))
        return false;
    size_t length = strlen(whole);
    memcpy(head, whole, length + 1);
    while (!realpath(head, real)) { // drops the last component
        if (errno != ENOENT || length <= 3)
            return false;
        while (length > 3 && head[length - 1] == '/')
            length--;
        while (length > 3 && head[length - 1] != '/')
            length--;
        head[length] = '\0';
    }
    const char *rest = whole + length;
    bool joined = !*rest || *rest == '/' || real[strlen(real) - 1] == '/';
    return (size_t)snprintf(resolved, size, "%s%s%s", real, joined ? "" : "/", rest) < size;
}

bool tide_path_is_within(const char *resolved, const char *folder)
{
    size_t length = strlen(folder);
    bool top = length && folder[length - 1] == '/';
    return length && _strnicmp(resolved, folder, length) == 0 &&
           (top || resolved[length] == '/' || resolved[length] == '\0');
}
