// Numbers as text with a decimal point, independent of the locale of the host program.
#ifndef TIDE_BASE_DECIMAL_H
#define TIDE_BASE_DECIMAL_H

#include <stdarg.h>
#include <stddef.h>

// As strtod, vsnprintf and snprintf in the C locale.
double tide_parse_decimal(const char *text, char **end);
__attribute__((format(printf, 3, 0))) int tide_format_list(char *text, size_t size, const char *format,
                                                           va_list arguments);
__attribute__((format(printf, 3, 4))) int tide_format(char *text, size_t size, const char *format, ...);

// Sets the C locale for this thread until tide_locale_leave, which takes the result of tide_locale_enter. For calls
// into Lua, whose conversions follow the locale.
void *tide_locale_enter(void);
void tide_locale_leave(void *before);

#endif
