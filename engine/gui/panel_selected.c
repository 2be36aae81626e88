// The body that was clicked: its numbers.
#include "gui/panels_state.h"

#include "base/memory.h"
#include "world/cuts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct body_numbers {
    double mass, centre[3], fastest, kinetic, elastic, gravity; // kg, m, m/s, J
    double least_strain, most_strain;                           // (length - rest) / rest, over all springs
    double least_force, most_force;                             // N, negative in compression
    uint32_t springs, cut;
} body_numbers;

static void measure_vertices(tide_world *world, tide_body_id id, const tide_body_info *body, const tide_system *system,
                             body_numbers *n)
{
    const double *x = tide_world_positions(world, id), *v = tide_world_velocities(world, id);
    const double *g = tide_world_get_settings(world)->gravity;
    double fastest = 0;
    for (uint32_t i = 0; i < body->vertex_count; i++, x += 3, v += 3) {
        double m = system->masses[body->first_particle + i], square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        n->mass += m;
        n->kinetic += 0.5 * m * square;
        n->gravity -= m * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
        fastest = fmax(fastest, square);
        for (int k = 0; k < 3; k++)
            n->centre[k] += m * x[k];
    }
    for (int k = 0; k < 3; k++)
        n->centre[k] /= n->mass > 0 ? n->mass : 1;
    n->fastest = sqrt(fastest);
}

static void measure_springs(tide_world *world, tide_body_id id, const tide_body_info *body, body_numbers *n)
{
    const double *x = tide_world_positions(world, id);
    for (uint32_t s = 0; s < body->spring_count; s++) {
        tide_extra_spring spring;
        if (tide_world_is_cut(world, id, s)) {
            n->cut++;
            continue;
        }
        if (tide_world_spring(world, id, s, &spring, NULL) != TIDE_OK)
            continue;
        const double *a = x + 3 * (size_t)spring.i, *b = x + 3 * (size_t)spring.j;
        double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
        double longer = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - spring.rest_length;
        double strain = spring.rest_length > 0 ? longer / spring.rest_length : 0, force = spring.stiffness * longer;
        bool first = n->springs++ == 0;
        n->elastic += 0.5 * spring.stiffness * longer * longer;
        n->least_strain = first ? strain : fmin(n->least_strain, strain);
        n->most_strain = first ? strain : fmax(n->most_strain, strain);
        n->least_force = first ? force : fmin(n->least_force, force);
        n->most_force = first ? force : fmax(n->most_force, force);
    }
}

static void write_numbers(tide_panels *panels, const body_numbers *n)
{
    tide_panels_row(panels, "mass", "%.4g kg", n->mass);
    tide_panels_row(panels, "centre", "%.3g  %.3g  %.3g m", n->centre[0], n->centre[1], n->centre[2]);
    tide_panels_row(panels, "fastest vertex", "%.4g m/s", n->fastest);
    tide_panels_row(panels, "kinetic energy", "%.4g J", n->kinetic);
    tide_panels_row(panels, "elastic energy", "%.4g J", n->elastic);
    tide_panels_row(panels, "gravity energy", "%.4g J", n->gravity);
    if (!n->springs)
        return;
    tide_panels_row(panels, "strain", "%.2f to %.2f %%", 100 * n->least_strain, 100 * n->most_strain);
    tide_gui_help(panels->gui, "the shortest and the longest spring, against its length at rest");
    tide_panels_row(panels, "spring force", "%.3g to %.3g N", n->least_force, n->most_force);
    tide_gui_help(panels->gui, "negative where a spring pushes");
}

void tide_panels_select(tide_panels *panels, const char *body)
{
    snprintf(panels->selected, sizeof panels->selected, "%s", body ? body : "");
}

const char *tide_panels_selected(const tide_panels *panels)
{
    return panels->selected;
}

void tide_panel_selected(tide_panels *panels)
{
    tide_world *world = tide_live_world(panels->live);
    tide_body_id id = tide_world_find_body(world, panels->selected);
    const tide_system *system;
    tide_body_info body;
    body_numbers n = { 0 };
    if (!tide_world_body_info(world, id, &body) || tide_world_system(world, &system, NULL) != TIDE_OK) {
        tide_gui_text(panels->gui, TIDE_GUI_QUIET, "Click a body to see its numbers.");
        return;
    }
    measure_vertices(world, id, &body, system, &n);
    measure_springs(world, id, &body, &n);
    tide_gui_row(panels->gui, "body", body.name);
    tide_panels_row(panels, "vertices", "%" PRIu32, body.vertex_count);
    tide_panels_row(panels, n.cut ? "springs, cut" : "springs", n.cut ? "%" PRIu32 ", %" PRIu32 : "%" PRIu32, n.springs,
                    n.cut);
    write_numbers(panels, &n);
    if (tide_gui_button(panels->gui, "Deselect"))
        tide_panels_select(panels, "");
}
