// Mends triangles of area 0 so that the boundary of the surface does not change: a closed surface stays closed.
//
// In such a triangle (a, b, c) the middle corner c lies on the longest edge ab. The other triangles at ab are split at
// c, and the flat one is removed: ab becomes ac and cb everywhere. Where c is close to an end of ab, it is joined to
// that end instead. Two triangles with the same corners cancel. Each operation keeps the parity of the number of
// triangles at every edge.
#include "mesh/doctor.h"

#include "base/memory.h"

#include <string.h>

// Fraction of the longest edge within which a corner is joined to an end.
static const double near_end = 1e-6;
// Operations for each flat triangle of the input. Splits may cycle among corners that nearly coincide: after each
// PATIENCE operations that fraction grows tenfold. Beyond MOST, the remaining flat triangles are dropped.
enum { PATIENCE = 4, MOST = 64 };

#define NONE UINT32_MAX

typedef struct waiting {
    double length; // m, of the longest edge
    uint32_t triangle;
} waiting;

typedef struct mending {
    void *memory; // owns the arrays
    tide_doctor doctor;
    uint32_t *corners; // (3 * count)
    uint32_t *next;    // (3 * count) the next entry in the list of that corner's vertex
    unsigned char *dead;
    size_t count, corner_capacity, next_capacity, dead_capacity;
    uint32_t *heads; // (vertices) the first entry in `corners` of each vertex
    uint32_t *to;    // (vertices) the vertex that each was joined to, or itself
    waiting *heap;   // longest edge first
    size_t heap_count, heap_capacity;
    double near; // current fraction of the longest edge, see above
    bool failed; // no memory
} mending;

// --- triangles by vertex

