// The portable mode: the same bits on every platform.
//
// Normally, states depend in their last bits on the width of the processor's vectors and on the C library's sin, exp,
// pow and their like. In the portable mode vectors have 128 bits, and these functions are the engine's own
// (portable_functions.h). README.md tells how the engine is built for another platform.
//
// The mode is one variable of the process, because every function of the engine depends on it. The scene that is used
// sets it: script/ does so whenever a run of a script begins and whenever a scene's object is used. A program of C sets
// it before it makes meshes and worlds.
#ifndef TIDE_BASE_PORTABLE_H
#define TIDE_BASE_PORTABLE_H

#include <stdatomic.h>
#include <stdbool.h>

extern atomic_bool tide_portable_mode; // private to this header

// Tells whether the portable mode is on.
static inline bool tide_portable(void)
{
    return atomic_load_explicit(&tide_portable_mode, memory_order_relaxed);
}

static inline void tide_set_portable(bool portable)
{
    atomic_store_explicit(&tide_portable_mode, portable, memory_order_relaxed);
}

#endif
