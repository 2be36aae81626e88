// Compliant contacts: x moves by A^-1 of their forces at once, where a method steps with one matrix A.
//
// Between two iterations, the quadratic model of g under the forces J' s has its minimum at x + A^-1 J' s. From there a
// method that lowers g by steps of A continues without penetration. A few passes, each over all contacts, find s. A
// change ds changes the gaps by W ds, with the Delassus operator W = J A^-1 J'. A pass replaces W by the diagonal D of
// its row sums of absolute values. D >= W, so a pass never overshoots, and it moves a body that touches in many points
// by its gaps, for any mass of the body and its points. Rows are weighted by the contacts' shares, because where two
// cloths touch, a point has a dozen pairs, and on a table one contact: W <= diag((|W| share) / share) for any positive
// shares. One solve gives all row sums: A z = |J|' share.
//
// Where a method steps with its Hessian H, which changes from step to step, H^-1 has negative entries and the row sums
// are no bound. They still weigh contacts against each other, and the length of a pass is measured. A pass d lowers the
// energy of the gaps by at least d' D d - d' W d / 2. Where d' W d > d' D d, only the part d' D d / d' W d of it is
// applied, which lowers the energy most, and later passes scale D by the inverse.
//
// Where A is constant, W is a dense matrix over the particles that contacts touch (compliance.h). A pass is then a
// product with it, and all other particles follow by one solve at the end; with pairs, also whenever W grows. Without
// pairs, particles that join W are moved by the forces so far. Between two steps of a method the final solve is not
// needed where only colliders are touched: y has the forces, so the next step moves x by A^-1 of them, and only the
// ends of springs are one step late. Impulses between pairs do not converge that way.
#include "base/memory.h"
#include "base/parallel.h"
#include "contact/collider_near.h"
#include "contact/motion_bound.h"

#include <string.h>

enum { FOLLOWED = 4096 }; // particles for one task

// Sets the particles that a point is or is carried by, with their weights. Returns their number, 0 for points of
// colliders. For a particle, `particles` stays as it is.
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
    if (point < c->particle_count) { // the common case
        for (size_t k = 0, n = 3 * (size_t)point; k < 3; k++)
            forces[n + k] += factor * force[k];
        c->compliance.strays |= c->compliance.use && c->compliance.dense->slots[point] == TIDE_NOT_TOUCHED;
        return;
    }
    const uint32_t *particles = &point;
    const double *weights;
    int count = bearers_of(c, point, &particles, &weights);
    for (int i = 0; i < count; i++)
        for (size_t k = 0, n = 3 * (size_t)particles[i]; k < 3; k++)
            forces[n + k] += factor * weights[i] * force[k];
    for (int i = 0; i < count && c->compliance.use; i++)
        c->compliance.strays |= c->compliance.dense->slots[particles[i]] == TIDE_NOT_TOUCHED;
}

static void clear_force(tide_contacts *c)
{
    if (c->compliance.strays)
        memset(c->compliance.force, 0, 3 * (size_t)c->particle_count * sizeof *c->compliance.force);
    for (uint32_t i = 0; i < c->compliance.dense->count && !c->compliance.strays; i++)
        memset(c->compliance.force + 3 * (size_t)c->compliance.dense->touched[i], 0, 3 * sizeof *c->compliance.force);
    c->compliance.strays = false;
    c->compliance.use = TIDE_DENSE_USED;
}

void tide_contact_apply(tide_contacts *c, uint32_t point, double factor, const double force[3],
                        tide_contact_route route, double *x)
{
    if (route == TIDE_APPLY_LATER || (route == TIDE_APPLY_FREELY && c->inverse && c->inverse->of_lines)) {
        add_force(c, c->compliance.others, point, factor, force);
        c->compliance.others_forced = true;
    }
    if (route == TIDE_APPLY_COMPLIANTLY) {
        add_force(c, c->compliance.force, point, factor, force);
        c->compliance.forced = true;
    }
    if (route != TIDE_APPLY_FREELY)
        return;
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = factor * c->surface->inverse_masses[point] * force[k];
    tide_contact_make_dirty(c, point);
    tide_contact_shift(c, x, point, d);
}

