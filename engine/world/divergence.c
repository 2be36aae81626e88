// Finds the particle where a step diverged, and a remedy.
//
// Numbers that are not finite spread along elements within a step, so the lowest index among them means nothing. A
// particle that the method reports itself (report.suspect) comes first. Otherwise the candidates are the free particles
// with an invalid result, or all free particles if the method failed. The origin is the candidate with the largest
// displacement in an explicit step from the last good state, times the amplification of a displacement by its elements:
//
//     | h v + h^2 M^-1 (f_ext - grad E(q)) |  (1 + h^2 sum k / m)
//
// The first factor detects a deformation that has grown from step to step, or a velocity set by hand. The second
// detects the stiffest place of a scene at rest. The error names the most deformed element at that particle.
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

// Adds each particle's sum of stiffnesses, N/m, to the first of its three entries.
static void add_stiffnesses(const tide_system *system, double *sums)
{
    double laplacian[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        for (uint32_t e = 0; e < group->count; e++) {
            group->kind->laplacian(group, e, laplacian);
            for (uint32_t c = 0; c < corners; c++)
                sums[3 * (size_t)group->vertices[e * corners + c]] += laplacian[c * corners + c];
        }
    }
}

static bool is_invalid(const double *numbers, double limit)
{
    return !(fabs(numbers[0]) <= limit && fabs(numbers[1]) <= limit && fabs(numbers[2]) <= limit);
}

// Computes the criterion above for a particle at the last good state, m.
static double badness(const tide_world *world, uint32_t p, const double *gradient, double stiffness)
{
    double h = world->settings.timestep, square = 0, mass = world->system->masses[p];
    for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++) {
        double moved = h * world->damped_velocities[i] + h * h / mass * (world->total_forces[i] - gradient[i]);
        square += moved * moved;
    }
    double bad = sqrt(square) * (1 + h * h * stiffness / mass);
    return isfinite(bad) ? bad : INFINITY;
}

static uint32_t find_origin(const tide_world *world)
{
    const tide_system *system = world->system;
    double *gradient = world->pinned_positions, *stiffnesses = world->next_positions, worst = -1;
    uint32_t origin = 0;
    bool all = tide_world_find_invalid(world, world->next_positions, TIDE_FARTHEST) == world->particle_count &&
               tide_world_find_invalid(world, world->next_velocities, TIDE_LARGEST) == world->particle_count;
    for (size_t i = 0; i < 3 * (size_t)world->particle_count; i += 3) {
        bool candidate = all || is_invalid(world->next_positions + i, TIDE_FARTHEST) ||
                         is_invalid(world->next_velocities + i, TIDE_LARGEST);
        world->next_velocities[i] = candidate;
        stiffnesses[i] = 0;
    }
    tide_system_gradient(system, world->positions, gradient);
    add_stiffnesses(system, stiffnesses);
    for (uint32_t p = 0; p < world->particle_count; p++) {
        size_t i = 3 * (size_t)p;
        if (world->next_velocities[i] == 0 || system->rows[p] == TIDE_PINNED)
            continue;
        double bad = badness(world, p, gradient, stiffnesses[i]);
        if (bad > worst) {
            worst = bad;
            origin = p;
        }
    }
    return origin;
}

static bool is_corner(const tide_elements *group, uint32_t e, uint32_t particle)
{
    for (uint32_t c = 0; c < group->kind->vertex_count; c++)
        if (group->vertices[group->kind->vertex_count * (size_t)e + c] == particle)
            return true;
    return false;
}

