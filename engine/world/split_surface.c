// The fine surface of a body that came apart.
#include "base/disjoint_set.h"
#include "base/memory.h"
#include "geometry/embedding.h"
#include "world/body_parts.h"
#include "world/fans.h"

#include <math.h>
#include <string.h>

typedef struct splitting {
    const tide_body *body;          // with the mesh after the split
    const uint32_t *before, *after; // (4 * tetrahedra) vertices of the tetrahedra
    const tide_mesh *fine;          // as described
    const tide_embedding *from;
    uint32_t *pieces; // (vertices of the mesh) another vertex of the piece of the mesh, or the vertex itself
    // Places of fine vertices: those of the description, then copies.
    uint32_t *tetrahedra, *origins, *next; // next: the next copy of the same vertex; TIDE_NO_VERTEX ends the list
    size_t tetrahedra_capacity, origins_capacity, next_capacity;
    uint32_t count;
    uint32_t *triangles; // (3 * triangles of the surface)
} splitting;

static void find_pieces(splitting *s)
{
    const tide_mesh *mesh = s->body->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        s->pieces[v] = v;
    for (size_t t = 0; t < mesh->tetrahedron_count; t++)
        for (size_t c = 1; c < 4; c++)
            tide_disjoint_set_join(s->pieces, s->after[4 * t], s->after[4 * t + c]);
}

// Returns whether two tetrahedra are still joined: they share the vertices that they shared, or are of one piece if
// they shared none.
static bool are_joined(splitting *s, uint32_t a, uint32_t b)
{
    bool were = a == b;
    for (size_t i = 4 * (size_t)a; i < 4 * (size_t)a + 4; i++)
        for (size_t k = 4 * (size_t)b; k < 4 * (size_t)b + 4; k++) {
            if (s->before[i] != s->before[k])
                continue;
            if (s->after[i] != s->after[k])
                return false;
            were = true;
        }
    return were || tide_disjoint_set_root(s->pieces, s->after[4 * (size_t)a]) ==
                       tide_disjoint_set_root(s->pieces, s->after[4 * (size_t)b]);
}

static bool add_copy(splitting *s, uint32_t vertex, uint32_t tetrahedron)
{
    size_t count = (size_t)s->count + 1;
    if (!tide_grow(&s->tetrahedra, &s->tetrahedra_capacity, count, sizeof *s->tetrahedra) ||
        !tide_grow(&s->origins, &s->origins_capacity, count, sizeof *s->origins) ||
        !tide_grow(&s->next, &s->next_capacity, count, sizeof *s->next))
        return false;
    s->tetrahedra[s->count] = tetrahedron;
    s->origins[s->count] = vertex;
    s->next[s->count++] = TIDE_NO_VERTEX;
    return true;
}

// Returns the corner whose tetrahedron is joined to the tetrahedra of the most corners; the first, if there are
// several.
static uint32_t find_owner(splitting *s, const uint32_t *v)
{
    uint32_t owner = 0, most = 0;
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t joined = 0;
        for (uint32_t k = 0; k < 3; k++)
            joined += are_joined(s, s->tetrahedra[v[c]], s->tetrahedra[v[k]]);
        if (joined > most) {
            owner = c;
            most = joined;
        }
    }
    return owner;
}

// Places a triangle on one side of a split. A corner on the other side gets a copy there, which triangles share.
static bool place_triangle(splitting *s, uint32_t *v)
{
    uint32_t tetrahedron = s->tetrahedra[v[find_owner(s, v)]];
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t at = v[c], last = at;
        for (; at != TIDE_NO_VERTEX && !are_joined(s, s->tetrahedra[at], tetrahedron); at = s->next[at])
            last = at;
        if (at == TIDE_NO_VERTEX) {
            at = s->count;
            if (!add_copy(s, v[c], tetrahedron))
                return false;
            s->next[last] = at;
        }
        v[c] = at;
    }
    return true;
}

static bool find_copies(splitting *s)
{
    size_t corners = 3 * (size_t)s->fine->triangle_count;
    s->pieces = tide_allocate_array(s->body->mesh->vertex_count, sizeof *s->pieces);
    s->triangles = tide_copy_bytes(s->fine->triangles, corners * sizeof *s->triangles);
    bool good = s->pieces && s->triangles;
    for (uint32_t v = 0; v < s->fine->vertex_count && good; v++)
        good = add_copy(s, v, s->from->tetrahedra[v]);
    if (good)
        find_pieces(s);
    for (size_t t = 0; t < s->fine->triangle_count && good; t++)
        good = place_triangle(s, s->triangles + 3 * t);
    return good;
}

