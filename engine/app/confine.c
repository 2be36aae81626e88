// Three walls, one behind the other: limits of resources, a list of the system calls that a computation needs, and the
// files that may be opened. All others fail with EPERM.
#define _GNU_SOURCE // O_TMPFILE, syscall
#include "app/confine.h"

#include "app/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static tide_status fail(const char *what, int reason, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_STATE, "process", "confine", NULL, "%s: %s", what, strerror(reason));
}

// --- limits of resources ---------------------------------------------------------------------------------------------

static tide_status set_limit(int resource, rlim_t soft, rlim_t hard, const char *what, tide_error *error)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return fail(what, errno, error);
    struct rlimit limit = { soft < now.rlim_max ? soft : now.rlim_max, hard < now.rlim_max ? hard : now.rlim_max };
    if (setrlimit(resource, &limit) != 0)
        return fail(what, errno, error);
    return TIDE_OK;
}

#ifdef __SANITIZE_ADDRESS__ // which maps terabytes
static tide_status limit_memory(size_t bytes, tide_error *error)
{
    (void)bytes;
    (void)error;
    return TIDE_OK;
}
#else
// Bytes of address space in use.
static size_t mapped_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    fclose(file);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static tide_status limit_memory(size_t bytes, tide_error *error)
{
    rlim_t limit = bytes + mapped_bytes();
    return set_limit(RLIMIT_AS, limit, limit, "no limit of memory", error);
}
#endif

static rlim_t used_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1);
}

// Tells whether a descriptor writes into a file, as after `> FILE` in a shell.
static bool is_file(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

static tide_status set_limits(const tide_confinement *c, tide_error *error)
{
    enum { FILES = 64 };
    TIDE_TRY(set_limit(RLIMIT_CORE, 0, 0, "no limit of core files", error));
    if (!c->writable && !is_file(STDOUT_FILENO) && !is_file(STDERR_FILENO))
        TIDE_TRY(set_limit(RLIMIT_FSIZE, 0, 0, "no limit of files", error));
    if (!c->threads)
        TIDE_TRY(set_limit(RLIMIT_NPROC, 0, 0, "no limit of processes", error));
    if (!c->window) // whose libraries open many
        TIDE_TRY(set_limit(RLIMIT_NOFILE, FILES, FILES, "no limit of open files", error));
    if (c->processor_seconds) {
        rlim_t seconds = c->processor_seconds + used_seconds();
        TIDE_TRY(set_limit(RLIMIT_CPU, seconds, seconds + 1, "no limit of processor time", error));
    }
    if (c->memory)
        TIDE_TRY(limit_memory(c->memory, error));
    return TIDE_OK;
}

// --- system calls ----------------------------------------------------------------------------------------------------

// Of the memory, the clock, the threads that there are, and files that are open or opened for reading.
static const int plain_calls[] = {
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(close),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(statx),
    SCMP_SYS(lseek),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    SCMP_SYS(futex),
    SCMP_SYS(membarrier),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(rt_sigpending),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(alarm),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getcpu),
    SCMP_SYS(getrusage),
    SCMP_SYS(getrandom),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
};

// Of programs that write files beside the target and rename them.
static const int writing_calls[] = {
    SCMP_SYS(rename),   SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),
    SCMP_SYS(unlink),   SCMP_SYS(unlinkat), SCMP_SYS(fsync),     SCMP_SYS(fdatasync), SCMP_SYS(ftruncate),
    SCMP_SYS(fchmod),   SCMP_SYS(chmod),    SCMP_SYS(pwrite64),  SCMP_SYS(flock),     SCMP_SYS(umask),
    SCMP_SYS(fchmodat), SCMP_SYS(link),     SCMP_SYS(linkat),    SCMP_SYS(fallocate), SCMP_SYS(pwritev),
    SCMP_SYS(fchown),
};
static const int thread_calls[] = {
    SCMP_SYS(set_tid_address), SCMP_SYS(sched_setaffinity),  SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_getparam),  SCMP_SYS(sched_setscheduler),
};

