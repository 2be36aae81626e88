// Sliders of elements that tide.element made: each number of a body's group is a parameter of the scene, as tide.param
// declares them, with the range, unit and help of the element.
#include "script/binding.h"
#include "script/symbol_binding.h"

#include <stdio.h>

// Names the parameter "ELEMENT.NAME". Groups with other numbers follow as "BODY.ELEMENT.NAME" and
// "BODY.ELEMENT_2.NAME", the group's number.
static void declare(lua_State *L, tide_run *run, const tide_body_def *def, uint32_t group, const tide_field *field,
                    double *number)
{
    char name[3 * TIDE_FIELD_TEXT_SIZE];
    const char *element = def->elements[group].kind->name;
    snprintf(name, sizeof name, "%s.%s", element, field->name);
    if (tide_param_of_element(L, run, name, field, number))
        return;
    snprintf(name, sizeof name, "%.120s.%s.%s", def->name, element, field->name);
    if (tide_param_of_element(L, run, name, field, number))
        return;
    snprintf(name, sizeof name, "%.120s.%s_%u.%s", def->name, element, group + 1, field->name);
    tide_param_of_element(L, run, name, field, number); // unless the script has this name too
}

void tide_element_params(lua_State *L, tide_run *run, tide_body_elements *groups, const tide_body_def *def)
{
    for (uint32_t g = 0; run->path && run->executing && g < def->element_group_count; g++) {
        const tide_element_kind *kind = groups[g].kind;
        for (uint32_t p = 0; kind->identity && p < kind->parameter_count && kind->fields[p].name; p++)
            if (tide_given(groups[g].parameters[p]))
                declare(L, run, def, g, &kind->fields[p], &groups[g].parameters[p]);
    }
}
