// The list of all element kinds.
#include "model/element.h"

#include <stddef.h>

#define KINDS(X)                                                                                                       \
    X(tide_spring)                                                                                                     \
    X(tide_anchor)                                                                                                     \
    X(tide_tie)                                                                                                        \
    X(tide_area_spring)

#define DECLARE(kind) extern const tide_element_kind kind;
KINDS(DECLARE)

#define ADDRESS(kind) &kind,
static const tide_element_kind *const kinds[] = { KINDS(ADDRESS) };

const tide_element_kind *tide_element_kind_at(uint32_t index)
{
    return index < sizeof kinds / sizeof kinds[0] ? kinds[index] : NULL;
}
