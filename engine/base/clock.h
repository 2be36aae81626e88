// Seconds of a clock that never goes back. Never part of a simulation's state.
#ifndef TIDE_BASE_CLOCK_H
#define TIDE_BASE_CLOCK_H

double tide_clock_seconds(void);
// Seconds of computing: processor time of the program, which other programs do not affect; with several threads the
// clock's.
double tide_clock_computing(void);

#endif
