// `convergence --stability`: where a solver is stable over two parameters, measured by running it, with the line that
// the theory draws.
//
// A cell is a run of the scene of so many frames, begun with a small push of every particle in a direction of its own,
// so that nothing that grows is missed. Its size is the root of the kinetic and elastic energy, and its growth the
// largest size in the last quarter of the frames over that in the first quarter. It is stable when the growth is at
// most 2: |eigenvalue| up to 1.001 in 1000 frames. Runs end early when they have grown or shrunk beyond doubt.
//
// The theory is kind->amplification(X, Y), the largest |eigenvalue| at X = h d and Y = h^2 k0 (Shinya 2005, eq. 15 to
// 21), where h is the substep, k0 the largest eigenvalue of M^-1 K at the start and d = d0 + alpha k0 the solver's
// Rayleigh damping. Its line is where that is 1. Explicit methods are given the timestep as their substep, unless one
// is given or swept; of an automatic one the theory says nothing.
#include "session/study.h"

#include "base/memory.h"
#include "model/stiffness.h"
#include "solver/damping.h"

#include <stdio.h>
#include <string.h>

enum { FINER = 4, EIGENVALUE_ITERATIONS = 2000 }; // FINER: parts of a cell between which the theory's line is straight
static const double GROWTH = 2, FAR = 1e6, NEAR = 1e-6, UNDAMPED = 1e-9;

typedef struct cell {
    double growth, X, Y, amplification; // X, Y and amplification NAN where the theory says nothing
    bool stable;
    uint64_t frames; // that were run
} cell;

typedef struct map {
    const tide_study *study;
    const char *text;         // the solver as the user gave it
    tide_study_solver solver; // and as it runs
    const tide_solver_kind *kind;
    cell *cells; // (across.count) rows of (sweep.count)
} map;

static cell *cell_at(const map *map, uint32_t column, uint32_t row)
{
    return &map->cells[(size_t)row * map->study->sweep.count + column];
}

// --- one cell --------------------------------------------------------------------------------------------------------

static tide_status find_largest_eigenvalue(tide_world *world, double *k0, tide_error *error)
{
    const tide_system *system;
    tide_stiffness stiffness = { 0 };
    tide_status status = tide_world_system(world, &system, error);
    if (status == TIDE_OK)
        status = tide_stiffness_prepare(&stiffness, system, error);
    if (status != TIDE_OK)
        return status;
    double *vector = tide_allocate_array(system->particle_count, 3 * sizeof *vector);
    double *work = tide_allocate_array(system->particle_count, 12 * sizeof *work);
    if (vector && work) {
        tide_stiffness_evaluate(&stiffness, system, tide_world_all_positions(world), true, 1, 0);
        *k0 = tide_stiffness_largest_eigenvalue(&stiffness, 1e-6, EIGENVALUE_ITERATIONS, vector, work).value;
    } else
        status = tide_fail_memory(error, "study");
    tide_free(vector);
    tide_free(work);
    tide_stiffness_free(&stiffness);
    return status;
}

// d = d0 + alpha k0; NAN when the solver chooses it.
static double damping_of(const tide_solver *solver, double k0)
{
    const tide_damping *damping = tide_solver_option(solver, "damping");
    return !damping                              ? 0
           : damping->model == TIDE_DAMPING_NONE ? 0
           : damping->model == TIDE_DAMPING_AUTO ? NAN
                                                 : damping->mass + damping->stiffness * k0;
}

// The equal parts that a step of h seconds is cut into; NAN when the solver chooses them.
static double substep_of(const tide_solver *solver, double h)
{
    const double *longest = tide_solver_option(solver, "substep");
    if (!longest)
        return h;
    return tide_given(*longest) ? h / fmax(1, ceil(h / *longest * (1 - 1e-12))) : NAN;
}

static tide_status predict(tide_script *script, cell *cell, tide_error *error)
{
    tide_world *world = tide_script_world(script);
    const tide_solver *solver = tide_world_solver(world);
    const tide_solver_common *common = tide_solver_options(solver);
    double k0 = 0, h = substep_of(solver, tide_world_get_settings(world)->timestep / common->substeps);
    cell->X = cell->Y = cell->amplification = NAN;
    if (!tide_solver_kind_of(solver)->amplification)
        return TIDE_OK;
    tide_status status = find_largest_eigenvalue(world, &k0, error);
    if (status != TIDE_OK)
        return status;
    cell->Y = h * h * k0;
    cell->X = h * damping_of(solver, k0);
    if (isfinite(cell->X) && isfinite(cell->Y))
        cell->amplification = tide_solver_kind_of(solver)->amplification(cell->X, cell->Y);
    return TIDE_OK;
}

