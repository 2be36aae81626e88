// Limits of memory in bytes.
#ifndef TIDE_BASE_MEGABYTES_H
#define TIDE_BASE_MEGABYTES_H

#include <stddef.h>
#include <stdint.h>

// The bytes of so many megabytes, or as many as an object can have: where pointers have 32 bits, 2 GB.
static inline size_t tide_megabytes(double count)
{
    const double most = (double)(SIZE_MAX / 2);
    return count * 0x1p20 < most ? (size_t)(count * 0x1p20) : SIZE_MAX / 2;
}

#endif
