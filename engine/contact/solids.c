// Contacts of solids in methods that follow y without contact's help. What such a contact pushes is known from the step
// before, or is found by few answers, each of which sees x as what all pushed before has made it.
#include "contact/internal.h"

#include "base/vec3.h"

#include <string.h>

#define KEPT 0.9        // of a gap
#define WIDEST_TURN 0.5 // rad: a guess that is wilder than this is no guess

void tide_contact_know_solids(tide_contacts *c)
{
    for (uint32_t i = 0; i < c->surface->part_count; i++) {
        const tide_contact_part *part = &c->surface->parts[i];
        c->any_solids |= !part->fixed && part->reach == 0;
    }
}

typedef struct rigid {
    double mass, centre[3], shift[3], turn[3];
} rigid;

// Held, or where it is to be.
static bool is_left(const tide_contacts *c, const tide_contact_part *part, const double *x, const double *to)
{
    size_t first = 3 * (size_t)part->first_point;
    if (memcmp(x + first, to + first, 3 * (size_t)part->point_count * sizeof *x) == 0)
        return true;
    for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++)
        if (!(c->surface->inverse_masses[p] > 0))
            return true;
    return false;
}

// turn = inertia^-1 spin, where there is one.
static void solve_turn(const double inertia[6], const double spin[3], double turn[3])
{
    double a = inertia[0], b = inertia[1], c = inertia[2], d = inertia[3], e = inertia[4], f = inertia[5];
    double yy = c * f - e * e, xx = a * f - d * d, zz = a * c - b * b; // [a b d; b c e; d e f]
    double xy = d * e - b * f, xz = b * e - c * d, yz = b * d - a * e;
    double determinant = a * yy + b * xy + d * xz, trace = a + c + f;
    if (!(determinant > 1e-9 * trace * trace * trace))
        return;
    turn[0] = (yy * spin[0] + xy * spin[1] + xz * spin[2]) / determinant;
    turn[1] = (xy * spin[0] + xx * spin[1] + yz * spin[2]) / determinant;
    turn[2] = (xz * spin[0] + yz * spin[1] + zz * spin[2]) / determinant;
}

// The rigid motion with the momentum and the spin of the particles' moves from x to `to`.
static rigid fit(const tide_contacts *c, const tide_contact_part *part, const double *x, const double *to)
{
    rigid r = { 0 };
    double inertia[6] = { 0 }, spin[3] = { 0 };
    uint32_t end = part->first_point + part->point_count;
    for (uint32_t p = part->first_point; p < end; p++) {
        double m = 1 / c->surface->inverse_masses[p];
        r.mass += m;
        for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++) {
            r.centre[k] += m * x[n];
            r.shift[k] += m * (to[n] - x[n]);
        }
    }
    for (int k = 0; k < 3; k++) {
        r.centre[k] /= r.mass;
        r.shift[k] /= r.mass;
    }
    for (uint32_t p = part->first_point; p < end; p++) {
        double m = 1 / c->surface->inverse_masses[p], a[3], d[3];
        for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++) {
            a[k] = x[n] - r.centre[k];
            d[k] = to[n] - x[n];
        }
        spin[0] += m * (a[1] * d[2] - a[2] * d[1]);
        spin[1] += m * (a[2] * d[0] - a[0] * d[2]);
        spin[2] += m * (a[0] * d[1] - a[1] * d[0]);
        inertia[0] += m * (a[1] * a[1] + a[2] * a[2]);
        inertia[1] -= m * a[0] * a[1];
        inertia[2] += m * (a[0] * a[0] + a[2] * a[2]);
        inertia[3] -= m * a[0] * a[2];
        inertia[4] -= m * a[1] * a[2];
        inertia[5] += m * (a[0] * a[0] + a[1] * a[1]);
    }
    solve_turn(inertia, spin, r.turn);
    return r;
}

static void move_rigidly(const tide_contact_part *part, const rigid *r, double *x)
{
    tide_vec3 turn = tide_vec3_load(r->turn);
    double angle = tide_vec3_length(turn), most = fmin(angle, WIDEST_TURN), cosine = cos(most), sine = sin(most);
    tide_vec3 axis = tide_vec3_normalize(turn);
    for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++) {
        double *at = x + 3 * (size_t)p;
        tide_vec3 a = tide_vec3_subtract(tide_vec3_load(at), tide_vec3_load(r->centre));
        tide_vec3 along = tide_vec3_scale(axis, (1 - cosine) * tide_vec3_dot(axis, a));
        tide_vec3 across = tide_vec3_scale(tide_vec3_cross(axis, a), sine);
        tide_vec3 turned = tide_vec3_add(tide_vec3_add(tide_vec3_scale(a, cosine), across), along);
        tide_vec3 to = tide_vec3_add(tide_vec3_load(r->centre), tide_vec3_load(r->shift));
        tide_vec3_store(at, tide_vec3_add(to, turned));
    }
}

