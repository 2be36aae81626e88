#include "model/deformation.h"

#include "model/dense_element.h"

#include <math.h>

// The second derivative of an energy by F in the frames U and V. Its only entries are those between F_aa and F_bb
// (`scaling`), of F_ab with itself (`own`) and of F_ab with F_ba (`other`), at the index of the third direction.
typedef struct modes {
    double scaling[9], own[3], other[3];
} modes;

static modes find_modes(const tide_principal *principal, double factor, bool project)
{
    modes m;
    for (int i = 0; i < 9; i++)
        m.scaling[i] = factor * principal->second[i];
    if (project)
        tide_dense_make_semidefinite(m.scaling, 3);
    for (int k = 0; k < 3; k++) {
        double flip = factor * principal->flip[k], twist = factor * principal->twist[k];
        if (project) {
            flip = fmax(flip, 0);
            twist = fmax(twist, 0);
        }
        m.own[k] = (flip + twist) / 2;
        m.other[k] = (flip - twist) / 2;
    }
    return m;
}

// Computes the block of two corners in the frame U from their gradients in the frame V.
static void find_block(const modes *m, const double *a, const double *b, double block[9])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (r != c)
                block[3 * r + c] = 0.5 * (m->scaling[3 * r + c] + m->scaling[3 * c + r]) * a[r] * b[c] +
                                   m->other[3 - r - c] * a[c] * b[r];
            else {
                int s = (r + 1) % 3, t = (r + 2) % 3;
                block[3 * r + r] =
                    m->scaling[3 * r + r] * a[r] * b[r] + m->own[t] * a[s] * b[s] + m->own[s] * a[t] * b[t];
            }
}

// Computes u m u'.
static void turn_block(const double u[9], const double m[9], double out[9])
{
    double product[9];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            product[3 * r + c] = u[3 * r] * m[c] + u[3 * r + 1] * m[3 + c] + u[3 * r + 2] * m[6 + c];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[3 * r + c] =
                product[3 * r] * u[3 * c] + product[3 * r + 1] * u[3 * c + 1] + product[3 * r + 2] * u[3 * c + 2];
}

void tide_deformation_hessian(uint32_t corners, const double *gradients, const double u[9], const double v[9],
                              const tide_principal *principal, double factor, bool project, double *out)
{
    const modes m = find_modes(principal, factor, project);
    double turned[TIDE_ELEMENT_MAX_NUMBERS], block[9], final[9];
    uint32_t side = 3 * corners;
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t k = 0; k < 3; k++)
            turned[3 * i + k] =
                v[k] * gradients[3 * i] + v[3 + k] * gradients[3 * i + 1] + v[6 + k] * gradients[3 * i + 2];
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t j = 0; j <= i; j++) {
            find_block(&m, turned + 3 * i, turned + 3 * j, block);
            turn_block(u, block, final);
            for (uint32_t r = 0; r < 3; r++)
                for (uint32_t c = 0; c < (i == j ? r + 1 : 3); c++)
                    out[side * (3 * i + r) + 3 * j + c] = out[side * (3 * j + c) + 3 * i + r] = final[3 * r + c];
        }
}
