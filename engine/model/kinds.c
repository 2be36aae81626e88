// The list of all element kinds.
#include "model/element.h"

#include <stddef.h>

#define KINDS(X)                                                                                                       \
    X(tide_spring)                                                                                                     \
    X(tide_anchor)                                                                                                     \
    X(tide_tie)                                                                                                        \
    X(tide_area_spring)                                                                                                \
    X(tide_solid_corotated)                                                                                            \
    X(tide_solid_stvk)                                                                                                 \
    X(tide_solid_neo_hookean)                                                                                          \
    X(tide_solid_volume)                                                                                               \
    X(tide_rod_bend)                                                                                                   \
    X(tide_rod_twist)                                                                                                  \
    X(tide_rod_arm)                                                                                                    \
    X(tide_volume_spring)                                                                                              \
    X(tide_membrane_arap)                                                                                              \
    X(tide_membrane_stvk)                                                                                              \
    X(tide_membrane_neo_hookean)                                                                                       \
    X(tide_membrane_orthotropic)                                                                                       \
    X(tide_membrane_baraff_witkin)                                                                                     \
    X(tide_shell_quadratic)                                                                                            \
    X(tide_shell_discrete)                                                                                             \
    X(tide_limit_tetrahedron)                                                                                          \
    X(tide_limit_triangle)                                                                                             \
    X(tide_limit_spring)                                                                                               \
    X(tide_link_4)                                                                                                     \
    X(tide_link_5)                                                                                                     \
    X(tide_link_7)                                                                                                     \
    X(tide_link_8)                                                                                                     \
    X(tide_rigid)                                                                                                      \
    X(tide_pressure)                                                                                                   \
    X(tide_gas)

#define DECLARE(kind) extern const tide_element_kind kind;
KINDS(DECLARE)

#define ADDRESS(kind) &kind,
static const tide_element_kind *const kinds[] = { KINDS(ADDRESS) };

const tide_element_kind *tide_element_kind_at(uint32_t index)
{
    return index < sizeof kinds / sizeof kinds[0] ? kinds[index] : NULL;
}
