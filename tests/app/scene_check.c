// A mode of the test program: runs a scene file and after every frame holds all that may touch against all that it may
// touch, by brute force (collision/brute_force.h). It is what test_contact_scenes.sh runs, once a scene:
//
//     SPRINGTIDE_CHECK_SCENE=scenes/drape.lua springtide-tests scene_check
//
// prints a line of TAP and lines "# NAME: ..." of what was found. SPRINGTIDE_CHECK_FRAMES: how many (300).
// SPRINGTIDE_CHECK_APART: the first frame in which nothing may be inside or cross, of a scene that begins crossed (0).
// SPRINGTIDE_CHECK_SOLVERS: instead, from the start under each of these solvers ("NAME[,key=value...]", apart by
// spaces); then only what is not finite, or a step that fails, is a failure. SPRINGTIDE_CHECK_SET: NAME=VALUE of the
// scene's parameters, apart by spaces. Without a scene there is no such test.
#include "tests.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "collision/brute_force.h"
#include "collision/crossings.h"
#include "contact/contacts.h"
#include "contact/continuous.h"
#include "script/script.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEEPEST 1e-6 // m, beyond what a collider keeps between its surface and what touches it
#define NEAR 1e-4    // m, counts as touching

enum { EVERY = 100, MOST_WORDS = 64 }; // frames; in one of these many the grid, boxes and trees are not trusted either

typedef struct findings {
    uint64_t frames, touched; // in so many frames something touched a collider
    double depth;             // m, the deepest below the collider's thickness; negative: how far off
    double share;             // of its own half thickness that the nearest point has kept
    char deepest[160];
    uint64_t crossings, undecided, at_start; // the most in a frame; at the start
    uint64_t first_crossing;                 // frame, 0: none
    char crossing[160];
    double energy, energy_at_start, kinetic; // J: the largest total; the last kinetic
    uint64_t most_energy_frame;
    double seconds; // of processor time in steps
    char failure[2048];
} findings;

typedef struct checker {
    tide_script *script;
    tide_world *world;
    tide_contact_surface *surface;
    double *x;          // (3 * surface->point_count)
    uint32_t particles; // of the world when the surface was made
    bool continuous;
} checker;

// --- where points are -----------------------------------------------------------------------------------------------

static void gather(checker *k)
{
    tide_world *world = k->world;
    size_t next = tide_world_particle_count(world);
    memcpy(k->x, tide_world_all_positions(world), 3 * next * sizeof *k->x);
    for (uint32_t b = 0; b < tide_world_body_count(world); b++) {
        tide_body_id id = tide_world_body_at(world, b);
        const tide_mesh *fine = tide_world_surface(world, id);
        if (fine)
            tide_world_surface_positions(world, id, k->x + 3 * next);
        next += fine ? fine->vertex_count : 0;
    }
    for (uint32_t p = 0; p < k->surface->part_count; p++) {
        const tide_contact_part *part = &k->surface->parts[p];
        if (!part->fixed)
            continue;
        tide_pose pose = tide_collider_pose(world->colliders[part->collider], 1);
        for (uint32_t i = part->first_point; i < part->first_point + part->point_count; i++)
            tide_pose_apply(&pose, k->surface->rest + 3 * (size_t)i, k->x + 3 * (size_t)i);
    }
}

// "vertex 12 of \"cloth\"", from 1 as scripts count; the fine ones of a body with a surface.
static const char *point_name(const checker *k, uint32_t point, char text[96])
{
    const tide_contact_part *part = &k->surface->parts[k->surface->part_of[point]];
    const char *name = "";
    if (part->fixed)
        name = k->world->colliders[part->collider]->name;
    else if (point < tide_world_particle_count(k->world))
        name = tide_world_body_of_particle(k->world, point)->name;
    else {
        uint32_t first = tide_world_particle_count(k->world);
        for (size_t b = 0; b < k->world->body_count; b++) {
            const tide_mesh *fine = k->world->bodies[b]->surface;
            if (fine && point >= first && point - first < fine->vertex_count)
                name = k->world->bodies[b]->name;
            first += fine ? fine->vertex_count : 0;
        }
    }
    snprintf(text, 96, "vertex %u of \"%.60s\"", point - part->first_point + 1, name);
    return text;
}

