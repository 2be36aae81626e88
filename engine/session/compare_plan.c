#include "session/compare_plan.h"

#include "base/memory.h"
#include "script/laboratory.h"
#include "session/live_fork.h"

#include <stdio.h>
#include <string.h>

static bool add_pane(void *context, const tide_lab_pane *pane)
{
    tide_compare_plan *plan = context;
    if (plan->count == TIDE_PANES_MOST)
        return false;
    tide_pane_def *def = &plan->panes[plan->count++];
    *def = (tide_pane_def) { .timestep = pane->timestep };
    snprintf(def->param, sizeof def->param, "%s", pane->param ? pane->param : "");
    snprintf(def->value, sizeof def->value, "%s", pane->value ? pane->value : "");
    return snprintf(def->solver, sizeof def->solver, "%s", pane->solver) < (int)sizeof def->solver;
}

// The laboratory reads the lists and checks them against the scene.
static tide_status read_plan(const tide_scene_options *scene, const char *solvers, const char *vary,
                             const char *timesteps, tide_compare_plan *plan, bool *refused, tide_error *error)
{
    tide_lab_failure failure;
    const tide_script_options opening = tide_scene_script_options(scene);
    const tide_lab_option given[] = { { "study", "comparison", 0 },
                                      { "solvers", solvers, -1 },
                                      { "sweep", vary, -1 },
                                      { "across", timesteps, -1 },
                                      { 0 } };
    const tide_laboratory lab = { .module = "springtide.lab.command",
                                  .subjects = (const char *const[]) { scene->path, NULL },
                                  .options = &opening,
                                  .given = given,
                                  .pane = add_pane,
                                  .context = plan };
    *plan = (tide_compare_plan) { 0 };
    *refused = false;
    if (!solvers && !vary && !timesteps)
        return TIDE_OK;
    tide_status status = tide_laboratory_run(&lab, &failure);
    if (status == TIDE_OK)
        return TIDE_OK;
    if (failure.error.status == TIDE_OK)
        return tide_fail(error, status, "comparison", NULL, NULL, "%s", failure.message);
    *refused = failure.refused || tide_is_about_setting(opening.settings, opening.setting_count, &failure.error);
    *error = failure.error;
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
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    *plan = (tide_compare_plan) { .count = 1 };
    tide_live_write_solver(live, &text);
    if (text.failed || text.length >= sizeof plan->panes->solver)
        return tide_fail(error, TIDE_ERROR_STATE, "comparison", "solver", own, "its options are too many to write");
    snprintf(plan->panes[0].solver, sizeof plan->panes[0].solver, "%s", text.bytes);
    for (size_t i = 0; i < sizeof others / sizeof *others && plan->count < USUAL; i++)
        if (strcmp(others[i], own) != 0)
            snprintf(plan->panes[plan->count++].solver, sizeof plan->panes->solver, "%s", others[i]);
    return TIDE_OK;
}
