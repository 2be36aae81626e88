#include "draw/world_view.h"

#include "base/vec3.h"
#include "draw/solid_view.h"
#include "draw/world_view_parts.h"
#include "world/intact.h"

#include <math.h>
#include <string.h>

// Bodies of lines with at most this many vertices show them as balls: masses on springs.
enum { MOST_BALLS = 16 };
static const float ball_ratio = 2.2f; // ball radius / tube radius
static const double pin_share = 0.28; // largest pin radius, as a fraction of an edge between two pins
static const tide_colour pin_colour = { 0.20f, 0.23f, 0.28f, 1 };

// Bodies of the default colour take these in turn; the first one is the default colour.
static const double palette[][3] = { { 0.72, 0.16, 0.18 }, { 0.16, 0.40, 0.66 }, { 0.86, 0.60, 0.18 },
                                     { 0.10, 0.53, 0.47 }, { 0.47, 0.33, 0.62 }, { 0.45, 0.58, 0.20 },
                                     { 0.72, 0.42, 0.26 }, { 0.38, 0.45, 0.53 } };

// Gives a body of the default colour the next colour; `count` is the number of such bodies before it.
static void take_turns(tide_body_def *look, uint32_t *count)
{
    const size_t size = sizeof look->colour, colours = sizeof palette / sizeof palette[0];
    tide_body_def plain = tide_body_def_default();
    if (memcmp(look->colour, plain.colour, size) != 0)
        return;
    if (*count)
        memcpy(look->colour, palette[*count % colours], size);
    ++*count;
}

static tide_colour back_of(const tide_body_def *look, bool closed)
{
    if (tide_given(look->back_colour[0]) && tide_given(look->back_colour[1]) && tide_given(look->back_colour[2]))
        return tide_view_colour(look->back_colour);
    double grey = 0.3 * look->colour[0] + 0.59 * look->colour[1] + 0.11 * look->colour[2], back[3];
    for (int i = 0; i < 3; i++)
        back[i] = closed ? look->colour[i] : 0.86 * (0.85 * look->colour[i] + 0.15 * grey);
    return tide_view_colour(back);
}

static const float *to_floats(tide_draw_list *list, const double *from, size_t count)
{
    float *to = tide_draw_list_allocate(list, count * sizeof *to);
    for (size_t i = 0; i < count && to; i++)
        to[i] = (float)from[i];
    return to;
}

// --- bodies -----------------------------------------------------------------------------------------------------

// Converts places to texture coordinates of TIDE_PATTERN_MAP
static const float *to_texture(tide_draw_list *list, const double *places, size_t count)
{
    float *to = tide_draw_list_allocate(list, 2 * count * sizeof *to);
    for (size_t i = 0; i < count && to; i++) {
        to[2 * i] = tide_view_place(places[i]);
        to[2 * i + 1] = 0;
    }
    return to;
}

// Adds `mesh`, the body's own or its embedded fine surface, with vertices at x and at `places` of the map.
static void add_surface(tide_draw_list *list, const tide_body_info *body, const tide_mesh *mesh, const double *x,
                        const double *places)
{
    const tide_body_def *look = body->look;
    bool solid = body->mesh->tetrahedron_count > 0;
    tide_draw_surface surface = { .vertex_count = mesh->vertex_count,
                                  .triangle_count = mesh->triangle_count,
                                  .triangles = mesh->triangles,
                                  .front = tide_view_colour(look->colour),
                                  .back = back_of(look, solid),
                                  .pattern = places ? TIDE_PATTERN_MAP : (tide_pattern)look->pattern,
                                  .checkers = (float)look->checkers,
                                  .casts_shadow = true,
                                  .solid = solid };
    if (solid) {
        if (!tide_view_solid(list, mesh, x, places, &surface))
            return;
    } else {
        surface.positions = to_floats(list, x, 3 * (size_t)mesh->vertex_count);
        if (places)
            surface.texture = to_texture(list, places, mesh->vertex_count);
        else if (mesh->texture)
            surface.texture = to_floats(list, mesh->texture, 2 * (size_t)mesh->vertex_count);
        if (!surface.positions || ((places || mesh->texture) && !surface.texture))
            return;
    }
    float *normals = tide_draw_list_allocate(list, 3 * sizeof *normals * surface.vertex_count);
    if (!normals)
        return;
    tide_draw_normals(surface.positions, surface.vertex_count, surface.triangles, surface.triangle_count, normals);
    surface.normals = normals;
    tide_draw_add_surface(list, &surface);
}

