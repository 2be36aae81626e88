#define _GNU_SOURCE
#include "base/output_file.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANDOM_LETTERS = 13, MAX_UNFINISHED = 32, ATTEMPTS = 16 };

struct tide_output {
    char *path, *object;
    char *name; // of the file that is written; the path for a device, and after publishing
    FILE *stream;
    int slot;       // index in `unfinished`, or -1
    bool in_place;  // a device or a FIFO
    bool published; // it has the name of the target
};

// --- unfinished files ------------------------------------------------------------------------------------------------
// A signal handler may read them at any time.

static struct unfinished {
    _Atomic int state; // FREE, TAKEN while the path is written, READY
    char path[PATH_MAX];
} unfinished[MAX_UNFINISHED];
enum { FREE, TAKEN, READY };

static int remember(const char *path)
{
    for (int i = 0; i < MAX_UNFINISHED; i++) {
        int state = FREE;
        if (strlen(path) >= sizeof unfinished[i].path ||
            !atomic_compare_exchange_strong(&unfinished[i].state, &state, TAKEN))
            continue;
        memcpy(unfinished[i].path, path, strlen(path) + 1);
        atomic_store(&unfinished[i].state, READY);
        return i;
    }
    return -1;
}

bool tide_output_is_being_written(const char *path)
{
    static const char ending[] = ".part";
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (snprintf(folder, sizeof folder, "%.*s.", (int)(name - path), path) >= PATH_MAX)
        return false;
    DIR *entries = opendir(folder);
    bool found = false;
    for (struct dirent *entry; entries && !found && (entry = readdir(entries));) {
        size_t length = strlen(name), size = length + 1 + RANDOM_LETTERS + strlen(ending);
        found = strlen(entry->d_name) == size && strncmp(entry->d_name, name, length) == 0 &&
                strcmp(entry->d_name + size - strlen(ending), ending) == 0;
    }
    if (entries)
        closedir(entries);
    return found;
}

static void forget(tide_output *output)
{
    if (output->slot >= 0)
        atomic_store(&unfinished[output->slot].state, FREE);
    output->slot = -1;
}

void tide_output_remove_unfinished(void)
{
    for (int i = 0; i < MAX_UNFINISHED; i++)
        if (atomic_load(&unfinished[i].state) == READY)
            unlink(unfinished[i].path);
}

// --- the target ------------------------------------------------------------------------------------------------------

static tide_status fail_write(const char *object, int reason, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL,
                     "cannot be written: %s; check the path, its permissions and the space left", strerror(reason));
}

// Tells whether this is a link that only the system can make, such as /dev/stdout or /dev/fd/3.
static bool is_of_system(const char *path)
{
    return (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0) && !strstr(path, "/../");
}

// Examines the target: fills *info if it is there, and sets *there, and *in_place for a device or a FIFO. Refuses
// targets that must not be written.
static tide_status look_at_target(const char *path, const char *object, unsigned kinds, struct stat *info, bool *there,
                                  bool *in_place, tide_error *error)
{
    *there = lstat(path, info) == 0;
    *in_place = false;
    if (!*there)
        return errno == ENOENT ? TIDE_OK : fail_write(object, errno, error);
    bool system_link = S_ISLNK(info->st_mode) && is_of_system(path) && kinds == TIDE_OUTPUT_ANY;
    if (system_link && stat(path, info) != 0)
        return fail_write(object, errno, error);
    if (S_ISLNK(info->st_mode))
        return tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL,
                         "is a symbolic link, which is not written through; give the name of a file, or remove it");
    if (S_ISDIR(info->st_mode))
        return tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL, "a folder has this name; give another one");
    *in_place = system_link || (kinds == TIDE_OUTPUT_ANY && (S_ISCHR(info->st_mode) || S_ISFIFO(info->st_mode)));
    if (!*in_place && !S_ISREG(info->st_mode))
        return tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL,
                         "is a device, FIFO or socket, which is not replaced; give the name of a file");
    if (!*in_place && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return fail_write(object, errno, error);
    return TIDE_OK;
}

// --- names -----------------------------------------------------------------------------------------------------------

static bool random_letters(char letters[RANDOM_LETTERS + 1])
{
    static const char from[] = "abcdefghijklmnopqrstuvwxyz234567";
    uint64_t bits;
    if (getentropy(&bits, sizeof bits) != 0)
        return false;
    for (int i = 0; i < RANDOM_LETTERS; i++, bits >>= 5)
        letters[i] = from[bits & 31];
    letters[RANDOM_LETTERS] = '\0';
    return true;
}

// Returns "FOLDER/NAME.LETTERS.part", with "springtide" for a name that would become too long.
static char *beside(const char *path, const char *letters)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t folder = (size_t)(name - path), size = strlen(path) + 40;
    char *text = tide_allocate(size);
    if (text)
        snprintf(text, size, "%.*s%s.%s.part", (int)folder, path,
                 strlen(name) + RANDOM_LETTERS + 7 > NAME_MAX ? "springtide" : name, letters);
    return text;
}

