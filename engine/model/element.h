// Elements: what stores elastic energy. A kind of element is one file with a const table; the list is in kinds.c.
// No solver knows a kind by name, and no kind knows a solver. A new kind needs energy, gradient, Hessian, laplacian,
// project and strain; dense_element.h has the other functions, written with these. area_spring.c is an example.
#ifndef TIDE_MODEL_ELEMENT_H
#define TIDE_MODEL_ELEMENT_H

#include "base/field.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TIDE_ELEMENT_MAX_VERTICES = 4,
    TIDE_ELEMENT_MAX_PARAMETERS = 8,
    TIDE_ELEMENT_NO_PARAMETER = 255, // instead of the index of a parameter: the kind has none of that sort
    TIDE_ELEMENT_MAX_NUMBERS = 3 * TIDE_ELEMENT_MAX_VERTICES,
    TIDE_ELEMENT_MAX_PAIRS = TIDE_ELEMENT_MAX_VERTICES * (TIDE_ELEMENT_MAX_VERTICES + 1) / 2, // of corners
    TIDE_ELEMENT_MAX_COMPACT = TIDE_ELEMENT_MAX_NUMBERS * (TIDE_ELEMENT_MAX_NUMBERS + 1) / 2
};

typedef struct tide_element_kind tide_element_kind;

// Elements of one kind. Parameter p of element e is parameters[p * count + e].
typedef struct tide_elements {
    const tide_element_kind *kind;
    uint32_t count;
    uint32_t *vertices; // (kind->vertex_count * count) particles of element 0, then of element 1, ...
    double *parameters; // (kind->parameter_count * count)
} tide_elements;

// All positions are (3 * particle_count), interleaved. Ranges [begin, end) count elements. Nothing here allocates.
struct tide_element_kind {
    const char *name, *help;
    uint32_t vertex_count;    // particles an element joins
    uint32_t parameter_count; // numbers an element has
    uint32_t projection_size; // numbers of an element's local projection
    uint32_t compact_size;    // numbers that hold an element's Hessian: 6 for a spring
    // The parameters that a scene gives by name, as a table for one element's double[parameter_count]. A default of
    // TIDE_NOT_GIVEN is filled in by `rest`. NULL: the engine makes elements of this kind itself, scenes cannot.
    const tide_field *fields;
    uint32_t stiffness_parameter; // index of the parameter that is 0 in an element that is cut
    uint32_t rest_parameter;      // index of the length (or area) at rest, which muscles change; or none
    // An element in reports, "spring", and its size in "times as long as at rest": "long". NULL: its strain is not
    // watched for explosions.
    const char *noun, *size_word;
    // Its elements go into the spring slices (spring_slices.h): E = k/2 (l - r)^2, parameter 0 is k and 1 is r.
    bool in_slices;
    // Fills in the parameters of one element that are TIDE_NOT_GIVEN, from the positions at rest (3 * vertices of the
    // body). NULL: none are ever left out.
    void (*rest)(const double *x, const uint32_t *vertices, double *parameters);
    // Sum of the elements' energies, J.
    double (*energy)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end);
    // Each element's dE/dx, (3 * vertex_count * (end - begin)), N.
    void (*gradient)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
    // One element's Hessian, row-major (3 vertex_count)^2, N/m; with `project`, its nearest positive semidefinite
    // matrix.
    void (*hessian)(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out);
    // One element's part of the constant matrix L (Liu 2013 eq. 12) before the product with I3, row-major
    // vertex_count^2.
    void (*laplacian)(const tide_elements *elements, uint32_t element, double *out);
    // The local step (Liu 2013 eq. 10): each element's auxiliary variable, (projection_size * (end - begin)). For a
    // spring: d, its direction at rest length.
    void (*project)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
    // Each element's a H + b L in few numbers, (compact_size * (end - begin)): H its Hessian at x, made positive
    // semidefinite with `project`, L its part of the constant matrix times I3. For products without a matrix.
    void (*compact)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                    double a, double b, double *out);
    // Products of compact Hessians (those of begin ... end - 1) with v (3 * particle_count): each element's, laid out
    // as `gradient` does.
    void (*multiply)(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                     uint32_t end, double *out);
    // The 3 x 3 blocks of compact Hessians (those of begin ... end - 1), for each element those of its pairs of corners
    // (0, 0), (1, 0), (1, 1), (2, 0), ... with the first as row, each row-major:
    // (9 * vertex_count * (vertex_count + 1) / 2 * (end - begin)).
    void (*blocks)(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out);
    // For methods that move one particle at a time: dE/dp of an element's corner, and with `hessian` not NULL d2E/dp2
    // there, row-major 3 x 3, made positive semidefinite.
    void (*corner)(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                   double gradient[3], double hessian[9]);
    // For position-based methods: the element as a constraint C(x) = 0 with E = C^2 / (2 compliance). Returns C, fills
    // dC/dx (3 * vertex_count). The compliance is in m/N; infinite where the stiffness is 0. NULL: it is no constraint.
    double (*constraint)(const tide_elements *elements, const double *x, uint32_t element, double *gradient,
                         double *compliance);
    // Each element's relative deformation, (end - begin), for drawing: 0 at rest, 0.1 stretched by 10 %.
    void (*strain)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
};