// Copies an array into the list. Returns NULL without memory.
static uint32_t *move_to_list(tide_draw_list *list, const uint32_t *from, size_t count)
{
    uint32_t *to = tide_draw_list_allocate(list, count * sizeof *to);
    if (to && count)
        memcpy(to, from, count * sizeof *to);
    return to;
}

// Sets *mesh to what is intact of a body's mesh or fine surface, in memory of the list. Returns false without memory.
static bool take_intact(tide_draw_list *list, const tide_world *world, tide_body_id id, bool fine, tide_mesh *mesh)
{
    tide_intact intact;
    tide_error error;
    if (tide_world_intact(world, id, fine, &intact, &error) != TIDE_OK) {
        list->failed = true;
        return false;
    }
    *mesh = intact.mesh;
    if (intact.edges)
        mesh->edges = move_to_list(list, intact.edges, 2 * (size_t)mesh->edge_count);
    if (intact.triangles)
        mesh->triangles = move_to_list(list, intact.triangles, 3 * (size_t)mesh->triangle_count);
    if (intact.tetrahedra)
        mesh->tetrahedra = move_to_list(list, intact.tetrahedra, 4 * (size_t)mesh->tetrahedron_count);
    tide_intact_free(&intact);
    return !list->failed;
}

static void add_fine_surface(tide_draw_list *list, const tide_world *world, tide_body_id id, const tide_body_info *body,
                             const double *places)
{
    tide_mesh fine;
    if (!take_intact(list, world, id, true, &fine))
        return;
    double *x = tide_draw_list_allocate(list, 3 * sizeof *x * fine.vertex_count);
    double *carried = places ? tide_draw_list_allocate(list, sizeof *carried * fine.vertex_count) : NULL;
    if (carried)
        tide_world_surface_numbers(world, id, places, carried);
    if (x && tide_world_surface_positions(world, id, x))
        add_surface(list, body, &fine, x, carried);
}

static void add_ball(tide_draw_list *list, const double *p, double radius, tide_colour colour)
{
    tide_draw_point ball = { .size = (float)(-2 * radius), .colour = colour };
    for (int k = 0; k < 3; k++)
        ball.position[k] = (float)p[k];
    tide_draw_add_point(list, &ball);
}

// The colour of a vertex or of the midpoint of two: the body's own, or the map's.
static tide_colour colour_between(const tide_body_info *body, const double *places, const tide_colour *map, uint32_t a,
                                  uint32_t b)
{
    return places ? tide_colour_map_at(map, 0.5 * (places[a] + places[b])) : tide_view_colour(body->look->colour);
}

enum { IN_SURFACE = 1, ON_EDGE = 2 };

