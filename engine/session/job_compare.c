// A job's panes: the part of a job that steps, draws and records several experiments.
#include "session/job_compare.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "session/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct tide_comparing {
    tide_compare_view *view;
    uint64_t declared;     // hash of the scene's request at the last check
    uint64_t steps_before; // of the first pane, when the panes were opened
    tide_text rows;
    bool told[TIDE_PANES_MOST]; // the user was told that it has stopped
} comparing;

// --- opening and closing ---------------------------------------------------------------------------------------------

static tide_status make_comparing(tide_job *job, tide_error *error)
{
    if (job->comparing)
        return TIDE_OK;
    job->comparing = tide_allocate_zeroed(1, sizeof *job->comparing);
    if (!job->comparing)
        return tide_fail_memory(error, "comparison");
    return tide_compare_view_create(&job->comparing->view, error);
}

// Removes panes from the usual plan that the scene refuses.
static void leave_out(tide_live *live, tide_compare_plan *plan)
{
    uint32_t kept = 1;
    for (uint32_t i = 1; i < plan->count; i++)
        if (tide_script_check_solver(tide_live_script(live), plan->panes[i].solver, NULL) == TIDE_OK)
            plan->panes[kept++] = plan->panes[i];
    plan->count = kept;
}

static bool are_panes_seen(const tide_run_options *options)
{
    return options->compare.wanted || !options->headless || options->png || options->video;
}

static uint64_t hash_declared(tide_job *job)
{
    const tide_comparison *declared = tide_script_comparison(tide_live_script(job->live));
    uint64_t hash = TIDE_HASH_START;
    if (!declared)
        return 0;
    hash = tide_hash_string(hash, declared->solvers ? declared->solvers : "");
    hash = tide_hash_string(hash, declared->vary ? declared->vary : "");
    return tide_hash_string(hash, declared->timesteps ? declared->timesteps : "");
}

tide_status tide_job_follow_scene(tide_job *job, bool *changed, tide_error *error)
{
    uint64_t declared = hash_declared(job);
    uint64_t before = job->comparing ? job->comparing->declared : 0;
    *changed = declared != before && !job->plan.count && !job->replay;
    if (!*changed)
        return TIDE_OK;
    TIDE_TRY(make_comparing(job, error));
    job->comparing->declared = declared; // even if this fails
    tide_compare_close(job->compare);
    job->compare = NULL;
    return declared ? tide_job_compare(job, error) : TIDE_OK;
}

tide_status tide_job_compare(tide_job *job, tide_error *error)
{
    tide_history_span span = tide_live_history(job->live);
    tide_status status = make_comparing(job, error);
    tide_compare_plan plan = job->plan;
    if (status == TIDE_OK && !plan.count)
        status = tide_compare_plan_of_scene(job->options, job->live, &plan, error);
    if (status == TIDE_OK && !plan.count) {
        status = tide_compare_plan_usual(job->live, &plan, error);
        leave_out(job->live, &plan);
    }
    if (!are_panes_seen(job->options) && plan.count) // the first one is always opened: it is the scene
        plan.count = 1;
    if (status == TIDE_OK)
        status = tide_compare_open(job->live, &plan, span.limit / (plan.count ? plan.count : 1), &job->compare, error);
    if (status != TIDE_OK)
        return status;
    job->comparing->declared = hash_declared(job);
    job->comparing->steps_before = tide_live_steps(job->live);
    memset(job->comparing->told, 0, sizeof job->comparing->told);
    return TIDE_OK;
}

// Steps to --frame before the panes are opened.
static tide_status go_to_frame(tide_job *job, tide_error *error)
{
    tide_progress progress;
    uint64_t frame = job->options->compare.frame;
    tide_status status = TIDE_OK;
    tide_progress_begin(&progress);
    while (status == TIDE_OK && tide_live_steps(job->live) < frame) {
        status = tide_live_step(job->live, error);
        tide_progress_show(&progress, "frames before the fork", tide_live_steps(job->live), frame);
    }
    tide_progress_end(&progress);
    return status;
}

tide_status tide_job_begin_comparing(tide_job *job, bool *refused, tide_error *error)
{
    *refused = false;
    if (!job->options->compare.wanted)
        return !job->replay && tide_script_comparison(tide_live_script(job->live)) ? tide_job_compare(job, error)
                                                                                   : TIDE_OK;
    TIDE_TRY(tide_compare_plan_read(job->options, &job->plan, refused, error));
    TIDE_TRY(go_to_frame(job, error));
    return tide_job_compare(job, error);
}

tide_status tide_job_continue_with(tide_job *job, uint32_t pane, tide_error *error)
{
    TIDE_TRY(tide_compare_continue_as(job->compare, pane, error));
    tide_compare_close(job->compare);
    job->compare = NULL;
    return TIDE_OK;
}

void tide_job_end_comparing(tide_job *job)
{
    tide_compare_close(job->compare);
    job->compare = NULL;
    if (job->comparing) {
        tide_compare_view_destroy(job->comparing->view);
        tide_text_free(&job->comparing->rows);
    }
    tide_free(job->comparing);
    job->comparing = NULL;
}

// --- frames ----------------------------------------------------------------------------------------------------------

uint64_t tide_job_steps(const tide_job *job)
{
    uint64_t before = job->options->compare.wanted ? 0 : job->compare ? job->comparing->steps_before : 0;
    return job->compare ? before + job->compare->frames : tide_live_steps(job->live);
}

bool tide_job_is_over(const tide_job *job)
{
    const tide_run_options *options = job->options;
    if (job->compare && options->headless && tide_compare_is_over(job->compare))
        return true;
    if (options->frames_given)
        return tide_job_steps(job) >= options->frames;
    if (job->replay)
        return options->headless && tide_replay_is_over(job->replay);
    return options->headless && tide_job_steps(job) >= TIDE_HEADLESS_FRAMES;
}

