#define _POSIX_C_SOURCE 200809L
#include "formats/reading.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// This many decimal digits always fit into 64 bits.
enum { MOST_DIGITS = 19 };

static const char note_mark[] = "#springtide ";

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_end_of_word(const char *at, const char *end)
{
    return at == end || is_blank(*at) || *at == '\n' || *at == '#';
}

static void pass_comment(tide_scan *scan)
{
    size_t left = (size_t)(scan->end - scan->at), size = sizeof note_mark - 1;
    bool first = scan->at == scan->begin || scan->at[-1] == '\n';
    if (!scan->note && first && left >= size && memcmp(scan->at, note_mark, size) == 0) {
        scan->note = scan->at;
        scan->note_line = scan->line;
    }
    const char *line_end = memchr(scan->at, '\n', left);
    scan->at = line_end ? line_end : scan->end;
}

void tide_scan_skip_blanks(tide_scan *scan)
{
    for (; scan->at < scan->end; scan->at++) {
        if (*scan->at == '#') {
            pass_comment(scan);
            return;
        }
        if (!is_blank(*scan->at))
            return;
    }
}

void tide_scan_skip_space(tide_scan *scan)
{
    for (;;) {
        tide_scan_skip_blanks(scan);
        if (scan->at == scan->end || *scan->at != '\n')
            return;
        scan->at++;
        scan->line++;
    }
}

void tide_scan_skip_line(tide_scan *scan)
{
    const char *line_end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = line_end ? line_end + 1 : scan->end;
    scan->line += line_end != NULL;
}

bool tide_scan_at_line_end(const tide_scan *scan)
{
    return scan->at == scan->end || *scan->at == '\n';
}

size_t tide_scan_word_length(const tide_scan *scan)
{
    const char *at = scan->at;
    while (!is_end_of_word(at, scan->end))
        at++;
    return (size_t)(at - scan->at);
}

bool tide_scan_take_word(tide_scan *scan, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0 ||
        !is_end_of_word(scan->at + length, scan->end))
        return false;
    scan->at += length;
    return true;
}

bool tide_scan_take_keyword(tide_scan *scan, const char *word)
{
    size_t length = strlen(word);
    if (tide_scan_word_length(scan) != length || strncasecmp(scan->at, word, length) != 0)
        return false;
    scan->at += length;
    return true;
}

bool tide_scan_take_integer(tide_scan *scan, int64_t *number)
{
    const char *at = scan->at, *end = scan->end;
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    const char *digits = at;
    int64_t value = 0;
    for (; at < end && is_digit(*at); at++) {
        if (value > INT64_MAX / 10 - 1)
            return false;
        value = 10 * value + (*at - '0');
    }
    if (at == digits || !(is_end_of_word(at, end) || *at == '/'))
        return false;
    *number = negative ? -value : value;
    scan->at = at;
    return true;
}

// Calls strtod in the C locale, for text that is a valid decimal number.
static double correctly_rounded(const char *text)
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        return NAN;
    locale_t previous = uselocale(c_locale);
    double number = strtod(text, NULL);
    uselocale(previous);
    freelocale(c_locale);
    return number;
}

// A decimal number as digits * 10^exponent. `exact`: no digit was dropped.
typedef struct decimal {
    uint64_t digits;
    int kept, exponent;
    bool any, exact;
} decimal;

static const char *take_digits(decimal *decimal, const char *at, const char *end, bool fraction)
{
    for (; at < end && is_digit(*at); at++) {
        decimal->any = true;
        if (decimal->kept < MOST_DIGITS) {
            decimal->digits = 10 * decimal->digits + (uint64_t)(*at - '0');
            decimal->kept += decimal->digits != 0;
            decimal->exponent -= fraction && decimal->exponent > -100000;
        } else
            decimal->exact = false;
    }
    return at;
}

// Reads an exponent such as "e-12"; NULL for an e without a number.
static const char *take_exponent(decimal *decimal, const char *at, const char *end)
{
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
    at++;
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end || !is_digit(*at))
        return NULL;
    int exponent = 0;
    for (; at < end && is_digit(*at); at++)
        exponent = exponent < 100000 ? 10 * exponent + (*at - '0') : exponent;
    decimal->exponent += negative ? -exponent : exponent;
    return at;
}

