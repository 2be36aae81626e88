// Elements store elastic energy. A kind of element is one file with a const table; the list is in kinds.c. Nothing else
// knows a kind by name, except those below, which the world makes itself. A new kind needs energy, gradient, Hessian,
// laplacian, project and strain; dense_element.h derives the other functions from these. area_spring.c is an example.
//
//     tide_elements springs = { &tide_spring, 1, (uint32_t[]) { 0, 1 }, (double[]) { 100, 0.5 } };
//     double energy = tide_spring.energy(&springs, x, 0, springs.count);
//
// Units: m, N, J. Ownership: tables are constant; a group's arrays belong to its maker (a system, system.h). Threads:
// the functions of a table only read the group, so any number of threads may call them. Nothing fails.
#ifndef TIDE_MODEL_ELEMENT_H
#define TIDE_MODEL_ELEMENT_H

#include "base/field.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TIDE_ELEMENT_MAX_VERTICES = 8,
    TIDE_ELEMENT_MAX_PARAMETERS = 96,
    TIDE_ELEMENT_NO_PARAMETER = 255, // in place of a parameter's index: the kind has no such parameter
    TIDE_ELEMENT_MAX_NUMBERS = 3 * TIDE_ELEMENT_MAX_VERTICES,
    TIDE_ELEMENT_MAX_PAIRS = TIDE_ELEMENT_MAX_VERTICES * (TIDE_ELEMENT_MAX_VERTICES + 1) / 2, // pairs of corners
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

// A corner of an element of a system's group.
typedef struct tide_corner {
    uint32_t group, element, corner;
} tide_corner;

