// Checks of input files.
#ifndef TIDE_BASE_INPUT_FILE_H
#define TIDE_BASE_INPUT_FILE_H

#include "base/error.h"

// Fails for a device, a pipe or a socket, where reading may block or never end. A path without a file passes; opening
// it fails later.
tide_status tide_input_file_check(const char *path, const char *object, tide_error *error);

#endif
