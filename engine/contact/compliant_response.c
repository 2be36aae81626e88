// Contacts whose forces x yields to at once, where a method steps with one matrix A.
//
// Between two iterations, g's quadratic model is least under forces J's at x + A^-1 J's: there a method that lowers g
// by steps of A goes on to lower it among what does not penetrate. Which s that takes is found by a few passes, each
// of all contacts together. What a change of s does to their gaps is W = J A^-1 J'; as each pass takes instead of W the
// diagonal of its rows' sums of absolute values, no smaller than W, it overshoots nowhere, and moves what touches in
// many points at once by what its gaps are, however heavy the solid and however small the mass of the points. Rows are
// weighted by the contacts' shares, as where two cloths touch a point has a dozen pairs, and where it lies on a table
// one contact: W is no larger than the diagonal of (|W| share) / share, for any positive shares. The sums of all rows
// are one solve: A z = |J|' share.
//
// Where a method steps with its Hessian H, which changes from step to step, H^-1 has entries below 0, and the solve
// bounds nothing: it tells how contacts compare, and how far all may go together is measured. A pass d would lower the
// gaps' energy by d' D d - d' W d / 2 at least, D being what it took for W; where d' W d is more than d' D d, the part
// d' D d / d' W d of it is taken, which lowers it most, and passes after it take D larger by as much.
//
// Where A stays, W is had among the particles that are touched (compliance.h): a pass then is a product with it, and
// all particles follow by one solve at the end; with pairs, whenever W is to be of more particles, too. Without, those
// that join W are moved by the forces so far. Between two steps of a method there is no need of the solve where
// colliders alone are touched: y has the forces, so that the step to come moves x by A^-1 of them besides its own way,
// and only where springs point is known a step late. What pairs hand on to one another does not come to rest that way.
#include "base/parallel.h"
#include "contact/collider_near.h"
#include "contact/motion_bound.h"

#include <string.h>

enum { FOLLOWED = 4096 }; // particles of a piece

// The particles that a point is or is carried by, with their weights. How many: 0 for a collider's. Of one that is a
// particle itself, `particles` is left as it is.
static inline int bearers_of(const tide_contacts *c, uint32_t point, const uint32_t **particles, const double **weights)
{
    static const double whole = 1;
    if (point >= c->moving_count)
        return 0;
    if (point < c->particle_count) {
        *weights = &whole;
        return 1;
    }
    size_t first = 4 * (size_t)(point - c->particle_count);
    *particles = c->surface->carriers + first;
    *weights = c->surface->carrier_weights + first;
    return 4;
}

int tide_contact_bearers(const tide_contacts *c, uint32_t point, uint32_t particles[TIDE_BEARERS],
                         double shares[TIDE_BEARERS])
{
    const uint32_t *of = &point;
    const double *weights;
    int count = bearers_of(c, point, &of, &weights);
    for (int i = 0; i < count; i++) {
        particles[i] = of[i];
        shares[i] = weights[i];
    }
    return count;
}

static void add_force(tide_contacts *c, double *forces, uint32_t point, double factor, const double force[3])
{
    if (point < c->particle_count) { // most are
        for (size_t k = 0, n = 3 * (size_t)point; k < 3; k++)
            forces[n + k] += factor * force[k];
        c->strays |= c->complies && c->compliance->slots[point] == TIDE_NOT_TOUCHED;
        return;
    }
    const uint32_t *particles = &point;
    const double *weights;
    int count = bearers_of(c, point, &particles, &weights);
    for (int i = 0; i < count; i++)
        for (size_t k = 0, n = 3 * (size_t)particles[i]; k < 3; k++)
            forces[n + k] += factor * weights[i] * force[k];
    for (int i = 0; i < count && c->complies; i++)
        c->strays |= c->compliance->slots[particles[i]] == TIDE_NOT_TOUCHED;
}

