#include "world/reshape.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "geometry/bvh.h"
#include "geometry/embedding.h"

#include <math.h>
#include <string.h>

static const double box_tolerance = 0.25, distance_tolerance = 0.1; // of the old mesh's diagonal

// A place on the old mesh: in a triangle, on an edge (the last two corners are equal), or at a vertex (all three are
// equal).
typedef struct place {
    uint32_t corners[3];
    double weights[3];
    double offset[3]; // m, from the place to the new vertex at rest, along the axes of the frame at rest
} place;

struct tide_reshape {
    const tide_mesh *from;
    uint32_t count;
    tide_embedding *embedding; // of the new vertices in the old tetrahedra; NULL if there are none
    place *places;             // (count); NULL with tetrahedra
};

// --- frames ----------------------------------------------------------------------------------------------------------

// A frame that rotates with a triangle, or with an edge by the shortest rotation.
typedef struct frame {
    tide_vec3 axes[3]; // orthonormal
    tide_vec3 spin;    // rad/s, the angular velocity
} frame;

static tide_vec3 corner(const double *vectors, uint32_t vertex)
{
    return tide_vec3_load(vectors + 3 * (size_t)vertex);
}

// Returns the time derivative of a unit vector when the vector of this length along it has the derivative `rate`.
static tide_vec3 turn_of(tide_vec3 unit, double length, tide_vec3 rate)
{
    tide_vec3 across = tide_vec3_subtract(rate, tide_vec3_scale(unit, tide_vec3_dot(unit, rate)));
    return tide_vec3_scale(across, 1 / length);
}

static frame still_frame(void)
{
    return (frame) { .axes = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
}

// Returns the axes of `rest` after the shortest rotation that takes the first axis to `along`.
static frame turned_frame(const frame *rest, tide_vec3 along, tide_vec3 along_rate)
{
    frame turned = { .axes = { along }, .spin = tide_vec3_cross(along, along_rate) };
    tide_vec3 from = rest->axes[0], axis = tide_vec3_cross(from, along);
    double cosine = tide_vec3_dot(from, along);
    for (int k = 1; k < 3; k++) {
        tide_vec3 v = rest->axes[k];
        if (cosine > -1 + 1e-9) { // Rodrigues' rotation, (1 - cosine) / sine^2 = 1 / (1 + cosine)
            tide_vec3 sum = tide_vec3_add(tide_vec3_scale(v, cosine), tide_vec3_cross(axis, v));
            turned.axes[k] = tide_vec3_add(sum, tide_vec3_scale(axis, tide_vec3_dot(axis, v) / (1 + cosine)));
        } else {
            turned.axes[k] = k == 1 ? v : tide_vec3_scale(v, -1); // half a turn about the second axis
        }
    }
    return turned;
}

// Returns some orthonormal axes with `along` as the first.
static frame frame_along(tide_vec3 along)
{
    frame x = still_frame();
    return turned_frame(&x, along, (tide_vec3) { 0, 0, 0 });
}

// Returns the frame of a place from the positions of the mesh's vertices and, unless NULL, their velocities. `rest` is
// the frame at rest; NULL if these positions are at rest.
static frame make_frame(const place *place, const double *positions, const double *velocities, const frame *rest)
{
    const uint32_t *c = place->corners;
    static const tide_vec3 none = { 0, 0, 0 };
    tide_vec3 origin = corner(positions, c[0]), still = velocities ? corner(velocities, c[0]) : none;
    tide_vec3 a = tide_vec3_subtract(corner(positions, c[1]), origin);
    tide_vec3 b = tide_vec3_subtract(corner(positions, c[2]), origin);
    tide_vec3 a_rate = velocities ? tide_vec3_subtract(corner(velocities, c[1]), still) : none;
    tide_vec3 b_rate = velocities ? tide_vec3_subtract(corner(velocities, c[2]), still) : none;
    double length = tide_vec3_length(a);
    if (!(length > 0))
        return rest ? *rest : still_frame();
    tide_vec3 t = tide_vec3_scale(a, 1 / length), t_rate = turn_of(t, length, a_rate);
    tide_vec3 normal = tide_vec3_cross(a, b);
    double area = tide_vec3_length(normal);
    if (!(area > 1e-12 * length * tide_vec3_length(b)))
        return rest ? turned_frame(rest, t, t_rate) : frame_along(t);
    tide_vec3 normal_rate = tide_vec3_add(tide_vec3_cross(a_rate, b), tide_vec3_cross(a, b_rate));
    tide_vec3 n = tide_vec3_scale(normal, 1 / area), n_rate = turn_of(n, area, normal_rate);
    tide_vec3 u = tide_vec3_cross(t, n);
    tide_vec3 u_rate = tide_vec3_add(tide_vec3_cross(t_rate, n), tide_vec3_cross(t, n_rate));
    // The rate of each axis is spin x axis, so the sum of axis x rate over the three axes is twice the spin.
    tide_vec3 twice = tide_vec3_add(tide_vec3_add(tide_vec3_cross(t, t_rate), tide_vec3_cross(n, n_rate)),
                                    tide_vec3_cross(u, u_rate));
    return (frame) { { t, n, u }, tide_vec3_scale(twice, 0.5) };
}

// --- finding places --------------------------------------------------------------------------------------------------

typedef struct box {
    double lower[3], upper[3];
} box;

static box box_of(const tide_mesh *mesh)
{
    box box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        box.lower[i % 3] = fmin(box.lower[i % 3], mesh->vertices[i]);
        box.upper[i % 3] = fmax(box.upper[i % 3], mesh->vertices[i]);
    }
    return box;
}