// --- one frame ------------------------------------------------------------------------------------------------------

static bool is_outside_box(const double p[3], const double lower[3], const double upper[3], double margin)
{
    for (int i = 0; i < 3; i++)
        if (p[i] < lower[i] - margin || p[i] > upper[i] + margin)
            return true;
    return false;
}

// The gap of a point to a collider; `twice`: a mesh's by all its triangles, too, and the smaller of the two.
static double gap_of(const tide_collider *collider, const tide_pose *pose, const double *p, bool twice)
{
    double gap = tide_collider_gap_at(collider, pose, p, NULL), own[3];
    if (!twice || collider->kind != &tide_shape_mesh)
        return gap;
    tide_pose_apply_inverse(pose, p, own);
    return fmin(gap, brute_distance(collider->shape.surface, own) - collider->thickness);
}

// Returns the distance of the nearest point from contact.
static double check_collider(checker *k, const tide_collider *collider, findings *f)
{
    const tide_contact_surface *s = k->surface;
    bool thorough = f->frames % EVERY == 0;
    double lower[3], upper[3], nearest = INFINITY;
    tide_pose pose = tide_collider_pose(collider, 1);
    tide_collider_bounds(collider, 1, 1, lower, upper);
    for (uint32_t p = 0; p < s->point_count; p++) {
        const tide_contact_part *part = &s->parts[s->part_of[p]];
        const double *at = k->x + 3 * (size_t)p;
        if (part->fixed || !part->against_colliders || s->inverse_masses[p] == 0)
            continue;
        bool away = is_outside_box(at, lower, upper, part->radius);
        if (away && !thorough)
            continue;
        double gap = gap_of(collider, &pose, at, thorough && !is_outside_box(at, lower, upper, 0.02));
        if (!isfinite(gap) && f->failure[0] == 0)
            snprintf(f->failure, sizeof f->failure, "a distance is not finite in frame %llu",
                     (unsigned long long)f->frames);
        nearest = fmin(nearest, gap - part->radius);
        if (part->radius > 0)
            f->share = fmin(f->share, gap / part->radius);
        if (-gap > f->depth) {
            char name[96];
            f->depth = -gap;
            snprintf(f->deepest, sizeof f->deepest, "%s in \"%.30s\", frame %llu", point_name(k, p, name),
                     collider->name, (unsigned long long)f->frames);
        }
    }
    return nearest;
}

static void check_crossings(checker *k, findings *f)
{
    brute_crossings found = brute_find_crossings(k->surface, k->x);
    f->undecided = found.undecided > f->undecided ? found.undecided : f->undecided;
    if (f->frames % EVERY == 0) { // all pairs, with exact signs
        uint64_t all = tide_contact_count_crossings(k->surface, k->x, NULL, NULL);
        if (all < found.count || all > found.count + found.undecided)
            snprintf(f->failure, sizeof f->failure,
                     "frame %llu: all pairs have %llu crossings, the grid finds %llu and %llu undecided",
                     (unsigned long long)f->frames, (unsigned long long)all, (unsigned long long)found.count,
                     (unsigned long long)found.undecided);
        found.count = all > found.count ? all : found.count;
    }
    if (f->frames == 0)
        f->at_start = found.count;
    else if (found.count && f->first_crossing == 0) {
        char one[96], other[96];
        f->first_crossing = f->frames;
        snprintf(f->crossing, sizeof f->crossing, "the edge from %s crosses the triangle of %s",
                 point_name(k, k->surface->edges[2 * (size_t)found.edge], one),
                 point_name(k, k->surface->triangles[3 * (size_t)found.triangle], other));
    }
    f->crossings = found.count > f->crossings ? found.count : f->crossings;
}

