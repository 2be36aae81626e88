// Every method of the table with its options, and a scene in which all happens at once, for tests that hold whatever
// method is added to the same.
#ifndef TIDE_TESTS_EVERY_METHOD_H
#define TIDE_TESTS_EVERY_METHOD_H

#include "method_checks.h"

#include <string.h>

// --- sets of options ------------------------------------------------------------------------------------------------

enum { EVERY_MAX_SETS = 40, EVERY_TEXT = 240 };

typedef struct every_sets {
    uint32_t count, all; // `all`: which has all at once
    char text[EVERY_MAX_SETS][EVERY_TEXT];
} every_sets;

static inline void every_add(every_sets *sets, const char *text)
{
    assert_true(sets->count < EVERY_MAX_SETS && strlen(text) < EVERY_TEXT);
    snprintf(sets->text[sets->count++], EVERY_TEXT, "%s", text);
}

static inline void every_append(char text[EVERY_TEXT], const char *name, const char *value)
{
    size_t length = strlen(text);
    int more = snprintf(text + length, EVERY_TEXT - length, "%s%s=%s", length ? "," : "", name, value);
    assert_true(more > 0 && length + (size_t)more < EVERY_TEXT);
}

// A record's choice, its numbers above 0: "damping=springs,damping.mass=0.5,damping.stiffness=0.002".
static inline void every_append_record(char text[EVERY_TEXT], const tide_field *record, const char *choice)
{
    every_append(text, record->name, choice);
    for (const tide_field *field = record->record + 1; field->name; field++) {
        char name[TIDE_FIELD_NAME_SIZE];
        tide_field whole = tide_field_within(record, field, name);
        if (field->type == TIDE_FIELD_REAL && field->initial[0] == 0 && !field->word)
            every_append(text, whole.name, field->unit && strcmp(field->unit, "1/s") == 0 ? "0.5" : "0.002");
    }
}

static inline void every_add_record(every_sets *sets, const tide_field *record)
{
    const char *const *choices = record->record->choices;
    for (uint32_t c = 0; choices[c]; c++) {
        char text[EVERY_TEXT] = "";
        if (c == (uint32_t)record->initial[0])
            continue;
        every_append_record(text, record, choices[c]);
        every_add(sets, text);
        for (const tide_field *field = record->record + 1; field->name; field++)
            if (field->type == TIDE_FIELD_BOOLEAN) {
                char name[TIDE_FIELD_NAME_SIZE], other[EVERY_TEXT];
                tide_field whole = tide_field_within(record, field, name);
                memcpy(other, text, sizeof other);
                every_append(other, whole.name, field->initial[0] ? "false" : "true");
                every_add(sets, other);
            }
    }
}

static inline const char *every_last_choice(const char *const *choices)
{
    while (choices[1])
        choices++;
    return *choices;
}

// Options that field tables cannot suggest: numbers with which a method takes other branches.
static inline void every_add_special(every_sets *sets, const char *name)
{
    static const struct {
        const char *name, *options;
    } special[] = {
        { "local_global", "acceleration=anderson,window=1,iterations=30" },
        { "local_global", "acceleration=chebyshev,delay=2,iterations=30" },
        { "newton", "linear=pcg,definite=shifted" },
        { "newton", "warm_start=3" },
        { "lbfgs", "history=1" },
        { "vbd", "rho=0.9" },
        { "semi_implicit", "adaptive=true,max_deformation=0.01" },
        { "pbd", "stiffness=1" },
        { "pbd", "stiffness=0" },
        { "explicit_euler", "substep=0.001" },
        { "verlet", "substep=0.001" },
        { "linearized_explicit", "relinearize=0.003" },
    };
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (strcmp(special[i].name, name) == 0)
            every_add(sets, special[i].options);
}

// The defaults; substeps; every choice, switch and record by itself; the last choices of all together.
static inline every_sets every_sets_of(const tide_solver_kind *kind)
{
    every_sets sets = { 0 };
    char all[EVERY_TEXT] = "substeps=2";
    every_add(&sets, "");
    every_add(&sets, "substeps=3");
    for (const tide_field *field = kind->fields; field->name; field++) {
        char text[EVERY_TEXT] = "";
        if (field->type == TIDE_FIELD_BOOLEAN) {
            every_append(text, field->name, field->initial[0] ? "false" : "true");
            every_add(&sets, text);
            every_append(all, field->name, field->initial[0] ? "false" : "true");
        } else if (field->type == TIDE_FIELD_CHOICE) {
            for (uint32_t c = 0; field->choices[c]; c++) {
                text[0] = '\0';
                every_append(text, field->name, field->choices[c]);
                if (c != (uint32_t)field->initial[0])
                    every_add(&sets, text);
            }
            every_append(all, field->name, every_last_choice(field->choices));
        } else if (field->type == TIDE_FIELD_RECORD) {
            every_add_record(&sets, field);
            every_append_record(all, field, every_last_choice(field->record->choices));
        }
    }
    sets.all = sets.count;
    every_add(&sets, all);
    every_add_special(&sets, kind->name);
    return sets;
}

