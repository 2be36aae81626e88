// Matrices of a system over its free particles.
#include "model/coupling.h"

#include "base/memory.h"

// Adds an element's square block (row-major, `across` rows and columns for each particle) for its free particles.
static void add_block(const tide_system *system, const tide_elements *group, uint32_t element, uint32_t across,
                      double factor, const double *block, tide_triplets *triplets)
{
    uint32_t corners = group->kind->vertex_count, side = corners * across;
    const uint32_t *vertices = group->vertices + (size_t)corners * element;
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++) {
            uint32_t row = system->rows[vertices[i / across]], column = system->rows[vertices[j / across]];
            if (row == TIDE_PINNED || column == TIDE_PINNED)
                continue;
            row = across * row + i % across;
            column = across * column + j % across;
            if (row >= column)
                tide_triplets_add(triplets, row, column, factor * block[side * i + j]);
        }
}

static void add_laplacians(const tide_system *system, double factor, tide_triplets *triplets)
{
    double block[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (uint32_t e = 0; e < group->count; e++) {
            group->kind->laplacian(group, e, block);
            add_block(system, group, e, 1, factor, block, triplets);
        }
    }
}

tide_status tide_system_laplacian(const tide_system *system, tide_sparse *out, tide_error *error)
{
    tide_triplets triplets = { 0 };
    add_laplacians(system, 1, &triplets);
    tide_status status = tide_sparse_from_triplets(&triplets, system->free_count, system->free_count, true, out, error);
    tide_triplets_free(&triplets);
    return status;
}

tide_status tide_system_matrix(const tide_system *system, double h, tide_sparse *out, tide_error *error)
{
    tide_triplets triplets = { 0 };
    for (uint32_t row = 0; row < system->free_count; row++)
        tide_triplets_add(&triplets, row, row, system->masses[system->free_particles[row]]);
    add_laplacians(system, h * h, &triplets);
    tide_status status = tide_sparse_from_triplets(&triplets, system->free_count, system->free_count, true, out, error);
    tide_triplets_free(&triplets);
    return status;
}

// Adds the parts that join all particles of coupled groups. Returns false when there is no memory.
static bool add_coupled(const tide_system *system, const double *x, tide_triplets *triplets)
{
    TIDE_SCOPED_BY(tide_coupling_free) tide_coupling c = { 0 };
    if (tide_coupling_prepare(&c, system, NULL) != TIDE_OK)
        return false;
    tide_coupling_evaluate(&c, system, x, 1);
    for (uint32_t g = 0; g < c.count; g++) {
        const double *s = c.slopes + 3 * (size_t)g * c.particle_count;
        for (uint32_t i = 0; i < 3 * system->free_count && c.curvatures[g] != 0; i++) {
            double one = c.curvatures[g] * s[3 * (size_t)system->free_particles[i / 3] + i % 3];
            for (uint32_t j = 0; j <= i && one != 0; j++) {
                double other = s[3 * (size_t)system->free_particles[j / 3] + j % 3];
                if (other != 0)
                    tide_triplets_add(triplets, i, j, one * other);
            }
        }
    }
    return true;
}

tide_status tide_system_hessian(const tide_system *system, const double *x, bool project, tide_sparse *out,
                                tide_error *error)
{
    double block[9 * TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    tide_triplets triplets = { 0 };
    tide_system_couple(system, x);
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (uint32_t e = 0; e < group->count; e++) {
            group->kind->hessian(group, x, e, project, block);
            add_block(system, group, e, 3, 1, block, &triplets);
        }
    }
    triplets.failed = !add_coupled(system, x, &triplets) || triplets.failed;
    uint32_t side = 3 * system->free_count;
    tide_status status = tide_sparse_from_triplets(&triplets, side, side, true, out, error);
    tide_triplets_free(&triplets);
    return status;
}
