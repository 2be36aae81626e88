#define _GNU_SOURCE // memmem
#include "fuzz.h"

// The files of one input are parted by lines "=": vertices, then tetrahedra, then faces.
static tide_status read(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error)
{
    tide_mesh_bytes parts[3] = { { bytes, size, name }, { NULL, 0, name }, { NULL, 0, name } };
    int count = 1;
    for (; count < 3; count++) {
        const char *rest = parts[count - 1].bytes;
        size_t left = parts[count - 1].size;
        const char *mark = left ? memmem(rest, left, "\n=\n", 3) : NULL;
        if (!mark)
            break;
        parts[count - 1].size = (size_t)(mark - rest);
        parts[count].bytes = mark + 3;
        parts[count].size = left - (size_t)(mark + 3 - rest);
    }
    return tide_mesh_read_tetgen(&parts[0], count > 1 ? &parts[1] : NULL, count > 2 ? &parts[2] : NULL, mesh, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read(read, NULL, bytes, size);
}
