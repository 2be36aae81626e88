#include "world/rigid_fit.h"

#include "model/svd3.h"

// --- motions --------------------------------------------------------------------------------------------------------

// Returns a solution of A x = b for a positive semidefinite A with b in its range, by Gauss-Jordan elimination with
// diagonal pivoting; overwrites A and b. Pivots that are 0 within rounding are skipped and give x = 0 there, because
// that part of x has no effect.
static tide_vec3 solve_semidefinite(double a[3][3], double b[3])
{
    double x[3] = { 0 }, least = 1e-13 * (a[0][0] + a[1][1] + a[2][2]);
    bool used[3] = { false };
    for (int round = 0; round < 3; round++) {
        int p = -1;
        for (int i = 0; i < 3; i++)
            if (!used[i] && a[i][i] > least && (p < 0 || a[i][i] > a[p][p]))
                p = i;
        if (p < 0)
            break;
        used[p] = true;
        for (int i = 0; i < 3; i++) {
            double factor = i == p ? 0 : a[i][p] / a[p][p];
            for (int j = 0; j < 3; j++)
                a[i][j] -= factor * a[p][j];
            b[i] -= factor * b[p];
        }
    }
    for (int i = 0; i < 3; i++)
        x[i] = used[i] ? b[i] / a[i][i] : 0;
    return tide_vec3_load(x);
}

static bool is_pinned(const uint32_t *rows, uint32_t particle)
{
    return rows && rows[particle] == TIDE_PINNED;
}

static tide_vec3 spin_of(uint32_t count, const double *masses, const uint32_t *rows, const double *positions,
                         const double *velocities, const tide_motion_fit *fit)
{
    double inertia[3][3] = { { 0 } }, angular[3];
    tide_vec3 sum = { 0, 0, 0 };
    for (uint32_t p = 0; p < count; p++) {
        if (is_pinned(rows, p))
            continue;
        double r[3], mass = masses[p];
        tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(positions + 3 * (size_t)p), fit->centre);
        tide_vec3 v = tide_vec3_subtract(tide_vec3_load(velocities + 3 * (size_t)p), fit->velocity);
        sum = tide_vec3_add(sum, tide_vec3_scale(tide_vec3_cross(arm, v), mass));
        tide_vec3_store(r, arm);
        double square = tide_vec3_dot(arm, arm);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                inertia[i][j] += mass * ((i == j ? square : 0) - r[i] * r[j]);
    }
    tide_vec3_store(angular, sum);
    return solve_semidefinite(inertia, angular);
}

bool tide_fit_motion(uint32_t count, const double *masses, const uint32_t *rows, const double *positions,
                     const double *velocities, tide_motion_fit *fit)
{
    double mass = 0;
    *fit = (tide_motion_fit) { 0 };
    for (uint32_t p = 0; p < count; p++) {
        if (is_pinned(rows, p))
            continue;
        mass += masses[p];
        fit->centre = tide_vec3_add(fit->centre, tide_vec3_scale(tide_vec3_load(positions + 3 * (size_t)p), masses[p]));
        fit->velocity =
            tide_vec3_add(fit->velocity, tide_vec3_scale(tide_vec3_load(velocities + 3 * (size_t)p), masses[p]));
    }
    if (!(mass > 0))
        return false;
    fit->centre = tide_vec3_scale(fit->centre, 1 / mass);
    fit->velocity = tide_vec3_scale(fit->velocity, 1 / mass);
    fit->spin = spin_of(count, masses, rows, positions, velocities, fit);
    return true;
}

// --- placements -----------------------------------------------------------------------------------------------------

static tide_vec3 centre_of(uint32_t count, const double *masses, const double *places)
{
    tide_vec3 sum = { 0, 0, 0 };
    double mass = 0;
    for (uint32_t p = 0; p < count; p++) {
        double m = masses ? masses[p] : 1;
        sum = tide_vec3_add(sum, tide_vec3_scale(tide_vec3_load(places + 3 * (size_t)p), m));
        mass += m;
    }
    return tide_vec3_scale(sum, mass > 0 ? 1 / mass : 0);
}

tide_placement tide_fit_placement(uint32_t count, const double *masses, const double *from, const double *to)
{
    tide_placement placement = { .from = centre_of(count, masses, from), .to = centre_of(count, masses, to) };
    double a[9] = { 0 };
    for (uint32_t p = 0; p < count; p++) {
        double rest[3], now[3], m = masses ? masses[p] : 1;
        tide_vec3_store(rest, tide_vec3_subtract(tide_vec3_load(from + 3 * (size_t)p), placement.from));
        tide_vec3_store(now, tide_vec3_subtract(tide_vec3_load(to + 3 * (size_t)p), placement.to));
        for (int k = 0; k < 9; k++)
            a[k] += m * now[k / 3] * rest[k % 3];
    }
    tide_polar3(a, placement.rotation);
    return placement;
}

tide_vec3 tide_turned(const tide_placement *placement, tide_vec3 vector)
{
    const double *r = placement->rotation;
    return (tide_vec3) { r[0] * vector.x + r[1] * vector.y + r[2] * vector.z,
                         r[3] * vector.x + r[4] * vector.y + r[5] * vector.z,
                         r[6] * vector.x + r[7] * vector.y + r[8] * vector.z };
}

tide_vec3 tide_placed(const tide_placement *placement, tide_vec3 place)
{
    return tide_vec3_add(placement->to, tide_turned(placement, tide_vec3_subtract(place, placement->from)));
}

double tide_placement_error(const tide_placement *placement, uint32_t count, const double *from, const double *to)
{
    double most = 0;
    for (uint32_t p = 0; p < count; p++) {
        tide_vec3 placed = tide_placed(placement, tide_vec3_load(from + 3 * (size_t)p));
        most = fmax(most, tide_vec3_length(tide_vec3_subtract(placed, tide_vec3_load(to + 3 * (size_t)p))));
    }
    return most;
}