// Springs: E = k/2 (|p1 - p2| - r)^2 (Liu 2013 eq. 9). Two coincident ends, where the energy has a kink, take the
// direction (1, 0, 0): dE/dp1 is -k r (1, 0, 0). The Hessian takes a length below 1e-8 r to be 1e-8 r, so that it stays
// finite.
enum { TIDE_SPRING_STIFFNESS, TIDE_SPRING_REST_LENGTH, TIDE_SPRING_PARAMETERS }; // N/m, m
extern const tide_element_kind tide_spring;
// Below this, the square of a length has lost digits to underflow or is 0: the ends coincide.
#define TIDE_SPRING_COINCIDENT 1e-280 // m^2
// Of its rest length: the Hessian takes no spring to be shorter, so that r / l is finite.
#define TIDE_SPRING_SHORTEST 1e-8

// Anchors: E = k/2 |p - a|^2, a zero-length spring to a point: a pin with a stiffness.
enum { TIDE_ANCHOR_STIFFNESS, TIDE_ANCHOR_X, TIDE_ANCHOR_Y, TIDE_ANCHOR_Z, TIDE_ANCHOR_PARAMETERS }; // N/m, m
extern const tide_element_kind tide_anchor;

// Ties: E = k/2 |p0 - w1 p1 - w2 p2 - w3 p3|^2, a zero-length spring from a particle to a point between three others.
// Weights that sum to 1 conserve momentum.
enum { TIDE_TIE_STIFFNESS, TIDE_TIE_WEIGHT_1, TIDE_TIE_WEIGHT_2, TIDE_TIE_WEIGHT_3, TIDE_TIE_PARAMETERS }; // N/m, 1
extern const tide_element_kind tide_tie;

// Area springs of triangles: E = k/2 (A - A0)^2. The last is the sum of the squares of the three edges at rest.
enum {
    TIDE_AREA_STIFFNESS,  // N/m^3
    TIDE_AREA_REST_AREA,  // m^2
    TIDE_AREA_REST_EDGES, // m^2
    TIDE_AREA_PARAMETERS
};
extern const tide_element_kind tide_area_spring;

const tide_element_kind *tide_element_kind_at(uint32_t index); // NULL past the last

static inline double tide_element_stiffness(const tide_elements *elements, uint32_t e)
{
    return elements->parameters[elements->kind->stiffness_parameter * (size_t)elements->count + e];
}

static inline bool tide_element_has_rest(const tide_element_kind *kind)
{
    return kind->rest_parameter != TIDE_ELEMENT_NO_PARAMETER;
}

#endif