static void clear_force(tide_contacts *c)
{
    if (c->strays)
        memset(c->force, 0, 3 * (size_t)c->particle_count * sizeof *c->force);
    for (uint32_t i = 0; i < c->compliance->count && !c->strays; i++)
        memset(c->force + 3 * (size_t)c->compliance->touched[i], 0, 3 * sizeof *c->force);
    c->strays = c->follows = false;
}

void tide_contact_apply(tide_contacts *c, uint32_t point, double factor, const double force[3], bool yields, double *x)
{
    if (yields && c->took_back && c->yield->measured) { // it is not to be taken in part
        add_force(c, c->others, point, factor, force);
        c->others_forced = true;
        return;
    }
    if (yields) {
        add_force(c, c->force, point, factor, force);
        c->forced = true;
        return;
    }
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = factor * c->surface->inverse_masses[point] * force[k];
    tide_contact_make_dirty(c, point);
    tide_contact_shift(c, x, point, d);
    if (c->others_yield) {
        add_force(c, c->others, point, factor, force);
        c->others_forced = true;
    }
}

double tide_contact_compliance_bound(const tide_contacts *c, uint32_t point)
{
    const uint32_t *particles = &point;
    const double *weights;
    double sum = 0;
    int count = bearers_of(c, point, &particles, &weights);
    for (int i = 0; i < count; i++)
        sum += fabs(weights[i]) * c->row_sums[3 * (size_t)particles[i]];
    return sum * c->stretch;
}

bool tide_contact_activates(tide_contacts *c, tide_contact_sum *kept)
{
    if (kept->joined)
        return false;
    memcpy(kept->before, kept->sum, sizeof kept->before);
    return c->uncounted = kept->joined = true;
}

static void add_row(const tide_contacts *c, double *sums, uint32_t point, double weight)
{
    const uint32_t *particles = &point;
    const double *weights;
    int count = bearers_of(c, point, &particles, &weights);
    for (int i = 0; i < count; i++) {
        sums[3 * (size_t)particles[i]] += fabs(weight * weights[i]);
        tide_bit_put(c->touched, particles[i]);
    }
}

static void add_pair_row(const tide_contacts *c, double *sums, const tide_pair_contact *pair, double factor)
{
    for (int k = 0; k < tide_pair_corners(pair->kind); k++)
        add_row(c, sums, pair->points[k], factor * pair->weights[k]);
}

// 1 over the number of pairs that bear on a pair's points, at most.
static double share_of(const tide_contacts *c, const double *crowd, const tide_pair_contact *pair)
{
    double most = 1;
    for (int k = 0; k < tide_pair_corners(pair->kind); k++) {
        const uint32_t *particles = &pair->points[k];
        const double *weights;
        int count = bearers_of(c, pair->points[k], &particles, &weights);
        for (int i = 0; i < count; i++)
            most = fmax(most, crowd[3 * (size_t)particles[i]]);
    }
    return 1 / most;
}

static void weigh_pairs(tide_contacts *c)
{
    double *crowd = c->yielded;
    memset(crowd, 0, 3 * (size_t)c->particle_count * sizeof *crowd);
    for (size_t i = 0; i < c->pair_count; i++)
        if (c->pairs[i].kept.joined && tide_pair_is_compliant(c, &c->pairs[i]))
            add_pair_row(c, crowd, &c->pairs[i], 1);
    for (size_t i = 0; i < c->pair_count; i++) {
        tide_pair_contact *pair = &c->pairs[i];
        if (!pair->kept.joined || !tide_pair_is_compliant(c, pair))
            continue;
        pair->kept.share = share_of(c, crowd, pair);
        add_pair_row(c, c->row_sums, pair, pair->kept.share);
    }
}

// Whether rows' sums can be had by W. What has been moved by forces before, of a smaller W, stays so.
static bool comply(tide_contacts *c)
{
    if (c->yield->serial == 0 || c->yield->of_lines || c->yield->measured)
        return false;
    if (!c->compliance)
        c->compliance = tide_compliance_create(c->particle_count);
    return c->compliance && tide_compliance_take(c->compliance, c->yield, c->touched, c->follows);
}