// Adds edges with an end that is in no triangle and no tetrahedron, and vertices without edges
static void add_tubes_and_balls(tide_draw_list *list, const tide_body_info *body, const double *x, const double *places,
                                const tide_colour *map)
{
    const tide_mesh *mesh = body->mesh;
    const tide_body_def *look = body->look;
    unsigned char *use = tide_draw_list_allocate(list, mesh->vertex_count);
    if (!use)
        return;
    memset(use, 0, mesh->vertex_count);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        use[mesh->triangles[i]] |= IN_SURFACE;
    for (size_t i = 0; i < 4 * (size_t)mesh->tetrahedron_count; i++)
        use[mesh->tetrahedra[i]] |= IN_SURFACE;
    tide_draw_line tube = { .width = (float)(-2 * look->radius), .casts_shadow = true };
    for (size_t i = 0; i < mesh->edge_count; i++) {
        uint32_t a = mesh->edges[2 * i], b = mesh->edges[2 * i + 1];
        use[a] |= ON_EDGE;
        use[b] |= ON_EDGE;
        if (use[a] & use[b] & IN_SURFACE)
            continue;
        for (size_t k = 0; k < 3; k++) {
            tube.from[k] = (float)x[3 * (size_t)a + k];
            tube.to[k] = (float)x[3 * (size_t)b + k];
        }
        tube.colour = colour_between(body, places, map, a, b);
        tide_draw_add_line(list, &tube);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (!use[i] || (!(use[i] & IN_SURFACE) && mesh->vertex_count <= MOST_BALLS))
            add_ball(list, x + 3 * (size_t)i, (double)ball_ratio * look->radius,
                     colour_between(body, places, map, i, i));
}

// Adds pins. The balls are smaller where many neighbours are pinned, so that the surface stays visible between them.
static void add_pins(tide_draw_list *list, const tide_world *world, tide_body_id id, const tide_body_info *body,
                     const double *x)
{
    // larger than the vertex's ball, or than the tubes of a body whose vertices have no balls
    bool tubes = !body->mesh->triangle_count && body->mesh->edge_count && body->vertex_count > MOST_BALLS;
    double most = 1.15 * (tubes ? 1 : (double)ball_ratio) * body->look->radius;
    double *radius = tide_draw_list_allocate(list, sizeof *radius * body->vertex_count);
    if (!radius)
        return;
    for (uint32_t i = 0; i < body->vertex_count; i++)
        radius[i] = tide_world_is_pinned(world, id, i) ? most : 0;
    for (size_t i = 0; i < body->mesh->edge_count; i++) {
        uint32_t a = body->mesh->edges[2 * i], b = body->mesh->edges[2 * i + 1];
        if (radius[a] <= 0 || radius[b] <= 0)
            continue;
        tide_vec3 along = tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)a), tide_vec3_load(x + 3 * (size_t)b));
        double length = tide_vec3_length(along);
        if (length > 0) { // coincident pins cover each other
            radius[a] = fmin(radius[a], pin_share * length);
            radius[b] = fmin(radius[b], pin_share * length);
        }
    }
    for (uint32_t i = 0; i < body->vertex_count; i++)
        if (radius[i] > 0)
            add_ball(list, x + 3 * (size_t)i, radius[i], pin_colour);
}

// --- wireframe --------------------------------------------------------------------------------------------------

tide_colour tide_strain_colour(double strain)
{
    static const float compressed[3] = { 0.07f, 0.33f, 0.72f }, rest[3] = { 0.50f, 0.53f, 0.56f };
    static const float stretched[3] = { 0.84f, 0.29f, 0.04f };
    float s = (float)fmin(fmax(strain / TIDE_FULL_STRAIN, -1), 1), out[3];
    const float *end = s < 0 ? compressed : stretched;
    for (int i = 0; i < 3; i++)
        out[i] = rest[i] + fabsf(s) * (end[i] - rest[i]);
    return (tide_colour) { out[0], out[1], out[2], 1 };
}

// The edges of the bodies' meshes (for solids, of the surface), as lists: particle i is joined to others[starts[i]] to
// others[starts[i + 1]], all with larger indices.
typedef struct joined {
    uint32_t *starts, *others;
} joined;

static size_t first_particle(tide_world *world, tide_body_id id)
{
    return (size_t)(tide_world_positions(world, id) - tide_world_all_positions(world)) / 3;
}

// Calls `visit` for each edge with its particles, smaller index first.
static void for_edges(tide_world *world, joined *joined, void (*visit)(struct joined *, size_t, size_t))
{
    for (uint32_t body = 0; body < tide_world_body_count(world); body++) {
        tide_body_id id = tide_world_body_at(world, body);
        tide_body_info info;
        if (!tide_world_body_info(world, id, &info))
            continue;
        const tide_mesh *mesh = info.mesh;
        size_t first = first_particle(world, id);
        for (size_t i = 0; i < mesh->edge_count && !mesh->tetrahedron_count; i++) {
            size_t a = first + mesh->edges[2 * i], b = first + mesh->edges[2 * i + 1];
            visit(joined, a < b ? a : b, a < b ? b : a);
        }
        // the two triangles on an edge have it in opposite directions
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count && mesh->tetrahedron_count; i++) {
            uint32_t a = mesh->triangles[i], b = mesh->triangles[i % 3 < 2 ? i + 1 : i - 2];
            if (a < b)
                visit(joined, first + a, first + b);
        }
    }
}

