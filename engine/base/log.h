// Messages to the user that are not errors of a call. They go to a sink: standard error unless another one is set.
//
//     static void to_file(tide_log_level level, const char *message, void *file)
//     {
//         fprintf(file, "%d %s\n", (int)level, message);
//     }
//     tide_log_set_sink(to_file, file);
//
// Threads: any thread may send messages; set the sink while no other one does. The message is valid during the call of
// the sink. Nothing fails: a message that is too long is cut off.
#ifndef TIDE_BASE_LOG_H
#define TIDE_BASE_LOG_H

#include <stddef.h>

typedef enum tide_log_level { TIDE_LOG_DEBUG, TIDE_LOG_INFO, TIDE_LOG_WARNING, TIDE_LOG_ERROR } tide_log_level;

typedef void tide_log_sink(tide_log_level level, const char *message, void *context);

// Sends a message to the sink. Control characters in it are shown as \xNN (tide_visible_text).
__attribute__((format(printf, 2, 3))) void tide_log(tide_log_level level, const char *format, ...);
void tide_log_set_sink(tide_log_sink *sink, void *context); // NULL: standard error, from TIDE_LOG_INFO up

// The default sink, for another sink that also writes to it.
void tide_log_to_standard_error(tide_log_level level, const char *message, void *unused);
// Appends a message to `lines`, a buffer of `size` bytes, if it is a warning. For sinks that collect warnings.
void tide_log_append_warning(char *lines, size_t size, tide_log_level level, const char *message);

#endif
