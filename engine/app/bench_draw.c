// What a picture of a scene takes: all that a window does for one but for the panels and showing it.
#include "app/bench.h"
#include "app/picture.h"

#include <math.h>
#include <time.h>

enum { WIDTH = 1280, HEIGHT = 720, PICTURES = 12 }; // the first few make what the others have ready

tide_status tide_bench_measure_draw(tide_script *script, double *seconds, tide_error *error)
{
    tide_picture picture;
    *seconds = INFINITY;
    tide_status status = tide_picture_create(&picture, script, WIDTH, HEIGHT, false, error);
    for (int i = 0; status == TIDE_OK && i < PICTURES; i++) {
        tide_rasterizer_forget(picture.rasterizer);
        clock_t start = clock();
        status = tide_picture_draw(&picture, script, true, error);
        *seconds = fmin(*seconds, (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    tide_picture_free(&picture);
    return status;
}
