// Colour maps: equal steps of the number look equally large, and lightness alone shows the order, so that colour-blind
// readers and grey prints lose nothing.
//
// The maps are curves in Oklab (Ottosson 2020, "A perceptual color space for image processing"), parametrised by their
// arc length in Oklab. They are computed, not tabulated.
#ifndef TIDE_DRAW_COLOUR_MAP_H
#define TIDE_DRAW_COLOUR_MAP_H

#include "base/error.h"
#include "draw/draw_list.h"

typedef enum tide_colour_map {
    TIDE_MAP_AUTOMATIC, // rising, or signed for numbers of both signs
    TIDE_MAP_RISING,    // dark violet, teal, bright yellow: for numbers from 0 on
    TIDE_MAP_SIGNED,    // blue, near white, orange: for numbers of both signs, 0 in the middle
    TIDE_MAP_EMBER,     // near black, red, pale yellow: for numbers from 0 on, on light backgrounds
    TIDE_MAP_GREY,      // dark grey to light grey: for print
    TIDE_MAP_COUNT
} tide_colour_map;

// Returns "automatic", "rising", ...; NULL past the last. *help gets a description; `help` may be NULL.
const char *tide_colour_map_name(tide_colour_map map, const char **help);
// Finds a map by name. An error suggests the name that was probably meant; its object is `object`, its field `name`.
tide_status tide_colour_map_find(const char *text, const char *object, const char *name, tide_colour_map *map,
                                 tide_error *error);

// Fills `colours` (TIDE_MAP_COLOURS), from the map's lowest on. Automatic gives rising. Takes about 50 us.
void tide_colour_map_fill(tide_colour_map map, tide_colour colours[TIDE_MAP_COLOURS]);
// Returns the colour at `place` in [0, 1], interpolated between two entries of a map; clamped beyond. Grey for NAN.
tide_colour tide_colour_map_at(const tide_colour colours[TIDE_MAP_COLOURS], double place);

// Converts an sRGB colour to Oklab: lightness (0 to 1) and two colour axes. The Euclidean distance of two colours is
// how different they look.
void tide_colour_to_oklab(tide_colour colour, double lab[3]);

#endif
