#include "session/study.h"

#include "base/memory.h"
#include "solver/solver_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 10000, DEFAULT_FRAME = 30, DEFAULT_ITERATIONS = 100, DEFAULT_HALVINGS = 6 };

#define REFUSE(option, value, ...) tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", option, value, __VA_ARGS__)

// --- the list of solvers ---------------------------------------------------------------------------------------------

static tide_status add_solver(tide_study *study, const char *text, size_t length, tide_error *error)
{
    if (!tide_grow(&study->solvers, &study->solver_capacity, study->solver_count + 1, sizeof *study->solvers))
        return tide_fail_memory(error, "study");
    snprintf(study->solvers[study->solver_count++].text, sizeof study->solvers->text, "%.*s", (int)length, text);
    return TIDE_OK;
}

// "a,b,option=v": an item with an equals sign is an option of the solver before it; braces enclose the commas of a
// vector.
static tide_status read_solvers(tide_study *study, const char *list, tide_error *error)
{
    for (const char *item = list;; item++) {
        size_t length = 0;
        for (int depth = 0; item[length] && (depth > 0 || item[length] != ','); length++)
            depth += (item[length] == '{') - (item[length] == '}');
        bool option = memchr(item, '=', length) != NULL;
        if (length == 0)
            return REFUSE("--solvers", list, "expected names with commas between them, like local_global,newton");
        if (option && study->solver_count == 0)
            return REFUSE("--solvers", list, "expected a solver before its option, like newton,linear=pcg");
        tide_status status = TIDE_OK;
        char *last = option ? study->solvers[study->solver_count - 1].text : NULL;
        size_t used = option ? strlen(last) : 0;
        if (used + length + 64 >= sizeof study->solvers->text) // leaves room for what a study adds
            return REFUSE("--solvers", item, "a solver has too many options");
        if (option)
            snprintf(last + used, sizeof study->solvers->text - used, ",%.*s", (int)length, item);
        else
            status = add_solver(study, item, length, error);
        if (status != TIDE_OK)
            return status;
        item += length;
        if (!*item)
            return TIDE_OK;
    }
}

static bool is_explicit(const tide_solver_kind *kind)
{
    return tide_solver_has_option(kind, "substep");
}

static bool is_chosen(const tide_solver_kind *kind, int which)
{
    switch (which) {
    case TIDE_STUDY_ITERATIVE: // the other methods of order 2 solve another equation
        return tide_solver_has_option(kind, "iterations") && !is_explicit(kind) && kind->order < 2;
    case TIDE_STUDY_OF_KNOWN_ORDER:
        return kind->order > 0;
    case TIDE_STUDY_OF_KNOWN_STABILITY:
        return kind->amplification != NULL;
    default:
        return true;
    }
}

static tide_status choose_solvers(tide_study *study, int which, tide_error *error)
{
    if (which == TIDE_STUDY_OF_SCENE)
        return add_solver(study, "", 0, error);
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)) != NULL; i++) {
        tide_status status =
            is_chosen(kind, which) ? add_solver(study, kind->name, strlen(kind->name), error) : TIDE_OK;
        if (status != TIDE_OK)
            return status;
    }
    return TIDE_OK;
}

// --- axes ------------------------------------------------------------------------------------------------------------

