// A pool of helper threads. The calling thread works through the chunks itself, and helpers take some of them. A helper
// that is late, because the machine is busy, costs nothing: it finds no chunk left. (Fork and join with a barrier, as
// in OpenMP, waits for every thread at the end of every loop.)
#define _POSIX_C_SOURCE 200809L
#include "base/parallel.h"

#include "base/clock.h"
#include "base/stop.h"
#include "base/thread_local.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

// In a browser, a thread starts only when the worker that asked for it is idle: scripts/web.sh starts four beforehand.
#ifdef __EMSCRIPTEN__
enum { MAX_THREADS = 1 + 4 };
#else
enum { MAX_THREADS = 64 };
#endif
enum {
    MAX_CHUNKS = 0xffff,
    SPINS = 40000 // polls for a new loop before a helper sleeps, about 30 us in all
};

typedef struct loop {
    void (*chunk)(const struct loop *loop, uint32_t begin, uint32_t end, uint32_t index);
    void (*body)(void *, uint32_t, uint32_t);
    double (*term)(void *, uint32_t, uint32_t);
    double *partial;
    void *context;
    uint32_t count, grain;
    tide_stop *stop; // the work that the loop belongs to
} loop;

// The chunks that a thread begins with. In loops of the same length they are the same ones, so that their data stay in
// the caches of its processor. A thread that has finished its share takes chunks of other shares. Each share has a
// cache line of its own.
typedef struct {
    _Alignas(64) _Atomic uint64_t ticket; // round (32 bits), end of the share (16), next chunk (16)
} share;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    atomic_int sleepers;
    atomic_bool busy;          // a loop is running: other loops run in their own threads
    atomic_int wanted;         // helpers that may take part
    int helpers;               // threads started
    bool forks_are_told;       // forget_helpers is registered with pthread_atfork
    loop loop;                 // valid while chunks of its round are unfinished
    atomic_uint round;         // number of loops that used helpers so far
    share shares[MAX_THREADS]; // of each thread; 0: the calling one
    atomic_uint finished;      // finished chunks of the round
} pool = { .mutex = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER };

static atomic_int thread_count = 1;
// This thread runs a chunk.
static TIDE_THREAD_LOCAL bool inside;

// Takes a chunk of a share and runs it. Returns false when there is none left.
static bool take_chunk(share *from, bool helper)
{
    uint64_t ticket = atomic_load(&from->ticket);
    uint32_t end, taken;
    do {
        end = (uint32_t)(ticket >> 16) & MAX_CHUNKS;
        taken = (uint32_t)ticket & MAX_CHUNKS;
        if (taken == end)
            return false;
    } while (!atomic_compare_exchange_weak(&from->ticket, &ticket, ticket + 1));
    const loop *l = &pool.loop; // the loop of the ticket's round, which cannot end before this chunk
    uint32_t begin = taken * l->grain, last = l->count - begin < l->grain ? l->count : begin + l->grain;
    if (helper)
        tide_stop_help(l->stop);
    l->chunk(l, begin, last, taken);
    atomic_fetch_add(&pool.finished, 1);
    return true;
}

// Takes chunks while there are some: those of the thread's own share, then those of others.
static void take_chunks(uint32_t thread)
{
    uint32_t shares = 1 + (uint32_t)atomic_load(&pool.wanted);
    for (uint32_t i = 0; i < shares; i++)
        while (take_chunk(&pool.shares[(thread + i) % shares], thread > 0))
            continue;
}

static void sleep_until_after(uint32_t round)
{
    for (int i = 0; i < SPINS; i++)
        if (atomic_load(&pool.round) != round)
            return;
    pthread_mutex_lock(&pool.mutex);
    atomic_fetch_add(&pool.sleepers, 1);
    while (atomic_load(&pool.round) == round)
        pthread_cond_wait(&pool.wake, &pool.mutex);
    atomic_fetch_sub(&pool.sleepers, 1);
    pthread_mutex_unlock(&pool.mutex);
}

static void *help(void *number)
{
    inside = true;
    for (;;) {
        uint32_t round = atomic_load(&pool.round);
        if ((int)(intptr_t)number < atomic_load(&pool.wanted))
            take_chunks(1 + (uint32_t)(intptr_t)number);
        sleep_until_after(round);
    }
    return NULL;
}

// Called in the child of a fork, whose only thread is the one that forked: helpers and other loops are gone, and with
// them their locks.
static void forget_helpers(void)
{
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.wake, NULL);
    atomic_store(&pool.sleepers, 0);
    for (int i = 0; i < MAX_THREADS; i++)
        atomic_store(&pool.shares[i].ticket, 0); // no chunks to take
    atomic_store(&pool.busy, false);
    pool.helpers = 0;
}

