#include "draw/colour_map.h"

#include "base/field.h"

#include <math.h>

static const double degree = 3.14159265358979323846 / 180;

// --- Oklab: matrices from Ottosson ----------------------------------------------------------------------------------

static double to_linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double to_srgb(double c)
{
    return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

void tide_colour_to_oklab(tide_colour colour, double lab[3])
{
    double r = to_linear((double)colour.r), g = to_linear((double)colour.g), b = to_linear((double)colour.b);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static tide_colour of_oklab(const double lab[3])
{
    double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
    double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
    double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
    l *= l * l;
    m *= m * m;
    s *= s * s;
    const double rgb[3] = { 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s };
    return (tide_colour) { (float)to_srgb(rgb[0]), (float)to_srgb(rgb[1]), (float)to_srgb(rgb[2]), 1 };
}

// --- the curves, from t = 0 to 1 ------------------------------------------------------------------------------------

static void polar(double lightness, double chroma, double hue, double lab[3])
{
    lab[0] = lightness;
    lab[1] = chroma * cos(hue * degree);
    lab[2] = chroma * sin(hue * degree);
}

// Chroma is a parabola that stays within the sRGB gamut.
static void rising(double t, double lab[3])
{
    polar(0.28 + 0.64 * t, 0.13 - 0.182 * t + 0.212 * t * t, 295 - 190 * t, lab);
}

static void ember(double t, double lab[3])
{
    polar(0.20 + 0.72 * t, 0.07 + 0.36 * t * (1 - t), 125 * t - 25, lab);
}

static void grey(double t, double lab[3])
{
    polar(0.16 + 0.78 * t, 0, 0, lab);
}

static void signed_map(double t, double lab[3])
{
    double side = fabs(2 * t - 1);
    polar(0.92 - 0.38 * side, 0.14 * side, t < 0.5 ? 260 : 50, lab);
}

typedef void curve(double t, double lab[3]);

// --- names ----------------------------------------------------------------------------------------------------------

static const struct {
    const char *name, *help;
} maps[TIDE_MAP_COUNT] = {
    [TIDE_MAP_AUTOMATIC] = { "automatic", "rising, or signed for numbers of either sign" },
    [TIDE_MAP_RISING] = { "rising", "from dark violet over teal to bright yellow" },
    [TIDE_MAP_SIGNED] = { "signed", "from blue over near white, 0, to orange" },
    [TIDE_MAP_EMBER] = { "ember", "from near black over red to pale yellow" },
    [TIDE_MAP_GREY] = { "grey", "from dark to light, for print" },
};

const char *tide_colour_map_name(tide_colour_map map, const char **help)
{
    if ((unsigned)map >= TIDE_MAP_COUNT)
        return NULL;
    if (help)
        *help = maps[map].help;
    return maps[map].name;
}

tide_status tide_colour_map_find(const char *text, const char *object, const char *name, tide_colour_map *map,
                                 tide_error *error)
{
    const char *names[TIDE_MAP_COUNT];
    for (size_t i = 0; i < TIDE_MAP_COUNT; i++)
        names[i] = maps[i].name;
    size_t found = 0;
    TIDE_TRY(tide_find_name(text, names, TIDE_MAP_COUNT, "map", object, name, &found, error));
    *map = (tide_colour_map)found;
    return TIDE_OK;
}

// --- filling --------------------------------------------------------------------------------------------------------

static double distance(const double a[3], const double b[3])
{
    double u = a[0] - b[0], v = a[1] - b[1], w = a[2] - b[2];
    return sqrt(u * u + v * v + w * w);
}

void tide_colour_map_fill(tide_colour_map map, tide_colour colours[TIDE_MAP_COLOURS])
{
    enum { PIECES = 512 };
    static curve *const curves[TIDE_MAP_COUNT] = {
        [TIDE_MAP_AUTOMATIC] = rising, [TIDE_MAP_RISING] = rising, [TIDE_MAP_SIGNED] = signed_map,
        [TIDE_MAP_EMBER] = ember,      [TIDE_MAP_GREY] = grey,
    };
    curve *const at = curves[map];
    double length[PIECES + 1] = { 0 }, lab[2][3];
    at(0, lab[0]);
    for (int i = 1; i <= PIECES; i++) {
        at((double)i / PIECES, lab[i % 2]);
        length[i] = length[i - 1] + distance(lab[0], lab[1]);
    }
    for (int k = 0, i = 1; k < TIDE_MAP_COLOURS; k++) {
        double wanted = length[PIECES] * k / (TIDE_MAP_COLOURS - 1);
        while (i < PIECES && length[i] < wanted)
            i++;
        double part = (wanted - length[i - 1]) / (length[i] - length[i - 1]);
        at((i - 1 + fmin(part, 1)) / PIECES, lab[0]);
        colours[k] = of_oklab(lab[0]);
    }
}

tide_colour tide_colour_map_at(const tide_colour colours[TIDE_MAP_COLOURS], double place)
{
    if (isnan(place))
        return (tide_colour) { 0.66f, 0.66f, 0.66f, 1 };
    double at = fmin(fmax(place, 0), 1) * (TIDE_MAP_COLOURS - 1);
    int low = (int)fmin(at, TIDE_MAP_COLOURS - 2);
    const tide_colour *a = &colours[low], *b = a + 1;
    float part = (float)(at - low);
    return (tide_colour) { a->r + part * (b->r - a->r), a->g + part * (b->g - a->g), a->b + part * (b->b - a->b), 1 };
}
