// Finds the elements that a cutting stroke removes from a body: those that it crosses, and links, elements of two
// vertices such as springs, that would still connect the pieces without being visible. An edge without an intact
// triangle is not drawn. A bending spring is removed if the edges between its ends are cut.
#include "session/live_pick.h"

#include "base/memory.h"
#include "world/cuts.h"

#include <stdlib.h>

typedef struct edge {
    uint64_t key;     // both vertices, the smaller one first
    uint32_t link;    // the first link with these ends, or NO_LINK
    bool cut;         // applies to all links with these ends
    bool seen, whole; // beside a triangle; beside an intact one
} edge;

enum { NO_LINK = UINT32_MAX };

// An element of two vertices.
typedef struct link {
    uint32_t element, i, j;
} link;

typedef struct cutting {
    const tide_mesh *mesh;
    uint32_t link_count, edge_count;
    link *links;
    bool *cut;   // of each element of the body
    edge *edges; // ascending
} cutting;

static uint64_t key_of(uint32_t i, uint32_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const edge *)a)->key, y = ((const edge *)b)->key;
    return (x > y) - (x < y);
}

static edge *find_edge(const cutting *c, uint32_t i, uint32_t j)
{
    const edge wanted = { .key = key_of(i, j) };
    return bsearch(&wanted, c->edges, c->edge_count, sizeof wanted, by_key);
}

static void join_links(cutting *c)
{
    for (uint32_t e = 0; e < c->edge_count; e++)
        c->edges[e] =
            (edge) { .key = key_of(c->mesh->edges[2 * (size_t)e], c->mesh->edges[2 * (size_t)e + 1]), .link = NO_LINK };
    qsort(c->edges, c->edge_count, sizeof *c->edges, by_key);
    for (uint32_t l = 0; l < c->link_count; l++) {
        edge *e = find_edge(c, c->links[l].i, c->links[l].j);
        if (!e)
            continue;
        e->cut = c->cut[c->links[l].element] && (e->link == NO_LINK || e->cut);
        e->link = e->link == NO_LINK ? l : e->link;
    }
}

// Cuts edges that are themselves cut, or whose triangles are all cut: nothing of them is visible.
static void cut_unseen_edges(cutting *c)
{
    for (uint32_t t = 0; t < c->mesh->triangle_count; t++) {
        const uint32_t *v = c->mesh->triangles + 3 * (size_t)t;
        edge *around[3] = { find_edge(c, v[0], v[1]), find_edge(c, v[1], v[2]), find_edge(c, v[2], v[0]) };
        bool whole = true;
        for (int k = 0; k < 3; k++)
            whole = whole && !(around[k] && around[k]->cut);
        for (int k = 0; k < 3; k++)
            if (around[k]) {
                around[k]->seen = true;
                around[k]->whole = around[k]->whole || whole;
            }
    }
    for (uint32_t l = 0; l < c->link_count; l++) {
        edge *e = find_edge(c, c->links[l].i, c->links[l].j);
        if (e && e->seen && !e->whole)
            c->cut[c->links[l].element] = e->cut = true;
    }
}

// Finds whether edges join the ends of a link over one vertex, and whether one such path is intact. `first` and
// `next` are the other ends of the edges at each vertex.
static void look_over(const cutting *c, const uint32_t *first, const uint32_t *next, uint32_t i, uint32_t k,
                      bool *joined, bool *whole)
{
    *joined = *whole = false;
    for (uint32_t n = first[i]; n < first[i + 1] && !*whole; n++) {
        const edge *a = find_edge(c, i, next[n]), *b = find_edge(c, next[n], k);
        if (!a || !b || a->link == NO_LINK || b->link == NO_LINK)
            continue;
        *joined = true;
        *whole = !a->cut && !b->cut;
    }
}

static bool cut_loose_links(cutting *c)
{
    const tide_mesh *mesh = c->mesh;
    uint32_t *first = tide_allocate_zeroed((size_t)mesh->vertex_count + 2, sizeof *first);
    uint32_t *next = tide_allocate_array(2 * (size_t)mesh->edge_count, sizeof *next);
    bool made = first && next;
    for (size_t e = 0; made && e < 2 * (size_t)mesh->edge_count; e++)
        first[mesh->edges[e] + 2]++;
    for (uint32_t v = 0; made && v < mesh->vertex_count; v++)
        first[v + 2] += first[v + 1];
    for (size_t e = 0; made && e < 2 * (size_t)mesh->edge_count; e++) // moves first[v + 1] to the end of v's entries
        next[first[mesh->edges[e] + 1]++] = mesh->edges[e ^ 1];
    for (uint32_t l = 0; made && l < c->link_count; l++) {
        bool joined, whole;
        if (c->cut[c->links[l].element] || find_edge(c, c->links[l].i, c->links[l].j))
            continue;
        look_over(c, first, next, c->links[l].i, c->links[l].j, &joined, &whole);
        c->cut[c->links[l].element] = joined && !whole;
    }
    tide_free(first);
    tide_free(next);
    return made;
}

// Lists the links of a body. Returns their number.
static uint32_t list_links(const tide_body_info *body, link *links)
{
    uint32_t count = 0, index = 0;
    for (uint32_t g = 0; g < body->group_count; index += body->groups[g++].count)
        for (uint32_t e = 0; e < body->groups[g].count && body->groups[g].kind->vertex_count == 2; e++) {
            const uint32_t *ends = body->groups[g].vertices + 2 * (size_t)e;
            links[count++] = (link) { index + e, ends[0], ends[1] };
        }
    return count;
}

uint32_t tide_pick_cut(tide_world *world, tide_body_id id, const tide_pick_view *view, const double a[2],
                       const double b[2], uint32_t *elements, uint32_t capacity)
{
    tide_body_info body;
    uint32_t crossed = tide_pick_crossed(world, id, view, a, b, elements, capacity), count = 0;
    if (!crossed || crossed > capacity || !tide_world_body_info(world, id, &body))
        return crossed < capacity ? crossed : capacity;
    cutting c = { .mesh = body.mesh,
                  .edge_count = body.mesh->edge_count,
                  .links = tide_allocate_array(body.element_count, sizeof *c.links),
                  .cut = tide_allocate_zeroed(body.element_count, sizeof *c.cut),
                  .edges = tide_allocate_array(body.mesh->edge_count, sizeof *c.edges) };
    bool made = c.links && c.cut && c.edges;
    for (uint32_t e = 0; made && e < body.element_count; e++)
        c.cut[e] = tide_world_is_cut(world, id, e);
    for (uint32_t e = 0; made && e < crossed; e++)
        c.cut[elements[e]] = true;
    if (made) {
        c.link_count = list_links(&body, c.links);
        join_links(&c);
        cut_unseen_edges(&c);
        made = cut_loose_links(&c);
    }
    for (uint32_t e = 0; made && e < body.element_count && count < capacity; e++)
        if (c.cut[e] && !tide_world_is_cut(world, id, e))
            elements[count++] = e;
    tide_free(c.links);
    tide_free(c.cut);
    tide_free(c.edges);
    return made ? count : crossed; // without memory: only what is crossed
}
