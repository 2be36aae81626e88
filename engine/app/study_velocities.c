// `convergence --velocities`: the velocities of a body's particles in time as colours, and their spectrum over its grid
// (Ahmad 2007, fig. 3 to 5).
//
// Colours: red, green and blue are the velocities along x, y and z, grey is rest. Full and no red are +s and -s, with s
// one scale for all solvers: the speed along an axis that 1 in 200 of the samples exceeds.
#include "app/study_sheet.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "session/study.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = 1600, // of samples: of longer runs, not every frame is shown
    MOST_ROWS = 800,     // and of larger bodies not every particle
    DECADES = 8,         // of energy that a spectrum's greys span
    FIELD_SIDE = 240     // pixels, about, of a picture of the grid
};
static const double pi = 3.14159265358979323846;

typedef struct film {
    char label[400], file[160];
    uint64_t taken;       // frames; fewer than asked for when it diverged
    float *samples;       // (3 * columns * rows) m/s, column by column
    double *field;        // (3 * vertex_count) m/s at the frame of the spectrum; NULL when that was not reached
    double *energy;       // (columns * rows of the grid) m^2/s^2: |V|^2 of every frequency, the middle is 0
    double roughness_sum; // over frames
    double mean_speed;    // root mean square over all samples, m/s
} film;

typedef struct cinema {
    const tide_study *study;
    film *films;                      // (count)
    uint32_t count;                   // of solvers
    uint32_t columns, rows;           // of samples
    uint32_t vertex_count;            // of the body
    uint32_t grid_columns, grid_rows; // 0: it is no grid
    double timestep;                  // s
    double scale;                     // m/s
    double most_energy;               // of all spectra
    double *waves;                    // cosines and sines, see transform
    double *work;                     // (4 * vertex_count)
    char body[64];
} cinema;

// --- the grid --------------------------------------------------------------------------------------------------------

static bool is_at(const double *p, const double *origin, const double *a, double i, const double *b, double j,
                  double slack)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(p[k] - origin[k] - i * a[k] - j * b[k]) <= slack))
            return false;
    return true;
}

// Vertices are a grid's when they are origin + c a + r b, row after row: any translated, rotated, scaled grid.
static bool find_grid(const tide_mesh *mesh, uint32_t *columns, uint32_t *rows)
{
    const double *v = mesh->vertices;
    uint32_t count = mesh->vertex_count, length = 2;
    if (count < 4)
        return false;
    double a[3], b[3], slack = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = v[3 + k] - v[k];
        slack = fmax(slack, 1e-6 * fabs(a[k]));
    }
    while (length < count && is_at(v + 3 * (size_t)length, v, a, length, a, 0, slack))
        length++;
    if (length == count || count % length != 0)
        return false;
    for (int k = 0; k < 3; k++)
        b[k] = v[3 * (size_t)length + (size_t)k] - v[k];
    for (uint32_t i = 0; i < count; i++)
        if (!is_at(v + 3 * (size_t)i, v, a, i % length, b, (double)(i / length), slack))
            return false;
    *columns = length;
    *rows = count / length;
    return true;
}

// --- the spectrum ----------------------------------------------------------------------------------------------------

// waves: cos and sin of 2 pi i / n for i in 0 ... n - 1, for the columns and then for the rows.
static tide_status make_waves(cinema *c, tide_error *error)
{
    uint32_t n = c->grid_columns, m = c->grid_rows;
    c->waves = tide_allocate_array((size_t)n + m, 2 * sizeof *c->waves);
    c->work = tide_allocate_array(c->vertex_count, 4 * sizeof *c->work);
    if (!c->waves || !c->work)
        return tide_fail_memory(error, "velocities");
    for (uint32_t i = 0; i < n + m; i++) {
        double angle = i < n ? 2 * pi * i / n : 2 * pi * (i - n) / m;
        c->waves[2 * i] = cos(angle);
        c->waves[2 * i + 1] = sin(angle);
    }
    return TIDE_OK;
}

// The discrete Fourier transform of `count` complex numbers a `stride` apart, divided by their count.
static void transform(const double *in, double *out, uint32_t count, size_t stride, const double *waves)
{
    for (uint32_t k = 0; k < count; k++) {
        double re = 0, im = 0;
        for (uint32_t i = 0; i < count; i++) {
            const double *z = in + 2 * i * stride, *w = waves + 2 * ((uint64_t)i * k % count);
            re += z[0] * w[0] + z[1] * w[1];
            im += z[1] * w[0] - z[0] * w[1];
        }
        out[2 * k * stride] = re / count;
        out[2 * k * stride + 1] = im / count;
    }
}

