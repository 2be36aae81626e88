#include "session/hdf5_file.h"

#include "base/memory.h"
#include "base/output_file.h"

#include <hdf5.h>

struct tide_hdf5 {
    char *path;
    tide_output *output; // HDF5 writes to its unfinished file
    hid_t file;
    hid_t make_groups, untimed; // lists of properties
    hid_t text;                 // the type of texts
};

static tide_status fail(const tide_hdf5 *file, const char *name, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_FILE, file->path, name, NULL, "HDF5 cannot write it; is the disk full?");
}

static tide_status open_parts(tide_hdf5 *file, tide_error *error)
{
    file->make_groups = H5Pcreate(H5P_LINK_CREATE);
    file->untimed = H5Pcreate(H5P_DATASET_CREATE);
    file->text = H5Tcopy(H5T_C_S1);
    hid_t plain = H5Pcreate(H5P_FILE_CREATE);
    bool good = plain >= 0 && H5Pset_obj_track_times(plain, false) >= 0 && file->make_groups >= 0 &&
                H5Pset_create_intermediate_group(file->make_groups, 1) >= 0 &&
                H5Pset_char_encoding(file->make_groups, H5T_CSET_UTF8) >= 0 && file->untimed >= 0 &&
                H5Pset_obj_track_times(file->untimed, false) >= 0 && file->text >= 0 &&
                H5Tset_size(file->text, H5T_VARIABLE) >= 0 && H5Tset_cset(file->text, H5T_CSET_UTF8) >= 0;
    if (good)
        file->file = H5Fcreate(tide_output_name(file->output), H5F_ACC_TRUNC, plain, H5P_DEFAULT);
    if (plain >= 0)
        H5Pclose(plain);
    return good && file->file >= 0 ? TIDE_OK : fail(file, NULL, error);
}

tide_status tide_hdf5_create(const char *path, tide_hdf5 **out, tide_error *error)
{
    tide_hdf5 *file = tide_allocate_zeroed(1, sizeof *file);
    *out = NULL;
    if (!file)
        return tide_fail_memory(error, path);
    file->file = file->make_groups = file->untimed = file->text = H5I_INVALID_HID;
    file->path = tide_own(file, tide_copy_string(path));
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // its errors come back as ours
    tide_status status = file->path ? tide_output_open(path, path, TIDE_OUTPUT_REGULAR, &file->output, error)
                                    : tide_fail_memory(error, path);
    if (status == TIDE_OK)
        status = open_parts(file, error);
    if (status == TIDE_OK)
        *out = file;
    else
        tide_hdf5_discard(file);
    return status;
}

// Writes an attribute "unit".
static bool add_unit(const tide_hdf5 *file, hid_t set, const char *unit)
{
    if (!unit || !unit[0])
        return true;
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(set, "unit", file->text, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, file->text, &unit) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    if (space >= 0)
        H5Sclose(space);
    return good;
}

static tide_status add(tide_hdf5 *file, const char *name, hid_t type, const void *values, const uint64_t *extents,
                       int rank, const char *unit, tide_error *error)
{
    hsize_t size[TIDE_HDF5_MAX_RANK];
    bool empty = false;
    if (rank < 1 || rank > TIDE_HDF5_MAX_RANK)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, file->path, name, NULL, "expected 1 to %d dimensions",
                         TIDE_HDF5_MAX_RANK);
    for (int i = 0; i < rank; i++) {
        size[i] = extents[i];
        empty = empty || !size[i];
    }
    hid_t space = H5Screate_simple(rank, size, NULL);
    hid_t set = H5Dcreate2(file->file, name, type, space, file->make_groups, file->untimed, H5P_DEFAULT);
    bool good = set >= 0 && (empty || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0) &&
                add_unit(file, set, unit);
    if (set >= 0)
        good = H5Dclose(set) >= 0 && good;
    if (space >= 0)
        H5Sclose(space);
    return good ? TIDE_OK : fail(file, name, error);
}

tide_status tide_hdf5_add_numbers(tide_hdf5 *file, const char *name, const void *doubles, const uint64_t *extents,
                                  int rank, const char *unit, tide_error *error)
{
    return add(file, name, H5T_NATIVE_DOUBLE, doubles, extents, rank, unit, error);
}

tide_status tide_hdf5_add_texts(tide_hdf5 *file, const char *name, const char *const *texts, size_t count,
                                tide_error *error)
{
    const uint64_t extent = count;
    return add(file, name, file->text, texts, &extent, 1, NULL, error);
}

static bool close_parts(tide_hdf5 *file)
{
    bool good = file->file < 0 || H5Fclose(file->file) >= 0;
    if (file->make_groups >= 0)
        H5Pclose(file->make_groups);
    if (file->untimed >= 0)
        H5Pclose(file->untimed);
    if (file->text >= 0)
        H5Tclose(file->text);
    return good;
}

tide_status tide_hdf5_close(tide_hdf5 *file, tide_error *error)
{
    tide_status status = close_parts(file) ? TIDE_OK : fail(file, NULL, error);
    if (status == TIDE_OK)
        status = tide_output_close(file->output, error);
    else
        tide_output_discard(file->output);
    tide_free(file);
    return status;
}

void tide_hdf5_discard(tide_hdf5 *file)
{
    if (!file)
        return;
    close_parts(file);
    tide_output_discard(file->output);
    tide_free(file);
}
