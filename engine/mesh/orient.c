// Finds the triangles to reverse so that each piece of a surface is oriented consistently, and outward where it is
// closed.
#include "mesh/doctor.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

// A piece: triangles joined by edges with exactly two triangles. `triangle` is its lowest one; the box is for closed
// pieces.
typedef struct piece {
    uint32_t triangle;
    uint32_t count, odd; // triangles; those oriented opposite to the first
    bool closed, unorientable;
    double volume; // six times the enclosed volume, if all were oriented as the first
    double lower[3], upper[3];
} piece;

typedef struct orienting {
    const double *vertices;
    const uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
    tide_mesh_edge_table table;
    uint32_t *on, *pairs;        // for each edge: the number of triangles, and the sides (3 t + k) of the first two
    tide_sets sets;              // of triangles
    unsigned char *unorientable; // for each triangle: its edges contradict one another
    piece *pieces;
    uint32_t *piece_of; // for each triangle that represents a set
    uint32_t piece_count;
    tide_orientation *made;
    tide_error *error;
} orienting;

static tide_status gather_edges(orienting *o)
{
    const tide_mesh_tuples lists[] = { { o->triangles, 3, o->triangle_count } };
    TIDE_TRY(tide_mesh_edge_table_create(o->vertex_count, lists, 1, &o->table, o->error));
    o->on = tide_allocate_zeroed(o->table.count, sizeof *o->on);
    o->pairs = tide_allocate_array(o->table.count, 2 * sizeof *o->pairs);
    o->unorientable = tide_allocate_zeroed(o->triangle_count, 1);
    o->made->turns = tide_allocate_zeroed(o->triangle_count, 1);
    if (!o->on || !o->pairs || !o->unorientable || !o->made->turns || !tide_sets_create(&o->sets, o->triangle_count))
        return tide_fail_memory(o->error, "mesh surface");
    for (uint32_t side = 0; side < 3 * o->triangle_count; side++) {
        uint32_t next = side % 3 == 2 ? side - 2 : side + 1;
        uint32_t edge = tide_mesh_edge_table_find(&o->table, o->triangles[side], o->triangles[next]);
        if (o->on[edge] < 2)
            o->pairs[2 * (size_t)edge + o->on[edge]] = side;
        o->on[edge]++;
    }
    return TIDE_OK;
}

// In a consistent orientation, the two triangles at an edge run along it in opposite directions.
static void join_triangles(orienting *o)
{
    tide_orientation *made = o->made;
    for (uint32_t edge = 0; edge < o->table.count; edge++) {
        const uint32_t *pair = o->pairs + 2 * (size_t)edge;
        if (o->on[edge] != 2)
            continue;
        bool same = o->triangles[pair[0]] == o->triangles[pair[1]];
        if (!tide_sets_join(&o->sets, pair[0] / 3, pair[1] / 3, same))
            o->unorientable[pair[0] / 3] = 1;
        if (!same || made->mixed++)
            continue;
        made->mixed_one = pair[0] / 3;
        made->mixed_other = pair[1] / 3;
        made->mixed_edge[0] = o->triangles[pair[0]];
        made->mixed_edge[1] = o->triangles[pair[0] % 3 == 2 ? pair[0] - 2 : pair[0] + 1];
    }
}

static tide_vec3 corner(const orienting *o, uint32_t triangle, int k)
{
    return tide_vec3_load(o->vertices + 3 * (size_t)o->triangles[3 * (size_t)triangle + (size_t)k]);
}

static void widen(piece *piece, tide_vec3 p)
{
    const double x[3] = { p.x, p.y, p.z };
    for (int k = 0; k < 3; k++) {
        piece->lower[k] = fmin(piece->lower[k], x[k]);
        piece->upper[k] = fmax(piece->upper[k], x[k]);
    }
}

static tide_status gather_pieces(orienting *o)
{
    o->piece_of = tide_allocate_array(o->triangle_count, sizeof *o->piece_of);
    for (uint32_t t = 0; t < o->triangle_count && o->piece_of; t++)
        if (tide_sets_find(&o->sets, t, NULL) == t)
            o->piece_of[t] = o->piece_count++;
    o->pieces = tide_allocate_zeroed(o->piece_count, sizeof *o->pieces);
    if (!o->piece_of || !o->pieces)
        return tide_fail_memory(o->error, "mesh surface");
    for (uint32_t t = 0; t < o->triangle_count; t++) {
        bool odd;
        uint32_t root = tide_sets_find(&o->sets, t, &odd);
        piece *piece = &o->pieces[o->piece_of[root]];
        tide_vec3 origin = corner(o, root, 0); // nearby, so that precision is kept far from the origin
        if (piece->count++ == 0) {
            *piece = (struct piece) { .triangle = t, .count = 1, .closed = true };
            tide_vec3_store(piece->lower, origin);
            tide_vec3_store(piece->upper, origin);
        }
        tide_vec3 a = tide_vec3_subtract(corner(o, t, 0), origin), b = tide_vec3_subtract(corner(o, t, 1), origin);
        tide_vec3 c = tide_vec3_subtract(corner(o, t, 2), origin);
        double volume = tide_vec3_dot(a, tide_vec3_cross(b, c));
        piece->volume += odd ? -volume : volume;
        piece->odd += odd;
        piece->unorientable = piece->unorientable || o->unorientable[t];
        for (int k = 0; k < 3; k++)
            widen(piece, corner(o, t, k));
    }
    for (uint32_t side = 0; side < 3 * o->triangle_count; side++) {
        uint32_t next = side % 3 == 2 ? side - 2 : side + 1;
        uint32_t edge = tide_mesh_edge_table_find(&o->table, o->triangles[side], o->triangles[next]);
        piece *piece = &o->pieces[o->piece_of[tide_sets_find(&o->sets, side / 3, NULL)]];
        piece->closed = piece->closed && o->on[edge] == 2;
    }
    return TIDE_OK;
}