// Creates the file under a new name. Returns its descriptor, or -1 with errno (0: no memory).
static int create(tide_output *output)
{
    char letters[RANDOM_LETTERS + 1];
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!random_letters(letters))
            return -1;
        tide_free(output->name);
        output->name = beside(output->path, letters);
        if (!output->name) {
            errno = 0;
            return -1;
        }
        int fd = open(output->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

// --- opening ---------------------------------------------------------------------------------------------------------

static void destroy(tide_output *output)
{
    int reason = errno;
    forget(output);
    tide_free(output->path);
    tide_free(output->object);
    tide_free(output->name);
    tide_free(output);
    errno = reason;
}

static int open_in_place(const char *path)
{
    return open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | (is_of_system(path) ? 0 : O_NOFOLLOW));
}

static tide_status open_stream(tide_output *output, const struct stat *info, bool there, tide_error *error)
{
    errno = 0;
    int fd = output->in_place ? open_in_place(output->path) : create(output);
    if (fd < 0)
        return errno ? fail_write(output->object, errno, error) : tide_fail_memory(error, output->object);
    if (output->in_place)
        output->name = tide_copy_string(output->path);
    else {
        output->slot = remember(output->name);
        if (there)
            fchmod(fd, info->st_mode & 0777); // if this is not permitted, the mode of a new file stays
    }
    output->stream = output->name ? fdopen(fd, "wb") : NULL;
    errno = 0;
    if (output->stream)
        return TIDE_OK;
    if (!output->in_place)
        unlink(output->name);
    close(fd);
    return tide_fail_memory(error, output->object);
}

tide_status tide_output_open(const char *path, const char *object, unsigned kinds, tide_output **out, tide_error *error)
{
    struct stat info;
    bool there, in_place;
    tide_status status = look_at_target(path, object, kinds, &info, &there, &in_place, error);
    if (status != TIDE_OK)
        return status;
    tide_output *output = tide_allocate_zeroed(1, sizeof *output);
    if (!output)
        return tide_fail_memory(error, object);
    *output = (tide_output) {
        .path = tide_copy_string(path), .object = tide_copy_string(object), .slot = -1, .in_place = in_place
    };
    status =
        output->path && output->object ? open_stream(output, &info, there, error) : tide_fail_memory(error, object);
    if (status != TIDE_OK) {
        destroy(output);
        return status;
    }
    *out = output;
    return TIDE_OK;
}

FILE *tide_output_stream(tide_output *output)
{
    return output->stream;
}

const char *tide_output_name(const tide_output *output)
{
    return output->name;
}

// --- publishing ------------------------------------------------------------------------------------------------------

// Tells whether a run is writing the file: a run holds a lock on the file that it publishes.
static bool is_locked(const char *path)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    return locked;
}

bool tide_output_is_in_place(const tide_output *output)
{
    return output->in_place;
}

tide_status tide_output_publish(tide_output *output, tide_error *error)
{
    tide_status status = tide_output_flush(output, error);
    if (status != TIDE_OK || output->in_place || output->published)
        return status;
    if (is_locked(output->path))
        return tide_fail(error, TIDE_ERROR_FILE, output->object, NULL, NULL,
                         "another run is writing this file; wait for its end or give another name");
    flock(fileno(output->stream), LOCK_EX | LOCK_NB);
    if (rename(output->name, output->path) != 0)
        return fail_write(output->object, errno, error);
    forget(output);
    output->published = true;
    return TIDE_OK;
}

tide_status tide_output_flush(tide_output *output, tide_error *error)
{
    int before = errno; // of an earlier write that failed
    errno = 0;
    if (fflush(output->stream) == 0 && !ferror(output->stream))
        return TIDE_OK;
    return fail_write(output->object, errno ? errno : before ? before : EIO, error);
}

// --- closing ---------------------------------------------------------------------------------------------------------

// Tells whether the path still names the open file.
static bool is_in_place(const tide_output *output)
{
    struct stat named, written;
    return fstat(fileno(output->stream), &written) == 0 && lstat(output->path, &named) == 0 &&
           named.st_dev == written.st_dev && named.st_ino == written.st_ino;
}

tide_status tide_output_close(tide_output *output, tide_error *error)
{
    bool lost = output->published && !is_in_place(output);
    tide_status status = tide_output_flush(output, error);
    errno = 0;
    if (fclose(output->stream) != 0 && status == TIDE_OK)
        status = fail_write(output->object, errno ? errno : EIO, error);
    if (!output->in_place && !output->published) {
        if (status == TIDE_OK && rename(output->name, output->path) != 0)
            status = fail_write(output->object, errno, error);
        if (status != TIDE_OK)
            unlink(output->name);
    }
    if (lost && status == TIDE_OK)
        status = tide_fail(error, TIDE_ERROR_FILE, output->object, NULL, NULL,
                           "was removed or replaced while it was written; its content is lost");
    destroy(output);
    return status;
}

void tide_output_discard(tide_output *output)
{
    if (!output)
        return;
    fclose(output->stream);
    if (!output->in_place && !output->published)
        unlink(output->name);
    destroy(output);
}
