// What the engine uses of POSIX, for Windows. The build for Windows includes this file first in each file that needs
// it; no other build knows it. Paths are UTF-8, and '/' separates folders; '\\' is understood.
#ifndef TIDE_BASE_POSIX_WINDOWS_H
#define TIDE_BASE_POSIX_WINDOWS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <malloc.h>
#include <process.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

// --- files -----------------------------------------------------------------------------------------------------------

typedef struct tide_windows_stat {
    uint64_t st_dev, st_ino;
    unsigned st_mode;
    int64_t st_size;
    struct timespec st_mtim, st_ctim;
} tide_windows_stat;

int tide_windows_stat_path(const char *path, tide_windows_stat *status);
int tide_windows_stat_file(int fd, tide_windows_stat *status);
FILE *tide_windows_fopen(const char *path, const char *mode);
FILE *tide_windows_freopen(const char *path, const char *mode, FILE *file);
int tide_windows_open(const char *path, int flags, ...);
int tide_windows_access(const char *path, int mode);
int tide_windows_rename(const char *from, const char *to); // takes the place of a file that is there
int tide_windows_unlink(const char *path);
int tide_windows_mkdir(const char *path);
int tide_windows_rmdir(const char *path);
char *tide_windows_realpath(const char *path, char *resolved); // to PATH_MAX bytes
char *tide_windows_mkdtemp(char *pattern);
int tide_windows_random(void *bytes, size_t size); // returns 0, or -1
const char *tide_windows_getenv(const char *name); // TMPDIR and HOME, too, where Windows has other names for them

// A folder as readdir reads it.
typedef struct tide_windows_folder tide_windows_folder;
struct tide_windows_entry {
    char d_name[4 * 260]; // any name in UTF-8
};
tide_windows_folder *tide_windows_opendir(const char *path);
struct tide_windows_entry *tide_windows_readdir(tide_windows_folder *folder);
int tide_windows_closedir(tide_windows_folder *folder);

#undef stat
#undef fstat
#undef lstat
#define tide_windows_stat(path, status) tide_windows_stat_path(path, status)
#define stat tide_windows_stat
#define lstat(path, status) tide_windows_stat_path(path, status)
#define fstat(fd, status) tide_windows_stat_file(fd, status)
#define fopen tide_windows_fopen
#define freopen tide_windows_freopen
#define open tide_windows_open
#define access tide_windows_access
#define faccessat(folder, path, mode, flags) tide_windows_access(path, mode)
#define rename tide_windows_rename
#define unlink tide_windows_unlink
#define remove tide_windows_unlink
#define mkdir(path, mode) tide_windows_mkdir(path)
#define rmdir tide_windows_rmdir
#define realpath tide_windows_realpath
#define mkdtemp tide_windows_mkdtemp
#define getentropy tide_windows_random
#define getenv(name) ((char *)(uintptr_t)tide_windows_getenv(name))
#define DIR tide_windows_folder
#define dirent tide_windows_entry
#define opendir tide_windows_opendir
#define readdir tide_windows_readdir
#define closedir tide_windows_closedir
#define fchmod(fd, mode) ((void)(fd), (void)(mode), 0)
#define flock(fd, operation) ((void)(fd), 0)

enum { LOCK_SH = 1, LOCK_EX = 2, LOCK_NB = 4 };
enum { O_CLOEXEC = O_NOINHERIT, O_NOFOLLOW = 0, O_NOCTTY = 0, O_NONBLOCK = 0 };
enum { AT_FDCWD = -100, AT_EACCESS = 0x200 };
#undef S_ISLNK
#undef S_ISSOCK
#define S_ISLNK(mode) ((void)(mode), false)
#define S_ISSOCK(mode) ((void)(mode), false)
#ifndef S_ISFIFO
#define S_ISFIFO(mode) (((mode)&S_IFMT) == S_IFIFO)
#endif
#ifndef NAME_MAX
#define NAME_MAX 255
#endif
#undef PATH_MAX
#define PATH_MAX 4096
#ifndef EWOULDBLOCK
#define EWOULDBLOCK EAGAIN
#endif

// --- the machine -----------------------------------------------------------------------------------------------------

enum { _SC_NPROCESSORS_ONLN = 1, _SC_PHYS_PAGES, _SC_PAGESIZE };
long long tide_windows_sysconf(int name);
#define sysconf tide_windows_sysconf

// --- processes -------------------------------------------------------------------------------------------------------
// This build starts none yet: posix_spawn says so.

typedef struct posix_spawn_file_actions_t {
    int unused;
} posix_spawn_file_actions_t;

#define posix_spawn_file_actions_init(files) ((files)->unused = 0)
#define posix_spawn_file_actions_destroy(files) ((void)(files), 0)
#define posix_spawn_file_actions_adddup2(files, fd, to) ((void)(files), 0)
#define posix_spawn_file_actions_addopen(files, fd, path, flags, mode) ((void)(files), 0)
#define posix_spawn_file_actions_addchdir_np(files, path) ((void)(files), 0)
#define posix_spawn(id, program, files, attributes, words, environment) (*(id) = 0, ENOENT)
#define posix_spawnp(id, program, files, attributes, words, environment) (*(id) = 0, ENOENT)
#define waitpid(id, status, options) ((void)(id), (void)(status), errno = ECHILD, (pid_t)-1)
#define kill(id, signal) ((void)(id), errno = ESRCH, -1)
enum { WNOHANG = 1, SIGKILL = 9 };
#define WIFEXITED(status) ((void)(status), false)
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) ((void)(status), false)
#define WTERMSIG(status) (status)
#define pipe(ends) _pipe(ends, 65536, O_BINARY | O_NOINHERIT)
enum { POLLIN = 1, POLLOUT = 4 };
struct pollfd {
    int fd;
    short events, revents;
};
#define poll(ends, count, milliseconds) ((void)(ends), (void)(count), (void)(milliseconds), 0)

enum { SIGALRM = SIGTERM };
#define alarm(seconds) ((void)(seconds)) // there is none: what hangs is ended by hand

typedef const void *locale_t; // the program leaves the C library in its C locale
enum { LC_ALL_MASK = 1 };
#define newlocale(mask, name, base) ((void)(base), (locale_t) "C")
#define uselocale(locale) ((void *)(uintptr_t)(locale))
#define freelocale(locale) ((void)(locale))

const void *tide_windows_memmem(const void *bytes, size_t size, const void *sought, size_t length);
#define memmem(bytes, size, sought, length) ((void *)(uintptr_t)tide_windows_memmem(bytes, size, sought, length))
char *tide_windows_strsep(char **rest, const char *separators);
#define strsep tide_windows_strsep

typedef struct Dl_info {
    void *dli_fbase;
} Dl_info;
int tide_windows_dladdr(const void *address, Dl_info *info); // of the file that holds the code
#define dladdr tide_windows_dladdr

#endif
