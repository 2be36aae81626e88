#include "base/log.h"

#include "base/characters.h"
#include "base/decimal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tide_log_to_standard_error(tide_log_level level, const char *message, void *unused)
{
    (void)unused;
    if (level >= TIDE_LOG_INFO)
        fprintf(stderr, "%s%s\n",
                level == TIDE_LOG_WARNING ? "warning: "
                : level == TIDE_LOG_ERROR ? "error: "
                                          : "",
                message);
}

static tide_log_sink *current_sink = tide_log_to_standard_error;
static void *current_context;

void tide_log(tide_log_level level, const char *format, ...)
{
    char message[1024], visible[1024];
    va_list arguments;
    va_start(arguments, format);
    tide_format_list(message, sizeof message, format, arguments);
    va_end(arguments);
    current_sink(level, tide_visible_text(message, strlen(message), visible, sizeof visible), current_context);
}

void tide_log_set_sink(tide_log_sink *sink, void *context)
{
    current_sink = sink ? sink : tide_log_to_standard_error;
    current_context = context;
}

void tide_log_append_warning(char *lines, size_t size, tide_log_level level, const char *message)
{
    size_t length = strlen(lines);
    if (level == TIDE_LOG_WARNING)
        snprintf(lines + length, size - length, "%s%s", length ? "\n" : "", message);
}
