// `solvers`, `shapes` and `meshes`: lists of what is available, from the field tables.
#include "app/commands.h"

#include "collision/collider.h"
#include "mesh/mesh.h"
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>

typedef struct row {
    char name[TIDE_FIELD_NAME_SIZE], type[32], initial[48], range[128];
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

typedef struct widths {
    int name, type, initial, range;
} widths;

// Measures the widest rows; a record's own fields follow it.
static void measure_rows(const tide_field *fields, const tide_field *record, widths *widths)
{
    char name[TIDE_FIELD_NAME_SIZE];
    row line;
    for (; fields->name; fields++) {
        tide_field field = record ? tide_field_within(record, fields, name) : *fields;
        fill_row(&field, &line);
        widen(&widths->name, line.name);
        widen(&widths->type, line.type);
        widen(&widths->initial, line.initial);
        widen(&widths->range, line.range);
        if (field.type == TIDE_FIELD_RECORD)
            measure_rows(field.record, &field, widths);
    }
}

static void print_row(const row *line, const widths *widths, const char *help)
{
    printf("    %-*s  %-*s  %-*s  %-*s  %s\n", widths->name, line->name, widths->type, line->type, widths->initial,
           line->initial, widths->range, line->range, help);
}

static void print_rows(const tide_field *fields, const tide_field *record, const widths *widths)
{
    char name[TIDE_FIELD_NAME_SIZE];
    row line;
    for (; fields->name; fields++) {
        tide_field field = record ? tide_field_within(record, fields, name) : *fields;
        fill_row(&field, &line);
        print_row(&line, widths, field.help ? field.help : "");
        if (field.type == TIDE_FIELD_RECORD)
            print_rows(field.record, &field, widths);
    }
}

// Prints a table with its heading; each column is as wide as its widest entry.
static void print_fields(const tide_field *fields)
{
    const row heading = { "option", "type", "default", "range" };
    widths widths = { 6, 4, 7, 5 };
    if (!fields->name) {
        puts("    (no options)");
        return;
    }
    measure_rows(fields, NULL, &widths);
    print_row(&heading, &widths, "meaning");
    print_rows(fields, NULL, &widths);
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
    puts("In a scene: solver = { \"NAME\", option = value }. On the command line: --solver NAME,option=value\n"
         "An option a.b belongs to a: a = \"TEXT\" or a = { \"TEXT\", b = value }; on the command line "
         "a=TEXT,a.b=value\n");
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
    puts("In a scene: tide.mesh.NAME { option = value }; tide.mesh.load(file) reads .obj, "
         ".ply, .stl, .mesh, .node, .ele, .msh and .vtk\n");
    const tide_mesh_builder *builder;
    for (uint32_t i = 0; (builder = tide_mesh_builder_at(i)) != NULL; i++) {
        if (i)
            putchar('\n');
        print_builder(builder);
    }
    return TIDE_EXIT_DONE;
}

// --- shapes ----------------------------------------------------------------------------------------------------------

static void print_shape(const tide_shape_kind *kind)
{
    printf("%s\n    %s\n", kind->name, kind->help);
    print_fields(kind->fields);
}

static tide_exit no_such_shape(const char *name)
{
    const char *names[MAX_NAMES];
    uint32_t count = 0;
    for (; count < MAX_NAMES && tide_shape_kind_at(count); count++)
        names[count] = tide_shape_kind_at(count)->name;
    const char *nearest = tide_nearest_name(name, names, count);
    char hint[80] = "";
    if (nearest)
        snprintf(hint, sizeof hint, "; did you mean %s?", nearest);
    tide_error error;
    tide_fail(&error, TIDE_ERROR_ARGUMENT, "shape", NULL, name,
              "there is no such shape%s `springtide shapes` lists them", nearest ? hint : ";");
    tide_report_error(&error);
    return TIDE_EXIT_USAGE;
}

tide_exit tide_command_shapes(const tide_arguments *arguments)
{
    if (arguments->subject) {
        const tide_shape_kind *kind = tide_shape_kind_find(arguments->subject);
        if (!kind)
            return no_such_shape(arguments->subject);
        print_shape(kind);
        return TIDE_EXIT_DONE;
    }
    puts("In a scene: scene:collider(name, { shape = \"NAME\", option = value, ... }). Of every shape:\n");
    print_fields(tide_collider_fields);
    const tide_shape_kind *kind;
    for (uint32_t i = 0; (kind = tide_shape_kind_at(i)) != NULL; i++) {
        putchar('\n');
        print_shape(kind);
    }
    return TIDE_EXIT_DONE;
}