// Positions are (3 * particle_count), interleaved. Ranges [begin, end) are ranges of elements. Nothing here allocates.
struct tide_element_kind {
    const char *name, *help;
    uint32_t vertex_count;    // particles of an element
    uint32_t hidden_count;    // how many of them, the last ones, are no vertices of the body's mesh
    uint32_t parameter_count; // numbers of an element
    uint32_t projection_size; // numbers of an element's local projection
    uint32_t compact_size;    // numbers of an element's compact Hessian: 6 for a spring
    // The parameters that scenes set by name, as a field table for one element's double[parameter_count]. `rest` fills
    // in those whose default is TIDE_NOT_GIVEN. NULL: only the engine makes elements of this kind.
    const tide_field *fields;
    // Index of the stiffness. An element that is cut has stiffness 0. C programs may give negative ones.
    uint32_t stiffness_parameter;
    uint32_t rest_parameter; // index of the rest length or area, which muscles change; or none
    // Index of the factor from a change of the size at rest to strain, for kinds whose size at rest may be 0, such as
    // an angle; 0: the strain is relative to the size at rest.
    uint32_t strain_parameter;
    bool signed_rest; // that size at rest may be negative, as an angle
    // Words for reports: what an element is, "spring", and what its strain measures, "length". NULL: reports do not
    // name elements of this kind, and their strain is not checked for explosions.
    const char *noun, *size;
    // Pairs of corners (2 * edge_count): the lines that a wireframe draws for an element. A stroke that crosses one of
    // them cuts the element. None: neither drawn nor cut.
    const unsigned char *edges;
    uint32_t edge_count;
    // The elements are stored in the spring slices too (spring_slices.h): E = k/2 (l - r)^2 with k parameter 0 and r
    // parameter 1.
    bool in_slices;
    // The Hessian may exceed the element's part of the constant matrix L. Then a step of local/global may raise g, and
    // solvers shorten it (Liu et al. 2017, sec. 3.2).
    bool exceeds_laplacian;
    // E = 1/2 x' (L x I3) x with L of `laplacian`, whose rows sum to 0. Systems then assemble L once (constant_rows.h)
    // and do not call `energy` and `gradient`.
    bool constant_hessian;
    // Computes the parameters of one element that are TIDE_NOT_GIVEN from the rest positions
    // (3 * vertices of the body). Returns NULL, or what is wrong with the element at rest and what to do: a sentence
    // without its subject, as "has no area at rest; move its vertices apart". NULL: all parameters are always given.
    const char *(*rest)(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters);
    const void *context; // constants of a family of kinds that share these functions
    // NULL: the energy of a group is the sum of its elements' energies. Otherwise it is f(S), S the sum of one quantity
    // over all elements of the group. `couple` computes S at x, stores f'(S) in the group's parameters, and returns
    // f(S), J; functions of a system call it before the others at each x. The elements' energies, gradients and
    // Hessians are then those of f'(S) S with f'(S) as stored. Hessians lack f''(S) dS dS', which joins all particles
    // (coupling.h).
    double (*couple)(const tide_elements *elements, const double *x);
    double (*curvature)(const tide_elements *elements); // f''(S) at the x of the last `couple`
    // Computes dS/dx of each element, as `gradient`.
    void (*slope)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
    // Returns the sum of the elements' energies, J.
    double (*energy)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end);
    // Computes dE/dx of each element, (3 * vertex_count * (end - begin)), N.
    void (*gradient)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
    // Does both in less time: adds dE/dx to `out`, one element after another, and, unless `energy` is NULL, the
    // elements' energies to *energy. Positions and `out` are (4 * particle_count), x, y, z, 0 of each particle. The
    // same bits as those of `gradient`, and of `energy` for a sum that begins with 0. NULL: both are called.
    void (*accumulate)(const tide_elements *elements, const double *quads, uint32_t begin, uint32_t end, double *energy,
                       double *out);
    // Computes the Hessian of one element, row-major (3 vertex_count)^2, N/m; with `project`, the nearest positive
    // semidefinite matrix, also where the stiffness is negative.
    void (*hessian)(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out);
    // Computes one element's part of the constant matrix L (Liu 2013 eq. 12) before the product with I3, row-major
    // vertex_count^2.
    void (*laplacian)(const tide_elements *elements, uint32_t element, double *out);
    // The local step (Liu 2013 eq. 10): computes the auxiliary variable of each element, (projection_size *
    // (end - begin)). For a spring: d, its direction at rest length. Solvers use the gradient, L x - J d in the terms
    // of Liu 2013, so they do not call this function. The test of a kind checks it against the gradient.
    void (*project)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
    // Computes a H + b L of each element in compact form, (compact_size * (end - begin)), for products without a
    // matrix. H is the Hessian at x, made positive semidefinite with `project`; L is the element's part of the constant
    // matrix times I3.
    void (*compact)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                    double a, double b, double *out);
    // Multiplies the compact Hessians of elements begin ... end - 1 by v (3 * particle_count). The output is laid out
    // as that of `gradient`.
    void (*multiply)(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                     uint32_t end, double *out);
    // Expands the compact Hessians of elements begin ... end - 1 into 3 x 3 blocks, row-major, one for each pair of
    // corners (0, 0), (1, 0), (1, 1), (2, 0), ... where the first corner is the row: (9 * vertex_count *
    // (vertex_count + 1) / 2 * (end - begin)).
    void (*blocks)(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out);
    // For methods that move one particle at a time: computes dE/dp of an element's corner and, if `hessian` is not
    // NULL, d2E/dp2, row-major 3 x 3, made positive semidefinite.
    void (*corner)(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                   double gradient[3], double hessian[9]);
    // Adds `scale` times the derivatives of several corners of one particle to `gradient` and `hessian`, one corner
    // after another. The bits are the same as with `corner`. NULL: callers call `corner` for each.
    void (*corners)(const tide_elements *elements, const double *x, const tide_corner *corners, uint32_t count,
                    double scale, double gradient[3], double hessian[9]);
    // For position-based methods: the element as a constraint C(x) = 0 with E = C^2 / (2 compliance). Returns C and
    // computes dC/dx (3 * vertex_count). The compliance is in m/N, infinite where the stiffness is 0. Where an
    // element exerts no force over a range of x, as a slack string, C and dC/dx are 0. NULL: the kind is no constraint.
    double (*constraint)(const tide_elements *elements, const double *x, uint32_t element, double *gradient,
                         double *compliance);
    // Computes the relative deformation of each element, (end - begin), for drawing: 0 at rest, 0.1 when stretched by
    // 10 %.
    void (*strain)(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
    // Returns the size of an element at x that its stress refers to (stress.h): the volume of a tetrahedron, m^3; the
    // area of a triangle times the stretch of its thickness, m^2. NULL: the kind has no stress.
    double (*size_now)(const tide_elements *elements, const double *x, uint32_t element);
    // Kinds that are made at run time, as those of scripts; 0 and NULL for kinds in the list. Two kinds of one identity
    // have the same energy and parameters. Bodies and systems retain the kinds of their groups; a kind without users is
    // freed.
    uint64_t identity;
    void (*retain)(const tide_element_kind *kind);
    void (*release)(const tide_element_kind *kind);
};

// Springs: E = k/2 (|p1 - p2| - r)^2 (Liu 2013 eq. 9). The energy has a kink where the two ends coincide; the direction
// there is (1, 0, 0), so dE/dp1 is -k r (1, 0, 0). The Hessian uses a length of at least 1e-8 r, so that it stays
// finite.
enum { TIDE_SPRING_STIFFNESS, TIDE_SPRING_REST_LENGTH, TIDE_SPRING_PARAMETERS }; // N/m, m
extern const tide_element_kind tide_spring;
// The ends coincide: a squared length below this is 0 or has lost digits to underflow.
#define TIDE_SPRING_COINCIDENT 1e-280 // m^2
// Shortest length that the Hessian uses, as a fraction of the rest length, so that r / l stays finite.
#define TIDE_SPRING_SHORTEST 1e-8

