// Impact zones: constraints that hold together, and points that move as one.
#include "contact/impact_zone.h"

#include "base/memory.h"
#include "base/vec3.h"

#include <string.h>

// --- constraints

static double inverse_mass_along(const tide_contact_surface *s, const tide_impact *impact)
{
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += impact->weights[k] * impact->weights[k] * s->inverse_masses[impact->points[k]];
    return sum;
}

static double gap_of(const tide_impact *impact, const double *x)
{
    // About the first point: exact wherever the scene is.
    const double *origin = x + 3 * (size_t)impact->points[0];
    double sum = 0;
    for (int k = 1; k < 4; k++) {
        const double *p = x + 3 * (size_t)impact->points[k];
        for (int d = 0; d < 3; d++)
            sum += impact->weights[k] * impact->normal[d] * (p[d] - origin[d]);
    }
    return sum - impact->target;
}

void tide_impacts_push(const tide_contact_surface *s, tide_impact *impacts, size_t count, int sweeps, double *x,
                       bool *moved, tide_contact_work *work)
{
    bool converged = false;
    for (int sweep = 0; sweep < sweeps && !converged && tide_contact_work_spend(work, count); sweep++) {
        converged = true;
        for (tide_impact *impact = impacts, *end = impacts + count; impact < end; impact++) {
            double w = inverse_mass_along(s, impact), gap = gap_of(impact, x);
            if (!(w > 0))
                continue;
            double push = fmax(0, impact->push - gap / w), change = push - impact->push;
            if (fabs(change) * w <= 1e-3 * impact->target)
                continue;
            converged = false;
            impact->push = push;
            for (int k = 0; k < 4; k++) {
                uint32_t point = impact->points[k];
                double along = change * impact->weights[k] * s->inverse_masses[point];
                if (along == 0)
                    continue;
                moved[point] = true;
                for (int d = 0; d < 3; d++)
                    x[3 * (size_t)point + (size_t)d] += along * impact->normal[d];
            }
        }
    }
}

// --- zones

struct tide_zones {
    const tide_contact_surface *surface;
    uint32_t *parent, *next; // (point_count) sets, each also a ring of its points
    bool *held;              // (point_count) of a set's parent: it has a point without inverse mass
};

tide_status tide_zones_create(const tide_contact_surface *surface, tide_zones **out, tide_error *error)
{
    tide_zones *z = tide_allocate_zeroed(1, sizeof *z);
    if (z) {
        z->surface = surface;
        z->parent = tide_own_array(z, surface->point_count, sizeof *z->parent);
        z->next = tide_own_array(z, surface->point_count, sizeof *z->next);
        z->held = tide_own_array(z, surface->point_count, sizeof *z->held);
    }
    if (!tide_owns_all(z)) {
        tide_free(z);
        return tide_fail_memory(error, "impact zones");
    }
    *out = z;
    return TIDE_OK;
}

void tide_zones_clear(tide_zones *z)
{
    for (uint32_t i = 0; i < z->surface->point_count; i++) {
        z->parent[i] = z->next[i] = i;
        z->held[i] = !(z->surface->inverse_masses[i] > 0);
    }
}

static uint32_t zone_of(const tide_zones *z, uint32_t point)
{
    while (z->parent[point] != point)
        point = z->parent[point];
    return point;
}

static void join(tide_zones *z, uint32_t a, uint32_t b)
{
    a = zone_of(z, a);
    b = zone_of(z, b);
    if (a == b)
        return;
    if (b < a) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    z->parent[b] = a;
    z->held[a] = z->held[a] || z->held[b];
    uint32_t next = z->next[a];
    z->next[a] = z->next[b];
    z->next[b] = next;
}

uint32_t tide_zones_join(tide_zones *z, const tide_impact *impacts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 1; k < 4; k++)
            join(z, impacts[i].points[0], impacts[i].points[k]);
    uint32_t zones = 0;
    for (uint32_t i = 0; i < z->surface->point_count; i++) {
        z->parent[i] = zone_of(z, i); // path compression
        zones += z->parent[i] == i && z->next[i] != i;
    }
    return zones;
}

bool tide_zones_hold(const tide_zones *z, const uint32_t points[4])
{
    uint32_t zone = zone_of(z, points[0]);
    return !z->held[zone] && zone_of(z, points[1]) == zone && zone_of(z, points[2]) == zone &&
           zone_of(z, points[3]) == zone;
}

// Solves a x = b for a symmetric, positive semidefinite a, by Cholesky's method with a trace of its diagonal added:
// points on a line have no inertia about it, and no momentum either.
static void solve3(const double a[3][3], const double b[3], double x[3])
{
    double l[3][3] = { { 0 } }, y[3], ridge = 1e-14 * (a[0][0] + a[1][1] + a[2][2]);
    for (int i = 0; i < 3; i++)
        x[i] = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k <= i; k++) {
            double sum = a[i][k] + (i == k ? ridge : 0);
            for (int n = 0; n < k; n++)
                sum -= l[i][n] * l[k][n];
            if (i == k && !(sum > 0))
                return;
            l[i][k] = i == k ? sqrt(sum) : sum / l[k][k];
        }
    }
    for (int i = 0; i < 3; i++) {
        y[i] = b[i];
        for (int n = 0; n < i; n++)
            y[i] -= l[i][n] * y[n];
        y[i] /= l[i][i];
    }
    for (int i = 3; i-- > 0;) {
        x[i] = y[i];
        for (int n = i + 1; n < 3; n++)
            x[i] -= l[n][i] * x[n];
        x[i] /= l[i][i];
    }
}

