// The messages about the engine and the experiment, as scripts/web/README.md specifies them.
#include "app/web_state.h"

#include "base/memory.h"
#include "session/live_fork.h"
#include "solver/solver_text.h"
#include "springtide.h"

#include <math.h>

// --- fields ----------------------------------------------------------------------------------------------------------

static void add_choices(tide_text *text, const char *const *choices) // NULL: none
{
    if (!choices)
        return;
    tide_json_open(text, "choices", '[');
    for (; *choices; choices++)
        tide_json_string(text, NULL, *choices);
    tide_json_close(text, ']');
}

static void add_initial(tide_text *text, const tide_field *field)
{
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        tide_json_boolean(text, "initial", field->initial[0] != 0);
        break;
    case TIDE_FIELD_VECTOR:
        tide_json_numbers(text, "initial", field->initial, 3);
        break;
    case TIDE_FIELD_CHOICE:
        tide_json_string(text, "initial", field->choices[(int)field->initial[0]]);
        break;
    case TIDE_FIELD_TEXT:
        tide_json_string(text, "initial", field->initial_text ? field->initial_text : "");
        break;
    default:
        tide_json_number(text, "initial", field->initial[0]);
    }
}

static void add_field(tide_text *text, const char *name, const tide_field *field)
{
    static const char *const types[] = { "boolean", "integer", "real", "vector", "choice", "text", "record", "other" };
    tide_json_open(text, NULL, '{');
    tide_json_string(text, "name", name);
    tide_json_string(text, "type", types[field->type]);
    add_initial(text, field);
    if (field->maximum > field->minimum || field->positive) {
        tide_json_number(text, "minimum", field->minimum);
        tide_json_number(text, "maximum", field->maximum > field->minimum ? field->maximum : INFINITY);
    }
    tide_json_boolean(text, "positive", field->positive);
    tide_json_string(text, "unit", field->unit);
    tide_json_string(text, "help", field->help);
    tide_json_string(text, "word", field->word);
    add_choices(text, field->choices);
    tide_json_close(text, '}');
}

// Adds a list of fields. Those of a record follow it under their dotted names.
static void add_fields(tide_text *text, const char *key, const tide_field *fields)
{
    char dotted[TIDE_FIELD_NAME_SIZE];
    tide_json_open(text, key, '[');
    for (const tide_field *field = fields; field && field->name; field++) {
        if (field->type == TIDE_FIELD_OTHER)
            continue;
        if (field->type != TIDE_FIELD_RECORD) {
            add_field(text, field->name, field);
            continue;
        }
        tide_field first = tide_field_within(field, field->record, dotted);
        first.help = field->help;
        first.initial[0] = field->initial[0];
        add_field(text, field->name, &first);
        for (const tide_field *inner = field->record + 1; inner->name; inner++) {
            const tide_field within = tide_field_within(field, inner, dotted);
            add_field(text, dotted, &within);
        }
    }
    tide_json_close(text, ']');
}

void tide_web_tell_ready(void)
{
    const tide_solver_kind *kind;
    tide_text *text = tide_web_tell("ready");
    tide_json_string(text, "version", TIDE_VERSION);
    tide_json_open(text, "solvers", '[');
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        tide_json_open(text, NULL, '{');
        tide_json_string(text, "name", kind->name);
        tide_json_string(text, "help", kind->help);
        tide_json_string(text, "source", kind->source);
        add_fields(text, "fields", kind->fields);
        tide_json_close(text, '}');
    }
    tide_json_close(text, ']');
    tide_web_add_views(text, "views");
    tide_web_told();
}

// --- the experiment --------------------------------------------------------------------------------------------------

static void add_bodies(tide_text *text, tide_world *world)
{
    tide_json_open(text, "bodies", '[');
    for (uint32_t b = 0; b < tide_world_body_count(world); b++) {
        tide_body_info body;
        if (!tide_world_body_info(world, tide_world_body_at(world, b), &body))
            continue;
        tide_json_open(text, NULL, '{');
        tide_json_string(text, "name", body.name);
        tide_json_count(text, "vertices", body.vertex_count);
        tide_json_count(text, "triangles", body.triangle_count);
        tide_json_count(text, "tetrahedra", body.mesh ? body.mesh->tetrahedron_count : 0);
        tide_json_count(text, "springs", body.spring_count);
        tide_json_close(text, '}');
    }
    tide_json_close(text, ']');
    tide_json_open(text, "colliders", '[');
    for (uint32_t c = 0; c < tide_world_collider_count(world); c++) {
        const tide_collider *collider = tide_world_collider(world, tide_world_collider_at(world, c));
        if (!collider)
            continue;
        tide_json_open(text, NULL, '{');
        tide_json_string(text, "name", collider->name);
        tide_json_string(text, "shape", collider->kind->name);
        tide_json_close(text, '}');
    }
    tide_json_close(text, ']');
}

void tide_web_tell_opened(void)
{
    tide_job *job = tide_web_job();
    tide_world *world = tide_live_world(job->live);
    tide_text *text = tide_web_tell("opened");
    tide_json_string(text, "path", tide_live_path(job->live));
    tide_json_string(text, "title", tide_script_title(tide_live_script(job->live)));
    tide_json_count(text, "frame", tide_live_frame(job->live));
    tide_json_number(text, "timestep", tide_world_get_settings(world)->timestep);
    add_bodies(text, world);
    tide_web_told();
    tide_web_tell_parameters();
    tide_web_tell_solver(0);
    tide_web_tell_views();
    tide_web_tell_panes();
    tide_web_tell_camera();
}

