#define _POSIX_C_SOURCE 200809L
#include "session/scratch.h"

#include "base/memory.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *tide_scratch_make(void)
{
    char folder[PATH_MAX];
    const char *base = getenv("TMPDIR");
    int length = snprintf(folder, sizeof folder, "%s/springtide-XXXXXX", base && base[0] ? base : "/tmp");
    return length < (int)sizeof folder && mkdtemp(folder) ? tide_copy_string(folder) : NULL;
}

void tide_scratch_remove(const char *folder)
{
    DIR *listing = folder ? opendir(folder) : NULL;
    if (!listing)
        return;
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        char path[PATH_MAX];
        bool inside = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
        if (inside && snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            unlink(path);
    }
    closedir(listing);
    rmdir(folder);
}
