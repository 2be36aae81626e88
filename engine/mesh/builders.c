// The list of mesh builders, and the check of their definitions.
#include "mesh/internal.h"

#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

static const tide_mesh_builder *const builders[] = {
    &tide_mesh_grid,
    &tide_mesh_strand,
    &tide_mesh_box,
};

const tide_mesh_builder *tide_mesh_builder_at(uint32_t index)
{
    return index < sizeof builders / sizeof builders[0] ? builders[index] : NULL;
}

const tide_mesh_builder *tide_mesh_builder_find(const char *name)
{
    for (size_t i = 0; i < sizeof builders / sizeof builders[0]; i++)
        if (strcmp(builders[i]->name, name) == 0)
            return builders[i];
    return NULL;
}

static tide_value value_of(const tide_field *field, const void *definition)
{
    const char *at = (const char *)definition + field->offset;
    tide_value value = { .type = TIDE_VALUE_NUMBER };
    int integer;
    switch (field->type) {
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_CHOICE:
        memcpy(&integer, at, sizeof integer);
        value.number = integer;
        // An index into the choices; any other number is refused as a number is.
        for (int i = 0; field->type == TIDE_FIELD_CHOICE && field->choices[i]; i++)
            if (i == integer) {
                value.type = TIDE_VALUE_TEXT;
                value.text = field->choices[i];
            }
        break;
    case TIDE_FIELD_REAL:
        memcpy(&value.number, at, sizeof value.number);
        break;
    case TIDE_FIELD_VECTOR:
        value.type = TIDE_VALUE_VECTOR;
        memcpy(value.vector, at, sizeof value.vector);
        break;
    case TIDE_FIELD_BOOLEAN:
    case TIDE_FIELD_TEXT:
    case TIDE_FIELD_OTHER:
        value.type = TIDE_VALUE_UNKNOWN;
        break;
    }
    return value;
}

tide_status tide_mesh_check_definition(const tide_mesh_builder *builder, const char *owner, const void *definition,
                                       tide_error *error)
{
    alignas(max_align_t) char checked[256];
    assert(builder->definition_size <= sizeof checked);
    tide_status status = TIDE_OK;
    for (const tide_field *field = builder->fields; field->name && status == TIDE_OK; field++) {
        tide_value value = value_of(field, definition);
        if (value.type != TIDE_VALUE_UNKNOWN)
            status = tide_field_set(field, owner, checked, &value, error);
    }
    return status;
}
