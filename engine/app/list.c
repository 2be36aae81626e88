// `solvers` and `meshes`: what there is, straight from the field tables.
#include "app/commands.h"

#include "mesh/mesh.h"
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>

typedef struct row {
    char name[48], type[32], initial[48], range[96];
} row;

static void fill_row(const tide_field *field, row *to)
{
    snprintf(to->name, sizeof to->name, "%s", field->name);
    tide_field_type_text(field, to->type, sizeof to->type);
    if (field->required)
        snprintf(to->initial, sizeof to->initial, "required");
    else
        tide_field_default_text(field, to->initial, sizeof to->initial);
    tide_field_range_text(field, to->range, sizeof to->range);
}

static void widen(int *width, const char *text)
{
    int length = (int)strlen(text);
    if (length > *width)
        *width = length;
}

// A table with its heading; columns as wide as their widest entry.
static void print_fields(const tide_field *fields)
{
    int name = 6, type = 4, initial = 7, range = 5;
    row line;
    for (const tide_field *field = fields; field->name; field++) {
        fill_row(field, &line);
        widen(&name, line.name);
        widen(&type, line.type);
        widen(&initial, line.initial);
        widen(&range, line.range);
    }
    if (!fields->name) {
        puts("    (no options)");
        return;
    }
    printf("    %-*s  %-*s  %-*s  %-*s  %s\n", name, "option", type, "type", initial, "default", range, "range",
           "meaning");
    for (const tide_field *field = fields; field->name; field++) {
        fill_row(field, &line);
        printf("    %-*s  %-*s  %-*s  %-*s  %s\n", name, line.name, type, line.type, initial, line.initial, range,
               line.range, field->help ? field->help : "");
    }
}

static void print_solver(const tide_solver_kind *kind)
{
    printf("%s%s\n    %s\n", kind->name, kind == tide_solver_kind_at(0) ? " (the default)" : "", kind->help);
    if (kind->source)
        printf("    %s\n", kind->source);
    print_fields(kind->fields);
}

tide_exit tide_command_solvers(const tide_arguments *arguments)
{
    tide_error error;
    if (arguments->subject) {
        const tide_solver_kind *kind = tide_solver_kind_find(arguments->subject, &error);
        if (!kind) {
            tide_report_error(&error);
            return TIDE_EXIT_USAGE;
        }
        print_solver(kind);
        return TIDE_EXIT_DONE;
    }
    puts("In a scene: solver = { \"NAME\", option = value }. On the command line: --solver NAME,option=value\n");
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)) != NULL; i++) {
        if (i)
            putchar('\n');
        print_solver(kind);
    }
    return TIDE_EXIT_DONE;
}

static void print_builder(const tide_mesh_builder *builder)
{
    printf("%s\n    %s\n", builder->name, builder->help);
    print_fields(builder->fields);
}

enum { MAX_NAMES = 64 };

static tide_exit no_such_builder(const char *name)
{
    const char *names[MAX_NAMES];
    uint32_t count = 0;
    for (; count < MAX_NAMES && tide_mesh_builder_at(count); count++)
        names[count] = tide_mesh_builder_at(count)->name;
    const char *nearest = tide_nearest_name(name, names, count);
    char hint[80] = "";
    if (nearest)
        snprintf(hint, sizeof hint, "; did you mean %s?", nearest);
    tide_error error;
    tide_fail(&error, TIDE_ERROR_ARGUMENT, "mesh", NULL, name,
              "there is no such builder%s `springtide meshes` lists them", nearest ? hint : ";");
    tide_report_error(&error);
    return TIDE_EXIT_USAGE;
}

tide_exit tide_command_meshes(const tide_arguments *arguments)
{
    if (arguments->subject) {
        const tide_mesh_builder *builder = tide_mesh_builder_find(arguments->subject);
        if (!builder)
            return no_such_builder(arguments->subject);
        print_builder(builder);
        return TIDE_EXIT_DONE;
    }
    puts("In a scene: tide.mesh.NAME { option = value }; tide.mesh.load(file) reads .obj and .mesh\n");
    const tide_mesh_builder *builder;
    for (uint32_t i = 0; (builder = tide_mesh_builder_at(i)) != NULL; i++) {
        if (i)
            putchar('\n');
        print_builder(builder);
    }
    return TIDE_EXIT_DONE;
}
