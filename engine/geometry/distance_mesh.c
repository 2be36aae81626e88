// The sign follows J. A. Baerentzen and H. Aanaes, "Signed Distance Computation Using the Angle Weighted Pseudonormal",
// IEEE Transactions on Visualization and Computer Graphics 11(3), 2005. Where parts of the surface are inside others,
// it is that of the generalised winding number (winding.h).
#include "geometry/bvh.h"
#include "geometry/distance_moving.h"
#include "geometry/distance_near.h"
#include "geometry/distance_parts.h"
#include "geometry/exposed.h"
#include "geometry/winding.h"
#include "mesh/connectivity.h"

#include "base/disjoint_set.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/stop.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

// A vertex on a cut of the surface, as a point of a triangle of the mesh.
typedef struct cut {
    uint32_t triangle;
    double weights[3];
} cut;

typedef struct mesh_distance {
    tide_distance base;
    const tide_mesh *mesh;
    const double *at; // (3 * vertices) m, current positions
    tide_bvh bvh;
    tide_vec3 *faces;    // (triangles) unit normals, outward
    tide_vec3 *edges;    // (3 * triangles) for each edge of each triangle, the sum of both faces' normals
    tide_vec3 *vertices; // (vertices) face normals weighted by the angle at the vertex
    double noise;        // m: below this, the direction from the closest point is rounding error
    double sign;         // -1 where the whole mesh faces inward
    // For a surface with parts inside others, which are no boundary (else `exposed.all` is set, and these are empty):
    tide_exposed exposed; // `bvh` holds these triangles
    tide_bvh whole;       // holds all triangles of the mesh, for the winding number
    tide_winding winding;
    // (exposed.triangle_count) A set bit means that all triangles of the mesh at that place are whole and part of the
    // boundary: bit k for corner k, bit 3 + k for edge k. NULL for a mesh that moves.
    uint8_t *uncut;
    // For a mesh that moves; else NULL.
    uint32_t *across; // (3 * triangles) the other triangle on each edge
    cut *cuts;        // (exposed.vertex_count - vertices)
} mesh_distance;

static tide_vec3 pseudonormal(const mesh_distance *self, const tide_bvh_point *closest, uint32_t triangle)
{
    if (closest->on == TIDE_BVH_EDGE)
        return self->edges[3 * (size_t)triangle + closest->which];
    if (closest->on == TIDE_BVH_CORNER)
        return self->vertices[self->mesh->triangles[3 * (size_t)triangle + closest->which]];
    return self->faces[triangle];
}

// Returns whether the boundary contains all triangles around the closest point. Its pseudonormal is valid then.
static bool continues(const mesh_distance *self, const tide_bvh_point *closest)
{
    if (self->exposed.all || closest->on == TIDE_BVH_FACE)
        return true;
    uint32_t edge = closest->on == TIDE_BVH_EDGE ? 3 : 0;
    return self->uncut && self->uncut[closest->triangle] >> (edge + closest->which) & 1;
}

// Computes the sign, by the pseudonormal where it is valid, else by the winding number.
static double side_of(const mesh_distance *self, const double p[3], const tide_bvh_point *closest, tide_vec3 away,
                      tide_vec3 *normal)
{
    if (continues(self, closest)) {
        uint32_t triangle = self->exposed.all ? closest->triangle : self->exposed.parents[closest->triangle];
        *normal = pseudonormal(self, closest, triangle);
        return tide_vec3_dot(away, *normal) < 0 ? -1 : 1;
    }
    *normal = self->faces[self->exposed.parents[closest->triangle]];
    return self->sign * tide_winding_at(&self->winding, p) > 0.5 ? -1 : 1;
}

static double mesh_at_from(const mesh_distance *self, const double p[3], uint32_t *hint, double gradient[3])
{
    tide_bvh_point closest = { 0 };
    *hint = tide_bvh_closest_from(&self->bvh, p, *hint, &closest);
    tide_vec3 away = tide_vec3_subtract(tide_vec3_load(p), tide_vec3_load(closest.position)), normal;
    double length = sqrt(closest.squared), sign = side_of(self, p, &closest, away, &normal);
    if (gradient) {
        if (length <= self->noise || closest.on == TIDE_BVH_FACE)
            tide_vec3_store(gradient, tide_vec3_normalize(normal));
        else
            tide_vec3_store(gradient, tide_vec3_scale(tide_vec3_normalize(away), sign));
    }
    return sign * length;
}