double tide_contact_compliance_bound(const tide_contacts *c, uint32_t point)
{
    const uint32_t *particles = &point;
    const double *weights;
    double sum = 0;
    int count = bearers_of(c, point, &particles, &weights);
    for (int i = 0; i < count; i++)
        sum += fabs(weights[i]) * c->compliance.row_sums[3 * (size_t)particles[i]];
    return sum * c->compliance.stretch;
}

bool tide_contact_activates(tide_contacts *c, tide_contact_impulse *kept)
{
    if (kept->joined)
        return false;
    memcpy(kept->before, kept->accumulated, sizeof kept->before);
    return c->compliance.rows_stale = kept->joined = true;
}

static void add_row(const tide_contacts *c, double *sums, uint32_t point, double weight)
{
    const uint32_t *particles = &point;
    const double *weights;
    int count = bearers_of(c, point, &particles, &weights);
    for (int i = 0; i < count; i++) {
        sums[3 * (size_t)particles[i]] += fabs(weight * weights[i]);
        tide_bit_put(c->compliance.touched, particles[i]);
    }
}

static void add_pair_row(const tide_contacts *c, double *sums, const tide_contact_constraint *pair, double factor)
{
    for (int k = 0; k < tide_contact_corners(pair->kind); k++)
        add_row(c, sums, pair->points[k], factor * pair->weights[k]);
}

// Returns 1 / n, where n is the largest number of pairs at one of the points of a pair.
static double share_of(const tide_contacts *c, const double *crowd, const tide_contact_constraint *pair)
{
    double most = 1;
    for (int k = 0; k < tide_contact_corners(pair->kind); k++) {
        const uint32_t *particles = &pair->points[k];
        const double *weights;
        int count = bearers_of(c, pair->points[k], &particles, &weights);
        for (int i = 0; i < count; i++)
            most = fmax(most, crowd[3 * (size_t)particles[i]]);
    }
    return 1 / most;
}

static bool is_active_pair(const tide_contacts *c, const tide_contact_constraint *t)
{
    return tide_contact_is_pair(t) && t->kept.joined && tide_contact_is_compliant(c, t);
}

static void weigh_pairs(tide_contacts *c)
{
    double *crowd = c->compliance.displacement;
    memset(crowd, 0, 3 * (size_t)c->particle_count * sizeof *crowd);
    for (size_t i = 0; i < c->list.count; i++)
        if (is_active_pair(c, &c->list.items[i]))
            add_pair_row(c, crowd, &c->list.items[i], 1);
    for (size_t i = 0; i < c->list.count; i++) {
        tide_contact_constraint *pair = &c->list.items[i];
        if (!is_active_pair(c, pair))
            continue;
        pair->kept.share = share_of(c, crowd, pair);
        add_pair_row(c, c->compliance.row_sums, pair, pair->kept.share);
    }
}

// Builds the dense W of the touched particles. Returns false where there is none. Displacements by the forces of a
// smaller W stay.
static bool comply(tide_contacts *c)
{
    if (c->inverse->serial == 0 || c->inverse->of_lines || c->inverse->measured)
        return false;
    if (!c->compliance.dense)
        c->compliance.dense = tide_own(c, tide_compliance_create(c->particle_count));
    return c->compliance.dense && tide_compliance_take(c->compliance.dense, c->inverse, c->compliance.touched,
                                                       c->compliance.use == TIDE_DENSE_BEHIND);
}

// Sets row_sums to the weights of the rows, |J|' share.
static void weigh_rows(tide_contacts *c)
{
    memset(c->compliance.row_sums, 0, 3 * (size_t)c->particle_count * sizeof *c->compliance.row_sums);
    memset(c->compliance.touched, 0, tide_bit_words(c->particle_count) * sizeof *c->compliance.touched);
    if (c->list.pair_count > 0)
        weigh_pairs(c);
    for (size_t i = 0; i < c->near->contact_count; i++) {
        tide_contact_constraint *t = tide_contact_of(c, &c->near->contacts[i]);
        if (!t->kept.joined || !tide_contact_is_compliant(c, t))
            continue;
        t->kept.share = 1;
        add_row(c, c->compliance.row_sums, t->points[0], 1);
    }
}

