// Seeing why: bodies coloured by what happens in them, arrows, contacts, and springs by kind. What is chosen is one
// struct in the view (tide_view_settings.seeing), so that a command line, keys and panels set the same thing.
//
//     picture.view.seeing.colouring = TIDE_COLOURING_STRAIN;
//     picture.view.seeing.velocities = true;
#ifndef TIDE_DRAW_WORLD_COLOURS_H
#define TIDE_DRAW_WORLD_COLOURS_H

#include "draw/colour_map.h"
#include "world/world.h"

typedef enum tide_colouring {
    TIDE_COLOURING_AUTOMATIC, // by the script's numbers where it gives any (body:colour), else as bodies are
    TIDE_COLOURING_PLAIN,     // as bodies are
    TIDE_COLOURING_STRAIN,    // 1: of a vertex's springs that are edges (without any: of all) the one of largest size
    TIDE_COLOURING_SPEED,     // m/s
    TIDE_COLOURING_CURVATURE, // 1/m: of surfaces |mean curvature| (Meyer et al. 2003, eq. 8), of lines |curvature|
    TIDE_COLOURING_CONTACT,   // N: the sum of the normal forces at a vertex in the last step
    TIDE_COLOURING_RESIDUAL,  // N: |grad g| / h^2 of the last step, the force that its result leaves out of balance
    TIDE_COLOURING_COUNT
} tide_colouring;

// "automatic", "plain", "strain", "speed", ...; NULL past the last. `help` may be NULL.
const char *tide_colouring_name(tide_colouring colouring, const char **help);
// As fields are looked up, with what was meant in the error. Object of errors: `object`, field `name`.
tide_status tide_colouring_find(const char *text, const char *object, const char *name, tide_colouring *colouring,
                                tide_error *error);

// Numbers of a body that a script gives.
typedef struct tide_body_numbers {
    tide_body_id body;
    uint32_t count;          // of the body's vertices
    const double *values;    // (count); what is not finite is grey
    double low, high;        // the range that the script wants; equal: as the numbers are
    const char *name, *unit; // for the colour bar, which has those of the first body; may be ""
} tide_body_numbers;

typedef struct tide_seeing {
    tide_colouring colouring;
    tide_colour_map map;
    double low,
        high;        // where the colours end; equal: the least round numbers that hold 99 of 100 (strain: both signs)
    bool contacts;   // a point and a normal at each contact of the last step, longer the more force it carries
    bool velocities; // arrows at vertices; of many vertices some
    bool forces;     // likewise, of the springs on each vertex
    bool springs;    // all springs as lines, coloured by kind: edges, bends, those that the script added, attachments
    bool directions; // the rest vectors d of springs along them as they are (Liu et al. 2013, eq. 10), as bars
    const double *residual;           // (3 * particle_count) N, arrows; NULL: none. Valid while it is drawn
    const tide_body_numbers *numbers; // (number_count) of the script, valid while it is drawn
    uint32_t number_count;
} tide_seeing; // { 0 }: what a scene looks like without any of it

// What was seen, for the key: filled by tide_draw_world.
typedef struct tide_seen {
    bool bar;          // bodies are coloured
    double low, high;  // its ends
    bool below, above; // there are numbers beyond them
    char name[48], unit[24];
    tide_colour colours[TIDE_MAP_COLOURS];
    double fastest, strongest, touching; // m/s, N, N: of what arrows and contacts are shown, the largest; 0 for none
    double unbalanced;                   // N, of the residual likewise
    bool velocities, forces, contacts, springs, directions, residual;
    bool kinds[4]; // of springs that there are, as tide_spring_sort
} tide_seen;

typedef enum tide_spring_sort {
    TIDE_SPRING_EDGE,
    TIDE_SPRING_BEND,
    TIDE_SPRING_EXTRA,
    TIDE_SPRING_ATTACHMENT
} tide_spring_sort;

// Adds the key to the list: a colour bar with its numbers and unit, and a line for each kind of arrow, contact and
// spring that is shown, at the right edge of a picture of this many pixels. Nothing where nothing is seen.
void tide_draw_key(tide_draw_list *list, const tide_seen *seen, uint32_t width, uint32_t height);

#endif
