#define _GNU_SOURCE
#include "base/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Tells whether the path has a component "..".
static bool goes_up(const char *path)
{
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && path[0] == '.' && path[1] == '.')
            return true;
        path += length + (path[length] == '/');
    }
    return false;
}

bool tide_path_resolve(const char *path, char *resolved, size_t size)
{
    char head[PATH_MAX], real[PATH_MAX];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof head)
        return false;
    memcpy(head, path, length + 1);
    while (!realpath(length ? head : path[0] == '/' ? "/" : ".", real)) {
        if (errno != ENOENT || length == 0)
            return false;
        while (length && head[length - 1] == '/') // drops the last component
            length--;
        while (length && head[length - 1] != '/')
            length--;
        head[length] = '\0';
    }
    const char *rest = path + length;
    if (goes_up(rest))
        return false;
    bool joined = !*rest || real[strlen(real) - 1] == '/';
    return (size_t)snprintf(resolved, size, "%s%s%s", real, joined ? "" : "/", rest) < size;
}

bool tide_path_is_within(const char *resolved, const char *folder)
{
    size_t length = strlen(folder);
    bool root = length == 1 && folder[0] == '/';
    return length && strncmp(resolved, folder, length) == 0 &&
           (root || resolved[length] == '/' || resolved[length] == '\0');
}