void tide_contact_move_solids(const tide_contacts *c, const double *to, double *x)
{
    for (uint32_t i = 0; i < c->surface->part_count; i++) {
        const tide_contact_part *part = &c->surface->parts[i];
        if (part->reach > 0 || part->first_point >= c->particle_count || is_left(c, part, x, to))
            continue;
        rigid r = fit(c, part, x, to);
        move_rigidly(part, &r, x);
    }
}

void tide_contact_place_solids(tide_contacts *c)
{
    tide_contact_move_solids(c, c->answered_x, c->guess);
    for (uint32_t p = 0; p < c->particle_count; p++)
        if (tide_contact_is_solid(c, p))
            memcpy(c->answered_x + 3 * (size_t)p, c->guess + 3 * (size_t)p, 3 * sizeof *c->guess);
}

// --- what their contacts push ---------------------------------------------------------------------------------------

// What pushed as the substep began, and yet had a gap, keeps most of it: else its sum, which goes on from step to step,
// would add up gaps, and act as a force that lags behind what it answers to, so that what rests begins to rock.
double tide_contact_gap_to_close(const tide_contacts *c, const tide_contact_sum *kept, double gap, double opened)
{
    bool keeps = kept->pushed_before && c->following;
    return keeps ? gap - KEPT * fmax(0, gap - opened) : gap;
}

static double along_normal(const tide_contact_sum *kept)
{
    return kept->sum[0] * kept->normal[0] + kept->sum[1] * kept->normal[1] + kept->sum[2] * kept->normal[2];
}

static double grown(const tide_contacts *c, const tide_contact_sum *kept)
{
    return kept->answer + 1 == c->answer ? along_normal(kept) - kept->pushed : 0;
}

// Whether the answers took back what had run ahead, all together, in kg m^2.
static bool has_turned(const tide_contacts *c)
{
    double against = 0;
    for (size_t i = 0; i < c->touching_count; i++) {
        const tide_contact_sum *kept = &c->touching[i].kept;
        double by = grown(c, kept);
        if (by != 0)
            against += (kept->ahead - by) * by / c->surface->inverse_masses[c->touching[i].point];
    }
    for (size_t i = 0; i < c->pair_count; i++) {
        const tide_contact_sum *kept = &c->pairs[i].kept;
        double by = grown(c, kept);
        if (by != 0)
            against += (kept->ahead - by) * by * tide_pair_inverse_mass(c->surface, &c->pairs[i]);
    }
    return against > 0;
}

// By how much a contact runs ahead.
static double lead(const tide_contacts *c, double part, tide_contact_sum *kept, double change[3])
{
    double now = along_normal(kept), ahead = fmax(part * grown(c, kept), -now);
    kept->pushed = now;
    kept->ahead = ahead;
    kept->answer = c->answer;
    for (int k = 0; k < 3; k++) {
        change[k] = ahead * kept->normal[k];
        kept->sum[k] += change[k];
    }
    return ahead;
}

static void shift(const tide_contacts *c, uint32_t point, double factor, const double change[3], double *x, double *y)
{
    const double by[3] = { factor * change[0], factor * change[1], factor * change[2] };
    tide_contact_shift(c, x, point, by);
    tide_contact_shift(c, y, point, by);
}

// What a few points push has to stop a whole solid, and of itself grows by their part of its mass in each answer. So it
// runs ahead by a part of what it has grown, as accelerated gradient methods do (Nesterov 1983; with the restart of
// O'Donoghue and Candes 2015): all contacts together, as each answers to what the others did.
void tide_contacts_run_ahead(tide_contacts *c, double *x, double *y)
{
    double change[3];
    c->answer++;
    c->runs = has_turned(c) ? 1 : c->runs + 1;
    double part = (c->runs - 1.0) / (c->runs + 2.0);
    for (size_t i = 0; i < c->touching_count; i++) {
        tide_collider_contact *t = &c->touching[i];
        if (t->evaluated && tide_contact_is_solid(c, t->point) && lead(c, part, &t->kept, change) != 0)
            shift(c, t->point, 1, change, x, y);
    }
    for (size_t i = 0; i < c->pair_count; i++) {
        tide_pair_contact *t = &c->pairs[i];
        if (!t->settled_on || !tide_pair_is_of_solids(c, t))
            continue;
        double ahead = lead(c, part, &t->kept, change);
        c->stacked = c->stacked || t->kept.pushed > 0;
        for (int k = 0; k < tide_pair_corners(t->kind) && ahead != 0; k++)
            shift(c, t->points[k], t->weights[k] * c->surface->inverse_masses[t->points[k]], change, x, y);
    }
}