// Sets the weights of a copy so that it begins where its vertex is at rest. Where its tetrahedron is too flat for that,
// it takes those of a vertex that the tetrahedron carries.
static void weigh_copy(const splitting *s, uint32_t copy, double *weights)
{
    const double *p = s->fine->vertices + 3 * (size_t)s->origins[copy];
    double sum = 0;
    tide_embedding_weigh(s->body->mesh, s->tetrahedra[copy], p, weights);
    for (int c = 0; c < 4; c++)
        sum += fabs(weights[c]);
    for (size_t v = 0; v < s->fine->vertex_count && !(sum <= TIDE_STEEPEST); v++)
        if (s->tetrahedra[v] == s->tetrahedra[copy]) {
            memcpy(weights, s->from->weights + 4 * v, 4 * sizeof *weights);
            break;
        }
}

static tide_status embed_copies(const splitting *s, tide_embedding *e)
{
    size_t described = s->fine->vertex_count, all = s->count;
    uint32_t *tetrahedra = tide_reallocate(e->tetrahedra, all * sizeof *tetrahedra);
    e->tetrahedra = tetrahedra ? tetrahedra : e->tetrahedra;
    uint32_t *vertices = tide_reallocate(e->vertices, 4 * all * sizeof *vertices);
    e->vertices = vertices ? vertices : e->vertices;
    double *weights = tide_reallocate(e->weights, 4 * all * sizeof *weights);
    e->weights = weights ? weights : e->weights;
    if (!tetrahedra || !vertices || !weights)
        return TIDE_ERROR_MEMORY;
    memcpy(tetrahedra, s->tetrahedra, all * sizeof *tetrahedra);
    for (size_t i = 0; i < all; i++)
        memcpy(vertices + 4 * i, s->after + 4 * (size_t)tetrahedra[i], 4 * sizeof *vertices);
    for (size_t i = described; i < all; i++)
        weigh_copy(s, (uint32_t)i, weights + 4 * i);
    e->fine_count = s->count;
    e->coarse_count = s->body->mesh->vertex_count;
    return TIDE_OK;
}

// Creates the mesh of the fine surface with its copies; the described one if there are none.
static tide_status make_mesh(const splitting *s, const tide_mesh **out, tide_error *error)
{
    const tide_mesh *fine = s->fine;
    if (s->count == fine->vertex_count) {
        *out = tide_mesh_retain(fine);
        return TIDE_OK;
    }
    TIDE_SCOPED double *vertices = tide_allocate_array(s->count, 3 * sizeof *vertices);
    TIDE_SCOPED double *texture = tide_allocate_array(s->count, 2 * sizeof *texture);
    if (!vertices || !texture)
        return tide_fail_memory(error, "cut");
    for (size_t i = 0; i < s->count; i++) {
        memcpy(vertices + 3 * i, fine->vertices + 3 * (size_t)s->origins[i], 3 * sizeof *vertices);
        if (fine->texture)
            memcpy(texture + 2 * i, fine->texture + 2 * (size_t)s->origins[i], 2 * sizeof *texture);
    }
    tide_mesh_parts parts = { .vertex_count = s->count,
                              .vertices = vertices,
                              .texture = fine->texture ? texture : NULL,
                              .triangles = s->triangles,
                              .triangle_count = fine->triangle_count };
    tide_mesh *made = NULL;
    tide_status status = tide_mesh_create(&parts, &made, error);
    *out = made;
    return status;
}

static tide_status split(splitting *s, tide_body *body, tide_error *error)
{
    tide_embedding *embedding = NULL;
    const tide_mesh *surface = NULL;
    if (!find_copies(s))
        return tide_fail_memory(error, "cut");
    TIDE_TRY(tide_embedding_copy(s->from, &embedding, error));
    tide_status status = embed_copies(s, embedding);
    status = status == TIDE_OK ? make_mesh(s, &surface, error) : tide_fail_memory(error, "cut");
    if (status != TIDE_OK) {
        tide_embedding_destroy(embedding);
        return status;
    }
    tide_mesh_release(body->surface);
    tide_embedding_destroy(body->embedding);
    body->surface = surface;
    body->embedding = embedding;
    body->surface_closed = body->split->described->surface_closed && s->count == s->fine->vertex_count;
    return TIDE_OK;
}

tide_status tide_body_split_surface(tide_body *body, tide_error *error)
{
    const tide_body *described = body->split->described;
    if (!described->surface)
        return TIDE_OK;
    splitting s = { .body = body,
                    .before = described->mesh->tetrahedra,
                    .after = body->mesh->tetrahedra,
                    .fine = described->surface,
                    .from = described->embedding };
    tide_status status = split(&s, body, error);
    tide_free(s.pieces);
    tide_free(s.tetrahedra);
    tide_free(s.origins);
    tide_free(s.next);
    tide_free(s.triangles);
    return status;
}