static double mesh_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    uint32_t hint = TIDE_NO_HINT;
    return mesh_at_from((const mesh_distance *)distance, p, &hint, gradient);
}

static void mesh_destroy(tide_distance *distance)
{
    mesh_distance *self = (mesh_distance *)distance;
    tide_bvh_destroy(&self->bvh);
    tide_bvh_destroy(&self->whole);
    tide_winding_destroy(&self->winding);
    tide_exposed_destroy(&self->exposed);
    tide_mesh_release(self->mesh);
}

static void mesh_move(tide_distance *distance, const double *vertices);

// Finds the nearest point. On a part of a triangle, weights over its corners are converted to weights over those of the
// whole triangle.
static void mesh_nearest(const tide_distance *distance, const double p[3], uint32_t hint, uint32_t *triangle,
                         double weights[3])
{
    const mesh_distance *self = (const mesh_distance *)distance;
    tide_bvh_point closest = { 0 };
    tide_bvh_closest_from(&self->bvh, p, hint, &closest);
    *triangle = closest.triangle;
    if (!self->exposed.all) {
        *triangle = self->exposed.parents[closest.triangle];
        const uint32_t *corner = self->mesh->triangles + 3 * (size_t)*triangle;
        tide_bvh_closest_on_triangle(self->at + 3 * (size_t)corner[0], self->at + 3 * (size_t)corner[1],
                                     self->at + 3 * (size_t)corner[2], closest.position, &closest);
    }
    memcpy(weights, closest.weights, sizeof closest.weights);
}

static const tide_distance_kind mesh_kind = {
    .name = "mesh", .at = mesh_at, .destroy = mesh_destroy, .move = mesh_move, .nearest = mesh_nearest
};

double tide_distance_at_from(const tide_distance *distance, const double p[3], uint32_t *hint, double gradient[3])
{
    if (distance->kind != &mesh_kind)
        return tide_distance_at(distance, p, gradient);
    return mesh_at_from((const mesh_distance *)distance, p, hint, gradient);
}

// --- checks

static const char object[] = "distance mesh";

static tide_vec3 vertex_of(const tide_mesh *mesh, uint32_t vertex)
{
    return tide_vec3_load(mesh->vertices + 3 * (size_t)vertex);
}

static tide_status refuse_edge(const tide_mesh *mesh, const uint32_t edge[2], const char *what, tide_error *error)
{
    tide_vec3 u = vertex_of(mesh, edge[0]), v = vertex_of(mesh, edge[1]);
    char value[64];
    snprintf(value, sizeof value, "%u-%u", edge[0] + 1, edge[1] + 1);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "edge", value, "near (%.4g, %.4g, %.4g) %s", 0.5 * (u.x + v.x),
                     0.5 * (u.y + v.y), 0.5 * (u.z + v.z), what);
}

static tide_status refuse_flat(tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, NULL, NULL,
                     "its triangles enclose no volume; give a closed surface with an inside");
}

// Tells whether the triangle has the edge from u to v, in this direction.
static bool runs_along(const uint32_t triangle[3], uint32_t u, uint32_t v)
{
    for (int k = 0; k < 3; k++)
        if (triangle[k] == u && triangle[(k + 1) % 3] == v)
            return true;
    return false;
}

// The triangles at each edge.
typedef struct sides {
    tide_mesh_edge_table table;
    uint32_t *edges;  // (2 * table.count) lower vertex first
    uint32_t *on;     // (2 * table.count) the first two triangles
    uint32_t *counts; // (table.count)
} sides;

static void sides_destroy(sides *s)
{
    tide_mesh_edge_table_destroy(&s->table);
    tide_free(s->edges);
    tide_free(s->on);
    tide_free(s->counts);
}

