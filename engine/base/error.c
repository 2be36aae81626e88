#include "base/error.h"

#include "base/characters.h"
#include "base/decimal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

void tide_error_set(tide_error *error, tide_status status, const char *object, const char *field, const char *value,
                    const char *remedy, ...)
{
    if (!error)
        return;
    error->status = status;
    error->where[0] = '\0';
    copy_text(error->object, sizeof error->object, object);
    copy_text(error->field, sizeof error->field, field);
    copy_text(error->value, sizeof error->value, value);
    va_list arguments;
    va_start(arguments, remedy);
    tide_format_list(error->remedy, sizeof error->remedy, remedy, arguments);
    va_end(arguments);
}

void tide_error_locate(tide_error *error, const char *file, int line)
{
    if (!error || error->where[0] || !file)
        return;
    if (line > 0)
        snprintf(error->where, sizeof error->where, "%s:%d", file, line);
    else
        snprintf(error->where, sizeof error->where, "%s", file);
}

char *tide_error_text(const tide_error *error, char *text, size_t size)
{
    const char *where = error->where, *object = error->object, *field = error->field, *value = error->value;
    char whole[sizeof *error + 16];
    int length =
        snprintf(whole, sizeof whole, "%s%s%s%s%s%s%s%s%s", where, where[0] ? ": " : "", object, object[0] ? ": " : "",
                 field, field[0] && value[0] ? " = " : "", value, field[0] || value[0] ? ": " : "", error->remedy);
    return tide_visible_text(whole, length > 0 ? strlen(whole) : 0, text, size);
}