static void check_numbers(checker *k, findings *f)
{
    tide_error error;
    tide_energy energy;
    char text[1024];
    if (tide_world_energy(k->world, &energy, &error) != TIDE_OK) {
        snprintf(f->failure, sizeof f->failure, "%s", tide_error_text(&error, text, sizeof text));
        return;
    }
    if (!isfinite(energy.total) && f->failure[0] == 0)
        snprintf(f->failure, sizeof f->failure, "the energy is not finite in frame %llu",
                 (unsigned long long)f->frames);
    for (size_t i = 0; i < 3 * (size_t)k->surface->point_count; i++)
        if (!isfinite(k->x[i]) && f->failure[0] == 0)
            snprintf(f->failure, sizeof f->failure, "coordinate %zu of all points is not finite in frame %llu", i,
                     (unsigned long long)f->frames);
    const double *v = tide_world_all_velocities(k->world);
    for (size_t i = 0; i < 3 * (size_t)tide_world_particle_count(k->world); i++)
        if (!isfinite(v[i]) && f->failure[0] == 0)
            snprintf(f->failure, sizeof f->failure, "velocity %zu is not finite in frame %llu", i,
                     (unsigned long long)f->frames);
    if (f->frames == 0)
        f->energy_at_start = energy.total;
    f->kinetic = energy.kinetic;
    if (energy.total > f->energy) {
        f->energy = energy.total;
        f->most_energy_frame = f->frames;
    }
}

// --- a run ----------------------------------------------------------------------------------------------------------

// Makes the surface of all that may touch, and room for its points; again when a body has come apart.
static void make_surface(checker *k)
{
    tide_error error;
    const tide_system *system;
    tide_free(k->x);
    tide_free(k->surface);
    assert_ok(tide_world_system(k->world, &system, &error), error);
    assert_ok(tide_world_make_surface(k->world, false, &k->surface, &error), error);
    k->x = tide_allocate_array(3 * (size_t)k->surface->point_count + 1, sizeof *k->x);
    assert_non_null(k->x);
    k->particles = tide_world_particle_count(k->world);
}

static void look(checker *k, findings *f, bool contacts)
{
    if (k->particles != tide_world_particle_count(k->world))
        make_surface(k);
    gather(k);
    check_numbers(k, f);
    if (f->failure[0])
        return;
    if (!contacts)
        return;
    const char *apart = getenv("SPRINGTIDE_CHECK_APART");
    if (apart && f->frames < strtoull(apart, NULL, 10))
        return;
    double nearest = INFINITY;
    for (size_t c = 0; c < k->world->collider_count && f->frames > 0; c++)
        nearest = fmin(nearest, check_collider(k, k->world->colliders[c], f));
    f->touched += nearest < NEAR;
    check_crossings(k, f);
}

static findings run_frames(checker *k, uint64_t frames, bool contacts)
{
    findings f = { .depth = -INFINITY, .share = INFINITY, .energy = -INFINITY };
    tide_error error;
    look(k, &f, contacts);
    while (f.frames < frames && f.failure[0] == 0) {
        clock_t start = clock();
        if (tide_script_step(k->script, &error) != TIDE_OK) {
            char text[1024];
            snprintf(f.failure, sizeof f.failure, "frame %llu: %s", (unsigned long long)f.frames + 1,
                     tide_error_text(&error, text, sizeof text));
            break;
        }
        f.seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
        f.frames++;
        look(k, &f, contacts);
    }
    return f;
}

static void open_scene(checker *k, const char *path)
{
    tide_error error;
    static char words[1024];
    tide_setting settings[MOST_WORDS];
    tide_script_options options = { .settings = settings, .library = "scripts" };
    const char *set = getenv("SPRINGTIDE_CHECK_SET");
    snprintf(words, sizeof words, "%s", set ? set : "");
    for (char *word = strtok(words, " "); word && options.setting_count < MOST_WORDS; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value = 0;
        settings[options.setting_count++] = (tide_setting) { word, value + 1 };
    }
    assert_ok(tide_script_open(path, &options, &k->script, &error), error);
    k->world = tide_script_world(k->script);
    k->continuous = tide_world_get_settings(k->world)->contact.continuous;
    make_surface(k);
}

static void close_scene(checker *k)
{
    tide_free(k->x);
    tide_free(k->surface);
    tide_script_close(k->script);
}

