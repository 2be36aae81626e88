// Plots as pictures, by gnuplot if it is installed. The data are in a CSV file with named columns, and the gnuplot
// script is beside it, so that a user can change it and run it again.
#ifndef TIDE_DRAW_PLOT_H
#define TIDE_DRAW_PLOT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIDE_PLOT_MORE_COLUMNS = 4 };

// x and y are names of columns (letters, digits, _ and dots, not beginning with a digit), or gnuplot expressions in
// which $name is a column: "sqrt($k0)".
typedef struct tide_plot_curve {
    const char *title;                  // NULL: not in the legend
    const char *csv;                    // another file in the same folder; NULL: the plot's own
    const char *filter_column, *filter; // only rows with this text in that column; NULL: all
    const char *x, *y;
    const char *more[TIDE_PLOT_MORE_COLUMNS]; // further columns of the style, like x and y; ended by NULL
    const char *style;                        // of gnuplot: "points pointtype 7"; NULL: "linespoints"
} tide_plot_curve;

typedef struct tide_plot {
    const char *title, *x_label, *y_label; // units belong in the labels
    bool x_logarithmic, y_logarithmic;
    double x_minimum, x_maximum, y_minimum, y_maximum; // equal: chosen from the data
    const tide_plot_curve *curves;
    uint32_t curve_count;
    const char *more; // gnuplot lines before the plot command; may be NULL
} tide_plot;

bool tide_plot_available(void); // whether gnuplot is installed
// Writes FOLDER/NAME.gnuplot for the data in FOLDER/CSV and, if gnuplot is installed, FOLDER/NAME.png, complete or not
// at all; *drawn tells which. The folder must exist.
tide_status tide_plot_write(const tide_plot *plot, const char *folder, const char *name, const char *csv, bool *drawn,
                            tide_error *error);
// Adds a text as a gnuplot string with exactly these bytes. All external text in a script must go through it.
void tide_plot_add_quoted(tide_text *text, const char *content);

#endif
