// The list of all element kinds.
#include "model/element.h"

#include <stddef.h>

static const tide_element_kind *const kinds[] = { &tide_spring, &tide_anchor, &tide_tie, &tide_area_spring };

const tide_element_kind *tide_element_kind_at(uint32_t index)
{
    return index < sizeof kinds / sizeof kinds[0] ? kinds[index] : NULL;
}
