// The classical Runge-Kutta method of order 4. Without damping it is stable for Y <= 8 and loses energy: |eigenvalue|^2
// = 1 - Y^3/72 + Y^4/576.
#include "solver/explicit.h"

#include <string.h>

// A stage is the state (x + c h V, v + c h A) for the rates V and A of the stage before. Its own rates are its velocity
// and the acceleration there; they are added to the sums with `weight`.
typedef struct stages {
    double *a, *xs, *vs, *sum_x, *sum_v;
} stages;

static void stage(tide_explicit *run, const stages *s, double step, double weight, const double *x, const double *v)
{
    size_t numbers = 3 * (size_t)run->particle_count;
    for (size_t i = 0; i < numbers; i++) {
        double velocity = s->vs[i];
        s->xs[i] = x[i] + step * velocity;
        s->vs[i] = v[i] + step * s->a[i];
    }
    tide_explicit_acceleration(run, s->xs, s->vs, s->a);
    tide_explicit_add(run, weight, s->vs, s->sum_x);
    tide_explicit_add(run, weight, s->a, s->sum_v);
}

static void advance(tide_explicit *run, double h, double *x, double *v)
{
    size_t size = 3 * (size_t)run->particle_count * sizeof *x;
    stages s = { tide_explicit_stage(run, 0), tide_explicit_stage(run, 1), tide_explicit_stage(run, 2),
                 tide_explicit_stage(run, 3), tide_explicit_stage(run, 4) };
    tide_explicit_acceleration(run, x, v, s.a);
    memcpy(s.vs, v, size);
    memcpy(s.sum_x, v, size);
    memcpy(s.sum_v, s.a, size);
    stage(run, &s, h / 2, 2, x, v);
    stage(run, &s, h / 2, 2, x, v);
    stage(run, &s, h, 1, x, v);
    tide_explicit_add(run, h / 6, s.sum_x, x);
    tide_explicit_add(run, h / 6, s.sum_v, v);
}

static double amplification(double X, double Y)
{
    return tide_exponential_radius(X, Y, 4);
}

static const tide_scheme scheme = { .y_max = 8.75, .x_max = 0.725, .stages = 5, .advance = advance };

const tide_solver_kind tide_rk4 = {
    .name = "rk4",
    .help = "Runge-Kutta of order 4, explicit; accurate, at four evaluations of forces per substep",
    .source = "Shinya 2005: eq. 19; largest stable substep and damping: eq. 33",
    .order = 4,
    TIDE_EXPLICIT_FUNCTIONS,
};