static int compare_lower(const void *a, const void *b)
{
    const piece *p = *(const piece *const *)a, *q = *(const piece *const *)b;
    if (p->lower[0] != q->lower[0])
        return p->lower[0] < q->lower[0] ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

static bool is_within(const piece *inner, const piece *outer)
{
    for (int k = 0; k < 3; k++)
        if (inner->lower[k] < outer->lower[k] || inner->upper[k] > outer->upper[k])
            return false;
    return inner != outer;
}

// Tells whether the box of a piece lies in that of a closed one; `ordered` is sorted by the lower x of the boxes.
static bool is_nested(const piece *inner, piece *const *ordered, uint32_t count)
{
    for (uint32_t i = 0; i < count && ordered[i]->lower[0] <= inner->lower[0]; i++)
        if (is_within(inner, ordered[i]) && !is_within(ordered[i], inner))
            return true;
    return false;
}

// Tells whether the piece encloses a volume above rounding error.
static bool has_volume(const piece *piece)
{
    double side = 0;
    for (int k = 0; k < 3; k++)
        side = fmax(side, piece->upper[k] - piece->lower[k]);
    return fabs(piece->volume) > 1e-12 * side * side * side && isfinite(piece->volume);
}

static tide_status decide(orienting *o)
{
    uint32_t closed = 0;
    piece **ordered = tide_allocate_array(o->piece_count, sizeof(piece *));
    TIDE_SCOPED unsigned char *turn_all = tide_allocate_zeroed(o->piece_count, 1);
    if (!ordered || !turn_all) {
        tide_free(ordered);
        return tide_fail_memory(o->error, "mesh surface");
    }
    for (uint32_t i = 0; i < o->piece_count; i++)
        if (o->pieces[i].closed && !o->pieces[i].unorientable)
            ordered[closed++] = &o->pieces[i];
    qsort(ordered, closed, sizeof(piece *), compare_lower);
    for (uint32_t i = 0; i < o->piece_count; i++) {
        piece *piece = &o->pieces[i];
        o->made->unorientable += piece->unorientable;
        turn_all[i] = 2 * (uint64_t)piece->odd > piece->count;
        if (!piece->closed || piece->unorientable || !has_volume(piece))
            continue;
        bool inward = piece->volume < 0;
        if (inward == turn_all[i] || is_nested(piece, ordered, closed))
            continue;
        turn_all[i] = inward;
        if ((piece->odd == 0 || piece->odd == piece->count) && o->made->inside_out++ == 0)
            o->made->inside_out_triangle = piece->triangle;
    }
    for (uint32_t t = 0; t < o->triangle_count; t++) {
        bool odd;
        uint32_t i = o->piece_of[tide_sets_find(&o->sets, t, &odd)];
        o->made->turns[t] = !o->pieces[i].unorientable && odd != (bool)turn_all[i];
    }
    tide_free(ordered);
    return TIDE_OK;
}

tide_status tide_mesh_orient(const double *vertices, uint32_t vertex_count, const uint32_t *triangles,
                             uint32_t triangle_count, tide_orientation *orientation, tide_error *error)
{
    *orientation = (tide_orientation) { 0 };
    if (triangle_count > UINT32_MAX / 3)
        return tide_fail_memory(error, "mesh surface");
    orienting o = { .vertices = vertices,
                    .triangles = triangles,
                    .vertex_count = vertex_count,
                    .triangle_count = triangle_count,
                    .made = orientation,
                    .error = error };
    tide_status status = gather_edges(&o);
    if (status == TIDE_OK) {
        join_triangles(&o);
        status = gather_pieces(&o);
    }
    if (status == TIDE_OK)
        status = decide(&o);
    tide_mesh_edge_table_destroy(&o.table);
    tide_free(o.on);
    tide_free(o.pairs);
    tide_free(o.unorientable);
    tide_free(o.pieces);
    tide_free(o.piece_of);
    tide_sets_destroy(&o.sets);
    if (status != TIDE_OK)
        tide_orientation_destroy(orientation);
    return status;
}

void tide_orientation_destroy(tide_orientation *orientation)
{
    tide_free(orientation->turns);
    orientation->turns = NULL;
}