double tide_contacts_update_row_sums(tide_contacts *c, double *x, double *also)
{
    weigh_rows(c);
    c->compliance.stretch = 1;
    c->compliance.rows_stale = false;
    if (comply(c)) {
        tide_compliance_sum(c->compliance.dense, c->compliance.row_sums, c->compliance.row_sums);
        if (c->compliance.use == TIDE_DENSE_UNUSED)
            c->compliance.use = TIDE_DENSE_USED;
        return c->compliance.use == TIDE_DENSE_BEHIND
                   ? tide_compliance_move(c->compliance.dense, c->compliance.force, x, also)
                   : 0;
    }
    double most = tide_contacts_end_compliance(c, false, x, also);
    c->compliance.use = TIDE_DENSE_UNUSED;
    memcpy(c->compliance.displacement, c->compliance.row_sums,
           3 * (size_t)c->particle_count * sizeof *c->compliance.displacement);
    c->compliance.rows_stale = !c->inverse->solve(c->inverse, c->compliance.displacement, c->compliance.row_sums);
    for (size_t i = 0; c->inverse->measured && i < 3 * (size_t)c->particle_count; i += 3)
        c->compliance.row_sums[i] = sqrt(c->compliance.row_sums[i] * c->compliance.row_sums[i] +
                                         c->compliance.row_sums[i + 1] * c->compliance.row_sums[i + 1] +
                                         c->compliance.row_sums[i + 2] * c->compliance.row_sums[i + 2]);
    return most;
}

void tide_contact_predict_decrease(tide_contacts *c, tide_contact_impulse *kept, double factor, const double change[3])
{
    c->compliance.expected += factor * (change[0] * change[0] + change[1] * change[1] + change[2] * change[2]);
    memcpy(kept->last, change, sizeof kept->last);
    kept->pass = c->compliance.pass;
}

// Removes a part of a contact's last change. A contact that has become idle stays idle if it would get next to nothing:
// only contacts that touch have impulses.
static void take_less(tide_contacts *c, double part, double inverse_mass, tide_contact_impulse *kept)
{
    const double *last = kept->last;
    if (kept->pass != c->compliance.pass)
        return;
    double left = part * inverse_mass * sqrt(last[0] * last[0] + last[1] * last[1] + last[2] * last[2]);
    if (tide_contact_is_idle(kept) && left < TIDE_CONTACT_TOLERANCE)
        return;
    for (int k = 0; k < 3; k++)
        kept->accumulated[k] -= part * last[k];
}

// Measures a pass d: it lowers the energy while d' W d <= d' D d; beyond this, the part d' D d / d' W d lowers it most.
// Returns the part that is applied, and removes the rest from impulses and y.
static double measure(tide_contacts *c, double *y)
{
    double work = 0;
    size_t numbers = 3 * (size_t)c->particle_count;
    for (size_t i = 0; i < numbers; i++)
        work += c->compliance.force[i] * c->compliance.displacement[i];
    double part = c->compliance.expected > 0 && work > c->compliance.expected ? c->compliance.expected / work : 1;
    if (c->compliance.expected > 0)
        c->compliance.stretch *= fmax(work / c->compliance.expected, 1);
    c->compliance.expected = 0;
    if (part < 1) {
        for (size_t i = 0; i < numbers; i++)
            if (y && c->compliance.force[i] != 0)
                y[i] -= (1 - part) * c->surface->inverse_masses[i / 3] * c->compliance.force[i];
        for (size_t i = 0; i < c->list.count; i++)
            take_less(c, 1 - part, tide_contact_inverse_mass(c->surface, &c->list.items[i]), &c->list.items[i].kept);
    }
    c->compliance.pass++;
    return part;
}