static bool has_corner(const uint32_t *t, uint32_t vertex)
{
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

// Returns the next live triangle at the edge from u to v, from entry *at in the list of u, or NONE; advances *at past
// it.
static uint32_t next_on_edge(const mending *m, uint32_t *at, uint32_t v)
{
    while (*at != NONE) {
        uint32_t triangle = *at / 3;
        *at = m->next[*at];
        if (!m->dead[triangle] && has_corner(m->corners + 3 * (size_t)triangle, v))
            return triangle;
    }
    return NONE;
}

static bool comes_before(waiting a, waiting b)
{
    return a.length != b.length ? a.length > b.length : a.triangle < b.triangle;
}

static void push(mending *m, waiting item)
{
    if (!tide_grow_owned(m->memory, &m->heap, &m->heap_capacity, m->heap_count + 1, sizeof *m->heap)) {
        m->failed = true;
        return;
    }
    size_t at = m->heap_count++;
    for (; at > 0 && comes_before(item, m->heap[(at - 1) / 2]); at = (at - 1) / 2)
        m->heap[at] = m->heap[(at - 1) / 2];
    m->heap[at] = item;
}

static uint32_t pop(mending *m)
{
    uint32_t first = m->heap[0].triangle;
    waiting last = m->heap[--m->heap_count];
    size_t at = 0;
    for (size_t child = 1; child < m->heap_count; child = 2 * at + 1) {
        child += child + 1 < m->heap_count && comes_before(m->heap[child + 1], m->heap[child]);
        if (!comes_before(m->heap[child], last))
            break;
        m->heap[at] = m->heap[child];
        at = child;
    }
    m->heap[at] = last;
    return first;
}

// Returns the corner at which the longest edge begins.
static int longest_edge(const mending *m, const uint32_t *t, double *length)
{
    int longest = 0;
    *length = -1;
    for (int k = 0; k < 3; k++) {
        double side = tide_doctor_distance(&m->doctor, t[k], t[(k + 1) % 3]);
        if (side > *length) {
            *length = side;
            longest = k;
        }
    }
    return longest;
}

// Adds a triangle, or cancels one with the same corners.
static void add(mending *m, uint32_t a, uint32_t b, uint32_t c)
{
    if (a == b || b == c || c == a)
        return;
    uint32_t at = m->heads[a], other;
    while ((other = next_on_edge(m, &at, b)) != NONE)
        if (has_corner(m->corners + 3 * (size_t)other, c)) {
            m->dead[other] = 1;
            return;
        }
    size_t count = m->count + 1;
    if (count > UINT32_MAX / 3 ||
        !tide_grow_owned(m->memory, &m->corners, &m->corner_capacity, 3 * count, sizeof *m->corners) ||
        !tide_grow_owned(m->memory, &m->next, &m->next_capacity, 3 * count, sizeof *m->next) ||
        !tide_grow_owned(m->memory, &m->dead, &m->dead_capacity, count, 1)) {
        m->failed = true;
        return;
    }
    const uint32_t triangle[3] = { a, b, c };
    uint32_t index = (uint32_t)m->count++;
    memcpy(m->corners + 3 * (size_t)index, triangle, sizeof triangle);
    m->dead[index] = 0;
    for (uint32_t k = 0; k < 3; k++) {
        m->next[3 * (size_t)index + k] = m->heads[triangle[k]];
        m->heads[triangle[k]] = 3 * index + k;
    }
    waiting flat = { 0, index };
    longest_edge(m, triangle, &flat.length);
    if (tide_doctor_is_flat_triangle(&m->doctor, triangle))
        push(m, flat);
}

// --- the two repairs

static void join(mending *m, uint32_t from, uint32_t into)
{
    m->to[from] = into;
    for (uint32_t at = m->heads[from]; at != NONE && !m->failed; at = m->next[at]) {
        uint32_t triangle = at / 3, t[3];
        if (m->dead[triangle])
            continue;
        m->dead[triangle] = 1;
        memcpy(t, m->corners + 3 * (size_t)triangle, sizeof t);
        t[at % 3] = into;
        add(m, t[0], t[1], t[2]);
    }
}

static void split_others(mending *m, uint32_t a, uint32_t b, uint32_t middle)
{
    uint32_t at = m->heads[a], other;
    while (!m->failed && (other = next_on_edge(m, &at, b)) != NONE) {
        uint32_t halves[2][3];
        m->dead[other] = 1;
        for (int k = 0; k < 3; k++) {
            uint32_t corner = m->corners[3 * (size_t)other + (size_t)k];
            halves[0][k] = corner == b ? middle : corner;
            halves[1][k] = corner == a ? middle : corner;
        }
        add(m, halves[0][0], halves[0][1], halves[0][2]);
        add(m, halves[1][0], halves[1][1], halves[1][2]);
    }
}

static uint32_t triangles_on(const mending *m, uint32_t a, uint32_t b)
{
    uint32_t at = m->heads[a], count = 0;
    while (next_on_edge(m, &at, b) != NONE)
        count++;
    return count;
}

static bool has_triangle(const mending *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t at = m->heads[a], other;
    while ((other = next_on_edge(m, &at, b)) != NONE)
        if (has_corner(m->corners + 3 * (size_t)other, c))
            return true;
    return false;
}

// Tells whether joining two vertices pinches the surface: a third vertex has an edge with both, but no triangle.
static bool join_pinches(const mending *m, uint32_t from, uint32_t into)
{
    for (uint32_t at = m->heads[from]; at != NONE; at = m->next[at])
        for (uint32_t k = 1; k < 3 && !m->dead[at / 3]; k++) {
            uint32_t other = m->corners[at - at % 3 + (at % 3 + k) % 3];
            if (other != into && !has_triangle(m, from, into, other) && triangles_on(m, other, into) > 0)
                return true;
        }
    return false;
}

// Tells whether splitting the triangles at an edge leaves more than two at a new edge.
static bool split_pinches(const mending *m, uint32_t triangle, uint32_t a, uint32_t b, uint32_t middle)
{
    uint32_t at = m->heads[a], other;
    while ((other = next_on_edge(m, &at, b)) != NONE) {
        const uint32_t *t = m->corners + 3 * (size_t)other;
        uint32_t apex = t[0] != a && t[0] != b ? t[0] : (t[1] != a && t[1] != b ? t[1] : t[2]);
        if (other == triangle || apex == middle)
            continue;
        uint32_t cancelled = has_triangle(m, a, middle, apex) + has_triangle(m, b, middle, apex);
        if (triangles_on(m, middle, apex) + 2 > 2 + 2 * cancelled)
            return true;
    }
    return false;
}

static void mend_one(mending *m, uint32_t triangle)
{
    uint32_t t[3];
    double length;
    memcpy(t, m->corners + 3 * (size_t)triangle, sizeof t);
    int k = longest_edge(m, t, &length);
    uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
    double to_a = tide_doctor_distance(&m->doctor, c, a), to_b = tide_doctor_distance(&m->doctor, c, b);
    uint32_t end = to_a <= to_b ? a : b;
    bool is_near = fmin(to_a, to_b) <= m->near * length;
    if (is_near && (!join_pinches(m, c, end) || split_pinches(m, triangle, a, b, c))) {
        join(m, c, end);
    } else {
        m->dead[triangle] = 1;
        split_others(m, a, b, c);
    }
}

// Returns the number of flat triangles at the start.
static uint32_t mend_all(mending *m)
{
    size_t first = m->heap_count + 1;
    uint32_t mended = 0;
    m->near = near_end;
    while (m->heap_count > 0 && !m->failed) {
        uint32_t triangle = pop(m);
        if (m->dead[triangle])
            continue;
        if (++mended % (PATIENCE * first) == 0)
            m->near = fmin(10 * m->near, 0.5);
        if (mended > MOST * first)
            m->dead[triangle] = 1;
        else
            mend_one(m, triangle);
    }
    return (uint32_t)(first - 1);
}

// --- conversion from and to meshes

static bool begin(mending *m, const tide_mesh *mesh)
{
    m->heads = tide_own_array(m->memory, mesh->vertex_count, sizeof *m->heads);
    m->to = tide_own_array(m->memory, mesh->vertex_count, sizeof *m->to);
    if (!tide_owns_all(m->memory))
        return false;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        m->heads[i] = NONE;
        m->to[i] = i;
    }
    for (size_t i = 0; i < mesh->triangle_count && !m->failed; i++)
        add(m, mesh->triangles[3 * i], mesh->triangles[3 * i + 1], mesh->triangles[3 * i + 2]);
    return !m->failed;
}