// What a run has shown so far, J.
typedef struct energies {
    double first, last; // the largest totals of the first and of the last quarter
    double lowest;      // the least of gravity
} energies;

static double size_of(const energies *seen, double total)
{
    return sqrt(fmax(total - seen->lowest, 0));
}

// Takes a frame's energy in. Whether the run has grown or shrunk beyond doubt.
static bool take_in(energies *seen, const tide_energy *energy, uint64_t frame, uint64_t frames, double *growth)
{
    uint64_t quarter = frames < 4 ? 1 : frames / 4;
    seen->lowest = fmin(seen->lowest, energy->gravity);
    double size = size_of(seen, energy->total), first = size_of(seen, seen->first);
    bool far = !(size <= FAR * first) && frame > 0;
    if (frame <= quarter && !far)
        seen->first = fmax(seen->first, energy->total);
    if (frame > frames - quarter)
        seen->last = fmax(seen->last, energy->total);
    *growth = first > 0 ? size / first : size > 0 ? INFINITY : 0;
    return first > 0 && (far || (frame > quarter && size < NEAR * first));
}

// A step that diverged is an infinite growth; what else fails is an error.
static tide_status run_cell(const map *map, tide_script *script, cell *cell, tide_error *error)
{
    tide_world *world = tide_script_world(script);
    uint64_t frames = map->study->frames;
    energies seen = { -INFINITY, -INFINITY, INFINITY };
    bool over = false;
    for (uint64_t frame = 0; frame <= frames && !over; frame++) {
        tide_error failure;
        tide_energy energy;
        tide_status status = frame ? tide_script_step(script, &failure) : TIDE_OK;
        cell->frames = frame;
        if (status == TIDE_ERROR_NUMERIC) {
            cell->growth = INFINITY;
            return TIDE_OK;
        }
        if (status == TIDE_OK)
            status = tide_world_energy(world, &energy, &failure);
        if (status != TIDE_OK) {
            *error = failure;
            return status;
        }
        over = take_in(&seen, &energy, frame, frames, &cell->growth);
    }
    if (!over) {
        double first = size_of(&seen, seen.first), last = size_of(&seen, seen.last);
        cell->growth = last == 0 ? 0 : last / first;
    }
    return TIDE_OK;
}

// By a tenth of what the fastest particle moves in a step or, at rest, a thousandth of the scene's extent.
static tide_status push(tide_world *world, tide_error *error)
{
    const tide_system *system;
    tide_status status = tide_world_system(world, &system, error);
    if (status != TIDE_OK)
        return status;
    tide_random random = tide_random_seed(1);
    double fastest = 0, extent = 0;
    for (size_t i = 0; i < 3 * (size_t)system->particle_count; i++) {
        fastest = fmax(fastest, fabs(tide_world_all_velocities(world)[i]));
        extent = fmax(extent, fabs(tide_world_all_positions(world)[i]));
    }
    double length =
        fastest > 0 ? 0.1 * tide_world_get_settings(world)->timestep * fastest : 1e-3 * (extent > 0 ? extent : 1);
    for (uint32_t b = 0, particle = 0; b < tide_world_body_count(world); b++) {
        tide_body_info info;
        double *x = tide_world_positions(world, tide_world_body_at(world, b));
        tide_world_body_info(world, tide_world_body_at(world, b), &info);
        for (uint32_t i = 0; i < info.vertex_count; i++, particle++)
            for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + 3; k++) {
                double part = 2 * tide_random_uniform(&random) - 1;
                x[k] += system->rows[particle] == TIDE_PINNED ? 0 : length * part;
            }
    }
    return TIDE_OK;
}

static tide_status measure_cell(map *map, uint32_t column, uint32_t row, tide_error *error)
{
    const tide_study *study = map->study;
    cell *cell = cell_at(map, column, row);
    tide_script *script;
    tide_status status = tide_study_open(study, map->solver.text, study->sweep.values[column],
                                         study->across.values[row], &script, error);
    if (status != TIDE_OK)
        return status;
    map->kind = tide_solver_kind_of(tide_world_solver(tide_script_world(script)));
    status = predict(script, cell, error);
    if (status == TIDE_OK)
        status = push(tide_script_world(script), error);
    if (status == TIDE_OK)
        status = run_cell(map, script, cell, error);
    cell->stable = cell->growth <= GROWTH;
    tide_script_close(script);
    return status;
}

