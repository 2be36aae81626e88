// Output files. Every file that the engine writes is opened here.
//
// A file appears whole or not at all. It is written beside the target under an unpredictable temporary name, which is
// created and never opened (O_EXCL, O_NOFOLLOW), and takes the name of the target when it is closed. A file that is
// replaced keeps its mode. A device or a FIFO is written in place. A symbolic link is refused, as it may lead anywhere,
// except for those of /dev and /proc (/dev/stdout), which only the system makes.
#ifndef TIDE_BASE_OUTPUT_FILE_H
#define TIDE_BASE_OUTPUT_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct tide_output tide_output;

enum {
    TIDE_OUTPUT_ANY,
    TIDE_OUTPUT_REGULAR // refuses a device or a FIFO
};

// Opens a file for writing. `object` is its name in messages.
tide_status tide_output_open(const char *path, const char *object, unsigned kinds, tide_output **output,
                             tide_error *error);
FILE *tide_output_stream(tide_output *output);
// Returns the path of the file that is being written, for a program that opens it by itself.
const char *tide_output_name(const tide_output *output);
// Tells whether the target is a device or a FIFO: what was written cannot be written again.
bool tide_output_is_in_place(const tide_output *output);
// Gives the file its final name now, while more is written to it: what an interrupted run has flushed is kept. From now
// on no other run publishes a file there. On failure nothing changes.
tide_status tide_output_publish(tide_output *output, tide_error *error);
// Flushes the file. Fails when anything could not be written.
tide_status tide_output_flush(tide_output *output, tide_error *error);
// Closes the file and gives it its name. If any write has failed, fails and leaves an existing target unchanged. Frees
// the output in any case.
tide_status tide_output_close(tide_output *output, tide_error *error);
// Closes the output and removes its file; a published file stays. NULL does nothing.
void tide_output_discard(tide_output *output);
// Tells whether an unfinished file, of any run, will get this path.
bool tide_output_is_being_written(const char *path);
// Removes all unfinished files. For the handler of a signal that ends the program.
void tide_output_remove_unfinished(void);

#endif
