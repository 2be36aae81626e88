#include "geometry/winding.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec3.h"

// A node counts as a dipole beyond OPENING radii.
#define OPENING 2.5
enum { STACK = 128 }; // the greatest depth of a hierarchy (bvh.c)

// Returns a corner of the triangle at `place` in the leaves.
static tide_vec3 corner_at(const tide_bvh *bvh, uint32_t place, uint32_t corner)
{
    return tide_vec3_load(bvh->from + 3 * (size_t)bvh->corners[3 * (size_t)place + corner]);
}

static void add_triangle(const tide_bvh *bvh, uint32_t place, tide_winding_node *node)
{
    tide_vec3 a = corner_at(bvh, place, 0), b = corner_at(bvh, place, 1), c = corner_at(bvh, place, 2);
    tide_vec3 area = tide_vec3_scale(tide_vec3_cross(tide_vec3_subtract(b, a), tide_vec3_subtract(c, a)), 0.5);
    double size = tide_vec3_length(area);
    tide_vec3 sum = tide_vec3_scale(tide_vec3_add(tide_vec3_add(a, b), c), size / 3);
    tide_vec3_store(node->area, tide_vec3_add(tide_vec3_load(node->area), area));
    tide_vec3_store(node->centre, tide_vec3_add(tide_vec3_load(node->centre), sum));
    node->weight += size;
}

void tide_winding_refit(tide_winding *winding)
{
    const tide_bvh *bvh = winding->bvh;
    for (uint32_t i = bvh->node_count; i-- > 0;) { // children come after their parents
        const tide_bvh_node *box = &bvh->nodes[i];
        tide_winding_node *node = &winding->nodes[i];
        *node = (tide_winding_node) { 0 };
        for (uint32_t k = 0; k < box->count; k++)
            add_triangle(bvh, box->first + k, node);
        const uint32_t children[2] = { i + 1, box->first };
        for (int k = 0; k < 2 && box->count == 0; k++) {
            const tide_winding_node *child = &winding->nodes[children[k]];
            for (int axis = 0; axis < 3; axis++) {
                node->area[axis] += child->area[axis];
                node->centre[axis] += child->centre[axis];
            }
            node->weight += child->weight;
        }
    }
    for (uint32_t i = 0; i < bvh->node_count; i++) {
        tide_winding_node *node = &winding->nodes[i];
        double squared = 0;
        for (int k = 0; k < 3; k++) {
            const tide_bvh_node *box = &bvh->nodes[i];
            double *centre = &node->centre[k];
            *centre = node->weight > 0 ? *centre / node->weight : 0.5 * (box->lower[k] + box->upper[k]);
            double reach = fmax(*centre - box->lower[k], box->upper[k] - *centre);
            squared += reach * reach;
        }
        node->radius = sqrt(squared);
    }
}

tide_status tide_winding_create(const tide_bvh *bvh, tide_winding *winding, tide_error *error)
{
    tide_winding made = { bvh, tide_allocate_array(bvh->node_count, sizeof *made.nodes) };
    if (!made.nodes)
        return tide_fail_memory(error, "winding number");
    tide_winding_refit(&made);
    *winding = made;
    return TIDE_OK;
}

void tide_winding_destroy(tide_winding *winding)
{
    tide_free(winding->nodes);
    *winding = (tide_winding) { 0 };
}

// Returns the signed solid angle of a triangle (van Oosterom and Strackee 1983).
static double solid_angle(const tide_bvh *bvh, uint32_t place, tide_vec3 p)
{
    tide_vec3 side[3];
    double length[3];
    for (uint32_t k = 0; k < 3; k++) {
        side[k] = tide_vec3_subtract(corner_at(bvh, place, k), p);
        length[k] = tide_vec3_length(side[k]);
    }
    double below = length[0] * length[1] * length[2];
    for (int k = 0; k < 3; k++)
        below += tide_vec3_dot(side[k], side[(k + 1) % 3]) * length[(k + 2) % 3];
    return 2 * tide_atan2(tide_vec3_dot(side[0], tide_vec3_cross(side[1], side[2])), below);
}

double tide_winding_at(const tide_winding *winding, const double p[3])
{
    const tide_bvh *bvh = winding->bvh;
    const tide_vec3 point = tide_vec3_load(p);
    uint32_t stack[STACK], height = 0;
    double sum = 0;
    stack[height++] = 0;
    while (height > 0) {
        uint32_t at = stack[--height];
        const tide_winding_node *node = &winding->nodes[at];
        const tide_bvh_node *box = &bvh->nodes[at];
        tide_vec3 to = tide_vec3_subtract(tide_vec3_load(node->centre), point);
        double squared = tide_vec3_dot(to, to);
        if (squared > OPENING * OPENING * node->radius * node->radius) {
            sum += tide_vec3_dot(to, tide_vec3_load(node->area)) / (squared * sqrt(squared));
            continue;
        }
        for (uint32_t k = 0; k < box->count; k++)
            sum += solid_angle(bvh, box->first + k, point);
        if (box->count == 0) {
            stack[height++] = box->first;
            stack[height++] = at + 1;
        }
    }
    return sum / (4 * 3.14159265358979323846);
}
