#include "world/intact.h"

#include "base/memory.h"
#include "world/cuts.h"
#include "world/element_numbers.h"

#include <string.h>

// Elements by their vertices: those at vertex v are elements[starts[v]] up to, not including, elements[starts[v + 1]].
typedef struct incidence {
    uint32_t *starts;
    const uint32_t **elements; // the vertices of each
    unsigned char *sizes;      // numbers of vertices
} incidence;

typedef struct cutting {
    const tide_world *world;
    const tide_body *body;
    incidence cut; // all cut elements
} cutting;

// Whether an element belongs to an incidence: cut ones, or uncut links.
static bool belongs(const tide_world *world, const tide_elements *group, size_t number, bool cut)
{
    bool is_cut = tide_world_number(world, TIDE_NUMBER_REST, number) == TIDE_CUT;
    return is_cut == cut && (cut || group->kind->vertex_count == 2);
}

// Counts the elements at each vertex (`fill` false), or enters them.
static void visit(const tide_world *world, const tide_body *body, bool cut, bool fill, incidence *in)
{
    size_t number = tide_world_first_element(world, body);
    for (uint32_t g = 0; g < body->group_count; g++) {
        const tide_elements *group = &body->groups[g];
        uint32_t corners = group->kind->vertex_count, shown = tide_shown_corners(group->kind);
        for (size_t e = 0; e < group->count; e++, number++)
            for (uint32_t c = 0; c < shown && belongs(world, group, number, cut); c++) {
                uint32_t *at = &in->starts[group->vertices[corners * e + c] + 1];
                if (fill) {
                    in->elements[*at] = group->vertices + corners * e;
                    in->sizes[*at] = (unsigned char)shown;
                }
                (*at)++;
            }
    }
}

static bool make_incidence(const tide_world *world, const tide_body *body, bool cut, incidence *in)
{
    uint32_t count = body->mesh->vertex_count;
    in->starts = tide_allocate_zeroed((size_t)count + 1, sizeof *in->starts);
    if (!in->starts)
        return false;
    visit(world, body, cut, false, in);
    for (uint32_t v = 0; v < count; v++)
        in->starts[v + 1] += in->starts[v];
    uint32_t total = in->starts[count];
    in->elements = tide_allocate_array(total, sizeof *in->elements);
    in->sizes = tide_allocate_array(total, sizeof *in->sizes);
    if (!in->elements || !in->sizes)
        return false;
    memmove(in->starts + 1, in->starts, count * sizeof *in->starts); // each moves on to its end
    visit(world, body, cut, true, in);
    return true;
}

static void free_incidence(incidence *in)
{
    tide_free(in->starts);
    tide_free(in->elements);
    tide_free(in->sizes);
}

static bool has(const uint32_t *corners, uint32_t count, uint32_t vertex)
{
    bool found = false;
    for (uint32_t c = 0; c < count; c++)
        found = found || corners[c] == vertex;
    return found;
}

// Returns whether an element of the incidence has all its vertices among these corners.
static bool holds_one(const incidence *in, const uint32_t *corners, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = in->starts[corners[c]]; i < in->starts[corners[c] + 1]; i++) {
            bool all = in->sizes[i] > 1 && in->sizes[i] <= count;
            for (uint32_t k = 0; k < in->sizes[i] && all; k++)
                all = has(corners, count, in->elements[i][k]);
            if (all)
                return true;
        }
    return false;
}

// Copies the cells that are intact. Returns their number.
static uint32_t keep_cells(const cutting *c, const uint32_t *cells, uint32_t count, uint32_t corners, uint32_t *to)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!holds_one(&c->cut, cells + corners * i, corners))
            memcpy(to + (size_t)corners * kept++, cells + corners * i, corners * sizeof *to);
    return kept;
}