static bool read_number(const char *text, size_t length, double *number)
{
    static const tide_field field = { .name = "value", .type = TIDE_FIELD_REAL };
    char copy[64];
    if (length == 0 || length >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    return tide_field_parse(&field, "axis", number, copy, NULL) == TIDE_OK;
}

static tide_status make_values(tide_study_axis *axis, uint32_t count, tide_error *error)
{
    axis->values = tide_allocate_array(count, sizeof *axis->values);
    axis->count = axis->values ? count : 0;
    return axis->values ? TIDE_OK : tide_fail_memory(error, "study");
}

static tide_status read_range(const char *option, const char *text, tide_study_axis *axis, tide_error *error)
{
    double ends[3];
    const char *part = text;
    for (int i = 0; i < 3; i++) {
        size_t length = strcspn(part, ":");
        if (!read_number(part, length, &ends[i]))
            return REFUSE(option, text, "expected A:B:COUNT or A:B:COUNT:log, numbers all three");
        part += length + (part[length] == ':');
        if (!*part && i < 2)
            return REFUSE(option, text, "expected a count after the two ends, like 1:100:20");
    }
    axis->logarithmic = strcmp(part, "log") == 0;
    if ((*part && !axis->logarithmic) || text[strlen(text) - 1] == ':')
        return REFUSE(option, text, "expected nothing or `log` after the count");
    if (!(ends[2] >= 2 && ends[2] <= MAX_VALUES && ends[2] == floor(ends[2])))
        return REFUSE(option, text, "expected a whole count from 2 to %d", MAX_VALUES);
    if (ends[0] == ends[1])
        return REFUSE(option, text, "expected two different ends");
    if (axis->logarithmic && !(ends[0] > 0 && ends[1] > 0))
        return REFUSE(option, text, "expected ends above 0 for `log`");
    tide_status status = make_values(axis, (uint32_t)ends[2], error);
    for (uint32_t i = 0; i < axis->count; i++) {
        double part_of_way = (double)i / (axis->count - 1);
        axis->values[i] = i + 1 == axis->count ? ends[1]
                          : axis->logarithmic  ? ends[0] * pow(ends[1] / ends[0], part_of_way)
                                               : ends[0] + part_of_way * (ends[1] - ends[0]);
    }
    return status;
}

static tide_status read_list(const char *option, const char *text, tide_study_axis *axis, tide_error *error)
{
    uint32_t count = 1;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    if (count > MAX_VALUES)
        return REFUSE(option, NULL, "expected at most %d values", MAX_VALUES);
    tide_status status = make_values(axis, count, error);
    for (uint32_t i = 0; i < axis->count; i++) {
        size_t length = strcspn(text, ",");
        if (!read_number(text, length, &axis->values[i]))
            return REFUSE(option, text, "expected numbers with commas between them, or A:B:COUNT");
        text += length + 1;
    }
    return status;
}

// Makes a column name of a parameter's name, which gnuplot might otherwise take for an expression.
static void name_column(tide_study_axis *axis)
{
    size_t length = 0;
    if (!isalpha((unsigned char)axis->name[0]))
        axis->column[length++] = '_';
    for (const char *c = axis->name; *c; c++)
        axis->column[length++] = isalnum((unsigned char)*c) || *c == '.' ? *c : '_';
    axis->column[length] = '\0';
}

static tide_status read_axis(const char *option, const char *text, tide_study_axis *axis, tide_error *error)
{
    if (!text)
        return TIDE_OK;
    size_t length = strcspn(text, "=");
    if (!text[length] || length == 0 || length >= sizeof axis->name)
        return REFUSE(option, text, "expected NAME=A,B,C or NAME=A:B:COUNT, like stiffness=1:100:20:log");
    snprintf(axis->name, sizeof axis->name, "%.*s", (int)length, text);
    name_column(axis);
    const char *values = text + length + 1;
    return strchr(values, ':') ? read_range(option, values, axis, error) : read_list(option, values, axis, error);
}

// --- what an axis is, by the scene -----------------------------------------------------------------------------------

static tide_status check_param(const char *option, const tide_param *param, tide_study_axis *axis, tide_error *error)
{
    axis->of = TIDE_STUDY_PARAM;
    if (param->unit && param->unit[0])
        snprintf(axis->label, sizeof axis->label, "%s (%.50s)", axis->name, param->unit);
    if (param->type != TIDE_PARAM_NUMBER)
        return REFUSE(option, axis->name, "this parameter of the scene is not a number");
    char value[32];
    for (uint32_t i = 0; i < axis->count; i++) {
        snprintf(value, sizeof value, "%g", axis->values[i]);
        if (param->minimum <= param->maximum &&
            !(axis->values[i] >= param->minimum && axis->values[i] <= param->maximum))
            return REFUSE(option, value, "the scene's %s goes from %g to %g", axis->name, param->minimum,
                          param->maximum);
    }
    return TIDE_OK;
}

static tide_status check_timestep(const char *option, tide_study_axis *axis, tide_error *error)
{
    axis->of = TIDE_STUDY_TIMESTEP;
    snprintf(axis->label, sizeof axis->label, "timestep (s)");
    for (uint32_t i = 0; i < axis->count; i++)
        if (!(axis->values[i] > 0 && axis->values[i] <= 10))
            return REFUSE(option, "timestep", "expected seconds above 0 and at most 10");
    return TIDE_OK;
}

static void label_option(const tide_study *study, tide_study_axis *axis)
{
    char name[64];
    size_t length = strcspn(study->solvers[0].text, ",");
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), study->solvers[0].text);
    const tide_solver_kind *kind = tide_solver_kind_find(name, NULL);
    if (!kind)
        return;
    length = strcspn(axis->name, ".");
    snprintf(name, sizeof name, "%.*s", (int)length, axis->name);
    const tide_field *field = tide_field_find(kind->fields, "", name, NULL);
    if (field && axis->name[length])
        field = tide_field_find(field->record, "", axis->name + length + 1, NULL);
    if (field && field->unit)
        snprintf(axis->label, sizeof axis->label, "%s (%s)", axis->name, field->unit);
}