static tide_status sides_create(const tide_mesh *mesh, sides *s, tide_error *error)
{
    const tide_mesh_tuples list = { mesh->triangles, 3, mesh->triangle_count };
    *s = (sides) { .edges = NULL };
    TIDE_TRY(tide_mesh_edge_table_create(mesh->vertex_count, &list, 1, &s->table, error));
    s->edges = tide_mesh_edge_table_pairs(&s->table);
    s->on = tide_allocate_array(s->table.count, 2 * sizeof *s->on);
    s->counts = tide_allocate_zeroed(s->table.count, sizeof *s->counts);
    if (!s->edges || !s->on || !s->counts) {
        sides_destroy(s);
        return tide_fail_memory(error, object);
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
            uint32_t edge = tide_mesh_edge_table_find(&s->table, corner[k], corner[(k + 1) % 3]);
            if (s->counts[edge] < 2)
                s->on[2 * (size_t)edge + s->counts[edge]] = t;
            s->counts[edge]++;
        }
    return TIDE_OK;
}

static tide_status check_edges(const tide_mesh *mesh, const sides *s, tide_error *error)
{
    for (uint32_t i = 0; i < s->table.count; i++) {
        const uint32_t *edge = s->edges + 2 * (size_t)i, *on = s->on + 2 * (size_t)i;
        if (s->counts[i] < 2)
            return refuse_edge(mesh, edge,
                               "has a triangle on one side only: the surface is open; close the hole, or weld the seam "
                               "(weld = a small distance); a collider may be a thin sheet, with sheet = true",
                               error);
        if (s->counts[i] > 2)
            return refuse_edge(mesh, edge,
                               "has more than two triangles, so that inside and outside cannot be distinguished; "
                               "remove the inner ones or separate the pieces (fix = true removes duplicates)",
                               error);
        if (runs_along(mesh->triangles + 3 * (size_t)on[0], edge[0], edge[1]) ==
            runs_along(mesh->triangles + 3 * (size_t)on[1], edge[0], edge[1]))
            return refuse_edge(mesh, edge,
                               "has triangles that face opposite ways; turn one of them (fix = true turns what it can)",
                               error);
    }
    return TIDE_OK;
}

// --- pieces of the surface

// Returns six times the volume of the tetrahedron of a triangle and a point.
static double volume_from(const tide_mesh *mesh, uint32_t triangle, tide_vec3 origin)
{
    const uint32_t *corner = mesh->triangles + 3 * (size_t)triangle;
    tide_vec3 a = tide_vec3_subtract(vertex_of(mesh, corner[0]), origin);
    tide_vec3 b = tide_vec3_subtract(vertex_of(mesh, corner[1]), origin);
    tide_vec3 c = tide_vec3_subtract(vertex_of(mesh, corner[2]), origin);
    return tide_vec3_dot(a, tide_vec3_cross(b, c));
}

// Returns half the signed solid angle of a triangle (van Oosterom and Strackee 1983).
static double half_angle(const tide_mesh *mesh, uint32_t triangle, tide_vec3 p)
{
    tide_vec3 side[3];
    double length[3];
    for (int k = 0; k < 3; k++) {
        side[k] = tide_vec3_subtract(vertex_of(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)k]), p);
        length[k] = tide_vec3_length(side[k]);
    }
    double below = length[0] * length[1] * length[2];
    for (int k = 0; k < 3; k++)
        below += tide_vec3_dot(side[k], side[(k + 1) % 3]) * length[(k + 2) % 3];
    return tide_atan2(tide_vec3_dot(side[0], tide_vec3_cross(side[1], side[2])), below);
}

// Checks the orientation of a piece. A piece that is oriented opposite to the whole must bound a cavity, and so lie
// within the others. Else it is inside out, and signs would be wrong around it.
static tide_status check_piece(const tide_mesh *mesh, uint32_t *parents, uint32_t piece, double sign, tide_error *error)
{
    double around = 0;
    tide_vec3 p = vertex_of(mesh, piece);
    uint32_t first = TIDE_NO_TRIANGLE;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        if (tide_disjoint_set_root(parents, mesh->triangles[3 * (size_t)t]) != piece)
            around += sign * half_angle(mesh, t, p);
        else if (first == TIDE_NO_TRIANGLE)
            first = t;
    if (around > tide_acos(-1)) // half of 2 pi: the piece is inside
        return TIDE_OK;
    return refuse_edge(mesh, mesh->triangles + 3 * (size_t)first,
                       "belongs to a piece that is inside out: it is oriented against the others and lies in none of "
                       "them; turn it (fix = true)",
                       error);
}

