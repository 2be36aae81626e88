// Seconds of a clock that never goes back. Never part of a simulation's state.
#ifndef TIDE_BASE_CLOCK_H
#define TIDE_BASE_CLOCK_H

double tide_clock_seconds(void);
// Returns seconds of computation: processor time of the program, which other programs do not affect; with several
// threads, the time of the clock.
double tide_clock_computing(void);

#endif