static bool takes_option(tide_script *script, const tide_study_solver *solver, const tide_study_axis *axis,
                         tide_error *error)
{
    char text[sizeof solver->text + sizeof axis->name + 40];
    for (uint32_t i = 0; i < axis->count; i++) {
        snprintf(text, sizeof text, "%s,%s=%.17g", solver->text, axis->name, axis->values[i]);
        if (tide_script_check_solver(script, text, error) != TIDE_OK)
            return false;
    }
    return true;
}

static tide_status fail_unknown(const char *option, tide_script *script, const char *name, tide_error *error)
{
    enum { MAX_NAMES = 64 };
    const char *names[MAX_NAMES] = { "timestep" };
    uint32_t count = 1;
    for (uint32_t i = 0; i < tide_script_param_count(script) && count < MAX_NAMES; i++)
        names[count++] = tide_script_param_at(script, i)->name;
    const char *nearest = tide_nearest_name(name, names, count);
    if (nearest)
        return REFUSE(option, name, "there is no such parameter of the scene; did you mean %s?", nearest);
    return REFUSE(option, name,
                  "expected a parameter of the scene (tide.param), timestep, or an option of the solvers");
}

// Keeps only solvers that have the option, unless the command line names the solvers.
static tide_status check_option(tide_study *study, const char *option, tide_study_axis *axis, tide_script *script,
                                tide_error *error)
{
    tide_error refusal, last = { 0 };
    uint32_t kept = 0, refused = 0;
    bool known = false;
    axis->of = TIDE_STUDY_OPTION;
    for (uint32_t i = 0; i < study->solver_count; i++) {
        if (!study->solvers[i].text[0])
            continue;
        if (takes_option(script, &study->solvers[i], axis, &refusal)) {
            study->solvers[kept++] = study->solvers[i];
            known = true;
            continue;
        }
        bool has = !strstr(refusal.remedy, "unknown field");
        if (has || last.status == TIDE_OK)
            last = refusal;
        known = known || has;
        refused++;
    }
    if (!known)
        return fail_unknown(option, script, axis->name, error);
    if (refused && (study->request->solvers || kept == 0)) {
        if (error)
            *error = last;
        return last.status;
    }
    study->solver_count = kept;
    label_option(study, axis);
    return TIDE_OK;
}

static tide_status find_axis(tide_study *study, const char *option, tide_study_axis *axis, tide_script *script,
                             tide_error *error)
{
    if (axis->count == 0)
        return TIDE_OK;
    snprintf(axis->label, sizeof axis->label, "%s", axis->name);
    for (uint32_t i = 0; i < tide_script_param_count(script); i++)
        if (strcmp(tide_script_param_at(script, i)->name, axis->name) == 0)
            return check_param(option, tide_script_param_at(script, i), axis, error);
    return strcmp(axis->name, "timestep") == 0 ? check_timestep(option, axis, error)
                                               : check_option(study, option, axis, script, error);
}

