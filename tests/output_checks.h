// Shared by tests of files that the engine writes. For sources that define _GNU_SOURCE or _POSIX_C_SOURCE.
#ifndef TIDE_TESTS_OUTPUT_CHECKS_H
#define TIDE_TESTS_OUTPUT_CHECKS_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

// How many files stand beside the path under its name with an ending ".LETTERS.part". `found` (may be NULL, 600 bytes)
// gets the path of one.
static inline int unfinished_files(const char *path, char *found)
{
    char folder[400];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    DIR *entries = opendir(folder);
    int count = 0;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name);
        if (strncmp(entry->d_name, name, strlen(name)) != 0 || length < 5 ||
            strcmp(entry->d_name + length - 5, ".part") != 0)
            continue;
        if (found)
            snprintf(found, 600, "%.300s/%.250s", folder, entry->d_name);
        count++;
    }
    if (entries)
        closedir(entries);
    return count;
}

// Simulates a full disk: from now on, a write that would make a file longer than `bytes` fails with "File too large".
static inline struct rlimit limit_file_size(rlim_t bytes)
{
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
    return before;
}

static inline void restore_file_size(struct rlimit before)
{
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
}

#endif
