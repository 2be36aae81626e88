// A browser starts no gnuplot.
#include "draw/gnuplot.h"

bool tide_gnuplot_available(void)
{
    return false;
}

tide_status tide_gnuplot_draw(const char *folder, const char *name, bool *drawn, tide_error *error)
{
    (void)folder;
    (void)name;
    (void)error;
    *drawn = false;
    return TIDE_OK;
}
