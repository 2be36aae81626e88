#include "solver/damping.h"

#include <stddef.h>

static const char *const implicit_models[] = { "none", "rayleigh", "springs", NULL };
static const char *const explicit_models[] = { "none", "rayleigh", "springs", "auto", NULL };

#define MODELS_HELP                                                                                                    \
    "\"rayleigh\" damps changes of length but no rotations; \"springs\" damps all velocity differences along springs"

#define MODEL(names, text)                                                                                             \
    {                                                                                                                  \
        .name = "model", .type = TIDE_FIELD_CHOICE, .offset = offsetof(tide_damping, model), .choices = (names),       \
        .initial = { TIDE_DAMPING_RAYLEIGH }, .help = (text)                                                           \
    }

#define COEFFICIENTS                                                                                                   \
    { .name = "mass",                                                                                                  \
      .type = TIDE_FIELD_REAL,                                                                                         \
      .offset = offsetof(tide_damping, mass),                                                                          \
      .maximum = INFINITY,                                                                                             \
      .unit = "1/s",                                                                                                   \
      .help = "d0: damping proportional to mass, which resists all motion" },                                          \
    {                                                                                                                  \
        .name = "stiffness", .type = TIDE_FIELD_REAL, .offset = offsetof(tide_damping, stiffness),                     \
        .maximum = INFINITY, .unit = "s",                                                                              \
        .help = "alpha: damping proportional to stiffness, which mostly damps high frequencies"                        \
    }

const tide_field tide_damping_fields[] = { MODEL(implicit_models, MODELS_HELP), COEFFICIENTS, { 0 } };
const tide_field tide_explicit_damping_fields[] = {
    MODEL(explicit_models,
          MODELS_HELP "; \"auto\": the stiffness damping with the longest stable substep; none with symplectic Euler"),
    COEFFICIENTS,
    { 0 }
};
