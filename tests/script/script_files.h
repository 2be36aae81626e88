// Script files for the C tests of script/.
#ifndef TIDE_TESTS_SCRIPT_FILES_H
#define TIDE_TESTS_SCRIPT_FILES_H

#include "tests.h"

#include <stdio.h>

// Writes a file into the folder of test files; returns its path, valid until the next call.
static inline const char *write_script(const char *name, const char *text)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", tide_test_folder(), name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

// The beginning of every test script: `tide`, a `scene` and a `cloth`.
#define CLOTH                                                                                                          \
    "local tide = require 'springtide'\n"                                                                              \
    "local stiffness = tide.param('stiffness', 100, { min = 1, max = 1e4, scale = 'log', unit = 'N/m', help = 'k' "    \
    "})\n"                                                                                                             \
    "local scene = tide.scene { title = 'Cloth' }\n"                                                                   \
    "local cloth = scene:body('cloth', { stiffness = stiffness,\n"                                                     \
    "  mesh = tide.mesh.grid { columns = 5, rows = 5, width = 1, height = 1 } })\n"                                    \
    "cloth:pin { 1, 5 }\n"

#endif