// Anchors: E = k/2 |p - a|^2, a zero-length spring to a fixed point: a pin with a finite stiffness.
enum { TIDE_ANCHOR_STIFFNESS, TIDE_ANCHOR_X, TIDE_ANCHOR_Y, TIDE_ANCHOR_Z, TIDE_ANCHOR_PARAMETERS }; // N/m, m
extern const tide_element_kind tide_anchor;

// Ties: E = k/2 |p0 - w1 p1 - w2 p2 - w3 p3|^2, a zero-length spring from a particle to a weighted mean of three
// others. Weights that sum to 1 conserve momentum.
enum { TIDE_TIE_STIFFNESS, TIDE_TIE_WEIGHT_1, TIDE_TIE_WEIGHT_2, TIDE_TIE_WEIGHT_3, TIDE_TIE_PARAMETERS }; // N/m, 1
extern const tide_element_kind tide_tie;

// Links: E = k/2 |sum c_i x_i - a|^2 (zero_length.c) of as many particles as the name says.
enum { TIDE_LINK_STIFFNESS, TIDE_LINK_X, TIDE_LINK_Y, TIDE_LINK_Z, TIDE_LINK_WEIGHTS }; // N/m, m, 1
extern const tide_element_kind tide_link_4, tide_link_5, tide_link_7, tide_link_8;

// Rigid bodies: four particles of equal mass held in their shape at rest, r_i from their centre (rigid.c).
enum { TIDE_RIGID_STIFFNESS, TIDE_RIGID_SHAPE, TIDE_RIGID_PARAMETERS = TIDE_RIGID_SHAPE + 12 }; // N/m, m
extern const tide_element_kind tide_rigid;

// The members of a kind whose own functions have the names of the members.
#define TIDE_OWN_FUNCTIONS                                                                                             \
    .rest = rest, .energy = energy, .gradient = gradient, .hessian = hessian, .laplacian = laplacian,                  \
    .project = project, .strain = strain
// The pairs of corners that a wireframe draws: static const unsigned char edges[].
#define TIDE_OWN_EDGES .edges = edges, .edge_count = sizeof edges / 2

// Fields of a kind's parameters: the stiffness, a size that `rest` takes from the mesh where it is not given, and one
// with a default.
#define TIDE_PARAMETER_FIELD(name_, index) .name = name_, .type = TIDE_FIELD_REAL, .offset = (index) * sizeof(double)
#define TIDE_STIFFNESS_FIELD(index, most, unit_, help_)                                                                \
    {                                                                                                                  \
        TIDE_PARAMETER_FIELD("stiffness", index), .maximum = most, .required = true, .unit = unit_, .help = help_      \
    }
#define TIDE_REST_FIELD(name_, index, least, most, unit_, help_)                                                       \
    {                                                                                                                  \
        TIDE_PARAMETER_FIELD(name_, index), .initial = { TIDE_NOT_GIVEN }, .initial_text = "the mesh's",               \
                                            .minimum = least, .maximum = most, .unit = unit_, .help = help_            \
    }
#define TIDE_LAW_FIELD(name_, index, default_, least, most, help_)                                                     \
    {                                                                                                                  \
        TIDE_PARAMETER_FIELD(name_, index), .initial = { default_ }, .minimum = least, .maximum = most, .help = help_  \
    }

const tide_element_kind *tide_element_kind_at(uint32_t index); // NULL past the last

static inline double tide_element_stiffness(const tide_elements *elements, uint32_t e)
{
    return elements->parameters[elements->kind->stiffness_parameter * (size_t)elements->count + e];
}

// Tells whether two kinds have the same energy and parameters: one kind, or the kind of a script before and after a
// reload that did not change it.
static inline bool tide_element_same_kind(const tide_element_kind *a, const tide_element_kind *b)
{
    return a == b || (a->identity && a->identity == b->identity);
}

// Count a use of a kind and its end. Do nothing for kinds in the list.
static inline void tide_element_retain(const tide_element_kind *kind)
{
    if (kind->retain)
        kind->retain(kind);
}
static inline void tide_element_release(const tide_element_kind *kind)
{
    if (kind->release)
        kind->release(kind);
}

static inline bool tide_element_has_rest(const tide_element_kind *kind)
{
    return kind->rest_parameter != TIDE_ELEMENT_NO_PARAMETER;
}

#endif