static void add_parameter(tide_text *text, const tide_param *param)
{
    static const char *const types[] = { "number", "boolean", "choice", "text" };
    tide_json_open(text, NULL, '{');
    tide_json_string(text, "name", param->name);
    tide_json_string(text, "type", types[param->type]);
    if (param->type == TIDE_PARAM_NUMBER) {
        tide_json_number(text, "value", param->number);
        tide_json_number(text, "initial", param->initial);
        if (param->minimum <= param->maximum) {
            tide_json_number(text, "minimum", param->minimum);
            tide_json_number(text, "maximum", param->maximum);
        }
        tide_json_boolean(text, "logarithmic", param->logarithmic);
    } else if (param->type == TIDE_PARAM_BOOLEAN) {
        tide_json_boolean(text, "value", param->number != 0);
        tide_json_boolean(text, "initial", param->initial != 0);
    } else
        tide_json_string(text, "value", param->text);
    tide_json_string(text, "unit", param->unit);
    tide_json_string(text, "help", param->help);
    add_choices(text, param->choices);
    tide_json_close(text, '}');
}

void tide_web_tell_parameters(void)
{
    tide_script *script = tide_live_script(tide_web_job()->live);
    tide_text *text = tide_web_tell("parameters");
    tide_json_open(text, "list", '[');
    for (uint32_t i = 0; i < tide_script_param_count(script); i++)
        add_parameter(text, tide_script_param_at(script, i));
    tide_json_close(text, ']');
    tide_web_told();
}

// --- the solver ------------------------------------------------------------------------------------------------------

static void add_option(tide_text *text, const char *name, const tide_field *field, const void *options)
{
    const char *at = (const char *)options + field->offset;
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        tide_json_boolean(text, name, *(const bool *)at);
        break;
    case TIDE_FIELD_INTEGER:
        tide_json_number(text, name, *(const int *)(const void *)at);
        break;
    case TIDE_FIELD_REAL:
        tide_json_number(text, name, *(const double *)(const void *)at);
        break;
    case TIDE_FIELD_VECTOR:
        tide_json_numbers(text, name, (const double *)(const void *)at, 3);
        break;
    case TIDE_FIELD_CHOICE:
        tide_json_string(text, name, field->choices[*(const int *)(const void *)at]);
        break;
    case TIDE_FIELD_TEXT:
        tide_json_string(text, name, at);
        break;
    default:
        break;
    }
}

static void add_options(tide_text *text, const tide_solver *solver)
{
    char dotted[TIDE_FIELD_NAME_SIZE];
    const void *options = tide_solver_options(solver);
    tide_json_open(text, "options", '{');
    for (const tide_field *field = tide_solver_kind_of(solver)->fields; field && field->name; field++) {
        if (field->type != TIDE_FIELD_RECORD) {
            add_option(text, field->name, field, options);
            continue;
        }
        for (const tide_field *inner = field->record; inner->name; inner++) {
            const tide_field within = tide_field_within(field, inner, dotted);
            add_option(text, inner == field->record ? field->name : dotted, &within, options);
        }
    }
    tide_json_close(text, '}');
}

void tide_web_tell_solver(uint32_t pane)
{
    const tide_job *job = tide_web_job();
    tide_live *live = job->compare && pane < job->compare->count ? job->compare->panes[pane].live : job->live;
    const tide_solver *solver = tide_world_solver(tide_live_world(live));
    TIDE_SCOPED_BY(tide_text_free) tide_text written = { 0 };
    tide_live_write_solver(live, &written);
    tide_text *text = tide_web_tell("solver");
    tide_json_count(text, "pane", pane);
    tide_json_string(text, "name", tide_solver_kind_of(solver)->name);
    tide_json_string(text, "text", written.bytes);
    add_options(text, solver);
    if (!tide_solver_kind_is_own(tide_solver_kind_of(solver)))
        add_fields(text, "fields", tide_solver_kind_of(solver)->fields);
    tide_json_number(text, "timestep", tide_world_get_settings(tide_live_world(live))->timestep);
    tide_json_boolean(text, "own", !tide_live_solver_text(live));
    tide_web_told();
}

void tide_web_tell_panes(void)
{
    const tide_job *job = tide_web_job();
    const tide_compare *c = job->compare;
    tide_text *text = tide_web_tell("panes");
    tide_json_open(text, "list", '[');
    for (uint32_t i = 0; c && i < c->count; i++) {
        TIDE_SCOPED_BY(tide_text_free) tide_text numbers = { 0 };
        char message[1200];
        const tide_failure *failure = tide_live_failure(c->panes[i].live);
        tide_compare_write(c, i, &numbers);
        tide_json_open(text, NULL, '{');
        tide_json_count(text, "index", i);
        tide_json_string(text, "label", c->panes[i].label);
        tide_json_boolean(text, "failed", tide_compare_has_stopped(&c->panes[i]));
        tide_json_string(
            text, "failure",
            failure->kind == TIDE_FAILURE_NONE ? "" : tide_error_text(&failure->error, message, sizeof message));
        tide_json_string(text, "text", numbers.bytes ? numbers.bytes : "");
        tide_json_close(text, '}');
    }
    tide_json_close(text, ']');
    tide_web_told();
}