typedef struct follow_displacement {
    const double *displacement;
    double part, *x, *also;
} follow_displacement;

static double follow_piece(void *context, uint32_t begin, uint32_t end)
{
    const follow_displacement *f = context;
    double most = 0;
    for (size_t i = 3 * (size_t)begin; i < 3 * (size_t)end; i++) {
        double by = f->part * f->displacement[i];
        f->x[i] += by;
        if (f->also)
            f->also[i] += by;
        most = fabs(by) > most ? fabs(by) : most;
    }
    return most;
}

// Moves x and `also` by a part of the displacement solved for. Returns the largest change of a coordinate.
static double follow_solve(tide_contacts *c, double part, double *x, double *also)
{
    follow_displacement f = { c->compliance.displacement, part, x, also };
    double most = tide_parallel_most(c->particle_count, FOLLOWED, follow_piece, &f);
    tide_collider_near_move(c->near, most);
    return most;
}

double tide_contacts_apply_forces(tide_contacts *c, double *x, double *also, double *y)
{
    if (!c->compliance.forced)
        return 0;
    c->compliance.forced = false;
    if (c->compliance.use) {
        c->compliance.use = TIDE_DENSE_BEHIND;
        return tide_compliance_move(c->compliance.dense, c->compliance.force, x, also);
    }
    bool solved = c->inverse->solve(c->inverse, c->compliance.force, c->compliance.displacement);
    double part = solved && c->inverse->measured ? measure(c, y) : 1;
    memset(c->compliance.force, 0, 3 * (size_t)c->particle_count * sizeof *c->compliance.force);
    return solved ? follow_solve(c, part, x, also) : 0;
}

static bool colliders_alone_push(const tide_contacts *c)
{
    for (size_t i = 0; i < c->list.count; i++)
        if (tide_contact_is_pair(&c->list.items[i]) && !tide_contact_is_idle(&c->list.items[i].kept))
            return false;
    return true;
}

double tide_contacts_end_compliance(tide_contacts *c, bool over, double *x, double *also)
{
    if (c->compliance.use != TIDE_DENSE_BEHIND)
        return 0;
    tide_compliance_take_back(c->compliance.dense, x, also);
    bool awaits = over && c->place == TIDE_ITERATION_BETWEEN && colliders_alone_push(c);
    bool solved = !awaits && c->inverse->solve(c->inverse, c->compliance.force, c->compliance.displacement);
    double most = solved ? follow_solve(c, 1, x, also) : 0;
    clear_force(c);
    return most;
}

double tide_contacts_apply_other_forces(tide_contacts *c, double *x)
{
    if (!c->compliance.others_forced)
        return 0;
    size_t size = 3 * (size_t)c->particle_count * sizeof *c->compliance.force;
    memcpy(c->compliance.force, c->compliance.others, size);
    memset(c->compliance.others, 0, size);
    c->compliance.others_forced = false;
    c->compliance.forced = true;
    return tide_contacts_apply_forces(c, c->copy.x, x, NULL);
}

static void follow_one(const tide_contacts *c, double *x, uint32_t p)
{
    double by[3], square = 0, reach = c->surface->parts[c->surface->part_of[p]].reach;
    for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++) {
        by[k] = c->copy.x[n] - x[n];
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
        for (; p + 2 <= end; p += 2) { // most have not moved
            const tide_double2 *from = (const tide_double2 *)(f->x + 3 * (size_t)p);
            const tide_double2 *to = (const tide_double2 *)(f->c->copy.x + 3 * (size_t)p);
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
    if (c->copy.sparse) {
        for (size_t w = 0; w < tide_bit_words(c->particle_count); w++)
            for (uint64_t rest = c->copy.dirty[w]; rest;)
                follow_one(c, x, tide_bit_take(&rest, w));
        return;
    }
    follow_all f = { c, x };
    tide_parallel_for(c->particle_count, FOLLOWED, follow_some, &f);
}
