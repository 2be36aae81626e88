// What a process can do after it has confined itself. Each attempt runs in a forked process of its own.
#define _GNU_SOURCE // syscall, O_TMPFILE
#include "tests.h"

#include "app/confine.h"
#include "app/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POSSIBLE, REFUSED, NOT_CONFINED };

static const char *readable_file, *other_file;

// Runs an attempt in a confined process and returns the status that it ended with. An attempt returns whether it
// succeeded.
static int status_of(const tide_confinement *confinement, bool (*attempt)(void))
{
    pid_t child = fork();
    if (child == 0) {
        tide_error error;
        if (tide_confine(confinement, &error) != TIDE_OK)
            _exit(NOT_CONFINED);
        _exit(attempt() ? POSSIBLE : REFUSED);
    }
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static int try_it(const tide_confinement *confinement, bool (*attempt)(void))
{
    int status = status_of(confinement, attempt);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// --- attempts --------------------------------------------------------------------------------------------------------

static bool make_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool make_local_socket(void)
{
    int ends[2];
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
}

static bool start_process(void)
{
    pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0)
        _exit(0);
    return child > 0;
}

static bool start_process_by_clone(void)
{
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        _exit(0);
    return child > 0;
}

static bool start_program(void)
{
    char *const words[] = { (char *)(uintptr_t) "/bin/true", NULL };
    execv(words[0], words); // exits with 0 if it can
    return false;
}

static bool signal_parent(void)
{
    return kill(getppid(), 0) == 0;
}

static bool trace_parent(void)
{
    return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0;
}

static bool write_file(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s.new", readable_file);
    return open(path, O_WRONLY | O_CREAT, 0600) >= 0;
}

static bool append_to_file(void)
{
    return open(readable_file, O_RDWR) >= 0;
}

static bool truncate_file(void)
{
    return open(readable_file, O_RDONLY | O_TRUNC) >= 0 || truncate(readable_file, 0) == 0;
}

static bool remove_file(void)
{
    return unlink(readable_file) == 0 || rename(readable_file, other_file) == 0;
}

static bool make_folder(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s.folder", readable_file);
    return mkdir(path, 0700) == 0 || symlink("/", path) == 0;
}

static bool read_file(void)
{
    return open(readable_file, O_RDONLY) >= 0;
}

static bool read_other_file(void)
{
    return open(other_file, O_RDONLY) >= 0;
}

static bool write_other_file(void)
{
    return open(other_file, O_WRONLY) >= 0;
}

static bool make_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED;
}

static bool compute(void)
{
    void *page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED && munmap(page, 1 << 20) == 0 && write(STDERR_FILENO, "", 0) == 0;
}

static bool map_much(void)
{
    return mmap(NULL, (size_t)1 << 32, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static bool loop(void)
{
    volatile bool on = true;
    while (on)
        continue;
    return on;
}

// --- tests -----------------------------------------------------------------------------------------------------------

static void make_files(void)
{
    static char first[512], second[512];
    snprintf(first, sizeof first, "%s/readable", tide_test_folder());
    snprintf(second, sizeof second, "%s/other", tide_test_folder());
    const char *const paths[] = { first, second };
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(paths[i], "w");
        assert_non_null(file);
        fclose(file);
    }
    readable_file = first;
    other_file = second;
}

static void test_confined(void **state)
{
    (void)state;
    make_files();
    const char *const readable[] = { readable_file, "/there/is/no/such/file", NULL };
    const tide_confinement confinement = { .readable = readable, .processor_seconds = 100 };
    static bool (*const refused[])(void) = {
        make_socket,   make_local_socket, start_process, start_process_by_clone, start_program,
        signal_parent, trace_parent,      write_file,    append_to_file,         truncate_file,
        remove_file,   make_folder,       make_code,
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (try_it(&confinement, refused[i]) != REFUSED)
            fail_msg("attempt %zu is not refused", i);
    assert_int_equal(try_it(&confinement, read_file), POSSIBLE);
    assert_int_equal(try_it(&confinement, compute), POSSIBLE);
    assert_int_equal(try_it(&confinement, read_other_file), tide_landlock_is_there() ? REFUSED : POSSIBLE);
}

// A process that writes files does so in its folders only.
static void test_writable_folder(void **state)
{
    (void)state;
    make_files();
    const char *const folders[] = { tide_test_folder(), NULL }, *const none[] = { NULL };
    const tide_confinement confinement = { .readable = none, .writable = folders, .threads = true };
    if (!tide_landlock_is_there())
        skip();
    assert_int_equal(try_it(&confinement, write_file), POSSIBLE);
    assert_int_equal(try_it(&confinement, start_process), REFUSED);
    assert_int_equal(try_it(&confinement, start_program), REFUSED);
    assert_int_equal(try_it(&confinement, make_socket), REFUSED);
    other_file = "/dev/null";
    assert_int_equal(try_it(&confinement, write_other_file), REFUSED);
}

static void test_limits(void **state)
{
    (void)state;
    const tide_confinement seconds = { .processor_seconds = 1 }, memory = { .memory = 1 << 28 };
    int status = status_of(&seconds, loop);
    assert_true(WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL));
#ifndef __SANITIZE_ADDRESS__
    assert_int_equal(try_it(&memory, map_much), REFUSED);
    assert_int_equal(try_it(&memory, compute), POSSIBLE);
#else
    (void)memory;
    (void)map_much;
#endif
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_confined),
    cmocka_unit_test(test_writable_folder),
    cmocka_unit_test(test_limits),
};
TIDE_TEST_SUITE(app_confine, tests)
