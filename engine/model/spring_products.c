#include "model/spring_products.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "model/plan.h"
#include "model/spring_vectors.h"

#include <string.h>

enum {
    NUMBERS = 4 * TIDE_SLICE, // numbers of a slot's blocks
    PARTICLE_GRAIN = 32768
};

static void free_slots(tide_spring_products *p)
{
    tide_free(p->blocks);
    tide_free(p->negative);
    p->blocks = NULL;
    p->negative = NULL;
    p->slots = 0;
}

void tide_spring_products_free(tide_spring_products *products)
{
    free_slots(products);
    tide_free(products->quads);
    *products = (tide_spring_products) { 0 };
}

static bool make_slots(tide_spring_products *p, size_t slots)
{
    if (slots <= p->slots)
        return true;
    free_slots(p);
    p->blocks = tide_allocate_array(slots, NUMBERS * sizeof *p->blocks);
    p->negative = tide_allocate_array(slots, sizeof *p->negative);
    p->slots = p->blocks && p->negative ? slots : 0;
    return p->slots;
}

static bool make_quads(tide_spring_products *p, size_t particles)
{
    if (particles <= p->particles)
        return true;
    tide_free(p->quads);
    p->quads = tide_allocate_zeroed(particles, 4 * sizeof *p->quads);
    p->particles = p->quads ? particles : 0;
    return p->quads;
}

tide_status tide_spring_products_prepare(tide_spring_products *products, const tide_system *system, tide_error *error)
{
    const tide_spring_slices *slices = system->plan ? system->plan->slices : NULL;
    products->vectors = slices ? tide_product_vectors_choose() : NULL;
    if (!products->vectors)
        return TIDE_OK;
    bool made = make_slots(products, slices->start[slices->count]) && make_quads(products, slices->particle_count);
    return made ? TIDE_OK : tide_fail_memory(error, "stiffness");
}

static tide_product_job begin(const tide_spring_products *p, const tide_system *system)
{
    return (tide_product_job) {
        .slices = system->plan->slices, .blocks = p->blocks, .negative = p->negative, .quads = p->quads
    };
}

// Arguments of a loop over slices or particles.
typedef struct loop {
    tide_product_job job;
    const tide_product_vectors *vectors;
    const double *from;
    double *quads;
} loop;

static void spread(void *context, uint32_t begin, uint32_t end)
{
    const loop *l = context;
    tide_spread_quads(l->from, begin, end, l->quads);
}

static void linearise(void *context, uint32_t begin, uint32_t end)
{
    const loop *l = context;
    l->vectors->linearise(&l->job, begin, end);
}

// For a = 0: does not read x, which may be non-finite.
static void take_constant(void *context, uint32_t begin, uint32_t end)
{
    const tide_product_job *job = &((const loop *)context)->job;
    for (uint32_t slot = job->slices->start[begin]; slot < job->slices->start[end]; slot++) {
        double *to = job->blocks + NUMBERS * (size_t)slot;
        memset(to, 0, 3 * TIDE_SLICE * sizeof *to);
        for (size_t lane = 0; lane < TIDE_SLICE; lane++)
            to[3 * TIDE_SLICE + lane] = job->b * job->slices->stiffnesses[TIDE_SLICE * (size_t)slot + lane];
        job->negative[slot] = 0;
    }
}

void tide_spring_products_linearise(tide_spring_products *products, const tide_system *system, const double *x,
                                    bool project, double a, double b)
{
    loop l = { begin(products, system), products->vectors, x, products->quads };
    l.job.project = project;
    l.job.a = a;
    l.job.b = b;
    if (a != 0)
        tide_parallel_for(system->particle_count, PARTICLE_GRAIN, spread, &l);
    tide_parallel_for(l.job.slices->count, TIDE_SLICE_GRAIN, a == 0 ? take_constant : linearise, &l);
}

static void multiply(void *context, uint32_t begin, uint32_t end)
{
    const loop *l = context;
    l->vectors->multiply(&l->job, begin, end);
}

void tide_spring_products_multiply(const tide_spring_products *products, const tide_system *system, double m,
                                   const double *v, const double *others, double *out)
{
    loop l = { begin(products, system), products->vectors, v, products->quads };
    l.job.m = m;
    l.job.others = others;
    l.job.out = out;
    tide_parallel_for(system->particle_count, PARTICLE_GRAIN, spread, &l);
    tide_parallel_for(l.job.slices->count, TIDE_SLICE_GRAIN, multiply, &l);
}

static void take_diagonal(void *context, uint32_t begin, uint32_t end)
{
    const loop *l = context;
    l->vectors->diagonal(&l->job, begin, end);
}

void tide_spring_products_diagonal(const tide_spring_products *products, const tide_system *system, double *out)
{
    loop l = { begin(products, system), products->vectors, NULL, NULL };
    l.job.out = out;
    tide_parallel_for(l.job.slices->count, TIDE_SLICE_GRAIN, take_diagonal, &l);
}