// What rows are weighted by, in place of their sums.
static void weigh_rows(tide_contacts *c)
{
    memset(c->row_sums, 0, 3 * (size_t)c->particle_count * sizeof *c->row_sums);
    memset(c->touched, 0, tide_bit_words(c->particle_count) * sizeof *c->touched);
    if (c->pair_count > 0)
        weigh_pairs(c);
    for (size_t i = 0; i < c->touching_count; i++) {
        tide_collider_contact *t = &c->touching[i];
        if (!t->kept.joined || !tide_contact_is_compliant(c, t->point))
            continue;
        t->kept.share = 1;
        add_row(c, c->row_sums, t->point, 1);
    }
}

double tide_contacts_update_row_sums(tide_contacts *c, double *x, double *also)
{
    weigh_rows(c);
    c->stretch = 1;
    c->uncounted = false;
    if (comply(c)) {
        tide_compliance_sum(c->compliance, c->row_sums, c->row_sums);
        c->complies = true;
        return c->follows ? tide_compliance_move(c->compliance, c->force, x, also) : 0;
    }
    double most = tide_contacts_end_compliance(c, false, x, also);
    c->complies = false;
    memcpy(c->yielded, c->row_sums, 3 * (size_t)c->particle_count * sizeof *c->yielded);
    c->uncounted = !c->yield->solve(c->yield, c->yielded, c->row_sums);
    for (size_t i = 0; c->yield->measured && i < 3 * (size_t)c->particle_count; i += 3)
        c->row_sums[i] = sqrt(c->row_sums[i] * c->row_sums[i] + c->row_sums[i + 1] * c->row_sums[i + 1] +
                              c->row_sums[i + 2] * c->row_sums[i + 2]);
    return most;
}

void tide_contact_predict_decrease(tide_contacts *c, tide_contact_sum *kept, double factor, const double change[3])
{
    c->expected += factor * (change[0] * change[0] + change[1] * change[1] + change[2] * change[2]);
    memcpy(kept->last, change, sizeof kept->last);
    kept->pass = c->pass;
}

// Takes back a part of a contact's last change. What ended and would push by next to nothing again does not: a contact
// that pushes is one that touches.
static void take_less(tide_contacts *c, double part, double inverse_mass, tide_contact_sum *kept)
{
    const double *last = kept->last;
    if (kept->pass != c->pass)
        return;
    double left = part * inverse_mass * sqrt(last[0] * last[0] + last[1] * last[1] + last[2] * last[2]);
    if (tide_contact_is_idle(kept) && left < TIDE_CONTACT_SETTLED)
        return;
    for (int k = 0; k < 3; k++)
        kept->sum[k] -= part * last[k];
}

// Forces d of a pass lower what they are to lower as long as d' W d is no more than what the pass took for it; else by
// that part of them it is lowered most. How much of them is left.
static double measure(tide_contacts *c, double *y)
{
    double work = 0;
    size_t numbers = 3 * (size_t)c->particle_count;
    for (size_t i = 0; i < numbers; i++)
        work += c->force[i] * c->yielded[i];
    double part = c->expected > 0 && work > c->expected ? c->expected / work : 1;
    if (c->expected > 0)
        c->stretch *= fmax(work / c->expected, 1);
    c->expected = 0;
    if (part < 1) {
        for (size_t i = 0; i < numbers; i++)
            if (y && c->force[i] != 0)
                y[i] -= (1 - part) * c->surface->inverse_masses[i / 3] * c->force[i];
        for (size_t i = 0; i < c->touching_count; i++)
            take_less(c, 1 - part, 1, &c->touching[i].kept);
        for (size_t i = 0; i < c->pair_count; i++)
            take_less(c, 1 - part, tide_pair_inverse_mass(c->surface, &c->pairs[i]), &c->pairs[i].kept);
    }
    c->pass++;
    return part;
}