static void count_edge(joined *joined, size_t low, size_t high)
{
    (void)high;
    joined->starts[low + 1]++;
}

static void place_edge(joined *joined, size_t low, size_t high)
{
    joined->others[joined->starts[low]++] = (uint32_t)high;
}

// Builds the lists; false: no memory.
static bool join(tide_draw_list *list, tide_world *world, size_t particle_count, joined *joined)
{
    joined->starts = tide_draw_list_allocate(list, sizeof *joined->starts * (particle_count + 1));
    if (!joined->starts)
        return false;
    memset(joined->starts, 0, sizeof *joined->starts * (particle_count + 1));
    for_edges(world, joined, count_edge);
    for (size_t i = 0; i < particle_count; i++)
        joined->starts[i + 1] += joined->starts[i];
    joined->others = tide_draw_list_allocate(list, sizeof *joined->others * joined->starts[particle_count]);
    if (!joined->others)
        return false;
    for_edges(world, joined, place_edge);
    memmove(joined->starts + 1, joined->starts, sizeof *joined->starts * particle_count); // each had moved on
    joined->starts[0] = 0;
    return true;
}

static bool is_edge(const joined *joined, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    for (uint32_t i = joined->starts[low]; i < joined->starts[low + 1]; i++)
        if (joined->others[i] == high)
            return true;
    return false;
}

// Few springs are drawn as wide lines, many as thin ones.
static float wire_width(uint32_t count)
{
    return count <= 64 ? 3 : count <= 1000 ? 1.8f : count <= 10000 ? 1.2f : 0.95f; // pixels
}

// Returns the colour of a spring: by its kind, its strain, or the colours of its ends.
static tide_colour wire_colour(const tide_view_settings *settings, const tide_view_numbers *numbers, double strain,
                               unsigned char sort, uint32_t from, uint32_t to)
{
    if (settings->options.springs)
        return tide_view_sort_colour((tide_spring_sort)sort);
    if (!numbers->places || !numbers->chosen)
        return tide_strain_colour(strain);
    bool own = settings->options.colouring == TIDE_COLOURING_STRAIN;
    return tide_colour_map_at(numbers->map, own ? (strain - numbers->low) / (numbers->high - numbers->low)
                                                : 0.5 * (numbers->places[from] + numbers->places[to]));
}

// Returns edge k of an element as a line, and its ends. The edges of an element of three or four vertices are drawn a
// little inside of it, so that they do not cover those of its neighbours and of springs.
static tide_draw_line edge_line(const tide_elements *elements, const double *x, uint32_t e, uint32_t k, uint32_t *from,
                                uint32_t *to)
{
    static const double inset = 0.12;
    uint32_t corners = elements->kind->vertex_count, shown = corners - elements->kind->hidden_count;
    const uint32_t *vertices = elements->vertices + corners * (size_t)e;
    *from = vertices[elements->kind->edges[2 * k]];
    *to = vertices[elements->kind->edges[2 * k + 1]];
    tide_draw_line line = { 0 };
    for (size_t axis = 0; axis < 3; axis++) {
        double a = x[3 * (size_t)*from + axis], b = x[3 * (size_t)*to + axis], centre = 0;
        for (uint32_t c = 0; c < shown && shown > 2; c++)
            centre += x[3 * (size_t)vertices[c] + axis] / shown;
        line.from[axis] = (float)(corners > 2 ? a + inset * (centre - a) : a);
        line.to[axis] = (float)(corners > 2 ? b + inset * (centre - b) : b);
    }
    return line;
}

