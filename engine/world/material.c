// What materials share.
#include "world/material.h"

#include "base/decimal.h"

#include <stdarg.h>
#include <stdio.h>

tide_field tide_material_field(const tide_material *material)
{
    return (tide_field) {
        .name = material->name, .type = TIDE_FIELD_RECORD, .record = material->fields, .help = material->help
    };
}

tide_field tide_material_as_field(const tide_material *material)
{
    return (tide_field) {
        .name = material->name, .type = TIDE_FIELD_OTHER, .lua_type = material->lua_type, .help = material->help
    };
}

tide_status tide_material_refuse(const tide_material_use *use, const char *field, const char *value, tide_error *error,
                                 const char *remedy, ...)
{
    char name[TIDE_FIELD_NAME_SIZE], text[512];
    va_list arguments;
    snprintf(name, sizeof name, "%s%s%s", use->material->name, field ? "." : "", field ? field : "");
    va_start(arguments, remedy);
    tide_format_list(text, sizeof text, remedy, arguments);
    va_end(arguments);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, use->object, name, value, "%s", text);
}