static inline bool every_has(const tide_solver_kind *kind, const char *option)
{
    tide_error error;
    return tide_field_find(kind->fields, "solver", option, &error) != NULL;
}

// --- motion ---------------------------------------------------------------------------------------------------------

// Pins, a spring between them, anchors, unequal masses, a spring of rest length 0, two springs on one pair, a loop, a
// floating pair and a particle without springs.
static inline sample every_scene(void)
{
    sample s = { .name = "scene of all" };
    double mass = 0.05;
    for (uint32_t i = 0; i < 14; i++, mass *= 1.17)
        sample_particle(&s, mass, 0.25 * (i % 5), 0.06 * (i % 3), 0.3 * (i / 5));
    static const uint32_t pairs[][2] = { { 0, 1 }, { 0, 2 }, { 2, 3 }, { 3, 4 }, { 4, 1 },  { 3, 7 },  { 7, 8 },
                                         { 8, 9 }, { 9, 6 }, { 6, 7 }, { 5, 6 }, { 5, 10 }, { 12, 13 } };
    for (size_t e = 0; e < sizeof pairs / sizeof pairs[0]; e++)
        sample_join(&s, pairs[e][0], pairs[e][1], 30 + 10 * (double)e);
    s.springs[s.spring_count++] = (sample_spring) { 5, 9, 25, 0 };
    s.springs[s.spring_count++] = (sample_spring) { 3, 2, 15, 0.2 };
    s.anchors[s.anchor_count++] = (sample_anchor) { 4, 30, { 1, 0.1, 0.05 } };
    s.anchors[s.anchor_count++] = (sample_anchor) { 8, 12, { 0.7, -0.1, 0.4 } };
    s.pinned[0] = s.pinned[1] = true;
    return s;
}

// Under gravity and forces of all directions, with drag, pins at a constant velocity.
typedef struct every_run {
    const sample *s;
    tide_system *system;
    tide_solver *solver;
    double h;
    uint32_t taken;
    double q[STEPPING_NUMBERS], undamped[STEPPING_NUMBERS], velocity[STEPPING_NUMBERS], force[STEPPING_NUMBERS];
    double pinned[STEPPING_NUMBERS], x[STEPPING_NUMBERS], v[STEPPING_NUMBERS];
    tide_report report;
} every_run;

static inline void every_prepare(every_run *run)
{
    tide_error error;
    uint32_t bad;
    assert_ok(tide_solver_prepare(run->solver, run->system, run->h, run->q, &bad, &error), error);
}

static inline void every_begin(every_run *run, const sample *s, tide_solver *solver, double h)
{
    tide_random random = tide_random_seed(7);
    *run = (every_run) { .s = s, .system = sample_system(s), .solver = solver, .h = h };
    memcpy(run->q, s->x, sizeof run->q);
    sample_disturb(run->q, s->particle_count, 0.02, &random);
    sample_disturb(run->undamped, s->particle_count, 2, &random);
    every_prepare(run);
}

static inline double every_pin_velocity(uint32_t coordinate)
{
    return 0.3 - 0.15 * (coordinate % 5);
}

static inline tide_step every_inputs(every_run *run)
{
    for (uint32_t i = 0; i < 3 * run->s->particle_count; i++) {
        double mass = run->s->masses[i / 3];
        run->velocity[i] = 0.98 * run->undamped[i];
        run->force[i] = mass * ((i % 3 == 1 ? -9.81 : 0) + 2 * sin(0.7 * run->taken + i));
        run->pinned[i] = run->q[i] + run->h * every_pin_velocity(i);
    }
    return (tide_step) { run->system,   run->h, run->q, run->velocity, run->force, run->pinned, run->x, run->v,
                         run->undamped, 0,      1,      NULL };
}

static inline void every_step(every_run *run)
{
    tide_error error;
    tide_step step = every_inputs(run);
    tide_status status = tide_solver_step(run->solver, &step, &run->report, &error);
    if (status)
        print_error("%s, step %u:\n", tide_solver_kind_of(run->solver)->name, run->taken);
    assert_ok(status, error);
    memcpy(run->q, run->x, sizeof run->q);
    memcpy(run->undamped, run->v, sizeof run->undamped);
    run->taken++;
}

static inline bool every_same(const every_run *a, const every_run *b)
{
    size_t size = 3 * (size_t)a->s->particle_count * sizeof(double);
    return memcmp(a->q, b->q, size) == 0 && memcmp(a->undamped, b->undamped, size) == 0;
}

static inline void every_end(every_run *run)
{
    tide_solver_destroy(run->solver);
    tide_system_destroy(run->system);
}

#endif
