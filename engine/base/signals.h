// The signals that end a program: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
//
// A library may trap these signals while it computes and leave by longjmp (METIS does so for SIGTERM). Such a trap
// crashes when another thread receives the signal. Therefore the program blocks the signals in every thread and
// receives them in a thread of its own, with sigwait. A handler runs there as ordinary code and may call any
// thread-safe function.
//
//     static void note(int number) { stop = number; }        // stop is an atomic
//
//     tide_signals_take();                                    // first thing in main
//     tide_signals_handle(note);
//     ...
//     if (stop)
//         tide_signals_end(stop);                             // the shell sees the signal
//
// In a host that does not call tide_signals_take(), signals stay with the host.
#ifndef TIDE_BASE_SIGNALS_H
#define TIDE_BASE_SIGNALS_H

typedef void tide_signal_handler(int number);

// Blocks the signals in this thread, and so in all threads that it starts, and receives them from now on. Ignored
// signals (as by nohup) stay ignored. A write beyond the limit of file sizes (ulimit -f) fails from now on, and does
// not end the program. Must be called once, before any other thread exists.
void tide_signals_take(void);

// Sets the handler of the signals. NULL, the default: a signal ends the program.
void tide_signals_handle(tide_signal_handler *handler);

// Delay signals between these two calls. Every hold needs a release in the same thread; they do not nest.
void tide_signals_hold(void);
void tide_signals_release(void);

// Ends the program by the default action of this signal, after removing unfinished files (output_file.h). Safe in a
// signal handler.
_Noreturn void tide_signals_end(int number);

#endif