static uint64_t key_of(uint32_t i, uint32_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

// Returns whether sorted edges, lower vertex first, have this one.
static bool finds(const uint32_t *edges, uint32_t count, uint64_t key)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint64_t at = key_of(edges[2 * (size_t)middle], edges[2 * (size_t)middle + 1]);
        if (at == key)
            return true;
        if (at < key)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

// Copies the edges that are not cut, of a mesh whose cells all are intact.
static void keep_whole(const cutting *c, tide_intact *out)
{
    const tide_mesh *mesh = c->body->mesh;
    uint32_t kept = 0;
    for (size_t e = 0; e < mesh->edge_count; e++)
        if (!holds_one(&c->cut, mesh->edges + 2 * e, 2))
            memcpy(out->edges + 2 * (size_t)kept++, mesh->edges + 2 * e, 2 * sizeof *out->edges);
    out->mesh.edge_count = kept;
}

// Copies the intact edges: those that no cell has, those of intact cells of `out`, and those that a link holds. Cells
// that are cut take their other edges with them.
static tide_status keep_edges(const cutting *c, tide_intact *out, tide_error *error)
{
    const tide_mesh *mesh = c->body->mesh;
    uint32_t *all = NULL, *left = NULL, all_count = 0, left_count = 0, kept = 0;
    incidence links = { 0 }; // uncut elements of two vertices
    uint32_t triangles = mesh->tetrahedron_count ? 0 : mesh->triangle_count;
    tide_status status = tide_mesh_edges_of(mesh->vertex_count, mesh->triangles, triangles, mesh->tetrahedra,
                                            mesh->tetrahedron_count, &all, &all_count, error);
    if (status == TIDE_OK)
        status = tide_mesh_edges_of(mesh->vertex_count, out->triangles, triangles ? out->mesh.triangle_count : 0,
                                    out->tetrahedra, out->mesh.tetrahedron_count, &left, &left_count, error);
    if (status == TIDE_OK && !make_incidence(c->world, c->body, false, &links))
        status = tide_fail_memory(error, "cuts");
    for (size_t e = 0; status == TIDE_OK && e < mesh->edge_count; e++) {
        const uint32_t *ends = mesh->edges + 2 * e;
        uint64_t key = key_of(ends[0], ends[1]);
        bool held = !finds(all, all_count, key) || finds(left, left_count, key) || holds_one(&links, ends, 2);
        if (held && !holds_one(&c->cut, ends, 2))
            memcpy(out->edges + 2 * (size_t)kept++, ends, 2 * sizeof *ends);
    }
    out->mesh.edge_count = kept;
    free_incidence(&links);
    tide_free(all);
    tide_free(left);
    return status;
}

static tide_status keep_mesh(const cutting *c, tide_intact *out, tide_error *error)
{
    const tide_mesh *mesh = c->body->mesh;
    out->edges = tide_allocate_array(2 * (size_t)mesh->edge_count, sizeof *out->edges);
    out->tetrahedra = tide_allocate_array(4 * (size_t)mesh->tetrahedron_count, sizeof *out->tetrahedra);
    if (!mesh->tetrahedron_count)
        out->triangles = tide_allocate_array(3 * (size_t)mesh->triangle_count, sizeof *out->triangles);
    if (!out->edges || !out->tetrahedra || (!mesh->tetrahedron_count && !out->triangles))
        return tide_fail_memory(error, "cuts");
    tide_status status = TIDE_OK;
    out->mesh.tetrahedron_count = keep_cells(c, mesh->tetrahedra, mesh->tetrahedron_count, 4, out->tetrahedra);
    if (!mesh->tetrahedron_count)
        out->mesh.triangle_count = keep_cells(c, mesh->triangles, mesh->triangle_count, 3, out->triangles);
    else
        status = tide_mesh_surface_of(out->tetrahedra, out->mesh.tetrahedron_count, &out->triangles,
                                      &out->mesh.triangle_count, error);
    bool whole = out->mesh.tetrahedron_count == mesh->tetrahedron_count &&
                 (mesh->tetrahedron_count || out->mesh.triangle_count == mesh->triangle_count);
    if (whole)
        keep_whole(c, out);
    else if (status == TIDE_OK)
        status = keep_edges(c, out, error);
    out->mesh.edges = out->edges;
    out->mesh.triangles = out->triangles;
    out->mesh.tetrahedra = out->tetrahedra;
    return status;
}

// Keeps the triangles of the fine surface of which no vertex is carried by a cut tetrahedron.
static tide_status keep_surface(const cutting *c, tide_intact *out, tide_error *error)
{
    const tide_mesh *fine = c->body->surface;
    const tide_embedding *embedding = c->body->embedding;
    TIDE_SCOPED bool *gone = tide_allocate_zeroed(fine->vertex_count, sizeof *gone);
    out->triangles = tide_allocate_array(3 * (size_t)fine->triangle_count, sizeof *out->triangles);
    if (!gone || !out->triangles)
        return tide_fail_memory(error, "cuts");
    for (size_t i = 0; i < fine->vertex_count; i++)
        gone[i] = holds_one(&c->cut, embedding->vertices + 4 * i, 4);
    out->mesh.triangle_count = 0;
    for (size_t t = 0; t < fine->triangle_count; t++) {
        const uint32_t *v = fine->triangles + 3 * t;
        if (!gone[v[0]] && !gone[v[1]] && !gone[v[2]])
            memcpy(out->triangles + 3 * (size_t)out->mesh.triangle_count++, v, 3 * sizeof *v);
    }
    out->mesh.triangles = out->triangles;
    return TIDE_OK;
}

tide_status tide_world_intact(const tide_world *world, tide_body_id id, bool fine, tide_intact *out, tide_error *error)
{
    tide_body_info info;
    tide_status status = tide_world_check_body(world, id, &info, error);
    if (status != TIDE_OK)
        return status;
    const tide_body *body = tide_world_lookup(world, id);
    fine = fine && body->surface;
    *out = (tide_intact) { .mesh = fine ? *body->surface : *body->mesh };
    if (!tide_world_has_cuts(world, id))
        return TIDE_OK;
    cutting c = { .world = world, .body = body };
    if (!make_incidence(world, body, true, &c.cut))
        status = tide_fail_memory(error, "cuts");
    if (status == TIDE_OK)
        status = fine ? keep_surface(&c, out, error) : keep_mesh(&c, out, error);
    free_incidence(&c.cut);
    if (status != TIDE_OK)
        tide_intact_free(out);
    return status;
}

void tide_intact_free(tide_intact *intact)
{
    tide_free(intact->edges);
    tide_free(intact->triangles);
    tide_free(intact->tetrahedra);
    intact->edges = intact->triangles = intact->tetrahedra = NULL;
}
