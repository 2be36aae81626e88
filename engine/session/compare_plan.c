#include "session/compare_plan.h"

#include "session/live_fork.h"
#include "session/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Study lists are reused: one axis for --vary, one for --timesteps.
static const tide_study_mode mode = { .name = "comparison",
                                      .frames = 1,
                                      .solvers = TIDE_STUDY_OF_SCENE,
                                      .sweep = TIDE_STUDY_OPTIONAL,
                                      .across = TIDE_STUDY_OPTIONAL };

static tide_status add_axis(const tide_study_axis *axis, uint32_t index, tide_pane_def *def, tide_error *error)
{
    double value = tide_study_axis_value(axis, index);
    size_t used = strlen(def->solver);
    if (isnan(value))
        return TIDE_OK;
    if (axis->of == TIDE_STUDY_TIMESTEP)
        def->timestep = value;
    else if (axis->of == TIDE_STUDY_PARAM) {
        snprintf(def->param, sizeof def->param, "%s", axis->name);
        snprintf(def->value, sizeof def->value, "%.17g", value);
    } else if (snprintf(def->solver + used, sizeof def->solver - used, ",%s=%.17g", axis->name, value) >=
               (int)(sizeof def->solver - used))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--solvers", def->solver,
                         "a solver has too many options");
    return TIDE_OK;
}

static tide_status make_panes(const tide_study *study, tide_compare_plan *plan, tide_error *error)
{
    uint32_t values = tide_study_axis_count(&study->sweep), steps = tide_study_axis_count(&study->across);
    uint64_t count = (uint64_t)study->solver_count * values * steps;
    char shown[32];
    snprintf(shown, sizeof shown, "%llu panes", (unsigned long long)count);
    if (count > TIDE_PANES_MOST)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, shown, "expected at most %d",
                         TIDE_PANES_MOST);
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; i < count && status == TIDE_OK; i++) {
        tide_pane_def *def = &plan->panes[plan->count++];
        *def = (tide_pane_def) { 0 };
        snprintf(def->solver, sizeof def->solver, "%s", study->solvers[i / (values * steps)].text);
        status = add_axis(&study->sweep, i / steps % values, def, error);
        if (status == TIDE_OK)
            status = add_axis(&study->across, i % steps, def, error);
    }
    return status;
}

// Renames the study's options in an error to those of this command.
static void rename_option(tide_error *error)
{
    if (strcmp(error->field, "--sweep") == 0)
        snprintf(error->field, sizeof error->field, "--vary");
    else if (strcmp(error->field, "--across") == 0)
        snprintf(error->field, sizeof error->field, "--timesteps");
}

static tide_status read_plan(const tide_scene_options *scene, const char *solvers, const char *vary, const char *steps,
                             tide_compare_plan *plan, bool *refused, tide_error *error)
{
    tide_study study;
    tide_study_request request = { .scene = *scene, .solvers = solvers, .sweep = vary };
    char timesteps[512];
    *plan = (tide_compare_plan) { 0 };
    *refused = false;
    if (!solvers && !vary && !steps)
        return TIDE_OK;
    if (steps) {
        snprintf(timesteps, sizeof timesteps, "timestep=%.490s", steps);
        request.across = timesteps;
    }
    tide_status status = tide_study_create(&request, &mode, &study, error);
    *refused = status != TIDE_OK && study.refused;
    if (status == TIDE_OK) {
        status = make_panes(&study, plan, error);
        *refused = status != TIDE_OK;
    }
    tide_study_free(&study);
    if (status != TIDE_OK)
        rename_option(error);
    return status;
}

tide_status tide_compare_plan_read(const tide_run_options *options, tide_compare_plan *plan, bool *refused,
                                   tide_error *error)
{
    const tide_compare_options *c = &options->compare;
    return read_plan(&options->scene, c->solvers, c->vary, c->timesteps, plan, refused, error);
}

tide_status tide_compare_plan_of_scene(const tide_run_options *options, tide_live *live, tide_compare_plan *plan,
                                       tide_error *error)
{
    bool refused;
    const tide_comparison *declared = tide_script_comparison(tide_live_script(live));
    tide_scene_options scene = options->scene;
    *plan = (tide_compare_plan) { 0 };
    if (!declared)
        return TIDE_OK;
    scene.path = tide_live_path(live);
    tide_status status =
        read_plan(&scene, declared->solvers, declared->vary, declared->timesteps, plan, &refused, error);
    if (status != TIDE_OK && refused) { // the scene is at fault, not the command line
        snprintf(error->object, sizeof error->object, "tide.compare");
        error->field[0] = '\0';
    }
    return status;
}

tide_status tide_compare_plan_usual(tide_live *live, tide_compare_plan *plan, tide_error *error)
{
    enum { USUAL = 4 };
    static const char *const others[] = { "local_global", "lbfgs", "xpbd", "vbd", "newton" };
    const char *own = tide_solver_kind_of(tide_world_solver(tide_live_world(live)))->name;
    tide_text text = { 0 };
    *plan = (tide_compare_plan) { .count = 1 };
    tide_live_write_solver(live, &text);
    if (text.failed || text.length >= sizeof plan->panes->solver) {
        tide_text_free(&text);
        return tide_fail(error, TIDE_ERROR_STATE, "comparison", "solver", own, "its options are too many to write");
    }
    snprintf(plan->panes[0].solver, sizeof plan->panes[0].solver, "%s", text.bytes);
    tide_text_free(&text);
    for (size_t i = 0; i < sizeof others / sizeof *others && plan->count < USUAL; i++)
        if (strcmp(others[i], own) != 0)
            snprintf(plan->panes[plan->count++].solver, sizeof plan->panes->solver, "%s", others[i]);
    return TIDE_OK;
}
