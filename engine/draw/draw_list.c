#include "draw/draw_list.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { BLOCK_SIZE = 1 << 16 };

// A block of the list's memory
struct tide_draw_block {
    struct tide_draw_block *next;
    size_t size, used;
    _Alignas(TIDE_ALIGNMENT) unsigned char bytes[];
};

tide_draw_stage tide_draw_stage_default(void)
{
    return (tide_draw_stage) { .background_top = { 0.745f, 0.805f, 0.86f, 1 },
                               .background_bottom = { 0.945f, 0.955f, 0.965f, 1 },
                               .has_ground = true,
                               .up = { 0, 1, 0 },
                               .ground_height = 0,
                               .ground = { 0.865f, 0.875f, 0.885f, 1 },
                               .light_direction = { 0.42f, -0.80f, -0.50f } };
}

void tide_draw_list_clear(tide_draw_list *list)
{
    list->surface_count = list->line_count = list->point_count = list->label_count = list->box_count = 0;
    list->map = NULL;
    for (struct tide_draw_block *block = list->blocks; block; block = block->next)
        block->used = 0;
    list->current = list->blocks;
    memset(list->lower, 0, sizeof list->lower);
    memset(list->upper, 0, sizeof list->upper);
    list->failed = false;
}

void tide_draw_list_free(tide_draw_list *list)
{
    while (list->blocks) {
        struct tide_draw_block *next = list->blocks->next;
        tide_free(list->blocks);
        list->blocks = next;
    }
    tide_free(list->surfaces);
    tide_free(list->lines);
    tide_free(list->points);
    tide_free(list->labels);
    tide_free(list->boxes);
    *list = (tide_draw_list) { 0 };
}

void *tide_draw_list_allocate(tide_draw_list *list, size_t size)
{
    if (size > SIZE_MAX / 4) {
        list->failed = true;
        return NULL;
    }
    size = (size + 15) / 16 * 16;
    // Blocks are used in order, never going back, so that an equal frame allocates the same memory
    struct tide_draw_block *block = list->current, *last = NULL;
    for (; block && block->size - block->used < size; block = block->next)
        last = block;
    if (!block) {
        size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = tide_allocate(sizeof *block + room);
        if (!block) {
            list->failed = true;
            return NULL;
        }
        block->size = room;
        block->used = 0;
        block->next = NULL;
        *(last ? &last->next : &list->blocks) = block;
    }
    list->current = block;
    void *place = block->bytes + block->used;
    block->used += size;
    return place;
}

static bool is_own(const tide_draw_list *list, const void *place)
{
    for (const struct tide_draw_block *block = list->blocks; block; block = block->next)
        if ((uintptr_t)place >= (uintptr_t)block->bytes && (uintptr_t)place < (uintptr_t)(block->bytes + block->used))
            return true;
    return false;
}

// Copies to the list's memory, unless it is there already.
static const void *own(tide_draw_list *list, const void *from, size_t count, size_t size)
{
    if (!from || is_own(list, from))
        return from;
    void *copy = tide_draw_list_allocate(list, count * size);
    if (copy)
        memcpy(copy, from, count * size);
    return copy;
}

static void extend_bounds(tide_draw_list *list, const float *positions, size_t count, float radius, bool first)
{
    for (size_t i = 0; i < count; i++, positions += 3) {
        if (!isfinite(positions[0]) || !isfinite(positions[1]) || !isfinite(positions[2]))
            continue;
        for (int k = 0; k < 3; k++) {
            float low = positions[k] - radius, high = positions[k] + radius;
            list->lower[k] = first || low < list->lower[k] ? low : list->lower[k];
            list->upper[k] = first || high > list->upper[k] ? high : list->upper[k];
        }
        first = false;
    }
}

static bool has_bounds(const tide_draw_list *list)
{
    return list->surface_count + list->line_count + list->point_count > 0;
}

