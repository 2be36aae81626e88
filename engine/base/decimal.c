#define _POSIX_C_SOURCE 200809L
#include "base/decimal.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static locale_t plain; // the C locale; 0: not enough memory, and the current locale stays

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void *tide_locale_enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    return plain ? uselocale(plain) : NULL;
}

void tide_locale_leave(void *before)
{
    if (before)
        uselocale(before);
}

double tide_parse_decimal(const char *text, char **end)
{
    void *before = tide_locale_enter();
    double number = strtod(text, end);
    tide_locale_leave(before);
    return number;
}

int tide_format_list(char *text, size_t size, const char *format, va_list arguments)
{
    void *before = tide_locale_enter();
    int length = vsnprintf(text, size, format, arguments);
    tide_locale_leave(before);
    return length;
}

int tide_format(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = tide_format_list(text, size, format, arguments);
    va_end(arguments);
    return length;
}
