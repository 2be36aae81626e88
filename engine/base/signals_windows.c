// Ctrl-C, Ctrl-Break and the end of the console arrive in a thread of the system's own.
#include "base/signals.h"

#include "base/output_file.h"

#include <signal.h>
#include <stdatomic.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static _Atomic(tide_signal_handler *) handler;
static SRWLOCK held = SRWLOCK_INIT;

_Noreturn void tide_signals_end(int number)
{
    tide_output_remove_unfinished();
    for (;;)
        TerminateProcess(GetCurrentProcess(), 128u + (unsigned)number); // as a shell reports a signal
}

static BOOL WINAPI receive(DWORD event)
{
    int number = event == CTRL_C_EVENT ? SIGINT : SIGTERM;
    AcquireSRWLockExclusive(&held);
    tide_signal_handler *call = handler;
    if (!call)
        tide_signals_end(number);
    call(number);
    ReleaseSRWLockExclusive(&held);
    return TRUE;
}

void tide_signals_take(void)
{
    SetConsoleCtrlHandler(receive, TRUE);
}

void tide_signals_handle(tide_signal_handler *call)
{
    handler = call;
}

void tide_signals_hold(void)
{
    AcquireSRWLockExclusive(&held);
}

void tide_signals_release(void)
{
    ReleaseSRWLockExclusive(&held);
}