static float half_width(float width)
{
    return width < 0 && isfinite(width) ? -0.5f * width : 0;
}

void tide_draw_add_surface(tide_draw_list *list, const tide_draw_surface *surface)
{
    if (!surface->vertex_count || !surface->triangle_count)
        return;
    size_t vertices = surface->vertex_count;
    tide_draw_surface copy = *surface;
    copy.positions = own(list, surface->positions, vertices, 3 * sizeof(float));
    copy.normals = own(list, surface->normals, vertices, 3 * sizeof(float));
    copy.texture = own(list, surface->texture, vertices, 2 * sizeof(float));
    copy.triangles = own(list, surface->triangles, surface->triangle_count, 3 * sizeof(uint32_t));
    if (!copy.positions || !copy.normals || !copy.triangles || (surface->texture && !copy.texture) ||
        !tide_grow(&list->surfaces, &list->surface_capacity, list->surface_count + 1, sizeof copy)) {
        list->failed = true;
        return;
    }
    extend_bounds(list, copy.positions, vertices, 0, !has_bounds(list));
    list->surfaces[list->surface_count++] = copy;
}

void tide_draw_add_line(tide_draw_list *list, const tide_draw_line *line)
{
    if (!tide_grow(&list->lines, &list->line_capacity, list->line_count + 1, sizeof *line)) {
        list->failed = true;
        return;
    }
    extend_bounds(list, line->from, 1, half_width(line->width), !has_bounds(list));
    extend_bounds(list, line->to, 1, half_width(line->width), false);
    list->lines[list->line_count++] = *line;
}

void tide_draw_add_point(tide_draw_list *list, const tide_draw_point *point)
{
    if (!tide_grow(&list->points, &list->point_capacity, list->point_count + 1, sizeof *point)) {
        list->failed = true;
        return;
    }
    extend_bounds(list, point->position, 1, half_width(point->size), !has_bounds(list));
    list->points[list->point_count++] = *point;
}

void tide_draw_add_label(tide_draw_list *list, const tide_draw_label *label)
{
    tide_draw_label copy = *label;
    copy.text = own(list, label->text ? label->text : "", label->text ? strlen(label->text) + 1 : 1, 1);
    if (!copy.text || !tide_grow(&list->labels, &list->label_capacity, list->label_count + 1, sizeof copy)) {
        list->failed = true;
        return;
    }
    list->labels[list->label_count++] = copy;
}

void tide_draw_add_box(tide_draw_list *list, const tide_draw_box *box)
{
    if (tide_grow(&list->boxes, &list->box_capacity, list->box_count + 1, sizeof *box))
        list->boxes[list->box_count++] = *box;
    else
        list->failed = true;
}

void tide_draw_set_map(tide_draw_list *list, const tide_colour *map)
{
    list->map = own(list, map, TIDE_MAP_COLOURS, sizeof *map);
}

void tide_draw_normals(const float *positions, uint32_t vertex_count, const uint32_t *triangles,
                       uint32_t triangle_count, float *normals)
{
    memset(normals, 0, sizeof(float) * 3 * vertex_count);
    for (const uint32_t *t = triangles, *end = t + 3 * (size_t)triangle_count; t < end; t += 3) {
        const float *a = positions + 3 * (size_t)t[0], *b = positions + 3 * (size_t)t[1];
        const float *c = positions + 3 * (size_t)t[2];
        float u[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] }, v[3] = { c[0] - a[0], c[1] - a[1], c[2] - a[2] };
        float n[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
        for (int corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++)
                normals[3 * (size_t)t[corner] + (size_t)k] += n[k];
    }
    for (uint32_t i = 0; i < vertex_count; i++) {
        float *n = normals + 3 * (size_t)i;
        double length = sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]);
        bool sane = length > 0 && isfinite(length);
        for (int k = 0; k < 3; k++)
            n[k] = sane ? (float)(n[k] / length) : (float)(k == 1);
    }
}
