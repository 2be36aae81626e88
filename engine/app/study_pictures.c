// `convergence --pictures`: the scene at a frame under each solver, side by side (Liu 2013, fig. 4).
#include "app/study_sheet.h"
#include "base/memory.h"
#include "session/picture.h"
#include "session/study.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_WIDTH = 320, DEFAULT_HEIGHT = 360, MAX_COLUMNS = 5 };

typedef struct result {
    uint64_t taken; // steps; fewer than asked for when it diverged
    double milliseconds, iterations;
    uint32_t particles;
    double *positions; // (3 * particles), owned
    double distance;   // m, root mean square, of the particles from where the last solver has them
} result;

typedef struct gallery {
    const tide_study *study;
    uint32_t columns, rows, count; // of pictures
    result *results;               // (count)
    tide_sheet sheet;
} gallery;

// Steps to the frame or as far as it goes; the first step, which makes ready, does not count for the time.
static tide_status run(const tide_study *study, tide_script *script, result *out, tide_error *error)
{
    tide_world *world = tide_script_world(script);
    double seconds = 0, iterations = 0;
    tide_status status = TIDE_OK;
    while (status == TIDE_OK && out->taken < study->frame) {
        status = tide_script_update(script, error);
        double start = tide_study_seconds();
        if (status == TIDE_OK)
            status = tide_world_step(world, error);
        if (status == TIDE_OK) {
            seconds += out->taken || study->frame == 1 ? tide_study_seconds() - start : 0;
            iterations += tide_world_report(world)->iterations;
            out->taken++;
        }
        tide_study_progress("frames", out->taken, study->frame);
    }
    tide_study_progress("frames", 1, 1);
    if (status == TIDE_ERROR_NUMERIC)
        status = TIDE_OK;
    out->milliseconds = out->taken ? 1e3 * seconds / (double)(out->taken > 1 ? out->taken - 1 : 1) : NAN;
    out->iterations = out->taken ? iterations / (double)out->taken : NAN;
    return status;
}

static tide_status keep_positions(tide_script *script, result *out, tide_error *error)
{
    const tide_world *world = tide_script_world(script);
    out->particles = tide_world_particle_count(world);
    out->positions =
        tide_copy_bytes(tide_world_all_positions(world), 3 * (size_t)out->particles * sizeof *out->positions);
    return out->positions ? TIDE_OK : tide_fail_memory(error, "pictures");
}

static tide_status take_picture(gallery *g, uint32_t index, tide_error *error)
{
    const tide_study *study = g->study;
    double sweep = tide_study_axis_value(&study->sweep, index / study->solver_count);
    tide_picture picture = { 0 };
    tide_script *script = NULL;
    tide_status status =
        tide_study_open(study, study->solvers[index % study->solver_count].text, sweep, NAN, &script, error);
    if (status == TIDE_OK)
        status =
            tide_picture_create(&picture, script, g->sheet.width, g->sheet.height, study->arguments->wireframe, error);
    if (status == TIDE_OK)
        status = run(study, script, &g->results[index], error);
    if (status == TIDE_OK)
        status = keep_positions(script, &g->results[index], error);
    if (status == TIDE_OK)
        status = tide_picture_draw(&picture, script, true, error);
    if (status == TIDE_OK)
        tide_sheet_place(&g->sheet, index, &picture.image);
    tide_picture_free(&picture);
    tide_script_close(script);
    return status;
}

static double distance_between(const result *a, const result *b, uint64_t frame)
{
    if (a->particles != b->particles || a->taken != frame || b->taken != frame)
        return NAN;
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)a->particles; i++)
        sum += (a->positions[i] - b->positions[i]) * (a->positions[i] - b->positions[i]);
    return a->particles ? sqrt(sum / a->particles) : 0;
}

