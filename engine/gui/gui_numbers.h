// How widgets round and format numbers.
#ifndef TIDE_GUI_GUI_NUMBERS_H
#define TIDE_GUI_GUI_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Returns a round value near `value` in the range, fine enough for a slider: a multiple of a power of ten, so that the
// range has 500 to 5,000 steps; on a logarithmic scale, three significant digits.
double tide_gui_round(double value, double minimum, double maximum, bool logarithmic);

// Writes a printf format of a number (given as "%.9g", say) and its unit, in which a % is doubled. Returns `format`.
char *tide_gui_format(const char *number, const char *unit, char *format, size_t size);

#ifdef __cplusplus
}
#endif

#endif