// The motion of a zone: a point at r from the centre moves by velocity + turn x r + stretch r.
typedef struct zone_motion {
    double centre[3], velocity[3], turn[3], stretch[3][3];
    double moments[3][3]; // sum of m r r'
} zone_motion;

static void step_of(const zone_motion *m, const double r[3], double u[3])
{
    u[0] = m->velocity[0] + m->turn[1] * r[2] - m->turn[2] * r[1];
    u[1] = m->velocity[1] + m->turn[2] * r[0] - m->turn[0] * r[2];
    u[2] = m->velocity[2] + m->turn[0] * r[1] - m->turn[1] * r[0];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            u[i] += m->stretch[i][k] * r[k];
}

// The weight of a point in the motion of its zone: its mass. In a zone with points of infinite mass, only these count,
// with equal weights.
static double part_of_motion(const tide_zones *z, uint32_t point, bool held)
{
    double inverse = z->surface->inverse_masses[point];
    return held ? !(inverse > 0) : 1 / inverse;
}

// Fits the rigid velocities with the same linear and angular momentum. r goes to r + v + turn x r, a map that never
// folds along its straight path, for any turn.
static void fit_rigid(const tide_zones *z, uint32_t zone, const double *from, const double *x, zone_motion *m)
{
    bool held = z->held[zone];
    double mass = 0, momentum[3] = { 0 }, inertia[3][3];
    uint32_t i = zone;
    do {
        double part = part_of_motion(z, i, held);
        mass += part;
        for (int k = 0; k < 3; k++) {
            size_t n = 3 * (size_t)i + (size_t)k;
            m->centre[k] += part * from[n];
            m->velocity[k] += part * (x[n] - from[n]);
        }
        i = z->next[i];
    } while (i != zone);
    for (int k = 0; k < 3; k++) {
        m->centre[k] /= mass;
        m->velocity[k] /= mass;
    }
    do {
        double part = part_of_motion(z, i, held), r[3], u[3];
        for (int k = 0; k < 3; k++) {
            size_t n = 3 * (size_t)i + (size_t)k;
            r[k] = from[n] - m->centre[k];
            u[k] = part * (x[n] - from[n] - m->velocity[k]);
        }
        for (int k = 0; k < 3; k++) {
            int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            momentum[k] += r[k1] * u[k2] - r[k2] * u[k1];
            for (int n = 0; n < 3; n++)
                m->moments[k][n] += part * r[k] * r[n];
        }
        i = z->next[i];
    } while (i != zone);
    double trace = m->moments[0][0] + m->moments[1][1] + m->moments[2][2];
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 3; n++)
            inertia[k][n] = (k == n ? trace : 0) - m->moments[k][n];
    solve3(inertia, momentum, m->turn);
}

// Fits the linear map that best describes the rest of the motion of fixed points, which may turn far or bend.
static void fit_stretch(const tide_zones *z, uint32_t zone, const double *from, const double *x, zone_motion *m)
{
    double left[3][3] = { { 0 } }; // of (motion) r'
    uint32_t i = zone;
    do {
        if (part_of_motion(z, i, true) > 0) {
            double r[3], u[3];
            for (int k = 0; k < 3; k++)
                r[k] = from[3 * (size_t)i + (size_t)k] - m->centre[k];
            step_of(m, r, u);
            for (int k = 0; k < 3; k++)
                for (int n = 0; n < 3; n++)
                    left[k][n] += (x[3 * (size_t)i + (size_t)k] - from[3 * (size_t)i + (size_t)k] - u[k]) * r[n];
        }
        i = z->next[i];
    } while (i != zone);
    for (int k = 0; k < 3; k++)
        solve3(m->moments, left[k], m->stretch[k]);
}

void tide_zones_move(tide_zones *z, const double *from, double *x, bool *moved)
{
    for (uint32_t zone = 0; zone < z->surface->point_count; zone++) {
        if (z->parent[zone] != zone || z->next[zone] == zone)
            continue;
        zone_motion m = { 0 };
        fit_rigid(z, zone, from, x, &m);
        if (z->held[zone])
            fit_stretch(z, zone, from, x, &m);
        uint32_t i = zone;
        do {
            double r[3], u[3];
            for (int k = 0; k < 3; k++)
                r[k] = from[3 * (size_t)i + (size_t)k] - m.centre[k];
            step_of(&m, r, u);
            for (int k = 0; k < 3 && z->surface->inverse_masses[i] > 0; k++) {
                double *at = x + 3 * (size_t)i + (size_t)k, next = from[3 * (size_t)i + (size_t)k] + u[k];
                moved[i] = moved[i] || next != *at; // of any size: what is not tested again must not change
                *at = next;
            }
            i = z->next[i];
        } while (i != zone);
    }
}