static double diagonal_of(const box *box)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (box->upper[k] - box->lower[k]) * (box->upper[k] - box->lower[k]);
    return sqrt(sum);
}

bool tide_reshape_is_near(const tide_mesh *from, const tide_mesh *to)
{
    box a = box_of(from), b = box_of(to);
    double most = box_tolerance * diagonal_of(&a);
    for (int k = 0; k < 3; k++)
        if (!(fabs(a.lower[k] - b.lower[k]) <= most && fabs(a.upper[k] - b.upper[k]) <= most))
            return false;
    return isfinite(most);
}

static bool is_line(const tide_mesh *mesh, const bool *covered, uint32_t edge)
{
    const uint32_t *ends = mesh->edges + 2 * (size_t)edge;
    return !covered[ends[0]] || !covered[ends[1]];
}

// Lists the corners of the triangles to search: those of the mesh; then, as triangles without area, the edges with an
// end in no triangle, and the vertices in neither. Returns the number of triangles. `covered` (vertex_count, false at
// first) is scratch.
static uint32_t list_corners(const tide_mesh *mesh, bool *covered, uint32_t *corners)
{
    uint32_t *next = corners;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        covered[mesh->triangles[i]] = true;
        *next++ = mesh->triangles[i];
    }
    const uint32_t *lines = next;
    for (uint32_t e = 0; e < mesh->edge_count; e++)
        if (is_line(mesh, covered, e)) {
            *next++ = mesh->edges[2 * (size_t)e];
            *next++ = mesh->edges[2 * (size_t)e + 1];
            *next++ = mesh->edges[2 * (size_t)e + 1];
        }
    for (; lines < next; lines++)
        covered[*lines] = true;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int c = 0; c < 3 && !covered[v]; c++)
            *next++ = v;
    return (uint32_t)((next - corners) / 3);
}

static void find_place(const tide_bvh *bvh, const tide_mesh *mesh, const uint32_t *corners, const double p[3],
                       tide_bvh_point *closest, place *place)
{
    tide_bvh_closest(bvh, p, INFINITY, closest);
    memcpy(place->corners, corners + 3 * (size_t)closest->triangle, sizeof place->corners);
    memcpy(place->weights, closest->weights, sizeof place->weights);
    tide_vec3 offset = tide_vec3_subtract(tide_vec3_load(p), tide_vec3_load(closest->position));
    frame frame = make_frame(place, mesh->vertices, NULL, NULL);
    for (int k = 0; k < 3; k++)
        place->offset[k] = tide_vec3_dot(frame.axes[k], offset);
}

