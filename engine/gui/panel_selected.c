// The body that was clicked: its numbers.
#include "gui/panels_state.h"
#include "session/measures.h"

#include "model/system.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct body_numbers {
    double mass, centre[3], fastest, kinetic, elastic, gravity; // kg, m, m/s, J
    double least_strain, most_strain;                           // over all elements that are not cut
    double least_force, most_force;                             // N, on the first corner; negative in compression
    uint32_t elements, cut;
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

static void measure_element(const tide_elements *group, const double *x, uint32_t e, body_numbers *n)
{
    double strain, gradient[TIDE_ELEMENT_MAX_NUMBERS];
    group->kind->strain(group, x, e, e + 1, &strain);
    group->kind->gradient(group, x, e, e + 1, gradient);
    double force =
        copysign(sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2]), strain);
    bool first = n->elements++ == 0;
    n->least_strain = first ? strain : fmin(n->least_strain, strain);
    n->most_strain = first ? strain : fmax(n->most_strain, strain);
    n->least_force = first ? force : fmin(n->least_force, force);
    n->most_force = first ? force : fmax(n->most_force, force);
}

static void measure_elements(tide_world *world, tide_body_id id, body_numbers *n)
{
    const double *x = tide_world_all_positions(world);
    const tide_elements *groups;
    uint32_t count;
    if (tide_world_groups(world, id, &groups, &count, NULL) != TIDE_OK)
        return;
    for (uint32_t g = 0; g < count; g++) {
        n->elastic += groups[g].kind->energy(&groups[g], x, 0, groups[g].count);
        for (uint32_t e = 0; e < groups[g].count; e++)
            if (tide_element_stiffness(&groups[g], e) == 0)
                n->cut++;
            else
                measure_element(&groups[g], x, e, n);
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
    if (!n->elements)
        return;
    tide_panels_row(panels, "strain", "%.2f to %.2f %%", 100 * n->least_strain, 100 * n->most_strain);
    tide_gui_help(panels->gui, "lengths of the shortest and the longest spring relative to their rest lengths; sizes "
                               "of other elements relative to their sizes at rest");
    tide_panels_row(panels, "element force", "%.3g to %.3g N", n->least_force, n->most_force);
    tide_gui_help(panels->gui, "of an element on a vertex; negative where the element is compressed");
}

static void write_forces(tide_panels *panels, tide_world *world, tide_body_id id)
{
    tide_forces forces = { 0 };
    if (!tide_add_forces(world, id, &forces))
        return;
    const double *r = forces.reaction, *c = forces.contact;
    if (r[0] != 0 || r[1] != 0 || r[2] != 0) {
        tide_panels_row(panels, "reaction", "%.3g  %.3g  %.3g N", r[0], r[1], r[2]);
        tide_gui_help(panels->gui, "sum of the forces of pins and attachments on the body");
    }
    if (c[0] != 0 || c[1] != 0 || c[2] != 0) {
        tide_panels_row(panels, "contact force", "%.3g  %.3g  %.3g N", c[0], c[1], c[2]);
        tide_gui_help(panels->gui, "sum of the forces of contacts on the body, friction included");
    }
    if (forces.stress > 0) {
        tide_panels_row(panels, "largest stress", "%.4g Pa", forces.stress);
        tide_gui_help(panels->gui, "von Mises stress of the body's solid or membrane");
    }
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
    measure_elements(world, id, &n);
    tide_gui_row(panels->gui, "body", body.name);
    tide_panels_row(panels, "vertices", "%" PRIu32, body.vertex_count);
    tide_panels_row(panels, "springs", "%" PRIu32, body.spring_count);
    for (uint32_t g = 1; g < body.group_count; g++)
        tide_panels_row(panels, body.groups[g].kind->name, "%" PRIu32, body.groups[g].count);
    if (n.cut)
        tide_panels_row(panels, "cut", "%" PRIu32, n.cut);
    write_numbers(panels, &n);
    write_forces(panels, world, id);
    if (tide_gui_button(panels->gui, "Deselect"))
        tide_panels_select(panels, "");
}