static uint32_t joined_to(const mending *m, uint32_t vertex)
{
    while (m->to[vertex] != vertex)
        vertex = m->to[vertex];
    return vertex;
}

// Moves the live triangles to the front of `corners`. Returns their number.
static uint32_t keep_living(mending *m)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < m->count; i++)
        if (!m->dead[i])
            memmove(m->corners + 3 * (size_t)kept++, m->corners + 3 * i, 3 * sizeof *m->corners);
    return kept;
}

// Fills `edges` and returns their number: first the given edges, except those that lost all triangles; then the edges
// that mending made. `edges` has room for the edges of the mesh and of `after` together.
static uint32_t fill_edges(const mending *m, const tide_mesh_edge_table *before, const tide_mesh_edge_table *after,
                           const uint32_t *pairs, bool *listed, uint32_t *edges)
{
    const tide_mesh *mesh = m->doctor.mesh;
    uint32_t count = 0;
    for (size_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t *edge = mesh->edges + 2 * i;
        const uint32_t joined[2] = { joined_to(m, edge[0]), joined_to(m, edge[1]) };
        if (joined[0] == joined[1])
            continue;
        uint32_t at = tide_mesh_edge_table_find(after, joined[0], joined[1]);
        bool lone = tide_mesh_edge_table_find(before, edge[0], edge[1]) == TIDE_MESH_NO_EDGE;
        if (at == TIDE_MESH_NO_EDGE ? !lone : listed[at])
            continue;
        if (at != TIDE_MESH_NO_EDGE)
            listed[at] = true;
        memcpy(edges + 2 * (size_t)count++, joined, sizeof joined);
    }
    for (size_t i = 0; i < after->count; i++)
        if (!listed[i] && tide_mesh_edge_table_find(before, pairs[2 * i], pairs[2 * i + 1]) == TIDE_MESH_NO_EDGE)
            memcpy(edges + 2 * (size_t)count++, pairs + 2 * i, 2 * sizeof *pairs);
    return count;
}

// Collects the edges of the result; *edges is allocated.
static tide_status make_edges(const mending *m, uint32_t kept, uint32_t **edges, uint32_t *count)
{
    const tide_mesh *mesh = m->doctor.mesh;
    const tide_mesh_tuples given = { mesh->triangles, 3, mesh->triangle_count };
    const tide_mesh_tuples left = { m->corners, 3, kept };
    tide_mesh_edge_table before = { 0 }, after = { 0 };
    tide_status status = tide_mesh_edge_table_create(mesh->vertex_count, &given, 1, &before, m->doctor.error);
    if (status == TIDE_OK)
        status = tide_mesh_edge_table_create(mesh->vertex_count, &left, 1, &after, m->doctor.error);
    TIDE_SCOPED uint32_t *pairs = status == TIDE_OK ? tide_mesh_edge_table_pairs(&after) : NULL;
    TIDE_SCOPED bool *listed = tide_allocate_zeroed(after.count, sizeof *listed);
    *edges = tide_allocate_array((size_t)mesh->edge_count + after.count, 2 * sizeof **edges);
    if (status == TIDE_OK && pairs && listed && *edges)
        *count = fill_edges(m, &before, &after, pairs, listed, *edges);
    else if (status == TIDE_OK)
        status = tide_fail_memory(m->doctor.error, "mesh mending");
    tide_mesh_edge_table_destroy(&before);
    tide_mesh_edge_table_destroy(&after);
    return status;
}

static tide_status create(mending *m, tide_mesh **out)
{
    uint32_t kept = keep_living(m), *edges = NULL, edge_count = 0;
    tide_status status = make_edges(m, kept, &edges, &edge_count);
    if (status == TIDE_OK && !edge_count && !kept)
        status = tide_fail(m->doctor.error, TIDE_ERROR_ARGUMENT, "mesh", "fix", NULL,
                           "all its triangles are flat: nothing would be left");
    if (status == TIDE_OK) {
        tide_mesh_parts parts = tide_mesh_view(m->doctor.mesh);
        parts.edges = edges;
        parts.edge_count = edge_count;
        parts.triangles = m->corners;
        parts.triangle_count = kept;
        status = tide_mesh_create(&parts, out, m->doctor.error);
    }
    tide_free(edges);
    return status;
}

tide_status tide_mesh_mend_flat(const tide_mesh *mesh, tide_mesh **out, uint32_t *mended, tide_error *error)
{
    TIDE_SCOPED void *memory = tide_allocate(0);
    mending m = { .memory = memory, .doctor = tide_doctor_of(mesh, NULL, error) };
    bool flat = false;
    for (size_t i = 0; i < mesh->triangle_count && !flat; i++)
        flat = tide_doctor_is_flat_triangle(&m.doctor, mesh->triangles + 3 * i);
    *out = NULL;
    *mended = 0;
    if (!flat)
        return TIDE_OK;
    if (begin(&m, mesh))
        *mended = mend_all(&m);
    else
        m.failed = true;
    return m.failed ? tide_fail_memory(error, "mesh mending") : create(&m, out);
}