// |V|^2, summed over x, y and z, of each frequency: (vertex_count), (kx, ky) at its grid place, 0 in the middle. The
// sum of them all is the mean square speed.
static void find_energy(const cinema *c, const double *field, double *energy)
{
    uint32_t n = c->grid_columns, m = c->grid_rows, count = c->vertex_count;
    double *one = c->work, *other = c->work + 2 * (size_t)count;
    memset(energy, 0, count * sizeof *energy);
    for (size_t axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < count; i++) {
            one[2 * i] = field[3 * i + axis];
            one[2 * i + 1] = 0;
        }
        for (uint32_t r = 0; r < m; r++)
            transform(one + 2 * (size_t)r * n, other + 2 * (size_t)r * n, n, 1, c->waves);
        for (uint32_t k = 0; k < n; k++)
            transform(other + 2 * k, one + 2 * k, m, n, c->waves + 2 * n);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t column = (i % n + n / 2) % n, row = (i / n + m / 2) % m;
            energy[(size_t)row * n + column] += one[2 * i] * one[2 * i] + one[2 * i + 1] * one[2 * i + 1];
        }
    }
}

// Cycles in a spacing of the grid, 0 to 0.7.
static double frequency_of(const cinema *c, uint32_t i)
{
    uint32_t n = c->grid_columns, m = c->grid_rows;
    double x = ((double)(i % n) - (double)(n / 2)) / n, y = ((double)(i / n) - (double)(m / 2)) / m;
    return sqrt(x * x + y * y);
}

// The share of the kinetic energy in waves shorter than four spacings.
static double roughness(const cinema *c, const double *energy)
{
    double all = 0, high = 0;
    for (uint32_t i = 0; i < c->vertex_count; i++) {
        all += energy[i];
        high += frequency_of(c, i) > 0.25 ? energy[i] : 0;
    }
    return all > 0 ? high / all : 0;
}

// --- running ---------------------------------------------------------------------------------------------------------

// Which frame and which particle a sample is of
static uint64_t frame_of(const cinema *c, uint32_t column)
{
    return 1 + (uint64_t)column * c->study->frames / c->columns;
}

static uint32_t particle_of(const cinema *c, uint32_t row)
{
    return (uint32_t)((uint64_t)row * c->vertex_count / c->rows);
}

static tide_status begin_films(cinema *c, tide_script *script, tide_error *error)
{
    tide_world *world = tide_script_world(script);
    tide_body_info info;
    if (c->vertex_count)
        return TIDE_OK;
    if (tide_world_body_count(world) == 0 || !tide_world_body_info(world, tide_world_body_at(world, 0), &info))
        return tide_fail(error, TIDE_ERROR_STATE, c->study->scene, NULL, NULL,
                         "the scene has no body whose velocities could be shown");
    c->vertex_count = info.vertex_count;
    c->rows = info.vertex_count < MOST_ROWS ? info.vertex_count : MOST_ROWS;
    c->columns = c->study->frames < MOST_COLUMNS ? (uint32_t)c->study->frames : MOST_COLUMNS;
    c->timestep = tide_world_get_settings(world)->timestep;
    snprintf(c->body, sizeof c->body, "%.60s", info.name);
    if (find_grid(info.mesh, &c->grid_columns, &c->grid_rows))
        return make_waves(c, error);
    printf("The vertices of body \"%s\" are not those of a grid, row after row: there are no spectra.\n", c->body);
    return TIDE_OK;
}

static tide_status make_room(const cinema *c, film *f, tide_error *error)
{
    f->samples = tide_allocate_zeroed((size_t)c->columns * c->rows, 3 * sizeof *f->samples);
    if (c->grid_columns)
        f->energy = tide_allocate_zeroed(c->vertex_count, sizeof *f->energy);
    return f->samples && (f->energy || !c->grid_columns) ? TIDE_OK : tide_fail_memory(error, "velocities");
}

