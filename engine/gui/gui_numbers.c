#include "gui/gui_numbers.h"

#include <math.h>
#include <stdio.h>

double tide_gui_round(double value, double minimum, double maximum, bool logarithmic)
{
    double size = logarithmic ? fabs(value) : (maximum - minimum) / 5;
    if (!(size > 1e-300 && size < 1e300))
        return value;
    int digits = 2 - (int)floor(log10(size));
    double even;
    if (digits > 0 && digits <= 300) { // 3 / 10 instead of 3 * 0.1, which is not the double nearest to 0.3
        double parts = pow(10, digits);
        even = round(value * parts) / parts;
    } else {
        double step = pow(10, -digits);
        even = round(value / step) * step;
    }
    return fmin(fmax(isfinite(even) ? even : value, minimum), maximum);
}

char *tide_gui_format(const char *number, const char *unit, char *format, size_t size)
{
    int written = snprintf(format, size, "%s%s", number, unit && unit[0] ? " " : "");
    size_t length = written < 0 ? 0 : (size_t)written < size ? (size_t)written : size - 1;
    for (; unit && *unit && length + 2 < size; unit++) {
        if (*unit == '%')
            format[length++] = '%';
        format[length++] = *unit;
    }
    format[length] = '\0';
    return format;
}