static tide_status check_by_scene(tide_study *study, tide_error *error)
{
    tide_script *script;
    tide_script_options options = tide_scene_script_options(&study->request->scene);
    tide_status status = tide_script_open(study->scene, &options, &script, error);
    study->refused = status != TIDE_OK && tide_is_about_setting(&study->request->scene, error);
    if (status != TIDE_OK)
        return status;
    for (uint32_t i = 0; i < study->solver_count && status == TIDE_OK; i++)
        if (study->solvers[i].text[0])
            status = tide_script_check_solver(script, study->solvers[i].text, error);
    if (status == TIDE_OK)
        status = find_axis(study, "--sweep", &study->sweep, script, error);
    if (status == TIDE_OK)
        status = find_axis(study, "--across", &study->across, script, error);
    if (status == TIDE_OK && study->across.count && strcmp(study->sweep.name, study->across.name) == 0)
        status = REFUSE("--across", study->across.name, "expected another name than that of --sweep");
    if (status == TIDE_OK && study->across.count && strcmp(study->sweep.column, study->across.column) == 0)
        snprintf(study->across.column + strlen(study->across.column), 3, "_2");
    study->refused = status != TIDE_OK && status != TIDE_ERROR_MEMORY;
    if (study->refused && error)
        error->where[0] = '\0'; // the script is not at fault
    tide_script_close(script);
    return status;
}

// --- the study -------------------------------------------------------------------------------------------------------

static tide_status check_use(const char *option, const char *text, int use, const char *mode, tide_error *error)
{
    if (text && use == TIDE_STUDY_REFUSED)
        return REFUSE(option, text, "a study of %s does not take it", mode);
    if (!text && use == TIDE_STUDY_REQUIRED)
        return REFUSE(option, NULL, "a study of %s needs it, like %s stiffness=1:100:20", mode, option);
    return TIDE_OK;
}

// Refuses options that the mode would ignore.
static tide_status check_options(const tide_study_request *request, const tide_study_mode *mode, tide_error *error)
{
    const struct {
        const char *name;
        int option;
        bool given;
    } all[] = {
        { "--frame", TIDE_STUDY_FRAME, request->frame > 0 },
        { "--frames", TIDE_STUDY_FRAMES, request->frames_given },
        { "--iterations", TIDE_STUDY_ITERATIONS, request->iterations > 0 },
        { "--halvings", TIDE_STUDY_HALVINGS, request->halvings > 0 },
        { "--size", TIDE_STUDY_SIZE, request->size.width > 0 },
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].given && !(mode->takes & all[i].option))
            return REFUSE(all[i].name, NULL, "a study of %s does not take it", mode->name);
    return TIDE_OK;
}

tide_status tide_study_create(const tide_study_request *request, const tide_study_mode *mode, tide_study *study,
                              tide_error *error)
{
    *study = (tide_study) {
        .request = request,
        .scene = request->scene.path,
        .folder = request->folder ? request->folder : "convergence",
        .frame = request->frame ? request->frame : DEFAULT_FRAME,
        .frames = request->frames_given ? request->frames : mode->frames,
        .iterations = request->iterations ? request->iterations : DEFAULT_ITERATIONS,
        .halvings = request->halvings ? request->halvings : DEFAULT_HALVINGS,
        .refused = true,
    };
    tide_status status = study->frames ? TIDE_OK : REFUSE("--frames", "0", "expected at least 1 for a study");
    if (status == TIDE_OK)
        status = check_options(request, mode, error);
    if (status == TIDE_OK)
        status = check_use("--sweep", request->sweep, mode->sweep, mode->name, error);
    if (status == TIDE_OK)
        status = check_use("--across", request->across, mode->across, mode->name, error);
    if (status == TIDE_OK)
        status = read_axis("--sweep", request->sweep, &study->sweep, error);
    if (status == TIDE_OK)
        status = read_axis("--across", request->across, &study->across, error);
    if (status == TIDE_OK)
        status = request->solvers ? read_solvers(study, request->solvers, error)
                                  : choose_solvers(study, mode->solvers, error);
    if (status == TIDE_OK)
        status = check_by_scene(study, error);
    return status;
}

void tide_study_free(tide_study *study)
{
    tide_free(study->solvers);
    tide_free(study->sweep.values);
    tide_free(study->across.values);
}

uint32_t tide_study_axis_count(const tide_study_axis *axis)
{
    return axis->count ? axis->count : 1;
}

double tide_study_axis_value(const tide_study_axis *axis, uint32_t index)
{
    return axis->count ? axis->values[index] : NAN;
}