// Checks all pieces. Sets `sign` to -1 where the whole mesh faces inward.
static tide_status check_pieces(const tide_mesh *mesh, double *sign, tide_error *error)
{
    TIDE_SCOPED uint32_t *parents = tide_allocate_array(mesh->vertex_count, sizeof *parents);
    double *volumes = tide_allocate_zeroed(mesh->vertex_count, sizeof *volumes), total = 0;
    tide_status status = parents && volumes ? TIDE_OK : tide_fail_memory(error, object);
    if (status == TIDE_OK) {
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            parents[v] = v;
        for (uint32_t t = 0; t < mesh->triangle_count; t++)
            for (size_t k = 1; k < 3; k++) {
                const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
                tide_disjoint_set_join(parents, corner[0], corner[k]);
            }
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            uint32_t piece = tide_disjoint_set_root(parents, mesh->triangles[3 * (size_t)t]);
            volumes[piece] += volume_from(mesh, t, vertex_of(mesh, piece));
        }
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            total += volumes[v];
        if (total == 0)
            status = refuse_flat(error);
        *sign = total < 0 ? -1 : 1;
        for (uint32_t v = 0; v < mesh->vertex_count && status == TIDE_OK; v++)
            if (volumes[v] * total < 0)
                status = check_piece(mesh, parents, v, *sign, error);
    }
    tide_free(volumes);
    return status;
}

// --- pseudonormals

static tide_vec3 place_of(const mesh_distance *self, uint32_t vertex)
{
    return tide_vec3_load(self->at + 3 * (size_t)vertex);
}

static void set_faces(mesh_distance *self)
{
    const tide_mesh *mesh = self->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
        tide_vec3 a = place_of(self, corner[0]);
        tide_vec3 normal = tide_vec3_cross(tide_vec3_subtract(place_of(self, corner[1]), a),
                                           tide_vec3_subtract(place_of(self, corner[2]), a));
        self->faces[t] = tide_vec3_scale(tide_vec3_normalize(normal), self->sign);
    }
}

static void set_edges(mesh_distance *self, const sides *s)
{
    for (uint32_t t = 0; t < self->mesh->triangle_count; t++)
        for (size_t k = 0; k < 3; k++) {
            const uint32_t *corner = self->mesh->triangles + 3 * (size_t)t;
            const uint32_t *on =
                s->on + 2 * (size_t)tide_mesh_edge_table_find(&s->table, corner[k], corner[(k + 1) % 3]);
            self->edges[3 * (size_t)t + k] = tide_vec3_add(self->faces[on[0]], self->faces[on[1]]);
        }
}

static void set_vertices(mesh_distance *self)
{
    const tide_mesh *mesh = self->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
            tide_vec3 at = place_of(self, corner[k]);
            tide_vec3 u = tide_vec3_subtract(place_of(self, corner[(k + 1) % 3]), at);
            tide_vec3 v = tide_vec3_subtract(place_of(self, corner[(k + 2) % 3]), at);
            double angle = tide_atan2(tide_vec3_length(tide_vec3_cross(u, v)), tide_vec3_dot(u, v));
            tide_vec3 *sum = &self->vertices[corner[k]];
            *sum = tide_vec3_add(*sum, tide_vec3_scale(self->faces[t], angle));
        }
}

static void set_bounds(mesh_distance *self)
{
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        self->base.lower[k] = self->bvh.nodes[0].lower[k];
        self->base.upper[k] = self->bvh.nodes[0].upper[k];
        largest = fmax(largest, fmax(fabs(self->base.lower[k]), fabs(self->base.upper[k])));
    }
    self->noise = 256 * DBL_EPSILON * largest;
}