bool tide_scan_take_real(tide_scan *scan, double *number)
{
    static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    enum { LARGEST_POWER = 22, LONGEST = 512 };
    const char *at = scan->at, *end = scan->end;
    decimal decimal = { .exact = true };
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    at = take_digits(&decimal, at, end, false);
    if (at < end && *at == '.')
        at = take_digits(&decimal, at + 1, end, true);
    at = decimal.any ? take_exponent(&decimal, at, end) : NULL;
    if (!at || !is_end_of_word(at, end))
        return false;
    if (decimal.exact && decimal.digits <= UINT64_C(1) << 53 && abs(decimal.exponent) <= LARGEST_POWER) {
        // Digits and power are exact doubles, so a single operation rounds once.
        double digits = (double)decimal.digits, power = powers[abs(decimal.exponent)];
        double value = decimal.exponent < 0 ? digits / power : digits * power;
        *number = negative ? -value : value;
    } else {
        char text[LONGEST];
        size_t length = (size_t)(at - scan->at);
        if (length >= sizeof text)
            return false;
        memcpy(text, scan->at, length);
        text[length] = '\0';
        *number = correctly_rounded(text);
    }
    scan->at = at;
    return true;
}

tide_status tide_scan_fail(const tide_scan *scan, tide_error *error, const char *what, const char *remedy, ...)
{
    enum { LONGEST_NAME = 200 };
    char text[256];
    va_list arguments;
    va_start(arguments, remedy);
    vsnprintf(text, sizeof text, remedy, arguments);
    va_end(arguments);
    tide_fail(error, TIDE_ERROR_FORMAT, scan->object, NULL, what, "%s", text);
    size_t length = strlen(scan->name);
    bool fits = length <= LONGEST_NAME;
    char name[LONGEST_NAME + 32];
    int shown =
        snprintf(name, sizeof name, "%s%s", fits ? "" : "...", fits ? scan->name : scan->name + length - LONGEST_NAME);
    if (scan->binary)
        snprintf(name + shown, sizeof name - (size_t)shown, ", byte %zu", (size_t)(scan->at - scan->begin));
    tide_error_locate(error, name, scan->binary ? 0 : scan->line);
    return TIDE_ERROR_FORMAT;
}

tide_status tide_scan_expected(const tide_scan *scan, tide_error *error, const char *what, const char *expected)
{
    if (tide_scan_at_line_end(scan) || *scan->at == '#')
        return tide_scan_fail(scan, error, what, "expected %s, found the end of the %s", expected,
                              scan->at == scan->end ? "file" : "line");
    enum { LONGEST_WORD = 32 };
    char word[LONGEST_WORD + 1], value[96];
    size_t length = tide_scan_word_length(scan);
    for (size_t i = 0; i < length && i < LONGEST_WORD; i++)
        word[i] = scan->at[i] >= ' ' && scan->at[i] <= '~' ? scan->at[i] : '?';
    word[length < LONGEST_WORD ? length : LONGEST_WORD] = '\0';
    snprintf(value, sizeof value, "%s \"%s%s\"", what, word, length > LONGEST_WORD ? "..." : "");
    return tide_scan_fail(scan, error, value, "expected %s", expected);
}

void tide_text_add_real(tide_text *text, double number)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%.17g", number);
    // The locale may have another decimal mark, of one or several bytes: all bytes that are not part of a number.
    int kept = 0;
    for (int i = 0; i < length; i++) {
        bool own = is_digit(digits[i]) || strchr("+-e.", digits[i]);
        if (own)
            digits[kept++] = digits[i];
        else if (kept && digits[kept - 1] != '.')
            digits[kept++] = '.';
    }
    tide_text_add(text, digits, (size_t)kept);
}

void tide_text_add_tuple(tide_text *text, const char *before, const uint32_t *tuple, uint32_t width, const char *after)
{
    char line[128];
    int length = snprintf(line, sizeof line, "%s", before);
    for (uint32_t i = 0; i < width; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, "%s%u", i ? " " : "", tuple[i] + 1);
    length += snprintf(line + length, sizeof line - (size_t)length, "%s\n", after);
    tide_text_add(text, line, (size_t)length);
}
