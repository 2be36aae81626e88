#define _POSIX_C_SOURCE 200809L
#include "base/signals.h"

#include "base/output_file.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static sigset_t taken;
static _Atomic(tide_signal_handler *) handler;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static sigset_t mask_before_hold;

_Noreturn void tide_signals_end(int number)
{
    sigset_t one;
    tide_output_remove_unfinished();
    sigemptyset(&one);
    sigaddset(&one, number);
    for (;;) { // a library may trap the signal again meanwhile
        signal(number, SIG_DFL);
        pthread_sigmask(SIG_UNBLOCK, &one, NULL);
        raise(number);
    }
}

static void *receive(void *unused)
{
    (void)unused;
    for (;;) {
        int number;
        if (sigwait(&taken, &number) != 0)
            continue;
        pthread_mutex_lock(&held);
        tide_signal_handler *call = handler;
        if (!call)
            tide_signals_end(number);
        call(number);
        pthread_mutex_unlock(&held);
    }
    return NULL;
}

static void add_ending(sigset_t *set)
{
    const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    sigemptyset(set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(set, signals[i]);
    }
}

void tide_signals_take(void)
{
    pthread_attr_t detached;
    pthread_t thread;
    sigset_t before;
    signal(SIGXFSZ, SIG_IGN);
    add_ending(&taken);
    pthread_sigmask(SIG_BLOCK, &taken, &before);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &detached, receive, NULL) != 0)
        pthread_sigmask(SIG_SETMASK, &before, NULL); // signals then end the program, as by default
    pthread_attr_destroy(&detached);
}

void tide_signals_handle(tide_signal_handler *call)
{
    handler = call;
}

void tide_signals_hold(void)
{
    sigset_t ending;
    add_ending(&ending);
    pthread_sigmask(SIG_BLOCK, &ending, &mask_before_hold); // in a host, which receives them itself
    pthread_mutex_lock(&held);
}

void tide_signals_release(void)
{
    pthread_mutex_unlock(&held);
    pthread_sigmask(SIG_SETMASK, &mask_before_hold, NULL);
}