// Returns the other triangle at an edge of a triangle.
static uint32_t neighbour_of(const mesh_distance *self, const sides *s, uint32_t triangle, size_t edge)
{
    const uint32_t *corner = self->mesh->triangles + 3 * (size_t)triangle;
    const uint32_t *on = s->on + 2 * (size_t)tide_mesh_edge_table_find(&s->table, corner[edge], corner[(edge + 1) % 3]);
    return on[on[0] == triangle];
}

// Sets `uncut`.
static tide_status mark_uncut(mesh_distance *self, const sides *s, tide_error *error)
{
    const tide_mesh *mesh = self->mesh;
    const tide_exposed *exposed = &self->exposed;
    TIDE_SCOPED bool *whole = tide_allocate_zeroed(mesh->triangle_count, sizeof *whole);
    TIDE_SCOPED bool *cut_at = tide_allocate_zeroed(mesh->vertex_count, sizeof *cut_at);
    self->uncut = tide_own_zeroed(self, exposed->triangle_count, sizeof *self->uncut);
    if (!whole || !cut_at || !self->uncut)
        return tide_fail_memory(error, object);
    for (uint32_t i = 0; i < exposed->triangle_count; i++) {
        const uint32_t parent = exposed->parents[i], *corner = mesh->triangles + 3 * (size_t)parent;
        whole[parent] |= memcmp(exposed->triangles + 3 * (size_t)i, corner, 3 * sizeof *corner) == 0;
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        cut_at[mesh->triangles[i]] |= !whole[i / 3];
    for (uint32_t i = 0; i < exposed->triangle_count; i++) {
        uint32_t parent = exposed->parents[i];
        for (size_t k = 0; whole[parent] && k < 3; k++) {
            self->uncut[i] |= (uint8_t)(!cut_at[mesh->triangles[3 * (size_t)parent + k]] << k);
            self->uncut[i] |= (uint8_t)(whole[neighbour_of(self, s, parent, k)] << (3 + k));
        }
    }
    return TIDE_OK;
}

// Restricts the hierarchy to the boundary.
static tide_status leave_boundary(mesh_distance *self, const sides *s, tide_error *error)
{
    const tide_exposed_edges edges = { s->on, s->table.count };
    tide_status status =
        tide_exposed_create(self->mesh, &self->bvh, edges, self->sign, &self->exposed, &self->winding, error);
    if (status != TIDE_OK || self->exposed.all)
        return status;
    if (self->exposed.triangle_count == 0)
        return refuse_flat(error);
    self->whole = self->bvh;
    self->winding.bvh = &self->whole;
    self->bvh = (tide_bvh) { 0 };
    return tide_bvh_create(self->exposed.vertices, self->exposed.triangles, self->exposed.triangle_count, &self->bvh,
                           error);
}

static tide_status fill(mesh_distance *self, const tide_mesh *mesh, const sides *s, tide_error *error)
{
    self->sign = 1;
    TIDE_TRY(check_pieces(mesh, &self->sign, error));
    TIDE_TRY(tide_bvh_create(mesh->vertices, mesh->triangles, mesh->triangle_count, &self->bvh, error));
    self->mesh = tide_mesh_retain(mesh);
    self->at = mesh->vertices;
    self->faces = tide_own_array(self, mesh->triangle_count, sizeof *self->faces);
    self->edges = tide_own_zeroed(self, mesh->triangle_count, 3 * sizeof *self->edges);
    self->vertices = tide_own_zeroed(self, mesh->vertex_count, sizeof *self->vertices);
    if (!self->faces || !self->edges || !self->vertices)
        return tide_fail_memory(error, object);
    set_faces(self);
    set_edges(self, s);
    set_vertices(self);
    TIDE_TRY(tide_stop_check(object, error));
    TIDE_TRY(leave_boundary(self, s, error));
    set_bounds(self);
    return TIDE_OK;
}

// --- moving meshes

static void mesh_move(tide_distance *distance, const double *vertices)
{
    mesh_distance *self = (mesh_distance *)distance;
    const tide_mesh *mesh = self->mesh;
    self->at = vertices;
    set_faces(self);
    for (size_t e = 0; e < 3 * (size_t)mesh->triangle_count; e++)
        self->edges[e] = tide_vec3_add(self->faces[e / 3], self->faces[self->across[e]]);
    memset(self->vertices, 0, mesh->vertex_count * sizeof *self->vertices);
    set_vertices(self);
    if (self->exposed.all) {
        tide_bvh_refit(&self->bvh, vertices, NULL, 0);
        set_bounds(self);
        return;
    }
    memcpy(self->exposed.vertices, vertices, 3 * (size_t)mesh->vertex_count * sizeof *vertices);
    for (uint32_t v = mesh->vertex_count; v < self->exposed.vertex_count; v++) {
        const cut *c = &self->cuts[v - mesh->vertex_count];
        const uint32_t *corner = mesh->triangles + 3 * (size_t)c->triangle;
        tide_vec3 p = { 0 };
        for (int k = 0; k < 3; k++)
            p = tide_vec3_add(p, tide_vec3_scale(place_of(self, corner[k]), c->weights[k]));
        tide_vec3_store(self->exposed.vertices + 3 * (size_t)v, p);
    }
    tide_bvh_refit(&self->bvh, self->exposed.vertices, NULL, 0);
    tide_bvh_refit(&self->whole, vertices, NULL, 0);
    tide_winding_refit(&self->winding);
    set_bounds(self);
}

// Stores what moving needs.
static tide_status keep_for_moves(mesh_distance *self, const sides *s, tide_error *error)
{
    const tide_mesh *mesh = self->mesh;
    const tide_exposed *exposed = &self->exposed;
    uint32_t extra = exposed->all ? 0 : exposed->vertex_count - mesh->vertex_count;
    self->across = tide_own_array(self, mesh->triangle_count, 3 * sizeof *self->across);
    self->cuts = tide_own_zeroed(self, (size_t)extra + 1, sizeof *self->cuts);
    if (!self->across || !self->cuts)
        return tide_fail_memory(error, object);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (size_t k = 0; k < 3; k++)
            self->across[3 * (size_t)t + k] = neighbour_of(self, s, t, k);
    for (size_t i = 0; extra > 0 && i < 3 * (size_t)exposed->triangle_count; i++) {
        uint32_t v = exposed->triangles[i], parent = exposed->parents[i / 3];
        if (v < mesh->vertex_count)
            continue;
        const uint32_t *corner = mesh->triangles + 3 * (size_t)parent;
        cut *c = &self->cuts[v - mesh->vertex_count];
        tide_bvh_point point;
        tide_bvh_closest_on_triangle(self->at + 3 * (size_t)corner[0], self->at + 3 * (size_t)corner[1],
                                     self->at + 3 * (size_t)corner[2], exposed->vertices + 3 * (size_t)v, &point);
        c->triangle = parent;
        memcpy(c->weights, point.weights, sizeof c->weights);
    }
    return TIDE_OK;
}

static tide_status create(const tide_mesh *mesh, bool moves, tide_distance **out, tide_error *error)
{
    if (mesh->triangle_count == 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "triangles", "0",
                         "the mesh has no triangles; give a closed surface");
    sides s;
    tide_status status = sides_create(mesh, &s, error);
    if (status != TIDE_OK)
        return status;
    mesh_distance *self = NULL;
    status = check_edges(mesh, &s, error);
    if (status == TIDE_OK) {
        self = (mesh_distance *)tide_distance_allocate(&mesh_kind, sizeof *self);
        status = self ? fill(self, mesh, &s, error) : tide_fail_memory(error, object);
    }
    if (status == TIDE_OK && moves)
        status = keep_for_moves(self, &s, error);
    else if (status == TIDE_OK && !self->exposed.all)
        status = mark_uncut(self, &s, error);
    sides_destroy(&s);
    if (status == TIDE_OK)
        *out = &self->base;
    else if (self)
        tide_distance_release(&self->base);
    return status;
}

tide_status tide_distance_mesh(const tide_mesh *mesh, const tide_distance **out, tide_error *error)
{
    tide_distance *made;
    TIDE_TRY(create(mesh, false, &made, error));
    *out = made;
    return TIDE_OK;
}

tide_status tide_distance_moving_mesh(const tide_mesh *mesh, tide_distance **out, tide_error *error)
{
    return create(mesh, true, out, error);
}
