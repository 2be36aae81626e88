// Plots as pictures, by gnuplot where it is installed. The data stand in a CSV file, whose columns have names, and next
// to it the gnuplot script that draws it, so that a user may change it and run it again.
#ifndef TIDE_DRAW_PLOT_H
#define TIDE_DRAW_PLOT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIDE_PLOT_MORE_COLUMNS = 4 };

// x and y are names of columns (letters, digits, _ and dots, not beginning with a digit), or gnuplot's expressions in
// which $name is a column: "sqrt($k0)".
typedef struct tide_plot_curve {
    const char *title;                  // NULL: not in the key
    const char *csv;                    // another file of the same folder; NULL: the plot's
    const char *filter_column, *filter; // only rows whose column holds this text; NULL: all
    const char *x, *y;
    const char *more[TIDE_PLOT_MORE_COLUMNS]; // what the style takes besides, like x and y; ended by NULL
    const char *style;                        // gnuplot's: "points pointtype 7"; NULL: "linespoints"
} tide_plot_curve;

typedef struct tide_plot {
    const char *title, *x_label, *y_label; // units belong in the labels
    bool x_logarithmic, y_logarithmic;
    double x_minimum, x_maximum, y_minimum, y_maximum; // equal: as the data have it
    const tide_plot_curve *curves;
    uint32_t curve_count;
    const char *more; // lines of gnuplot before the plot; may be NULL
} tide_plot;

bool tide_plot_available(void); // gnuplot is there
// Writes FOLDER/NAME.gnuplot for the data in FOLDER/CSV, and, where gnuplot is there, FOLDER/NAME.png, whole or not at
// all; *drawn tells. The folder is there already.
tide_status tide_plot_write(const tide_plot *plot, const char *folder, const char *name, const char *csv, bool *drawn,
                            tide_error *error);
// Adds a text as a string of gnuplot's that stands for exactly these bytes, whatever they are. All text from outside
// that is written into a script goes through it.
void tide_plot_add_quoted(tide_text *text, const char *content);

#endif
