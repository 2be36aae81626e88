// Colours for numbers: along a map equal steps of the number look equally large, and lightness alone tells their order,
// so that the colour-blind and grey prints lose nothing.
//
// The maps are curves in Oklab (Ottosson 2020, "A perceptual color space for image processing"), walked at an even pace
// by its distance. They are computed, not tabulated.
#ifndef TIDE_DRAW_COLOUR_MAP_H
#define TIDE_DRAW_COLOUR_MAP_H

#include "base/error.h"
#include "draw/draw_list.h"

typedef enum tide_colour_map {
    TIDE_MAP_AUTOMATIC, // to choose by: rising, or signed for numbers of either sign
    TIDE_MAP_RISING,    // from dark violet over teal to bright yellow: numbers from 0 on
    TIDE_MAP_SIGNED,    // from blue over near white to orange: numbers of either sign, 0 in the middle
    TIDE_MAP_EMBER,     // from near black over red to pale yellow: numbers from 0 on, on light grounds
    TIDE_MAP_GREY,      // from dark to light grey: for print
    TIDE_MAP_COUNT
} tide_colour_map;

// "automatic", "rising", ...; NULL past the last. `help` may be NULL.
const char *tide_colour_map_name(tide_colour_map map, const char **help);
// By name, with what was meant in the error. Object of errors: `object`, field `name`.
tide_status tide_colour_map_find(const char *text, const char *object, const char *name, tide_colour_map *map,
                                 tide_error *error);

// Fills `colours` (TIDE_MAP_COLOURS); the first is the map's lowest. Automatic is rising. Takes some 50 us.
void tide_colour_map_fill(tide_colour_map map, tide_colour colours[TIDE_MAP_COLOURS]);
// The colour at `place`, from 0 to 1 (beyond it the end's), between the two nearest of a map. Of a place that is not a
// number: grey.
tide_colour tide_colour_map_at(const tide_colour colours[TIDE_MAP_COLOURS], double place);

// Oklab's lightness (0 to 1) and the two axes of colour, of an sRGB colour; how far apart two colours look is the
// Euclidean distance.
void tide_colour_to_oklab(tide_colour colour, double lab[3]);

#endif