// Finds the element with a name at a particle with the largest |strain|, and among equal ones the stiffest. Returns its
// group, or NULL when there is none.
static const tide_elements *find_element(const tide_world *world, uint32_t particle, uint32_t *element, double *strain)
{
    const tide_elements *of = NULL;
    double most = -1, stiffest = -1, laplacian[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    for (uint32_t g = 0; g < world->system->group_count; g++) {
        const tide_elements *group = &world->system->groups[g];
        for (uint32_t e = 0; e < group->count && group->kind->noun; e++) {
            double found;
            if (!is_corner(group, e, particle))
                continue;
            group->kind->strain(group, world->positions, e, e + 1, &found);
            group->kind->laplacian(group, e, laplacian);
            if (fabs(found) < most || (fabs(found) == most && laplacian[0] <= stiffest))
                continue;
            most = fabs(found);
            stiffest = laplacian[0];
            *strain = found;
            *element = e;
            of = group;
        }
    }
    return of;
}

void tide_world_name_element(const tide_world *world, const tide_elements *group, uint32_t e, uint32_t home, char *text,
                             size_t size)
{
    const tide_body *own = tide_world_body_of_particle(world, home);
    snprintf(text, size, "%s", group->kind->noun ? group->kind->noun : group->kind->name);
    for (uint32_t c = 0; c < tide_shown_corners(group->kind); c++) {
        uint32_t particle = group->vertices[group->kind->vertex_count * (size_t)e + c];
        const tide_body *body = tide_world_body_of_particle(world, particle);
        char other[40] = "";
        size_t length = strlen(text);
        if (body != own) // an attachment joins two bodies
            snprintf(other, sizeof other, " of \"%.24s\"", body->name);
        snprintf(text + length, size - length, "%s%u%s", c ? "-" : " ", particle - body->first_particle + 1, other);
    }
}

// Writes " (spring 12-13 stretched by 340 %)", or "" for a particle without elements.
static void describe_element(const tide_world *world, uint32_t particle, char *text, size_t size)
{
    uint32_t e = 0;
    double strain = 0;
    char name[TIDE_ELEMENT_NAME_SIZE];
    const tide_elements *group = find_element(world, particle, &e, &strain);
    text[0] = '\0';
    if (!group)
        return;
    tide_world_name_element(world, group, e, particle, name, sizeof name);
    double percent = 100 * fabs(strain);
    if (percent < 0.1)
        snprintf(text, size, " (%s at its rest %s)", name, group->kind->size);
    else
        snprintf(text, size, " (%s %s by %.3g %%)", name, strain > 0 ? "stretched" : "compressed", percent);
}

static const tide_field *option(const tide_world *world, const char *name)
{
    return tide_field_find(tide_solver_kind_of(world->solver)->fields, "", name, NULL);
}

static bool is_automatic(const tide_world *world, const tide_field *field)
{
    const char *options = tide_solver_options(world->solver);
    return field->word && !tide_given(*(const double *)(const void *)(options + field->offset));
}

// Writes a remedy, which depends on the options of the solver.
static void write_help(const tide_world *world, const tide_report *report, char *text, size_t size)
{
    const tide_field *substep = option(world, "substep");
    const char *first;
    char stable[80] = "";
    bool known = report->stable_substep > 0;
    // If the substep was not too long, the solver's warning names the cause.
    bool short_enough = known && report->substep <= report->stable_substep * (1 + 1e-9);
    if (report->warning[0] && (short_enough || report->never_stable)) {
        snprintf(text, size, "%s, or choose an implicit solver", report->warning);
        return;
    }
    if (known)
        snprintf(stable, sizeof stable, "the longest stable substep is %.3g s: ", report->stable_substep);
    if (substep && is_automatic(world, substep))
        first = option(world, "safety") ? "raise `safety`, set a smaller `substep`" : "set a smaller `substep`";
    else if (substep && substep->word)
        first = "set a smaller `substep`, or \"auto\"";
    else if (substep)
        first = "set a smaller `substep`";
    else if (known)
        first = "set a shorter timestep or more `substeps`";
    else if (option(world, "iterations"))
        first = "set a shorter timestep, lower the stiffness, raise `iterations`";
    else
        first = "set a shorter timestep, lower the stiffness";
    snprintf(text, size, "%s%s, or choose %s", stable, first,
             substep || known ? "an implicit solver" : "another solver");
}

tide_status tide_world_fail_diverged(const tide_world *world, const tide_report *report, const tide_error *failure,
                                     tide_error *error)
{
    uint32_t particle = report->suspect < world->particle_count ? report->suspect : find_origin(world);
    char element[TIDE_ELEMENT_NAME_SIZE + 48], help[256], remedy[1024], why[256] = "";
    double h = world->settings.timestep, substep = report->substep;
    bool cut = substep > 0 && substep < h * (1 - 1e-9);
    describe_element(world, particle, element, sizeof element);
    if (failure && strcmp(failure->field, TIDE_CONTACT_PRESS) == 0)
        snprintf(help, sizeof help, "keep these colliders farther apart, or give the body a smaller `thickness`");
    else
        write_help(world, report, help, sizeof help);
    if (failure)
        snprintf(why, sizeof why, ": %.240s", failure->remedy);
    snprintf(remedy, sizeof remedy, "the step to frame %llu %s here under %s with %s of %.3g s%s%s; %s",
             (unsigned long long)world->frame + 1, failure ? "failed" : "diverged",
             tide_solver_kind_of(world->solver)->name, cut ? "substeps" : "a timestep", cut ? substep : h, element, why,
             help);
    return tide_world_attribute_error(world, particle, remedy, error);
}
