// Messages to the user that are not errors of a call. They go to a sink: standard error unless another is set.
#ifndef TIDE_BASE_LOG_H
#define TIDE_BASE_LOG_H

#include <stddef.h>

typedef enum tide_log_level { TIDE_LOG_DEBUG, TIDE_LOG_INFO, TIDE_LOG_WARNING, TIDE_LOG_ERROR } tide_log_level;

typedef void tide_log_sink(tide_log_level level, const char *message, void *context);

// A control character in the message is shown as \xNN (tide_visible_text).
__attribute__((format(printf, 2, 3))) void tide_log(tide_log_level level, const char *format, ...);
void tide_log_set_sink(tide_log_sink *sink, void *context); // NULL: standard error, from TIDE_LOG_INFO up

// That sink, for another one that also writes there.
void tide_log_to_standard_error(tide_log_level level, const char *message, void *unused);
// Appends a message that is a warning to `lines`, which has room for `size` bytes; a sink that keeps warnings calls it.
void tide_log_append_warning(char *lines, size_t size, tide_log_level level, const char *message);

#endif