// --- the theory's line -----------------------------------------------------------------------------------------------
// Marching over squares a quarter of a cell wide, on whose corners X and Y are interpolated between the cells.

typedef struct place {
    double column, row; // of the map, with fractions
} place;

// Between the values at four corners; along logarithmic axes the logarithms are, where there are any.
static double interpolate(const map *map, const double values[4], double u, double v)
{
    bool logarithmic = map->study->sweep.logarithmic || map->study->across.logarithmic;
    double sum = 0;
    for (int i = 0; i < 4; i++)
        logarithmic = logarithmic && values[i] > 0;
    for (int i = 0; i < 4; i++)
        sum += (i % 2 ? u : 1 - u) * (i / 2 ? v : 1 - v) * (logarithmic ? log(values[i]) : values[i]);
    return logarithmic ? exp(sum) : sum;
}

static double excess(const map *map, place at)
{
    uint32_t c = (uint32_t)at.column, r = (uint32_t)at.row;
    c = c + 1 < map->study->sweep.count ? c : map->study->sweep.count - 2;
    r = r + 1 < map->study->across.count ? r : map->study->across.count - 2;
    double X[4], Y[4];
    for (uint32_t i = 0; i < 4; i++) {
        X[i] = cell_at(map, c + i % 2, r + i / 2)->X;
        Y[i] = cell_at(map, c + i % 2, r + i / 2)->Y;
    }
    double u = at.column - c, v = at.row - r;
    // Where nothing is damped |eigenvalue| is 1 to rounding, in all of the stable region.
    return map->kind->amplification(interpolate(map, X, u, v), interpolate(map, Y, u, v)) - 1 - UNDAMPED;
}

static double value_at(const tide_study_axis *axis, double at)
{
    uint32_t i = (uint32_t)at;
    i = i + 1 < axis->count ? i : axis->count - 2;
    double a = axis->values[i], b = axis->values[i + 1], part = at - i;
    return axis->logarithmic ? a * pow(b / a, part) : a + part * (b - a);
}

static bool find_crossing(const map *map, place a, place b, place *found)
{
    double at_a = excess(map, a), at_b = excess(map, b);
    if (!((at_a > 0) != (at_b > 0)) || isnan(at_a) || isnan(at_b))
        return false;
    for (int i = 0; i < 40; i++) {
        place middle = { 0.5 * (a.column + b.column), 0.5 * (a.row + b.row) };
        if ((excess(map, middle) > 0) == (at_a > 0))
            a = middle;
        else
            b = middle;
    }
    *found = a;
    return true;
}

static void add_point(const map *map, tide_study_table *table, place at)
{
    tide_study_row(table, map->text, value_at(&map->study->sweep, at.column), value_at(&map->study->across, at.row));
}

// The line through one square, as pairs of points with an empty line after each.
static bool trace_square(const map *map, tide_study_table *table, double column, double row)
{
    double d = 1.0 / FINER;
    const place corners[] = { { column, row }, { column + d, row }, { column + d, row + d }, { column, row + d } };
    place found[4];
    int count = 0;
    for (int i = 0; i < 4; i++)
        count += find_crossing(map, corners[i], corners[(i + 1) % 4], &found[count]);
    for (int i = 0; i + 1 < count; i += 2) {
        add_point(map, table, found[i]);
        add_point(map, table, found[i + 1]);
        tide_study_gap(table);
    }
    return count > 1;
}

// *any: whether the line crosses the map; otherwise there is no file.
static tide_status write_line(const map *map, const char *name, bool *any, tide_error *error)
{
    static const char *const no_more[] = { NULL };
    const tide_study *study = map->study;
    tide_study_table *table;
    tide_status status = tide_study_table_open(study, name, no_more, &table, error);
    if (status != TIDE_OK)
        return status;
    for (uint32_t r = 0; r < FINER * (study->across.count - 1); r++)
        for (uint32_t c = 0; c < FINER * (study->sweep.count - 1); c++)
            *any |= trace_square(map, table, (double)c / FINER, (double)r / FINER);
    return *any ? tide_study_table_close(table, TIDE_OK, error) : tide_study_table_drop(table);
}

// --- what comes out --------------------------------------------------------------------------------------------------

