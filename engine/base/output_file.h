// Files that the engine writes. All of them are opened here.
//
// A file is whole or not there: it is written under a name of its own beside the target, which no other run can guess
// and which is created, never opened (O_EXCL, O_NOFOLLOW), and takes the target's name when it is closed. A file that
// is replaced keeps its mode. A device or a FIFO is written to. A symbolic link is refused, as it may lead anywhere,
// but for those of /dev and /proc (/dev/stdout), which only the system makes.
#ifndef TIDE_BASE_OUTPUT_FILE_H
#define TIDE_BASE_OUTPUT_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct tide_output tide_output;

enum {
    TIDE_OUTPUT_ANY,
    TIDE_OUTPUT_REGULAR // a device or a FIFO is refused
};

// `object` is what messages call the file.
tide_status tide_output_open(const char *path, const char *object, unsigned kinds, tide_output **output,
                             tide_error *error);
FILE *tide_output_stream(tide_output *output);
// The file that is being written, for a program that opens it by itself.
const char *tide_output_name(const tide_output *output);
// Gives the file its name now, while more is written to it: what an interrupted run has flushed is kept. From now on no
// other run publishes a file there. After a failure it is as it was.
tide_status tide_output_publish(tide_output *output, tide_error *error);
// Flushes it; fails when anything could not be written.
tide_status tide_output_flush(tide_output *output, tide_error *error);
// Ends the file and gives it its name. Fails, and leaves a target that was there as it was, when anything could not be
// written at any time. Frees the output in any case.
tide_status tide_output_close(tide_output *output, tide_error *error);
// Ends it without a file; one that was published stays. NULL does nothing.
void tide_output_discard(tide_output *output);
// Whether a file that is not finished, of any run, will get this path.
bool tide_output_is_being_written(const char *path);
// Removes every file that has not got its name yet. For the handler of a signal that ends the program.
void tide_output_remove_unfinished(void);

#endif
