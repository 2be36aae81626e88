// Draws a gnuplot script as a picture, if gnuplot is installed. scripts/springtide/lab/gnuplot.lua writes such scripts.
#ifndef TIDE_DRAW_GNUPLOT_H
#define TIDE_DRAW_GNUPLOT_H

#include "base/error.h"

#include <stdbool.h>

bool tide_gnuplot_available(void); // whether gnuplot is installed
// Draws FOLDER/NAME.png with FOLDER/NAME.gnuplot, complete or not at all. The script draws to the file that its
// variable `picture` names. Without gnuplot it does nothing; *drawn tells.
tide_status tide_gnuplot_draw(const char *folder, const char *name, bool *drawn, tide_error *error);

#endif