static tide_status write_cells(const map *map, const char *name, tide_error *error)
{
    static const char *const columns[] = { "stable", "growth", "frames", "X", "Y", "predicted", NULL };
    const tide_study *study = map->study;
    tide_study_table *table;
    tide_status status = tide_study_table_open(study, name, columns, &table, error);
    if (status != TIDE_OK)
        return status;
    for (uint32_t row = 0; row < study->across.count; row++)
        for (uint32_t column = 0; column < study->sweep.count; column++) {
            const cell *cell = cell_at(map, column, row);
            tide_study_row(table, map->text, study->sweep.values[column], study->across.values[row]);
            tide_study_cell(table, cell->stable);
            tide_study_cell(table, cell->growth);
            tide_study_cell(table, (double)cell->frames);
            tide_study_cell(table, cell->X);
            tide_study_cell(table, cell->Y);
            tide_study_cell(table, cell->amplification);
        }
    return tide_study_table_close(table, TIDE_OK, error);
}

static double half_step(const tide_study_axis *axis)
{
    double first = axis->values[0], last = axis->values[axis->count - 1];
    return axis->logarithmic ? pow(last / first, 0.5 / (axis->count - 1))
                             : fabs(last - first) / (2 * (axis->count - 1));
}

// The two ends of a cell, as gnuplot's expressions.
static void write_ends(const tide_study_axis *axis, char low[120], char high[120])
{
    double half = half_step(axis);
    snprintf(low, 120, axis->logarithmic ? "$%s/%.12g" : "$%s-%.12g", axis->column, half);
    snprintf(high, 120, axis->logarithmic ? "$%s*%.12g" : "$%s+%.12g", axis->column, half);
}

static void find_range(const tide_study_axis *axis, double *least, double *most)
{
    double half = half_step(axis), a = axis->values[0], b = axis->values[axis->count - 1];
    *least = axis->logarithmic ? fmin(a, b) / half : fmin(a, b) - half;
    *most = axis->logarithmic ? fmax(a, b) * half : fmax(a, b) + half;
}

// Whether the map's axes are X and Y themselves, as in Shinya's figures.
static bool is_shinyas_plane(const map *map)
{
    for (uint32_t row = 0; row < map->study->across.count; row++)
        for (uint32_t column = 0; column < map->study->sweep.count; column++) {
            const cell *cell = cell_at(map, column, row);
            if (!(fabs(cell->X - map->study->sweep.values[column]) < 1e-6) ||
                !(fabs(cell->Y - map->study->across.values[row]) < 1e-6))
                return false;
        }
    return true;
}

static const char shinyas_lines[] =
    "set arrow from 0,0 to 4,4 nohead front linecolor rgb '#d55e00' linewidth 2 dashtype 2\n"
    "set arrow from 2,0 to 4,4 nohead front linecolor rgb '#d55e00' linewidth 2 dashtype 2\n"
    "set label 'Y = X (eq. 22)' at 1.85,2.15 right front textcolor rgb '#d55e00'\n"
    "set label 'Y = 2X - 4 (eq. 23)' at 3.15,2.05 left front textcolor rgb '#d55e00'\n"
    "set label 'Y = 0 (eq. 24)' at 1,0.15 center front textcolor rgb '#d55e00'";

static uint32_t count_stable(const map *map)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < map->study->sweep.count * map->study->across.count; i++)
        count += map->cells[i].stable;
    return count;
}

static tide_status draw(const map *map, const char *cells, const char *line, bool has_line, tide_error *error)
{
    const tide_study *study = map->study;
    const tide_study_axis *x = &study->sweep, *y = &study->across;
    bool shinyas = is_shinyas_plane(map), euler = shinyas && strcmp(map->kind->name, "explicit_euler") == 0;
    char ends[4][120], title[400], name[200], x_label[160], y_label[160];
    write_ends(x, ends[0], ends[1]);
    write_ends(y, ends[2], ends[3]);
    snprintf(title, sizeof title, "%s on %s, %u steps", map->text, study->scene, (unsigned)study->frames);
    snprintf(x_label, sizeof x_label, "%s%s", shinyas ? "X = h d: " : "", x->label);
    snprintf(y_label, sizeof y_label, "%s%s", shinyas ? "Y = h^2 k: " : "", y->label);
    tide_plot_curve curves[3];
    uint32_t count = 0, stable = count_stable(map);
    tide_plot_curve boxes = {
        .filter_column = "stable", .x = x->column, .y = y->column, .more = { ends[0], ends[1], ends[2], ends[3] }
    };
    curves[count] = boxes;
    curves[count].title = "measured: stable";
    curves[count].filter = "1";
    curves[count].style = "boxxyerror fillstyle solid 1 noborder linecolor rgb '#8ec9e8'";
    count += stable > 0;
    curves[count] = boxes;
    curves[count].title = "measured: unstable";
    curves[count].filter = "0";
    curves[count].style = "boxxyerror fillstyle solid 1 noborder linecolor rgb '#e4e4e4'";
    count += stable < x->count * y->count;
    curves[count] = (tide_plot_curve) { .title = "theory: |eigenvalue| = 1",
                                        .csv = line,
                                        .x = x->column,
                                        .y = y->column,
                                        .style = "lines linecolor rgb 'black' linewidth 2" };
    count += has_line;
    tide_plot plot = { .title = title,
                       .x_label = x_label,
                       .y_label = y_label,
                       .x_logarithmic = x->logarithmic,
                       .y_logarithmic = y->logarithmic,
                       .curves = curves,
                       .curve_count = count,
                       .more = euler ? shinyas_lines : NULL };
    find_range(x, &plot.x_minimum, &plot.x_maximum);
    find_range(y, &plot.y_minimum, &plot.y_maximum);
    if (euler)
        plot.y_minimum = fmin(plot.y_minimum, 0);
    tide_study_file_name("stability_", map->text, "", name, sizeof name);
    return tide_study_plot(study, &plot, name, cells, error);
}

