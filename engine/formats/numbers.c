#include "formats/reading.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    unsigned char size;
    enum { SIGNED, UNSIGNED, REAL } kind;
} types[] = {
    [TIDE_INT8] = { 1, SIGNED },     [TIDE_UINT8] = { 1, UNSIGNED },  [TIDE_INT16] = { 2, SIGNED },
    [TIDE_UINT16] = { 2, UNSIGNED }, [TIDE_INT32] = { 4, SIGNED },    [TIDE_UINT32] = { 4, UNSIGNED },
    [TIDE_INT64] = { 8, SIGNED },    [TIDE_UINT64] = { 8, UNSIGNED }, [TIDE_FLOAT32] = { 4, REAL },
    [TIDE_FLOAT64] = { 8, REAL },
};

size_t tide_number_size(tide_number_type type)
{
    return types[type].size;
}

// Fails on data that is cut short by the end of the file. The counts come from the file, so the missing data was lost.
static tide_status fail_cut_short(const tide_reading *reading, const char *what, uint64_t missing, tide_error *error)
{
    return tide_scan_fail(&reading->scan, error, what,
                          "the file is cut short: expected %llu more bytes, found %zu; copy or save it again",
                          (unsigned long long)missing, (size_t)(reading->scan.end - reading->scan.at));
}

static double decode(const unsigned char *bytes, tide_number_type type, bool big)
{
    size_t size = types[type].size;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)bytes[big ? size - 1 - i : i] << 8 * i;
    if (types[type].kind == UNSIGNED)
        return (double)bits;
    if (type == TIDE_FLOAT32) {
        float number;
        uint32_t half = (uint32_t)bits;
        memcpy(&number, &half, sizeof number);
        return number;
    }
    if (type == TIDE_FLOAT64) {
        double number;
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    // Sign extension of a two's complement number of `size` bytes: flip the sign bit, then subtract it.
    uint64_t sign = UINT64_C(1) << (8 * size - 1);
    return (double)(int64_t)((bits ^ sign) - sign);
}

static tide_status read_bytes(tide_reading *reading, bool big, tide_number_type type, const char *what, double *number,
                              tide_error *error)
{
    tide_scan *scan = &reading->scan;
    size_t size = types[type].size;
    if ((size_t)(scan->end - scan->at) < size)
        return fail_cut_short(reading, what, size, error);
    *number = decode((const unsigned char *)scan->at, type, big);
    if (!isfinite(*number)) {
        char shown[96];
        snprintf(shown, sizeof shown, "%s %f", what, *number);
        return tide_scan_fail(scan, error, shown, "expected a finite number");
    }
    scan->at += size;
    return TIDE_OK;
}

tide_status tide_reading_number(tide_reading *reading, tide_encoding encoding, tide_number_type type, const char *what,
                                double *number, tide_error *error)
{
    if (encoding != TIDE_TEXT)
        return read_bytes(reading, encoding == TIDE_BIG_ENDIAN, type, what, number, error);
    tide_scan_skip_space(&reading->scan);
    tide_scan before = reading->scan;
    if (types[type].kind == REAL)
        return tide_reading_real(reading, what, number, error);
    if (!tide_scan_take_real(&reading->scan, number) || !isfinite(*number) || *number != floor(*number))
        return tide_scan_expected(&before, error, what, "an integer");
    return TIDE_OK;
}

tide_status tide_reading_count(tide_reading *reading, tide_encoding encoding, const char *what, double number,
                               size_t each, size_t *count, tide_error *error)
{
    const tide_scan *scan = &reading->scan;
    size_t left = (size_t)(scan->end - scan->at);
    char shown[96];
    snprintf(shown, sizeof shown, "%s count %.17g", what, number);
    if (!(number >= 0) || number != floor(number))
        return tide_scan_fail(scan, error, shown, "expected a whole number, at least 0");
    // A number takes at least a digit and a space; the last space may be missing.
    size_t most = each == 0 ? left : encoding == TIDE_TEXT ? (left + 1) / (2 * each) : left / each;
    if (number > (double)most && encoding == TIDE_TEXT)
        return tide_scan_fail(scan, error, shown, "expected at most %zu, for which what is left of the file has room",
                              most);
    if (number > (double)most)
        return fail_cut_short(reading, shown, number < 1e18 / (double)(each + 1) ? (uint64_t)number * each : UINT64_MAX,
                              error);
    *count = (size_t)number;
    return TIDE_OK;
}

tide_status tide_reading_expect_item(tide_reading *reading, tide_encoding encoding, const char *list, size_t found,
                                     size_t count, tide_error *error)
{
    if (encoding != TIDE_TEXT)
        return TIDE_OK;
    tide_scan *scan = &reading->scan;
    tide_scan_skip_space(scan);
    size_t length = tide_scan_word_length(scan);
    bool word = length > 3 || (length == 3 && memcmp(scan->at, "End", 3) == 0); // not "nan" or "inf"
    if (length && !(word && (isalpha((unsigned char)*scan->at) || *scan->at == '$')))
        return TIDE_OK;
    return tide_scan_fail(scan, error, list, "%zu announced, %zu found; correct the number, or complete the section",
                          count, found);
}

tide_status tide_reading_pass(tide_reading *reading, tide_encoding encoding, tide_number_type type, const char *what,
                              size_t count, tide_error *error)
{
    tide_scan *scan = &reading->scan;
    if (encoding != TIDE_TEXT) {
        size_t left = (size_t)(scan->end - scan->at), size = types[type].size;
        if (count > left / size)
            return fail_cut_short(reading, what, (uint64_t)size * count, error);
        scan->at += size * count;
        return TIDE_OK;
    }
    for (size_t i = 0; i < count; i++) {
        tide_scan_skip_space(scan);
        size_t length = tide_scan_word_length(scan);
        if (length == 0)
            return tide_scan_expected(scan, error, what, "a number");
        scan->at += length;
    }
    return TIDE_OK;
}

static void add_bits(tide_text *text, uint64_t bits, size_t size)
{
    char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(unsigned char)(bits >> 8 * i & 0xff);
    tide_text_add(text, bytes, size);
}

void tide_text_add_float64(tide_text *text, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    add_bits(text, bits, 8);
}

void tide_text_add_uint32(tide_text *text, uint32_t number)
{
    add_bits(text, number, 4);
}
