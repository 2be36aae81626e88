// Seconds of a clock that never goes back. Never part of a simulation's state.
#ifndef TIDE_BASE_CLOCK_H
#define TIDE_BASE_CLOCK_H

double tide_clock_seconds(void);

#endif
