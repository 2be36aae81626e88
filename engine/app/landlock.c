#define _GNU_SOURCE // O_PATH, syscall
#include "app/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR;
static const uint64_t others = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                               LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                               LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                               LANDLOCK_ACCESS_FS_MAKE_SYM;

static tide_status fail(const char *path, int reason, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_STATE, "process", "confine", path, "its files are not restricted: %s",
                     strerror(reason));
}

bool tide_landlock_is_there(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}

// Allows access to a file, or to a folder and what is below it. What is not there is left out.
static int allow(int rules, const char *path, uint64_t access)
{
    struct stat info;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode))
        access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    struct landlock_path_beneath_attr rule = { .allowed_access = access, .parent_fd = fd };
    long done = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int failed = done == 0 ? 0 : errno;
    close(fd);
    return failed;
}

static tide_status allow_all(int rules, const char *const *paths, uint64_t access, tide_error *error)
{
    for (; paths && *paths; paths++) {
        int failed = allow(rules, *paths, access);
        if (failed)
            return fail(*paths, failed, error);
    }
    return TIDE_OK;
}

tide_status tide_landlock(const tide_confinement *c, tide_error *error)
{
    const struct landlock_ruleset_attr kinds = { .handled_access_fs = others | writing | (c->readable ? reading : 0) };
    if (!tide_landlock_is_there())
        return TIDE_OK;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &kinds, sizeof kinds, 0);
    if (rules < 0)
        return fail(NULL, errno, error);
    tide_status status = allow_all(rules, c->readable, reading, error);
    if (status == TIDE_OK)
        status = allow_all(rules, c->writable, (c->readable ? reading : 0) | writing, error);
    if (status == TIDE_OK && syscall(SYS_landlock_restrict_self, rules, 0) != 0)
        status = fail(NULL, errno, error);
    close(rules);
    return status;
}