static tide_status shoot(const cinema *c, film *f, tide_world *world, uint32_t *column, tide_study_table *table,
                         tide_error *error)
{
    const tide_study *study = c->study;
    const double *v = tide_world_velocities(world, tide_world_body_at(world, 0));
    double square = 0;
    for (uint32_t i = 0; i < c->vertex_count; i++)
        square += tide_vec3_dot(tide_vec3_load(v + 3 * (size_t)i), tide_vec3_load(v + 3 * (size_t)i));
    f->mean_speed += square / c->vertex_count;
    tide_study_row(table, study->solvers[f - c->films].text, NAN, NAN);
    tide_study_cell(table, tide_world_time(world));
    tide_study_cell(table, sqrt(square / c->vertex_count));
    if (c->grid_columns) {
        find_energy(c, v, f->energy);
        f->roughness_sum += roughness(c, f->energy);
    }
    tide_study_cell(table, c->grid_columns ? roughness(c, f->energy) : NAN);
    for (; *column < c->columns && frame_of(c, *column) == f->taken; ++*column)
        for (uint32_t row = 0; row < c->rows; row++)
            for (size_t k = 0; k < 3; k++)
                f->samples[3 * ((size_t)*column * c->rows + row) + k] = (float)v[3 * (size_t)particle_of(c, row) + k];
    if (f->taken == study->frame) {
        f->field = tide_copy_bytes(v, 3 * (size_t)c->vertex_count * sizeof *v);
        if (!f->field)
            return tide_fail_memory(error, "velocities");
    }
    return TIDE_OK;
}

static tide_status run(cinema *c, film *f, tide_study_table *table, tide_error *error)
{
    const tide_study *study = c->study;
    const char *solver = study->solvers[f - c->films].text;
    tide_script *script = NULL;
    uint32_t column = 0;
    tide_study_label(study, solver, NAN, f->label, sizeof f->label);
    tide_study_file_name("", solver[0] ? solver : "scene", "", f->file, sizeof f->file);
    tide_status status = tide_study_open(study, solver, NAN, NAN, &script, error);
    if (status == TIDE_OK)
        status = begin_films(c, script, error);
    if (status == TIDE_OK)
        status = make_room(c, f, error);
    uint64_t last = study->frame > study->frames ? study->frame : study->frames;
    while (status == TIDE_OK && f->taken < last) {
        status = tide_script_step(script, error);
        if (status == TIDE_OK) {
            f->taken++;
            status = shoot(c, f, tide_script_world(script), &column, table, error);
        }
        tide_study_progress("frames", f->taken, last);
    }
    tide_study_progress("frames", 1, 1);
    tide_script_close(script);
    return status == TIDE_ERROR_NUMERIC ? TIDE_OK : status; // what it did until it diverged is shown
}

// --- pictures --------------------------------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static tide_status find_scale(cinema *c, tide_error *error)
{
    size_t each = 3 * (size_t)c->columns * c->rows, count = each * c->count;
    float *all = tide_allocate_array(count, sizeof *all);
    if (!all)
        return tide_fail_memory(error, "velocities");
    for (size_t i = 0; i < count; i++)
        all[i] = fabsf(c->films[i / each].samples[i % each]);
    qsort(all, count, sizeof *all, ascending);
    c->scale = all[(size_t)(0.995 * (double)(count - 1))];
    c->scale = c->scale > 0 ? c->scale : 1;
    tide_free(all);
    return TIDE_OK;
}

static uint8_t shade(double value) // 0 to 1
{
    return (uint8_t)lround(255 * fmin(fmax(value, 0), 1));
}

static void fill(const tide_sheet *sheet, uint32_t index, uint32_t x, uint32_t y, uint32_t size_x, uint32_t size_y,
                 const uint8_t colour[3])
{
    uint8_t *corner = tide_sheet_pixels(sheet, index);
    for (uint32_t j = y * size_y; j < (y + 1) * size_y; j++)
        for (uint32_t i = x * size_x; i < (x + 1) * size_x; i++)
            memcpy(corner + 4 * ((size_t)j * sheet->image.width + i), colour, 3);
}

static void velocity_colour(const cinema *c, double x, double y, double z, uint8_t colour[3])
{
    colour[0] = shade(0.5 + 0.5 * x / c->scale);
    colour[1] = shade(0.5 + 0.5 * y / c->scale);
    colour[2] = shade(0.5 + 0.5 * z / c->scale);
}

// How many pixels a sample takes, for a picture of about `wanted` of them
static uint32_t magnify(uint32_t samples, uint32_t wanted)
{
    return samples >= wanted ? 1 : wanted / samples;
}

