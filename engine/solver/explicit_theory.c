// Stability theory of the explicit methods: spectral radii of a substep, and the longest stable substep.
#include "solver/explicit.h"

#define AMPLIFICATION_TOLERANCE 1e-7 // rounding error of eigenvalues of magnitude 1 where two of them coincide

enum { SCANNED = 48, SCANNED_DAMPINGS = 6 };

double tide_spectral_radius(double trace, double determinant)
{
    double middle = trace / 2, discriminant = middle * middle - determinant;
    return discriminant < 0 ? sqrt(determinant) : fabs(middle) + sqrt(discriminant);
}

double tide_exponential_radius(double X, double Y, int order)
{
    // Horner's rule on 2 x 2 matrices: A = 1 + C / n A from n = order down to 1.
    double a = 1, b = 0, c = 0, d = 1;
    for (int n = order; n >= 1; n--) {
        double next_a = 1 + c / n, next_b = d / n;
        c = (-Y * a - X * c) / n;
        d = 1 + (-Y * b - X * d) / n;
        a = next_a;
        b = next_b;
    }
    return tide_spectral_radius(a + d, a * d - b * c);
}

static const tide_scheme *scheme_of(const tide_solver_kind *kind)
{
    return kind->context;
}

double tide_explicit_automatic_alpha(const tide_scheme *scheme, double h, double d0)
{
    return fmax(0, h * (scheme->x_max - d0 * h) / scheme->y_max);
}

typedef struct theory {
    const tide_solver_kind *kind;
    double k0, d0, alpha, resistance;
    bool automatic;
} theory;

// Returns true if every mode up to k0 is stable. When the damping matrix does not share K's modes, a mode of K may have
// any damping from its own part up to the largest.
static bool is_stable(const theory *t, double h)
{
    double alpha = t->automatic ? tide_explicit_automatic_alpha(scheme_of(t->kind), h, t->d0) : t->alpha;
    for (int i = 1; i <= SCANNED; i++) {
        double k = t->k0 * i / SCANNED, least = t->d0 + alpha * k, most = fmax(least, t->d0 + alpha * t->resistance);
        int dampings = most > least ? SCANNED_DAMPINGS : 0;
        for (int j = 0; j <= dampings; j++) {
            double d = j ? least + (most - least) * j / dampings : least;
            if (!(t->kind->amplification(h * d, h * h * k) <= 1 + AMPLIFICATION_TOLERANCE))
                return false;
        }
    }
    return true;
}

double tide_explicit_damped_substep(const tide_solver_kind *kind, double k0)
{
    return k0 > 0 ? sqrt(scheme_of(kind)->y_max / k0) : INFINITY;
}

double tide_explicit_stable_substep(const tide_solver_kind *kind, double k0, double d0, double alpha, bool automatic,
                                    double resistance)
{
    const tide_scheme *scheme = scheme_of(kind);
    theory t = { kind, k0, d0, alpha, resistance, automatic };
    double high = tide_explicit_damped_substep(kind, k0), low = 0;
    if (scheme->grows_undamped && !automatic && d0 == 0 && alpha == 0)
        return k0 > 0 ? 0 : INFINITY;
    if (d0 > 0)
        high = fmin(high, 4 / d0);
    if (!isfinite(high) || is_stable(&t, high))
        return high;
    for (int n = 0; n < 50; n++) {
        double middle = low + (high - low) / 2;
        if (is_stable(&t, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}