static void write_caption(gallery *g, uint32_t index)
{
    const tide_study *study = g->study;
    const result *r = &g->results[index];
    char label[400], more[64] = "";
    tide_study_label(study, study->solvers[index % study->solver_count].text,
                     tide_study_axis_value(&study->sweep, index / study->solver_count), label, sizeof label);
    if (r->taken < study->frame)
        snprintf(more, sizeof more, "diverged at frame %" PRIu64, r->taken + 1);
    else
        snprintf(more, sizeof more, r->milliseconds < 10 ? "%.2f ms a step" : "%.0f ms a step", r->milliseconds);
    tide_sheet_caption(&g->sheet, index, "%s\n%s", label, more);
}

static tide_status report(const gallery *g, tide_error *error)
{
    static const char *const columns[] = { "frames", "milliseconds", "iterations", "rms_distance", NULL };
    const tide_study *study = g->study;
    tide_study_table *table = NULL;
    tide_status status = tide_study_table_open(study, "pictures.csv", columns, &table, error);
    if (status != TIDE_OK)
        return status;
    printf("The state after frame %" PRIu64
           "; \"off\" is the root mean square distance of the particles from where the "
           "last solver has them.\n",
           study->frame);
    printf("%-50s %10s %12s %12s\n", "solver", "ms a step", "iterations", "off (mm)");
    for (uint32_t i = 0; i < g->count; i++) {
        const result *r = &g->results[i];
        const char *solver = study->solvers[i % study->solver_count].text;
        double sweep = tide_study_axis_value(&study->sweep, i / study->solver_count);
        char label[400];
        tide_study_label(study, solver, sweep, label, sizeof label);
        printf("%-50s %10.3g %12.4g ", label, r->milliseconds, r->iterations);
        if (isnan(r->distance)) // it diverged, or the last solver did
            printf("%12s\n", "-");
        else
            printf("%12.4g\n", 1e3 * r->distance);
        tide_study_row(table, solver, sweep, NAN);
        tide_study_cell(table, (double)r->taken);
        tide_study_cell(table, r->milliseconds);
        tide_study_cell(table, r->iterations);
        tide_study_cell(table, r->distance);
    }
    return tide_study_table_close(table, status, error);
}

static tide_status create_gallery(gallery *g, const tide_study *study, tide_error *error)
{
    const tide_arguments *arguments = study->arguments;
    uint32_t solvers = study->solver_count;
    *g = (gallery) { .study = study, .count = solvers * tide_study_axis_count(&study->sweep) };
    g->rows = study->sweep.count ? study->sweep.count : (solvers + MAX_COLUMNS - 1) / MAX_COLUMNS;
    g->columns = (g->count + g->rows - 1) / g->rows;
    g->results = tide_allocate_zeroed(g->count, sizeof *g->results);
    if (!g->results)
        return tide_fail_memory(error, "pictures");
    return tide_sheet_create(&g->sheet, g->columns, g->rows, arguments->width ? arguments->width : DEFAULT_WIDTH,
                             arguments->height ? arguments->height : DEFAULT_HEIGHT, 2, NULL, error);
}

tide_status tide_study_pictures(const tide_study *study, tide_error *error)
{
    gallery g;
    tide_status status = create_gallery(&g, study, error);
    for (uint32_t i = 0; status == TIDE_OK && i < g.count; i++)
        status = take_picture(&g, i, error);
    for (uint32_t i = 0; status == TIDE_OK && i < g.count; i++) {
        uint32_t last = i / study->solver_count * study->solver_count + study->solver_count - 1;
        g.results[i].distance = distance_between(&g.results[i], &g.results[last], study->frame);
        write_caption(&g, i);
    }
    if (status == TIDE_OK)
        status = report(&g, error);
    if (status == TIDE_OK)
        status = tide_sheet_save(&g.sheet, study->folder, "pictures.png", error);
    for (uint32_t i = 0; g.results && i < g.count; i++)
        tide_free(g.results[i].positions);
    tide_free(g.results);
    tide_sheet_free(&g.sheet);
    return status;
}