static tide_status draw_films(const cinema *c, uint32_t first, uint32_t count, const char *file, tide_error *error)
{
    char title[TIDE_SHEET_TEXT_SIZE];
    uint32_t across = magnify(c->columns, 640), down = magnify(c->rows, 144);
    tide_sheet sheet;
    snprintf(
        title, sizeof title,
        "velocities of the %u particles of \"%s\" (down) in %.3g s (to the right)\nred, green, blue: along x, y, z, "
        "from -%.3g to %.3g m/s",
        c->vertex_count, c->body, c->timestep * (double)c->study->frames, c->scale, c->scale);
    tide_status status = tide_sheet_create(&sheet, 1, count, across * c->columns, down * c->rows, 1, title, error);
    if (status != TIDE_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        const film *f = &c->films[first + i];
        for (uint32_t column = 0; column < c->columns && frame_of(c, column) <= f->taken; column++)
            for (uint32_t row = 0; row < c->rows; row++) {
                const float *v = f->samples + 3 * ((size_t)column * c->rows + row);
                uint8_t colour[3];
                velocity_colour(c, v[0], v[1], v[2], colour);
                fill(&sheet, i, column, row, across, down, colour);
            }
        if (f->taken < c->study->frames)
            tide_sheet_caption(&sheet, i, "%s: diverged at frame %" PRIu64, f->label, f->taken + 1);
        else
            tide_sheet_caption(&sheet, i, "%s", f->label);
    }
    status = tide_sheet_save(&sheet, c->study->folder, file, error);
    tide_sheet_free(&sheet);
    return status;
}

// The grid's velocities above, their spectra below.
static tide_status draw_spectra(const cinema *c, uint32_t first, uint32_t count, const char *file, tide_error *error)
{
    char title[TIDE_SHEET_TEXT_SIZE];
    uint32_t n = c->grid_columns, m = c->grid_rows, size = magnify(n > m ? n : m, FIELD_SIDE);
    tide_sheet sheet;
    snprintf(title, sizeof title, "velocities over the grid at %.3g s\nand their spectra: 0 in the middle, %d decades",
             c->timestep * (double)c->study->frame, DECADES);
    tide_status status = tide_sheet_create(&sheet, count, 2, size * n, size * m, 1, title, error);
    if (status != TIDE_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        const film *f = &c->films[first + i];
        for (uint32_t k = 0; f->field && k < c->vertex_count; k++) {
            uint8_t colour[3];
            velocity_colour(c, f->field[3 * k], f->field[3 * k + 1], f->field[3 * k + 2], colour);
            fill(&sheet, i, k % n, k / n, size, size, colour);
            memset(colour, shade(1 + log10(f->energy[k] / c->most_energy) / DECADES), 3);
            fill(&sheet, count + i, k % n, k / n, size, size, colour);
        }
        tide_sheet_caption(&sheet, i, "%s", f->field ? "" : "diverged before");
        tide_sheet_caption(&sheet, count + i, "%s", f->label);
    }
    status = tide_sheet_save(&sheet, c->study->folder, file, error);
    tide_sheet_free(&sheet);
    return status;
}

static tide_status draw_all(const cinema *c, tide_error *error)
{
    char file[200];
    tide_status status = draw_films(c, 0, c->count, "velocities.png", error);
    if (status == TIDE_OK && c->grid_columns)
        status = draw_spectra(c, 0, c->count, "spectra.png", error);
    for (uint32_t i = 0; status == TIDE_OK && i < c->count; i++) {
        snprintf(file, sizeof file, "velocities_%s.png", c->films[i].file);
        status = draw_films(c, i, 1, file, error);
        snprintf(file, sizeof file, "spectra_%s.png", c->films[i].file);
        if (status == TIDE_OK && c->grid_columns)
            status = draw_spectra(c, i, 1, file, error);
    }
    return status;
}

// --- numbers ---------------------------------------------------------------------------------------------------------

// Energies of rings of frequencies, each as wide as the longest side's lowest frequency.
static tide_status write_spectrum(const cinema *c, tide_error *error)
{
    static const char *const columns[] = { "frequency", "energy", NULL };
    uint32_t side = c->grid_columns > c->grid_rows ? c->grid_columns : c->grid_rows;
    tide_study_table *table = NULL;
    tide_status status = tide_study_table_open(c->study, "spectrum.csv", columns, &table, error);
    for (uint32_t i = 0; status == TIDE_OK && i < c->count; i++)
        for (uint32_t ring = 0; c->films[i].field && ring <= side * 3 / 4; ring++) {
            double sum = 0;
            for (uint32_t k = 0; k < c->vertex_count; k++)
                sum += (uint32_t)lround(frequency_of(c, k) * side) == ring ? c->films[i].energy[k] : 0;
            if (sum <= 0)
                continue;
            tide_study_row(table, c->study->solvers[i].text, NAN, NAN);
            tide_study_cell(table, (double)ring / side);
            tide_study_cell(table, sum);
        }
    return tide_study_table_close(table, status, error);
}