// Moves both by a part of what was solved for; the largest change.
static double follow_solve(tide_contacts *c, double part, double *x, double *also)
{
    double most = 0;
    for (size_t i = 0; i < 3 * (size_t)c->particle_count; i++) {
        double by = part * c->yielded[i];
        x[i] += by;
        if (also)
            also[i] += by;
        most = fabs(by) > most ? fabs(by) : most;
    }
    tide_collider_near_move(c->near, most);
    return most;
}

double tide_contacts_apply_forces(tide_contacts *c, double *x, double *also, double *y)
{
    if (!c->forced)
        return 0;
    c->forced = false;
    if (c->complies) {
        c->follows = true;
        return tide_compliance_move(c->compliance, c->force, x, also);
    }
    bool solved = c->yield->solve(c->yield, c->force, c->yielded);
    double part = solved && c->yield->measured ? measure(c, y) : 1;
    memset(c->force, 0, 3 * (size_t)c->particle_count * sizeof *c->force);
    return solved ? follow_solve(c, part, x, also) : 0;
}

static bool colliders_alone_push(const tide_contacts *c)
{
    for (size_t i = 0; i < c->pair_count; i++)
        if (!tide_contact_is_idle(&c->pairs[i].kept))
            return false;
    return true;
}

double tide_contacts_end_compliance(tide_contacts *c, bool over, double *x, double *also)
{
    if (!c->follows)
        return 0;
    tide_compliance_take_back(c->compliance, x, also);
    bool awaits = over && c->awaits_step && colliders_alone_push(c);
    bool solved = !awaits && c->yield->solve(c->yield, c->force, c->yielded);
    double most = solved ? follow_solve(c, 1, x, also) : 0;
    clear_force(c);
    return most;
}

double tide_contacts_apply_other_forces(tide_contacts *c, double *x)
{
    if (!c->others_forced)
        return 0;
    size_t size = 3 * (size_t)c->particle_count * sizeof *c->force;
    memcpy(c->force, c->others, size);
    memset(c->others, 0, size);
    c->others_forced = false;
    c->forced = true;
    return tide_contacts_apply_forces(c, c->answered_x, x, NULL);
}

static void follow_one(const tide_contacts *c, double *x, uint32_t p)
{
    double by[3], square = 0, reach = c->surface->parts[c->surface->part_of[p]].reach;
    for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++) {
        by[k] = c->answered_x[n] - x[n];
        square += by[k] * by[k];
    }
    if (square == 0)
        return;
    double part = square > reach * reach ? reach / sqrt(square) : 1;
    for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++)
        x[n] += part * by[k];
}

typedef struct follow_all {
    const tide_contacts *c;
    double *x;
} follow_all;

static void follow_some(void *context, uint32_t begin, uint32_t end)
{
    const follow_all *f = context;
    for (uint32_t p = begin; p < end; p++) {
        for (; p + 2 <= end; p += 2) { // most have not been moved
            const tide_double2 *from = (const tide_double2 *)(f->x + 3 * (size_t)p);
            const tide_double2 *to = (const tide_double2 *)(f->c->answered_x + 3 * (size_t)p);
            tide_double2 by = (to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]) +
                              (to[2] - from[2]) * (to[2] - from[2]);
            if (!(by[0] + by[1] == 0))
                break;
        }
        if (p < end)
            follow_one(f->c, f->x, p);
    }
}

void tide_contacts_move_noncompliant(const tide_contacts *c, double *x)
{
    if (c->sparse) {
        for (size_t w = 0; w < tide_bit_words(c->particle_count); w++)
            for (uint64_t rest = c->dirty[w]; rest;)
                follow_one(c, x, tide_bit_take(&rest, w));
        return;
    }
    follow_all f = { c, x };
    tide_parallel_for(c->particle_count, FOLLOWED, follow_some, &f);
}
