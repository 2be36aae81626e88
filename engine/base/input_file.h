// What may be read as a file.
#ifndef TIDE_BASE_INPUT_FILE_H
#define TIDE_BASE_INPUT_FILE_H

#include "base/error.h"

// Fails where the path leads to a device, a pipe or a socket: reading one may wait or go on for ever. What is not there
// at all is left to whoever opens it.
tide_status tide_input_file_check(const char *path, const char *object, tide_error *error);

#endif
