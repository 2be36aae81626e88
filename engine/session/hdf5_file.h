// Writes an HDF5 file: arrays of numbers and lists of texts under paths like "runs/000001/series/height". Groups are
// made as needed. The file takes its name when it is closed, whole or not at all. Equal contents give equal bytes.
#ifndef TIDE_SESSION_HDF5_FILE_H
#define TIDE_SESSION_HDF5_FILE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct tide_hdf5 tide_hdf5;

enum { TIDE_HDF5_MAX_RANK = 3 };

tide_status tide_hdf5_create(const char *path, tide_hdf5 **file, tide_error *error);
// Adds an array of `rank` dimensions, the last of which varies fastest. The values may be unaligned. `unit` becomes the
// attribute "unit"; NULL or "": none.
tide_status tide_hdf5_add_numbers(tide_hdf5 *file, const char *name, const void *doubles, const uint64_t *extents,
                                  int rank, const char *unit, tide_error *error);
// Adds a list of texts in UTF-8. An empty list is an array of no elements.
tide_status tide_hdf5_add_texts(tide_hdf5 *file, const char *name, const char *const *texts, size_t count,
                                tide_error *error);
// Closes the file and frees it in any case. On failure an existing file of that name is unchanged.
tide_status tide_hdf5_close(tide_hdf5 *file, tide_error *error);
void tide_hdf5_discard(tide_hdf5 *file); // NULL does nothing

#endif
