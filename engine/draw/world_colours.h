// View options: colour bodies by a quantity, and draw arrows, contacts, and springs by kind. One struct in the view
// (tide_view_settings.options) has them all, so that the command line, keys and panels set the same thing.
//
//     picture.view.options.colouring = TIDE_COLOURING_STRAIN;
//     picture.view.options.velocities = true;
#ifndef TIDE_DRAW_WORLD_COLOURS_H
#define TIDE_DRAW_WORLD_COLOURS_H

#include "draw/colour_map.h"
#include "world/world.h"

typedef enum tide_colouring {
    TIDE_COLOURING_AUTOMATIC, // by the script's numbers if there are any (body:colour), otherwise plain
    TIDE_COLOURING_PLAIN,     // the bodies' own colours
    TIDE_COLOURING_STRAIN,    // 1: the largest by size of the vertex's springs, of those on edges if there are any
    TIDE_COLOURING_SPEED,     // m/s
    TIDE_COLOURING_CURVATURE, // 1/m: |mean curvature| of surfaces (Meyer et al. 2003, eq. 8), |curvature| of lines
    TIDE_COLOURING_CONTACT,   // N: sum of the normal forces at the vertex in the last step
    TIDE_COLOURING_RESIDUAL,  // N: |grad g| / h^2 after the last step, the unbalanced force of its result
    TIDE_COLOURING_STRESS,    // Pa: the largest von Mises stress of the vertex's tetrahedra or triangles
    TIDE_COLOURING_TENSION,   // N: the largest by size of the vertex's springs and other elements between two vertices
    TIDE_COLOURING_REACTION,  // N: size of the force of pins and attachments at the vertex in the last step
    TIDE_COLOURING_COUNT
} tide_colouring;

// Returns "automatic", "plain", "strain", "speed", ...; NULL past the last. *help gets a description; `help` may be
// NULL.
const char *tide_colouring_name(tide_colouring colouring, const char **help);
// Finds a colouring by name. An error suggests the name that was probably meant; its object is `object`, its field
// `name`.
tide_status tide_colouring_find(const char *text, const char *object, const char *name, tide_colouring *colouring,
                                tide_error *error);

// Numbers that a script gives for a body's vertices.
typedef struct tide_body_numbers {
    tide_body_id body;
    uint32_t count;          // the body's vertex count
    const double *values;    // (count); grey if not finite
    double low, high;        // the script's range; equal: chosen from the numbers
    const char *name, *unit; // for the colour bar, which shows those of the first body; may be ""
} tide_body_numbers;

typedef struct tide_view_options {
    tide_colouring colouring;
    tide_colour_map map;
    // The range of the colours. Equal: the smallest round range with 99 % of the numbers, for strain symmetric.
    double low, high;
    bool crossings;         // a mark at each crossing that the certificate of this frame has found
    bool contacts;          // a point and a normal at each contact of the last step; the length shows the force
    bool velocities;        // arrows at vertices; at some of them if there are many
    bool forces;            // the same for the spring force on each vertex
    bool springs;           // all springs as lines, coloured by kind: edges, bending, added by the script, attachments
    bool directions;        // rest vectors d of springs (Liu et al. 2013, eq. 10), as bars along the current springs
    const double *residual; // (3 * particle_count) N, as arrows; NULL: none. Must be valid during drawing
    const tide_body_numbers *numbers; // (number_count) from the script; must be valid during drawing
    uint32_t number_count;
} tide_view_options; // { 0 }: no view option is on

// What was drawn, for the key; filled by tide_draw_world.
typedef struct tide_seen {
    bool bar;          // bodies are coloured
    double low, high;  // its range
    bool below, above; // there are numbers outside of the range
    char name[48], unit[24];
    tide_colour colours[TIDE_MAP_COLOURS];
    double fastest, strongest, touching; // m/s, N, N: the largest of the arrows and contacts drawn; 0: none
    double unbalanced;                   // N, the largest residual
    bool velocities, forces, contacts, springs, directions, residual;
    uint32_t crossings; // marks drawn
    bool kinds[4];      // kinds of springs drawn, indexed by tide_spring_sort
} tide_seen;

typedef enum tide_spring_sort {
    TIDE_SPRING_EDGE,
    TIDE_SPRING_BEND,
    TIDE_SPRING_EXTRA,
    TIDE_SPRING_ATTACHMENT
} tide_spring_sort;

// Adds the key to the list, at the right edge of a picture of this size (pixels), below `top`: a colour bar with
// numbers and unit, and a line for each kind of arrow, contact and spring that is drawn. Adds nothing if nothing was
// drawn.
void tide_draw_key(tide_draw_list *list, const tide_seen *seen, uint32_t width, uint32_t top, uint32_t height);

#endif
