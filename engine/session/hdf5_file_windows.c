// The HDF5 library is not part of the build for Windows.
#include "session/hdf5_file.h"

tide_status tide_hdf5_create(const char *path, tide_hdf5 **file, tide_error *error)
{
    *file = NULL;
    return tide_fail(error, TIDE_ERROR_STATE, path, NULL, NULL,
                     "the Springtide for Windows writes no HDF5 files; use the one for Linux for this");
}

tide_status tide_hdf5_add_numbers(tide_hdf5 *file, const char *name, const void *doubles, const uint64_t *extents,
                                  int rank, const char *unit, tide_error *error)
{
    (void)file;
    (void)doubles;
    (void)extents;
    (void)rank;
    (void)unit;
    return tide_fail(error, TIDE_ERROR_STATE, name, NULL, NULL, "there is no HDF5 file");
}

tide_status tide_hdf5_add_texts(tide_hdf5 *file, const char *name, const char *const *texts, size_t count,
                                tide_error *error)
{
    (void)file;
    (void)texts;
    (void)count;
    return tide_fail(error, TIDE_ERROR_STATE, name, NULL, NULL, "there is no HDF5 file");
}

tide_status tide_hdf5_close(tide_hdf5 *file, tide_error *error)
{
    (void)file;
    (void)error;
    return TIDE_OK;
}

void tide_hdf5_discard(tide_hdf5 *file)
{
    (void)file;
}
