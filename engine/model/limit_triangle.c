// The strain limit of a triangle: A (W(s1) + W(s2)) with the singular values s of its deformation gradient (membrane.h)
// and the energy W of strain_limit.h, k in N/m. In the axes of the singular vectors S_i = W'(s_i) / s_i; as a function
// of C with the eigenvalues l_i = s_i^2,
//
//     S = (S1 - b l1) I + b C,    b = (S1 - S2) / (l1 - l2), or dS/dl where the eigenvalues are equal.
#include "model/membrane_block.h"
#include "model/strain_limit.h"

#define EQUAL 1e-7 // relative difference of eigenvalues that counts as none

typedef struct principal {
    double value[2], stress[2], slope[2]; // W / k, S / k, dS/de / k, of both directions
    double first, between;                // l1, b / k
} principal;

static principal principal_of(const double *law, uint32_t count, tide_membrane_strain c)
{
    tide_limit limit = tide_limit_of(law, count);
    double s[2], l[2];
    principal p = { 0 };
    tide_membrane_singular_values(c, s);
    for (int i = 0; i < 2; i++) {
        tide_limit_energy w = tide_limit_at(&limit, s[i]);
        double at = fmax(s[i], TIDE_MEMBRANE_SMALLEST);
        l[i] = at * at;
        p.value[i] = w.value;
        p.stress[i] = w.slope / at;
        p.slope[i] = (w.curvature - p.stress[i]) / l[i];
    }
    p.first = l[0];
    p.between = l[0] - l[1] > EQUAL * l[0] ? (p.stress[0] - p.stress[1]) / (l[0] - l[1]) : p.slope[0] / 2;
    return p;
}

static inline tide_membrane_stress stress(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    principal p = principal_of(law, count, c);
    double b = stiffness * p.between, a = stiffness * p.stress[0] - b * p.first;
    return (tide_membrane_stress) { a + b * c.c11, a + b * c.c22, b * c.c12 };
}

static inline double energy(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    principal p = principal_of(law, count, c);
    return stiffness * (p.value[0] + p.value[1]);
}

// In the axes of the singular vectors, where alone the Hessian needs them.
static tide_membrane_moduli moduli(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    principal p = principal_of(law, count, c);
    return (tide_membrane_moduli) { .d11 = stiffness * p.slope[0],
                                    .d22 = stiffness * p.slope[1],
                                    .d33 = stiffness * p.between };
}

static double bound(double stiffness, const double *law, uint32_t count)
{
    (void)law, (void)count;
    return TIDE_LIMIT_BOUND * stiffness;
}

TIDE_MEMBRANE_EVALUATE(stress, energy)

static const tide_membrane_law law = { .isotropic = true,
                                       .energy = energy,
                                       .stress = stress,
                                       .moduli = moduli,
                                       .bound = bound,
                                       .evaluate = TIDE_WIDE_LIST(evaluate) };

static const tide_field fields[] = {
    TIDE_MEMBRANE_FIELDS,
    TIDE_LIMIT_FIELDS(TIDE_MEMBRANE_LAW),
    { .name = NULL },
};

const tide_element_kind tide_limit_triangle = {
    .name = "limit_triangle",
    .help = "holds the stretches of a triangle within limits",
    .parameter_count = TIDE_MEMBRANE_LAW + TIDE_LIMIT_PARAMETERS,
    .fields = fields,
    .exceeds_laplacian = true,
    TIDE_MEMBRANE_TABLE,
};
