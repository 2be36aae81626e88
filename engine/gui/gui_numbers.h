// Numbers as widgets show and set them.
#ifndef TIDE_GUI_GUI_NUMBERS_H
#define TIDE_GUI_GUI_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The nearest value of the range that a person would choose, fine enough for a slider: in whole steps of a power of
// ten, from 500 to 5,000 of them in the range, or three digits of the number where the scale is logarithmic.
double tide_gui_round(double value, double minimum, double maximum, bool logarithmic);

// A format of printf for a number (given as "%.9g", say) with its unit, in which a % is no format's. Returns `format`.
char *tide_gui_format(const char *number, const char *unit, char *format, size_t size);

#ifdef __cplusplus
}
#endif

#endif