static void tell_stopped(tide_job *job)
{
    char message[1200];
    for (uint32_t i = 0; i < job->compare->count; i++) {
        const tide_pane *pane = &job->compare->panes[i];
        if (job->comparing->told[i] || !tide_compare_has_stopped(pane))
            continue;
        job->comparing->told[i] = true;
        tide_log(TIDE_LOG_WARNING, "pane %u (%s) has stopped, the others go on: %s", i + 1, pane->label,
                 tide_error_text(&tide_live_failure(pane->live)->error, message, sizeof message));
    }
}

tide_status tide_job_step_panes(tide_job *job, tide_error *error)
{
    const tide_run_options *options = job->options;
    tide_compare *c = job->compare;
    tide_status status = tide_compare_step(c, error);
    tell_stopped(job);
    bool due = options->compare.errors && c->frames % options->compare.errors == 0;
    if (status == TIDE_OK && (due || (options->headless && tide_job_is_over(job))))
        status = tide_compare_measure(c, error);
    return status;
}

tide_status tide_job_draw_panes(tide_job *job, bool callback, tide_pane_mark *mark, void *context, tide_error *error)
{
    return tide_compare_draw(job->comparing->view, job, callback, mark, context, error);
}

// --- what is written -------------------------------------------------------------------------------------------------

static void add_cell(tide_text *rows, double value)
{
    if (isnan(value))
        tide_text_format(rows, ",");
    else
        tide_text_format(rows, ",%.9g", value);
}

tide_status tide_job_record_panes(tide_job *job, tide_error *error)
{
    tide_text *rows = &job->comparing->rows;
    const tide_compare *c = job->compare;
    if (!job->options->compare.wanted || !job->options->stats)
        return TIDE_OK;
    if (!rows->length)
        tide_text_format(rows, "frame,pane,label,time,steps,iterations,milliseconds,error,rms_distance,kinetic,elastic,"
                               "gravity,total,stopped\n");
    for (uint32_t i = 0; i < c->count; i++) {
        const tide_pane *pane = &c->panes[i];
        tide_world *world = tide_live_world(pane->live);
        tide_energy energy;
        bool fresh = pane->measured && pane->error.frame == tide_world_frame(world);
        TIDE_TRY(tide_world_energy(world, &energy, error));
        tide_text_format(rows, "%" PRIu64 ",%u,\"%s\",%.9g,%" PRIu32 ",%" PRIu32, c->frames, i + 1, pane->label,
                         tide_world_time(world), pane->new_steps, pane->iterations);
        add_cell(rows, pane->new_steps ? 1e3 * pane->new_seconds / pane->new_steps : NAN);
        add_cell(rows, fresh ? pane->error.error : NAN);
        add_cell(rows, pane->distance);
        add_cell(rows, energy.kinetic);
        add_cell(rows, energy.elastic);
        add_cell(rows, energy.gravity);
        add_cell(rows, energy.total);
        tide_text_format(rows, ",%d\n", tide_compare_has_stopped(pane));
    }
    return rows->failed ? tide_fail_memory(error, "comparison") : TIDE_OK;
}

static void print_pane(const tide_compare *c, uint32_t index)
{
    const tide_pane *pane = &c->panes[index];
    tide_energy energy = { .total = NAN };
    char length[32] = "-", left[24] = "-", time[32] = "-";
    tide_world_energy(tide_live_world(pane->live), &energy, NULL);
    if (!isnan(pane->distance))
        tide_compare_write_length(pane->distance, length);
    if (pane->measured && !isnan(pane->error.error))
        snprintf(left, sizeof left, "%.3g %%", 100 * pane->error.error);
    if (pane->steps)
        tide_compare_write_time(pane->steps > 1 ? pane->seconds / (double)(pane->steps - 1) : pane->recent, time);
    printf("%u  %-44s %10s %10" PRIu32 " %12s %12s %12.5g%s\n", index + 1, pane->label, time, pane->iterations, left,
           length, energy.total, tide_compare_has_stopped(pane) ? "  stopped" : "");
}

static tide_status print_hashes(const tide_compare *c, tide_error *error)
{
    uint64_t hash;
    for (uint32_t i = 0; i < c->count; i++) {
        TIDE_TRY(tide_world_hash(tide_live_world(c->panes[i].live), &hash, error));
        printf("%016" PRIx64 "  %s\n", hash, c->panes[i].label);
    }
    return TIDE_OK;
}

tide_status tide_job_finish_panes(tide_job *job, tide_error *error)
{
    const tide_run_options *options = job->options;
    const tide_compare *c = job->compare;
    tide_status status = TIDE_OK;
    if (!options->compare.wanted)
        return TIDE_OK;
    if (options->stats && job->comparing->rows.length)
        status = tide_make_folders(options->stats, error);
    if (status == TIDE_OK && options->stats && job->comparing->rows.length)
        status = tide_text_save(&job->comparing->rows, options->stats, options->stats, error);
    if (status != TIDE_OK || !c)
        return status;
    if (options->headless) {
        printf("After %" PRIu64 " frames from frame %" PRIu64
               "; \"error\" is what of a step's error its solver leaves, "
               "\"off\" the root mean\nsquare distance of the particles from the first pane's.\n",
               c->frames, options->compare.frame);
        printf("   %-44s %10s %10s %12s %12s %12s\n", "pane", "a step", "iterations", "error", "off", "energy (J)");
        for (uint32_t i = 0; i < c->count; i++)
            print_pane(c, i);
    }
    return options->hash ? print_hashes(c, error) : TIDE_OK;
}