static void print_findings(const checker *k, const char *name, const findings *f)
{
    printf("# %s: %llu frames of %.1f ms; ", name, (unsigned long long)f->frames,
           1e3 * f->seconds / (double)(f->frames ? f->frames : 1));
    if (k->world->collider_count && isfinite(f->depth))
        printf("nearest %.4g mm off (%.0f %% of half its thickness), %s; touches in %llu; ", -1e3 * f->depth,
               100 * f->share, f->deepest, (unsigned long long)f->touched);
    printf("%s: %llu crossings at most (%llu at the start, first in frame %llu%s%s), %llu undecided; energy %.4g to "
           "%.4g J in frame %llu, kinetic at the end %.3g J\n",
           k->continuous ? "continuous" : "not continuous", (unsigned long long)f->crossings,
           (unsigned long long)f->at_start, (unsigned long long)f->first_crossing, f->first_crossing ? ", " : "",
           f->crossing, (unsigned long long)f->undecided, f->energy_at_start, f->energy,
           (unsigned long long)f->most_energy_frame, f->kinetic);
}

static bool print_result(const char *name, const char *what, const char *failure)
{
    printf("%s - %s: %s\n", failure[0] ? "not ok" : "ok", name, what);
    if (failure[0])
        printf("# %s\n", failure);
    return failure[0] == 0;
}

static bool check_frames(checker *k, const char *name, uint64_t frames)
{
    char what[200];
    findings f = run_frames(k, frames, true);
    if (f.failure[0] == 0 && f.depth > DEEPEST)
        snprintf(f.failure, sizeof f.failure, "%.3g m deep: %s", f.depth, f.deepest);
    else if (f.failure[0] == 0 && k->continuous && f.at_start == 0 && f.first_crossing)
        snprintf(f.failure, sizeof f.failure, "%llu crossings, the first in frame %llu: %s",
                 (unsigned long long)f.crossings, (unsigned long long)f.first_crossing, f.crossing);
    print_findings(k, name, &f);
    snprintf(what, sizeof what, "nothing is in a collider%s in %llu frames",
             k->continuous ? ", and nothing crosses," : "", (unsigned long long)frames);
    return print_result(name, what, f.failure);
}

static bool check_solvers(checker *k, const char *name, uint64_t frames, const char *list)
{
    char words[2048], what[200];
    tide_error error;
    tide_snapshot *start;
    bool good = true;
    snprintf(words, sizeof words, "%s", list);
    assert_ok(tide_world_snapshot(k->world, &start, &error), error);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        assert_ok(tide_world_restore(k->world, start, &error), error);
        assert_ok(tide_script_set_solver(k->script, word, &error), error);
        findings f = run_frames(k, frames, false);
        printf(
            "# %s under %s: %llu frames of %.1f ms; energy %.4g to %.4g J in frame %llu, kinetic at the end %.3g J\n",
            name, word, (unsigned long long)f.frames, 1e3 * f.seconds / (double)(f.frames ? f.frames : 1),
            f.energy_at_start, f.energy, (unsigned long long)f.most_energy_frame, f.kinetic);
        snprintf(what, sizeof what, "%llu frames under %s", (unsigned long long)frames, word);
        good = print_result(name, what, f.failure) && good;
        fflush(stdout);
    }
    tide_snapshot_destroy(start);
    return good;
}

static void test_scene(void **state)
{
    (void)state;
    checker k = { 0 };
    const char *path = getenv("SPRINGTIDE_CHECK_SCENE"), *text = getenv("SPRINGTIDE_CHECK_FRAMES");
    const char *solvers = getenv("SPRINGTIDE_CHECK_SOLVERS"), *name = strstr(path, "scenes/");
    uint64_t frames = text ? strtoull(text, NULL, 10) : 300;
    name = name ? name + strlen("scenes/") : path;
    open_scene(&k, path);
    bool good = solvers ? check_solvers(&k, name, frames, solvers) : check_frames(&k, name, frames);
    close_scene(&k);
    assert_true(good);
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(test_scene) };

static int run(void)
{
    return cmocka_run_group_tests_name("scene_check", tests, NULL, NULL);
}

__attribute__((constructor)) static void register_scene_check(void)
{
    if (getenv("SPRINGTIDE_CHECK_SCENE"))
        tide_test_register("scene_check", run);
}
