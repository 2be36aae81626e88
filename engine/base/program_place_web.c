// The worker puts the library at /scripts and the scenes at /scenes, as if the program were /springtide.
#include "base/places.h"

#include <stdio.h>

static const char program[] = "/springtide";

bool tide_place_of_program(char *path, size_t size)
{
    return snprintf(path, size, "%s", program) < (int)size;
}

bool tide_place_of_code(char *path, size_t size)
{
    return tide_place_of_program(path, size);
}

const char *tide_place_to_start(void)
{
    return program;
}
