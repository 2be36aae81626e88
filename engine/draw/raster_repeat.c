// Reuses pictures: while nothing moves, for example if only overlays change, the picture is not drawn again. Lists are
// compared by a hash of their contents. A picture is kept only after two equal ones, and for a while after that, so
// that no copies are made while every picture differs.
#include "base/memory.h"
#include "draw/rasterizer_parts.h"

enum { WHILE = 16 }; // pictures for which copies are kept
static const size_t most_pixels = (size_t)1 << 23;

typedef tide_raster_print print;

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 31);
}

static void add(print *p, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    print q = *p;
    q.words[0] = mix(q.words[0], size);
    for (; size >= sizeof q.words; from += sizeof q.words, size -= sizeof q.words) {
        uint64_t words[4];
        memcpy(words, from, sizeof words);
        for (int i = 0; i < 4; i++) // four independent chains
            q.words[i] = mix(q.words[i], words[i]);
    }
    for (int i = 0; size; i++, from++, size--)
        q.words[i % 4] = mix(q.words[i % 4], *from);
    *p = q;
}

static void add_number(print *p, uint64_t number)
{
    p->words[1] = mix(p->words[1], number);
}

static void add_surface(print *p, const tide_draw_surface *surface)
{
    const size_t vertices = surface->vertex_count, vector = 3 * sizeof(float);
    add_number(p, surface->vertex_count);
    add_number(p, surface->triangle_count);
    add_number(p, (uint64_t)surface->pattern);
    add_number(p, (uint64_t)surface->solid << 2 | (uint64_t)surface->casts_shadow << 1 | (surface->texture != NULL));
    add(p, &surface->front, sizeof surface->front);
    add(p, &surface->back, sizeof surface->back);
    add(p, &surface->checkers, sizeof surface->checkers);
    if (surface->positions)
        add(p, surface->positions, vertices * vector);
    if (surface->normals)
        add(p, surface->normals, vertices * vector);
    if (surface->texture)
        add(p, surface->texture, vertices * 2 * sizeof(float));
    if (surface->triangles)
        add(p, surface->triangles, surface->triangle_count * 3 * sizeof(uint32_t));
}

static void add_stage(print *p, const tide_draw_stage *stage)
{
    add_number(p, stage->has_ground);
    add(p, &stage->background_top, sizeof stage->background_top);
    add(p, &stage->background_bottom, sizeof stage->background_bottom);
    add(p, &stage->ground_height, sizeof stage->ground_height);
    add(p, &stage->ground, sizeof stage->ground);
    add(p, stage->light_direction, sizeof stage->light_direction);
}

// Hashes a list, field by field for structs with padding
static print print_of(const tide_draw_list *list, const tide_image *image)
{
    print p = { { 1, 2, 3, 4 } };
    add_number(&p, (uint64_t)image->width << 32 | image->height);
    add(&p, &list->camera, sizeof list->camera);
    add_stage(&p, &list->stage);
    add(&p, list->lower, sizeof list->lower);
    add(&p, list->upper, sizeof list->upper);
    add_number(&p, list->surface_count);
    for (size_t i = 0; i < list->surface_count; i++)
        add_surface(&p, &list->surfaces[i]);
    add_number(&p, list->line_count);
    for (size_t i = 0; i < list->line_count; i++) {
        const tide_draw_line *line = &list->lines[i];
        add(&p, line->from, sizeof line->from);
        add(&p, line->to, sizeof line->to);
        add(&p, &line->width, sizeof line->width);
        add(&p, &line->colour, sizeof line->colour);
        add_number(&p, line->casts_shadow);
    }
    add(&p, list->points, list->point_count * sizeof *list->points);
    add_number(&p, list->label_count);
    for (size_t i = 0; i < list->label_count; i++) {
        const tide_draw_label *label = &list->labels[i];
        add(&p, label->position, sizeof label->position);
        add_number(&p, label->on_screen);
        add(&p, &label->size, sizeof label->size);
        add(&p, &label->colour, sizeof label->colour);
        add(&p, label->text, strlen(label->text));
    }
    add(&p, list->boxes, list->box_count * sizeof *list->boxes);
    add_number(&p, list->map != NULL);
    if (list->map)
        add(&p, list->map, TIDE_MAP_COLOURS * sizeof *list->map);
    return p;
}

bool tide_raster_repeat(tide_rasterizer *rasterizer)
{
    tide_raster_repeats *repeats = &rasterizer->repeats;
    tide_image *image = rasterizer->image;
    const size_t size = 4 * (size_t)image->width * image->height;
    const print p = print_of(rasterizer->list, image);
    bool same = memcmp(&p, &repeats->last, sizeof p) == 0;
    repeats->last = p;
    repeats->left = same ? WHILE : repeats->left ? repeats->left - 1 : 0;
    repeats->repeated = same && repeats->kept;
    if (repeats->repeated) {
        memcpy(image->pixels, repeats->pixels, size);
        return true;
    }
    repeats->kept = false;
    return false;
}

bool tide_rasterizer_repeated(const tide_rasterizer *rasterizer)
{
    return rasterizer->repeats.repeated;
}

void tide_rasterizer_forget(tide_rasterizer *rasterizer)
{
    rasterizer->repeats.last = (print) { { 0 } };
}

void tide_raster_keep_picture(tide_rasterizer *rasterizer)
{
    tide_raster_repeats *repeats = &rasterizer->repeats;
    const tide_image *image = rasterizer->image;
    const size_t pixels = (size_t)image->width * image->height;
    // without memory only speed is lost
    if (!repeats->left || pixels > most_pixels ||
        !tide_grow_owned(rasterizer, &repeats->pixels, &repeats->capacity, pixels, 4))
        return;
    memcpy(repeats->pixels, image->pixels, 4 * pixels);
    repeats->kept = true;
}
