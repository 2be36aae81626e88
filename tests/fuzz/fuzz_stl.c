#include "fuzz.h"

#include "formats/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read(tide_mesh_read_stl, &tide_mesh_format_stl, bytes, size);
}