// Starts helpers up to the number wanted. If the system refuses more threads, loops work with fewer.
static void start_helpers(int wanted)
{
    if (pool.helpers >= wanted)
        return;
    if (!pool.forks_are_told)
        pool.forks_are_told = pthread_atfork(NULL, NULL, forget_helpers) == 0;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    while (pool.helpers < wanted && pthread_create(&thread, &detached, help, (void *)(intptr_t)pool.helpers) == 0)
        pool.helpers++;
    pthread_attr_destroy(&detached);
}

static void run_here(const loop *l, uint32_t chunks)
{
    for (uint32_t index = 0; index < chunks; index++) {
        uint32_t begin = index * l->grain;
        l->chunk(l, begin, l->count - begin < l->grain ? l->count : begin + l->grain, index);
    }
}

static void run(const loop *l, uint32_t chunks)
{
    int helpers = tide_threads() - 1;
    if (chunks <= 1 || helpers == 0 || inside || atomic_exchange(&pool.busy, true)) {
        run_here(l, chunks);
        return;
    }
    start_helpers(helpers);
    atomic_store(&pool.wanted, helpers);
    pool.loop = *l;
    pool.loop.stop = tide_stop_current();
    atomic_store(&pool.finished, 0);
    uint32_t round = atomic_load(&pool.round) + 1, shares = 1 + (uint32_t)helpers;
    for (uint32_t i = 0; i < shares; i++) {
        uint32_t first = i * chunks / shares, end = (i + 1) * chunks / shares;
        atomic_store(&pool.shares[i].ticket, (uint64_t)round << 32 | (uint64_t)end << 16 | first);
    }
    atomic_store(&pool.round, round);
    if (atomic_load(&pool.sleepers)) {
        pthread_mutex_lock(&pool.mutex);
        pthread_cond_broadcast(&pool.wake);
        pthread_mutex_unlock(&pool.mutex);
    }
    inside = true;
    take_chunks(0);
    inside = false;
    for (int i = 0; atomic_load(&pool.finished) < chunks; i++)
        if (i > SPINS)
            sched_yield();
    atomic_store(&pool.busy, false);
}

static uint32_t chunk_count(uint32_t count, uint32_t *grain, uint32_t most)
{
    if (count / *grain >= most)
        *grain = count / most + 1;
    return (uint32_t)(((uint64_t)count + *grain - 1) / *grain);
}

void tide_set_threads(int threads)
{
    long available = threads > 0 ? threads : sysconf(_SC_NPROCESSORS_ONLN);
    atomic_store(&thread_count, available < 1 ? 1 : available > MAX_THREADS ? MAX_THREADS : (int)available);
}

int tide_threads(void)
{
    return atomic_load(&thread_count);
}

double tide_computing_seconds(void)
{
    return tide_threads() > 1 ? tide_clock_seconds() : (double)clock() / CLOCKS_PER_SEC;
}

static void run_body(const loop *l, uint32_t begin, uint32_t end, uint32_t index)
{
    (void)index;
    l->body(l->context, begin, end);
}

static void run_term(const loop *l, uint32_t begin, uint32_t end, uint32_t index)
{
    l->partial[index] = l->term(l->context, begin, end);
}

void tide_parallel_for(uint32_t count, uint32_t grain, void (*body)(void *, uint32_t, uint32_t), void *context)
{
    uint32_t chunks = chunk_count(count, &grain, MAX_CHUNKS);
    run(&(loop) { .chunk = run_body, .body = body, .context = context, .count = count, .grain = grain }, chunks);
}

// Runs the terms of a loop. Returns their number.
static uint32_t run_terms(uint32_t count, uint32_t grain, double (*term)(void *, uint32_t, uint32_t), void *context,
                          double partial[TIDE_PARALLEL_MAX_CHUNKS])
{
    uint32_t chunks = chunk_count(count, &grain, TIDE_PARALLEL_MAX_CHUNKS);
    run(
        &(loop) {
            .chunk = run_term, .term = term, .partial = partial, .context = context, .count = count, .grain = grain },
        chunks);
    return chunks;
}

double tide_parallel_sum(uint32_t count, uint32_t grain, double (*term)(void *, uint32_t, uint32_t), void *context)
{
    double partial[TIDE_PARALLEL_MAX_CHUNKS], sum = 0;
    uint32_t chunks = run_terms(count, grain, term, context, partial);
    for (uint32_t index = 0; index < chunks; index++)
        sum += partial[index];
    return sum;
}

double tide_parallel_most(uint32_t count, uint32_t grain, double (*term)(void *, uint32_t, uint32_t), void *context)
{
    double partial[TIDE_PARALLEL_MAX_CHUNKS], most = 0;
    uint32_t chunks = run_terms(count, grain, term, context, partial);
    for (uint32_t index = 0; index < chunks; index++)
        most = partial[index] > most ? partial[index] : most;
    return most;
}