// Of a window: its connection is open, and drivers map memory, share descriptors and compile shaders.
static const int window_calls[] = {
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),
    SCMP_SYS(sendto),
    SCMP_SYS(recvfrom),
    SCMP_SYS(getsockopt),
    SCMP_SYS(setsockopt),
    SCMP_SYS(getpeername),
    SCMP_SYS(getsockname),
    SCMP_SYS(shutdown),
    SCMP_SYS(select),
    SCMP_SYS(pselect6),
    SCMP_SYS(ioctl),
    SCMP_SYS(mmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(memfd_create),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fallocate),
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(shmdt),
    SCMP_SYS(shmctl),
    SCMP_SYS(eventfd2),
    SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_wait),
    SCMP_SYS(epoll_pwait),
    SCMP_SYS(pipe2),
    SCMP_SYS(fcntl),
    SCMP_SYS(timerfd_create),
    SCMP_SYS(timerfd_settime),
    SCMP_SYS(inotify_init1),
    SCMP_SYS(inotify_add_watch),
    SCMP_SYS(inotify_rm_watch),
    SCMP_SYS(fstatfs),
    SCMP_SYS(statfs),
    SCMP_SYS(kcmp),
    SCMP_SYS(fadvise64),
};

static int allow_all(scmp_filter_ctx filter, const int *calls, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count && failed == 0; i++)
        failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
    return failed;
}
#define ALLOW_ALL(filter, calls) allow_all(filter, calls, sizeof calls / sizeof *calls)

// Allows a call whose argument has none of the bits.
static int allow_without(scmp_filter_ctx filter, int call, unsigned argument, uint64_t bits)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bits, 0));
}

static int allow_equal(scmp_filter_ctx filter, int call, unsigned argument, uint64_t value)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, SCMP_CMP(argument, SCMP_CMP_EQ, value));
}

static int allow_some(scmp_filter_ctx filter, const tide_confinement *c)
{
    // O_TMPFILE contains O_DIRECTORY, which reading may use.
    const uint64_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    const uint64_t of_open = c->writable ? 0 : writing;
    const int flags[] = { F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_SETLKW, F_SETLK, F_OFD_SETLK };
    int failed = allow_without(filter, SCMP_SYS(open), 1, of_open);
    failed = failed ? failed : allow_without(filter, SCMP_SYS(openat), 2, of_open);
    failed = failed ? failed : allow_without(filter, SCMP_SYS(mmap), 2, PROT_EXEC);
    failed = failed ? failed : allow_without(filter, SCMP_SYS(mprotect), 2, PROT_EXEC);
    for (size_t i = 0; i < sizeof flags / sizeof *flags && !failed; i++)
        failed = allow_equal(filter, SCMP_SYS(fcntl), 1, (uint64_t)flags[i]);
    failed = failed ? failed : allow_equal(filter, SCMP_SYS(ioctl), 1, TCGETS);
    failed = failed ? failed : allow_equal(filter, SCMP_SYS(tgkill), 0, (uint64_t)getpid());
    failed = failed ? failed : allow_equal(filter, SCMP_SYS(prlimit64), 2, 0); // reads limits
    return failed;
}

static int allow_threads(scmp_filter_ctx filter)
{
    int failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                                  SCMP_CMP(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    // glibc then takes clone, whose flags a filter can see.
    failed = failed ? failed : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    return failed ? failed : ALLOW_ALL(filter, thread_calls);
}

static tide_status filter_calls(const tide_confinement *c, tide_error *error)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return fail("no filter of system calls", ENOMEM, error);
    int failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    failed = failed ? failed : ALLOW_ALL(filter, plain_calls);
    failed = failed ? failed : allow_some(filter, c);
    if (c->writable)
        failed = failed ? failed : ALLOW_ALL(filter, writing_calls);
    if (c->threads)
        failed = failed ? failed : allow_threads(filter);
    if (c->window)
        failed = failed ? failed : ALLOW_ALL(filter, window_calls);
    failed = failed ? failed : seccomp_load(filter);
    seccomp_release(filter);
    return failed ? fail("no filter of system calls", -failed, error) : TIDE_OK;
}

// --- all of it -------------------------------------------------------------------------------------------------------

tide_status tide_confine(const tide_confinement *confinement, tide_error *error)
{
    signal(SIGPIPE, SIG_IGN); // output beyond its limit is lost, and the process goes on
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return fail("it may gain privileges", errno, error);
    if (confinement->with_parent && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
        return fail("it may outlive its parent", errno, error);
    TIDE_TRY(set_limits(confinement, error));
    TIDE_TRY(tide_landlock(confinement, error));
    return filter_calls(confinement, error);
}