// Finds the places of all new vertices. Clears *covered if one is farther than `most` (m) from the old mesh.
static tide_status find_places(tide_reshape *reshape, const tide_mesh *to, double most, bool *covered,
                               tide_error *error)
{
    const tide_mesh *from = reshape->from;
    TIDE_SCOPED_BY(tide_bvh_destroy) tide_bvh bvh = { 0 };
    size_t most_corners = (size_t)from->triangle_count + from->edge_count + from->vertex_count;
    TIDE_SCOPED uint32_t *corners = tide_allocate_array(most_corners, 3 * sizeof *corners);
    TIDE_SCOPED bool *used = tide_allocate_zeroed(from->vertex_count, sizeof *used);
    reshape->places = tide_allocate_array(to->vertex_count, sizeof *reshape->places);
    TIDE_TRY(corners && used && reshape->places ? TIDE_OK : tide_fail_memory(error, "a body's shape"));
    TIDE_TRY(tide_bvh_create(from->vertices, corners, list_corners(from, used, corners), &bvh, error));
    for (uint32_t i = 0; i < to->vertex_count && *covered; i++) {
        tide_bvh_point closest = { 0 };
        find_place(&bvh, from, corners, to->vertices + 3 * (size_t)i, &closest, &reshape->places[i]);
        *covered = closest.squared <= most * most;
    }
    return TIDE_OK;
}

static tide_status embed(tide_reshape *reshape, const tide_mesh *to, double most, bool *covered, tide_error *error)
{
    tide_error unread;
    tide_status status =
        tide_embedding_create(reshape->from, to->vertices, to->vertex_count, &reshape->embedding, &unread);
    if (status == TIDE_ERROR_MEMORY) {
        if (error)
            *error = unread;
        return status;
    }
    *covered = status == TIDE_OK && reshape->embedding->farthest <= most; // it fails if no tetrahedron has a volume
    return TIDE_OK;
}

tide_status tide_reshape_create(const tide_mesh *from, const tide_mesh *to, tide_reshape **reshape, tide_error *error)
{
    *reshape = NULL;
    box old = box_of(from);
    double diagonal = diagonal_of(&old);
    if (!tide_reshape_is_near(from, to))
        return TIDE_OK;
    tide_reshape *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "a body's shape");
    made->from = from;
    made->count = to->vertex_count;
    bool covered = true;
    double most = distance_tolerance * diagonal;
    tide_status status =
        from->tetrahedron_count ? embed(made, to, most, &covered, error) : find_places(made, to, most, &covered, error);
    if (status == TIDE_OK && covered)
        *reshape = made;
    else
        tide_reshape_destroy(made);
    return status;
}

void tide_reshape_destroy(tide_reshape *reshape)
{
    if (!reshape)
        return;
    tide_embedding_destroy(reshape->embedding);
    tide_free(reshape->places);
    tide_free(reshape);
}

// --- applying --------------------------------------------------------------------------------------------------------

static tide_vec3 mean_of(const place *place, const double *vectors)
{
    tide_vec3 sum = { 0, 0, 0 };
    for (int c = 0; c < 3; c++)
        sum = tide_vec3_add(sum, tide_vec3_scale(corner(vectors, place->corners[c]), place->weights[c]));
    return sum;
}

static bool is_away(const place *place)
{
    return place->offset[0] != 0 || place->offset[1] != 0 || place->offset[2] != 0;
}

void tide_reshape_apply(const tide_reshape *reshape, const double *positions, const double *velocities,
                        double *new_positions, double *new_velocities)
{
    if (reshape->embedding) {
        tide_embedding_apply(reshape->embedding, positions, new_positions);
        tide_embedding_apply(reshape->embedding, velocities, new_velocities);
        return;
    }
    for (uint32_t i = 0; i < reshape->count; i++) {
        const place *place = &reshape->places[i];
        tide_vec3 position = mean_of(place, positions), velocity = mean_of(place, velocities);
        if (is_away(place)) {
            frame rest = make_frame(place, reshape->from->vertices, NULL, NULL);
            frame now = make_frame(place, positions, velocities, &rest);
            tide_vec3 offset = { 0, 0, 0 };
            for (int k = 0; k < 3; k++)
                offset = tide_vec3_add(offset, tide_vec3_scale(now.axes[k], place->offset[k]));
            position = tide_vec3_add(position, offset);
            velocity = tide_vec3_add(velocity, tide_vec3_cross(now.spin, offset));
        }
        tide_vec3_store(new_positions + 3 * (size_t)i, position);
        tide_vec3_store(new_velocities + 3 * (size_t)i, velocity);
    }
}