// How many cells are stable, and where theory and measurement differ.
static void print_map(const map *map)
{
    const tide_study *study = map->study;
    uint32_t count = study->sweep.count * study->across.count, differ = 0, known = 0, clear = 0;
    for (uint32_t i = 0; i < count; i++) {
        const cell *cell = &map->cells[i];
        if (isnan(cell->amplification))
            continue;
        known++;
        bool other = cell->stable != (cell->amplification <= 1 + UNDAMPED);
        differ += other;
        clear += other && fabs(cell->amplification - 1) > 0.01;
    }
    printf("%-36s %6u of %u cells stable", map->text, count_stable(map), count);
    if (known)
        printf("; theory differs in %u, in %u of them by more than 1 %%", differ, clear);
    bool swept = strcmp(study->sweep.name, "substep") == 0 || strcmp(study->across.name, "substep") == 0;
    puts(strlen(map->solver.text) > strlen(map->text) && !swept ? "; its substep is the timestep" : "");
}

// --- the study -------------------------------------------------------------------------------------------------------

static bool is_predicted(const map *map)
{
    for (uint32_t i = 0; i < map->study->sweep.count * map->study->across.count; i++)
        if (!isnan(map->cells[i].amplification))
            return true;
    return false;
}

// Explicit methods would cut the timestep until it is stable.
static tide_status set_substep(map *map, const char *text, tide_error *error)
{
    const tide_study *study = map->study;
    tide_script *script;
    map->text = text;
    snprintf(map->solver.text, sizeof map->solver.text, "%s", text);
    tide_status status = tide_study_open(study, text, study->sweep.values[0], study->across.values[0], &script, error);
    if (status != TIDE_OK)
        return status;
    tide_study_add_option(tide_solver_kind_of(tide_world_solver(tide_script_world(script))), &map->solver, "substep",
                          10); // the longest timestep that there is
    tide_script_close(script);
    return TIDE_OK;
}

static tide_status measure_map(map *map, const char *text, tide_error *error)
{
    const tide_study *study = map->study;
    char cells[200], line[200];
    uint32_t count = study->sweep.count * study->across.count;
    tide_status status = set_substep(map, text, error);
    for (uint32_t i = 0; status == TIDE_OK && i < count; i++) {
        tide_study_progress("cells", i, count);
        status = measure_cell(map, i % study->sweep.count, i / study->sweep.count, error);
    }
    tide_study_progress("cells", 1, 1);
    if (status != TIDE_OK)
        return status;
    print_map(map);
    tide_study_file_name("stability_", text, ".csv", cells, sizeof cells);
    tide_study_file_name("stability_", text, "_line.csv", line, sizeof line);
    status = write_cells(map, cells, error);
    bool has_line = false;
    if (status == TIDE_OK && is_predicted(map))
        status = write_line(map, line, &has_line, error);
    return status == TIDE_OK ? draw(map, cells, line, has_line, error) : status;
}

tide_status tide_study_stability(const tide_study *study, tide_error *error)
{
    map map = { .study = study };
    tide_status status = TIDE_OK;
    if (study->sweep.count < 2 || study->across.count < 2)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--sweep, --across", NULL,
                         "a map needs at least two values each");
    map.cells = tide_allocate_zeroed((size_t)study->sweep.count * study->across.count, sizeof *map.cells);
    if (!map.cells)
        return tide_fail_memory(error, "study");
    tide_study_hush(true);
    for (uint32_t i = 0; status == TIDE_OK && i < study->solver_count; i++)
        status = measure_map(&map, study->solvers[i].text, error);
    tide_free(map.cells);
    return status;
}