static tide_status plot(const cinema *c, const char *name, const char *csv, const char *title, const char *x,
                        const char *x_label, const char *y, const char *y_label, const char *style, tide_error *error)
{
    tide_plot_curve *curves = tide_allocate_zeroed(c->count, sizeof *curves);
    if (!curves)
        return tide_fail_memory(error, "velocities");
    for (uint32_t i = 0; i < c->count; i++)
        curves[i] = (tide_plot_curve) { .title = c->films[i].label,
                                        .filter_column = "curve",
                                        .filter = c->films[i].label,
                                        .x = x,
                                        .y = y,
                                        .style = style };
    tide_plot drawing = { .title = title,
                          .x_label = x_label,
                          .y_label = y_label,
                          .y_logarithmic = true,
                          .curves = curves,
                          .curve_count = c->count,
                          .more = "set key below Left reverse" };
    tide_status status = tide_study_plot(c->study, &drawing, name, csv, error);
    tide_free(curves);
    return status;
}

static tide_status plot_all(const cinema *c, tide_error *error)
{
    char title[128];
    snprintf(title, sizeof title, "Spectrum of the velocities at %.3g s", c->timestep * (double)c->study->frame);
    tide_status status = plot(c, "spectrum", "spectrum.csv", title, "frequency", "cycles in a spacing of the grid",
                              "energy", "mean square speed of a ring of frequencies (m^2/s^2)", NULL, error);
    if (status == TIDE_OK)
        status = plot(c, "roughness", "velocities.csv", "Share of the kinetic energy in waves shorter than 4 spacings",
                      "time", "time (s)", "roughness", "share", "lines", error);
    return status;
}

static void print_table(const cinema *c)
{
    printf("Velocities of body \"%s\"; colours are from -%.4g to %.4g m/s.\n", c->body, c->scale, c->scale);
    printf("%-44s %10s %14s%s\n", "solver", "frames", "speed (m/s)", c->grid_columns ? "  short waves (%)" : "");
    for (uint32_t i = 0; i < c->count; i++) {
        const film *f = &c->films[i];
        double frames = f->taken ? (double)f->taken : 1;
        printf("%-44s %10" PRIu64 " %14.4g", f->label, f->taken, sqrt(f->mean_speed / frames));
        if (c->grid_columns)
            printf(" %16.3g", 100 * f->roughness_sum / frames);
        printf("\n");
    }
}

static tide_status run_all(cinema *c, tide_error *error)
{
    static const char *const columns[] = { "time", "speed", "roughness", NULL };
    tide_study_table *table = NULL;
    tide_status status = tide_study_table_open(c->study, "velocities.csv", columns, &table, error);
    for (uint32_t i = 0; status == TIDE_OK && i < c->count; i++)
        status = run(c, &c->films[i], table, error);
    status = tide_study_table_close(table, status, error);
    for (uint32_t i = 0; status == TIDE_OK && c->grid_columns && i < c->count; i++) {
        film *f = &c->films[i];
        if (f->field)
            find_energy(c, f->field, f->energy);
        for (uint32_t k = 0; f->field && k < c->vertex_count; k++)
            c->most_energy = fmax(c->most_energy, f->energy[k]);
    }
    return status;
}

tide_status tide_study_velocities(const tide_study *study, tide_error *error)
{
    cinema c = { .study = study, .count = study->solver_count };
    c.films = tide_allocate_zeroed(c.count, sizeof *c.films);
    if (!c.films)
        return tide_fail_memory(error, "velocities");
    tide_study_hush(true);
    tide_status status = run_all(&c, error);
    tide_study_hush(false);
    if (status == TIDE_OK)
        status = find_scale(&c, error);
    if (status == TIDE_OK)
        status = draw_all(&c, error);
    if (status == TIDE_OK && c.grid_columns)
        status = write_spectrum(&c, error);
    if (status == TIDE_OK && c.grid_columns)
        status = plot_all(&c, error);
    if (status == TIDE_OK)
        print_table(&c);
    for (uint32_t i = 0; i < c.count; i++) {
        tide_free(c.films[i].samples);
        tide_free(c.films[i].field);
        tide_free(c.films[i].energy);
    }
    tide_free(c.films);
    tide_free(c.waves);
    tide_free(c.work);
    return status;
}