// Adds a wireframe. Springs that are not edges, which resist bending, and those inside solids are faint, so that the
// edges stand out.
static tide_status add_wireframe(tide_draw_list *list, tide_world *world, const tide_view_settings *settings,
                                 const tide_view_numbers *numbers, tide_seen *seen, tide_error *error)
{
    const tide_system *system;
    TIDE_TRY(tide_world_system(world, &system, error));
    const double *x = tide_world_all_positions(world);
    joined joined;
    if (!join(list, world, system->particle_count, &joined))
        return TIDE_OK; // the list's `failed` reports it
    bool edges = joined.starts[system->particle_count] > 0;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *elements = &system->groups[g];
        if (!elements->kind->edge_count)
            continue;
        double *strain = tide_draw_list_allocate(list, sizeof *strain * elements->count);
        const unsigned char *sorts = tide_view_spring_sorts(list, world, system, g);
        if (!strain || !sorts)
            break;
        elements->kind->strain(elements, x, 0, elements->count, strain);
        for (uint32_t e = 0; e < elements->count; e++) {
            if (tide_element_stiffness(elements, e) == 0)
                continue; // it is cut
            seen->kinds[sorts[e]] = true;
            for (uint32_t k = 0; k < elements->kind->edge_count; k++) {
                uint32_t from, to;
                tide_draw_line line = edge_line(elements, x, e, k, &from, &to);
                bool faint = edges && !is_edge(&joined, from, to);
                line.width = wire_width(elements->count) * (faint ? 0.6f : 1);
                line.colour = wire_colour(settings, numbers, strain[e], sorts[e], from, to);
                line.colour.a = faint ? (settings->options.springs ? 0.7f : 0.3f) : 1;
                tide_draw_add_line(list, &line);
            }
        }
    }
    return TIDE_OK;
}

// Adds balls at the vertices of small bodies, which wires show badly
static void add_particles(tide_draw_list *list, const tide_body_info *body, const double *x, const double *places,
                          const tide_colour *map)
{
    for (uint32_t i = 0; i < body->vertex_count && body->vertex_count <= MOST_BALLS; i++) {
        const double *p = x + 3 * (size_t)i;
        tide_draw_add_point(list, &(tide_draw_point) { .position = { (float)p[0], (float)p[1], (float)p[2] },
                                                       .size = 6,
                                                       .colour = colour_between(body, places, map, i, i) });
    }
}

static void add_body(tide_draw_list *list, tide_world *world, tide_body_id id, const tide_body_info *body, bool wires,
                     const double *places, const tide_colour *map)
{
    const double *x = tide_world_positions(world, id);
    if (wires) {
        add_particles(list, body, x, places, map);
        return;
    }
    if (tide_world_surface(world, id))
        add_fine_surface(list, world, id, body, places);
    else if (body->mesh->triangle_count)
        add_surface(list, body, body->mesh, x, places);
    add_tubes_and_balls(list, body, x, places, map);
}

bool tide_view_hides(const tide_view_settings *settings, const char *name)
{
    size_t length = strlen(name);
    const char *at = settings->hidden;
    while (*at && (strncmp(at, name, length) != 0 || at[length] != '\n'))
        at += strcspn(at, "\n") + 1;
    return *at != '\0';
}

tide_status tide_draw_world(tide_draw_list *list, tide_world *world, const tide_view_settings *settings,
                            tide_error *error)
{
    const tide_view_options *options = &settings->options;
    bool wires = settings->wireframe || options->springs;
    tide_view_numbers numbers;
    tide_seen unseen, *seen = settings->seen ? settings->seen : &unseen;
    *seen = (tide_seen) { .springs = options->springs };
    tide_status status = tide_view_find_numbers(list, world, options, &numbers, seen, error);
    if (status == TIDE_OK && wires)
        status = add_wireframe(list, world, settings, &numbers, seen, error);
    seen->bar = seen->bar && !options->springs;
    uint32_t plain_count = 0;
    for (uint32_t i = 0; i < tide_world_body_count(world) && !status; i++) {
        tide_body_id id = tide_world_body_at(world, i);
        tide_body_info body;
        if (!tide_world_body_info(world, id, &body) || !tide_world_positions(world, id))
            continue;
        tide_body_def look = *body.look;
        take_turns(&look, &plain_count);
        tide_mesh mesh;
        if (tide_view_hides(settings, body.name) || !take_intact(list, world, id, false, &mesh))
            continue;
        body.look = &look;
        body.mesh = &mesh;
        add_body(list, world, id, &body, wires, tide_view_places(&numbers, options, world, id), numbers.map);
        if (settings->pins)
            add_pins(list, world, id, &body, tide_world_positions(world, id));
    }
    if (!status)
        status = tide_view_add_glyphs(list, world, options, seen, error);
    if (!status)
        tide_view_colliders(list, world);
    if (!status && list->failed)
        status = tide_fail_memory(error, "picture");
    return status;
}
