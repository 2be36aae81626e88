#define _POSIX_C_SOURCE 200809L
#include "base/input_file.h"

#include <sys/stat.h>

tide_status tide_input_file_check(const char *path, const char *object, tide_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL,
                     "cannot be read: it is a device, a pipe or a socket; expected a regular file");
}
