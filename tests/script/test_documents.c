// The reference page and the annotation file, against the tables and the committed file.
#include "script/laboratory.h"

#include "mesh/mesh.h"
#include "model/element.h"
#include "script/script.h"
#include "script_files.h"
#include "solver/solver.h"
#include "world/material.h"

#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    assert_in_range(size, 1, (1 << 20) - 2);
    fclose(file);
    return text;
}

static tide_status make_no_folders(const char *path, tide_error *error)
{
    (void)path, (void)error;
    return TIDE_OK;
}

// Runs a command of scripts/springtide/commands/.
static tide_status run(const char *module, const char *which, const char *subject, tide_error *error)
{
    const tide_lab_option given[] = { { "which", which, -1 }, { 0 } };
    const tide_script_options opening = { 0 };
    const tide_laboratory lab = { .module = module,
                                  .subjects = (const char *const[]) { subject, NULL },
                                  .options = &opening,
                                  .given = given,
                                  .make_folders = make_no_folders };
    tide_lab_failure failure;
    tide_status status = tide_laboratory_run(&lab, &failure);
    *error = failure.error;
    return status;
}

static tide_status list(const char *which, const char *name, tide_error *error)
{
    return run("springtide.commands.list", which, name, error);
}

static void test_annotations_are_up_to_date(void **state)
{
    (void)state;
    tide_error error;
    char path[256];
    snprintf(path, sizeof path, "%s/library.lua", tide_test_folder());
    assert_ok(run("springtide.commands.reference", NULL, path, &error), error);
    char *made = read_file(path), *committed = read_file("scripts/springtide/library.lua");
    if (strcmp(made, committed) != 0)
        print_error("scripts/springtide/library.lua is out of date: "
                    "springtide reference scripts/springtide/library.lua writes it again\n");
    assert_string_equal(made, committed);
    free(made);
    free(committed);
}

static void has_field(const char *text, const tide_field *field, const char *part)
{
    assert_non_null(strstr(text, part));
    if (!strchr(field->help, '|')) // which a table in Markdown writes otherwise
        assert_non_null(strstr(text, field->help));
}

// A record's own fields are "| `filter.lambda` |" in the page and "; lambda: ..." in the annotations.
static void has_fields(const char *text, const tide_field *fields, const char *before, bool dotted)
{
    char part[160];
    for (; fields->name; fields++) {
        snprintf(part, sizeof part, "%s%s", before, fields->name);
        has_field(text, fields, part);
        const tide_field *inner = fields->type == TIDE_FIELD_RECORD ? fields->record : NULL;
        for (; inner && inner->name; inner++) {
            if (dotted)
                snprintf(part, sizeof part, "%s%s.%s` |", before, fields->name, inner->name);
            else
                snprintf(part, sizeof part, "; %s: %.100s", inner->name, inner->help);
            has_field(text, inner, part);
        }
        if (fields->word) {
            snprintf(part, sizeof part, dotted ? "number\\|\"%s\" | \"%s\"" : "number|\"%s\" # ", fields->word,
                     fields->word);
            assert_non_null(strstr(text, part));
        }
    }
}

static void test_documents_have_everything(void **state)
{
    (void)state;
    tide_error error;
    char page_path[256], library_path[256];
    snprintf(page_path, sizeof page_path, "%s/reference.md", tide_test_folder());
    snprintf(library_path, sizeof library_path, "%s/library.lua", tide_test_folder());
    assert_ok(run("springtide.commands.reference", NULL, page_path, &error), error);
    assert_ok(run("springtide.commands.reference", NULL, library_path, &error), error);
    char *page = read_file(page_path), *library = read_file(library_path);
    const tide_solver_kind *solver;
    for (uint32_t i = 0; (solver = tide_solver_kind_at(i)) != NULL; i++) {
        has_fields(page, solver->fields, "| `", true);
        has_fields(library, solver->fields, "---@field ", false);
        assert_non_null(strstr(page, solver->help));
        assert_non_null(strstr(library, solver->name));
    }
    const tide_mesh_builder *builder;
    for (uint32_t i = 0; (builder = tide_mesh_builder_at(i)) != NULL; i++) {
        has_fields(page, builder->fields, "| `", true);
        has_fields(library, builder->fields, "---@field ", false);
    }
    const tide_element_kind *element;
    for (uint32_t i = 0; (element = tide_element_kind_at(i)) != NULL; i++) {
        if (!element->fields)
            continue;
        has_fields(page, element->fields, "| `", true);
        has_fields(library, element->fields, "---@field ", false);
        assert_non_null(strstr(page, element->help));
        assert_non_null(strstr(library, element->help));
    }
    const tide_material *material;
    for (uint32_t i = 0; (material = tide_material_at(i)) != NULL; i++) {
        has_fields(page, material->fields, "| `", true);
        has_fields(library, material->fields, "---@field ", false);
        assert_non_null(strstr(page, material->help));
        assert_non_null(strstr(library, material->lua_type));
    }
    has_fields(page, tide_world_fields, "| `", true);
    has_fields(page, tide_body_fields, "| `", true);
    has_fields(library, tide_world_fields, "---@field ", false);
    has_fields(library, tide_body_fields, "---@field ", false);
    static const char *const names[] = { "snapshot", "restore",  "fork",  "move_pin", "positions",          "subdivide",
                                         "weld",     "cholesky", "param", "scatter",  "largest_eigenvalue", "label" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_non_null(strstr(page, names[i]));
        assert_non_null(strstr(library, names[i]));
    }
    free(page);
    free(library);
}

static void test_unknown_names(void **state)
{
    (void)state;
    tide_error error;
    assert_fails(list("meshes", "grod", &error), error, "mesh: grod: there is no such builder; did you mean grid?");
    assert_fails(list("shapes", "nothing", &error), error, "there is no such shape; `springtide shapes` lists them");
    assert_fails(list("elements", "area_sprang", &error), error,
                 "element: area_sprang: there is no such kind of element; did you mean area_spring?");
    assert_fails(list("materials", "slid", &error), error,
                 "material: slid: there is no such material; did you mean solid?");
    assert_fails(list("solvers", "newtom", &error), error, "did you mean \"newton\"?");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_annotations_are_up_to_date),
    cmocka_unit_test(test_documents_have_everything),
    cmocka_unit_test(test_unknown_names),
};
TIDE_TEST_SUITE(script_documents, tests)
