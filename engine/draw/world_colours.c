#include "base/field.h"
#include "draw/world_view_parts.h"
#include "world/reactions.h"
#include "world/stresses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- colourings ----------------------------------------------------------------------------------------------------

typedef struct colouring_kind {
    const char *name, *help, *unit;
    double scale;  // factor to the unit
    bool sided;    // numbers of both signs
    double least;  // smallest automatic range: smaller numbers count as zero
    bool prefixed; // the key takes k, M or G before the unit
} colouring_kind;

static const colouring_kind kinds[TIDE_COLOURING_COUNT] = {
    [TIDE_COLOURING_AUTOMATIC] = { "automatic",
                                   "numbers of the script (body:colour), otherwise the bodies' own colours", "", 1,
                                   false, 1e-9 },
    [TIDE_COLOURING_PLAIN] = { "plain", "as bodies are", "", 1, false, 1 },
    [TIDE_COLOURING_STRAIN] = { "strain", "relative change of the length of springs and of the size of other elements",
                                "%", 100, true, 1e-3 },
    [TIDE_COLOURING_SPEED] = { "speed", "of vertices", "m/s", 1, false, 1e-3 },
    [TIDE_COLOURING_CURVATURE] = { "curvature", "curvature of surfaces and lines", "1/m", 1, false, 1e-2 },
    [TIDE_COLOURING_CONTACT] = { "contact", "normal force of contacts", "N", 1, false, 1e-6 },
    [TIDE_COLOURING_RESIDUAL] = { "residual", "unbalanced force |grad g| / h^2 after the last step", "N", 1, false,
                                  1e-12 },
    [TIDE_COLOURING_STRESS] = { "stress", "von Mises stress of solids and membranes", "Pa", 1, false, 1e-3, true },
    [TIDE_COLOURING_TENSION] = { "tension", "force of springs, positive in tension", "N", 1, true, 1e-6 },
    [TIDE_COLOURING_REACTION] = { "reaction", "force of pins and attachments", "N", 1, false, 1e-6 },
};

const char *tide_colouring_name(tide_colouring colouring, const char **help)
{
    if ((unsigned)colouring >= TIDE_COLOURING_COUNT)
        return NULL;
    if (help)
        *help = kinds[colouring].help;
    return kinds[colouring].name;
}

tide_status tide_colouring_find(const char *text, const char *object, const char *name, tide_colouring *colouring,
                                tide_error *error)
{
    const char *names[TIDE_COLOURING_COUNT];
    for (size_t i = 0; i < TIDE_COLOURING_COUNT; i++)
        names[i] = kinds[i].name;
    size_t found = 0;
    TIDE_TRY(tide_find_name(text, names, TIDE_COLOURING_COUNT, NULL, object, name, &found, error));
    *colouring = (tide_colouring)found;
    return TIDE_OK;
}

// --- numbers of particles -------------------------------------------------------------------------------------------

// Returns the one of larger absolute value
static double larger(double a, double b)
{
    return fabs(b) > fabs(a) ? b : a;
}

// `seen`: bits, 1 if a spring on an edge ends there, 2 if another one does
static void take_strains(const tide_elements *springs, const unsigned char *sorts, const double *strain, int round,
                         unsigned char *seen, double *out)
{
    for (uint32_t e = 0; e < springs->count; e++)
        for (uint32_t k = 0; k < springs->kind->vertex_count; k++) {
            uint32_t p = springs->vertices[springs->kind->vertex_count * (size_t)e + k];
            bool edge = sorts[e] == TIDE_SPRING_EDGE;
            if (sorts[e] == TIDE_SPRING_ATTACHMENT || (round == 0) != edge || (round == 1 && (seen[p] & 1)))
                continue;
            seen[p] |= edge ? 1 : 2;
            out[p] = larger(out[p], strain[e]);
        }
}

// Folds shorten bending springs, which is no strain: they count only at vertices without other springs.
static tide_status find_strains(tide_draw_list *list, tide_world *world, double *out, tide_error *error)
{
    const tide_system *system;
    TIDE_TRY(tide_world_system(world, &system, error));
    unsigned char *seen = tide_draw_list_allocate(list, system->particle_count);
    if (!seen)
        return TIDE_OK;
    memset(seen, 0, system->particle_count);
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *springs = &system->groups[g];
        const unsigned char *sorts = tide_view_spring_sorts(list, world, system, g);
        double *strain = tide_draw_list_allocate(list, springs->count * sizeof *strain);
        if (!sorts || !strain)
            return TIDE_OK;
        springs->kind->strain(springs, tide_world_all_positions(world), 0, springs->count, strain);
        for (int round = 0; round < 2; round++)
            take_strains(springs, sorts, strain, round, seen, out);
    }
    return TIDE_OK;
}

static void find_lengths(const double *vectors, uint32_t count, double *out)
{
    for (size_t i = 0; i < count; i++) {
        const double *v = vectors + 3 * i;
        out[i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
}

static void find_curvatures(tide_draw_list *list, tide_world *world, double *out)
{
    tide_body_info body;
    for (uint32_t i = 0; i < tide_world_body_count(world); i++) {
        tide_body_id id = tide_world_body_at(world, i);
        if (tide_world_body_info(world, id, &body))
            tide_view_curvature(list, body.mesh, tide_world_positions(world, id), out + body.first_particle);
    }
}

static void find_contact_forces(tide_world *world, double *out)
{
    uint32_t count;
    const tide_contact *contacts = tide_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++) {
        tide_body_info body;
        if (tide_world_body_info(world, contacts[i].body, &body))
            out[body.first_particle + contacts[i].vertex] += contacts[i].force;
        if (contacts[i].other.index && tide_world_body_info(world, contacts[i].other, &body))
            out[body.first_particle + contacts[i].other_vertex] += contacts[i].force;
    }
}

static tide_status find_residuals(tide_draw_list *list, tide_world *world, double *out, tide_error *error)
{
    uint32_t count = tide_world_particle_count(world);
    double *vectors = tide_draw_list_allocate(list, 3 * (size_t)count * sizeof *vectors);
    bool known;
    tide_status status = vectors ? tide_world_residual(world, vectors, &known, error) : TIDE_OK;
    if (vectors && status == TIDE_OK)
        find_lengths(vectors, count, out);
    return status;
}

typedef tide_status of_body(tide_world *world, tide_body_id id, double *out, tide_error *error);

// Computes `width` numbers of each vertex, body after body.
static tide_status find_of_bodies(tide_world *world, of_body *compute, size_t width, double *out, tide_error *error)
{
    tide_status status = TIDE_OK;
    tide_body_info body;
    for (uint32_t i = 0; i < tide_world_body_count(world) && status == TIDE_OK; i++) {
        tide_body_id id = tide_world_body_at(world, i);
        if (tide_world_body_info(world, id, &body))
            status = compute(world, id, out + width * body.first_particle, error);
    }
    return status;
}

static tide_status find_reactions(tide_draw_list *list, tide_world *world, double *out, tide_error *error)
{
    uint32_t count = tide_world_particle_count(world);
    double *vectors = tide_draw_list_allocate(list, 3 * (size_t)count * sizeof *vectors);
    tide_status status = vectors ? find_of_bodies(world, tide_world_reactions, 3, vectors, error) : TIDE_OK;
    if (vectors && status == TIDE_OK)
        find_lengths(vectors, count, out);
    return status;
}

static void take_given(tide_world *world, const tide_view_options *options, double *out)
{
    for (uint32_t i = 0; i < tide_world_particle_count(world); i++)
        out[i] = NAN;
    for (uint32_t i = 0; i < options->number_count; i++) {
        const tide_body_numbers *given = &options->numbers[i];
        tide_body_info body;
        if (tide_world_body_info(world, given->body, &body) && body.vertex_count == given->count)
            memcpy(out + body.first_particle, given->values, given->count * sizeof *out);
    }
}

static tide_status find_values(tide_draw_list *list, tide_world *world, const tide_view_options *options, double *out,
                               tide_error *error)
{
    uint32_t count = tide_world_particle_count(world);
    memset(out, 0, count * sizeof *out);
    switch (options->colouring) {
    case TIDE_COLOURING_STRAIN:
        return find_strains(list, world, out, error);
    case TIDE_COLOURING_SPEED:
        find_lengths(tide_world_all_velocities(world), count, out);
        return TIDE_OK;
    case TIDE_COLOURING_CURVATURE:
        find_curvatures(list, world, out);
        return TIDE_OK;
    case TIDE_COLOURING_CONTACT:
        find_contact_forces(world, out);
        return TIDE_OK;
    case TIDE_COLOURING_RESIDUAL:
        return find_residuals(list, world, out, error);
    case TIDE_COLOURING_STRESS:
        return find_of_bodies(world, tide_world_vertex_stresses, 1, out, error);
    case TIDE_COLOURING_TENSION:
        return find_of_bodies(world, tide_world_vertex_tensions, 1, out, error);
    case TIDE_COLOURING_REACTION:
        return find_reactions(list, world, out, error);
    default:
        take_given(world, options, out);
        return TIDE_OK;
    }
}

// --- the range ------------------------------------------------------------------------------------------------------

typedef struct range {
    double low, high;
    bool sided;
} range;

// Returns the smallest of 1, 2 and 5 times a power of ten that is not below the number
static double round_up(double number)
{
    double power = pow(10, floor(log10(number)));
    static const double steps[] = { 1, 2, 5, 10 };
    for (int i = 0; i < 4; i++)
        if (number <= steps[i] * power * (1 + 1e-9))
            return steps[i] * power;
    return 10 * power;
}

static uint32_t count_beyond(const double *values, uint32_t count, double size)
{
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < count; i++)
        beyond += isfinite(values[i]) && fabs(values[i]) > size * (1 + 1e-9);
    return beyond;
}

// Returns an automatic range: from 0 for numbers of one sign, otherwise symmetric. A few outliers do not count, such as
// the springs at a pin.
static range range_of(const double *values, uint32_t count, const colouring_kind *kind)
{
    double low = 0, high = 0;
    uint32_t finite = 0;
    for (uint32_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            low = fmin(low, values[i]);
            high = fmax(high, values[i]);
            finite++;
        }
    double size = round_up(fmin(fmax(fmax(-low, high), kind->least), 1e300)), less = round_up(0.4 * size);
    for (; less >= kind->least && count_beyond(values, count, less) <= finite / 100; less = round_up(0.4 * size))
        size = less;
    bool sided = kind->sided || fmin(-low, high) > 0.02 * size;
    return (range) { sided || -low > high ? -size : 0, !sided && -low > high ? 0 : size, sided };
}

// Returns the script's range: of the first body that has one
static range range_given(const double *values, uint32_t count, const tide_view_options *options,
                         const colouring_kind *kind)
{
    for (uint32_t i = 0; i < options->number_count; i++)
        if (options->numbers[i].low < options->numbers[i].high) {
            double low = options->numbers[i].low, high = options->numbers[i].high;
            return (range) { low, high, low < 0 && high > 0 };
        }
    return range_of(values, count, kind);
}

static range choose_range(const double *values, uint32_t count, const tide_view_options *options,
                          const colouring_kind *kind)
{
    if (options->low < options->high)
        return (range) { options->low, options->high, kind->sided || (options->low < 0 && options->high > 0) };
    if (options->colouring == TIDE_COLOURING_AUTOMATIC)
        return range_given(values, count, options, kind);
    return range_of(values, count, kind);
}

// Returns the factor to the largest prefixed unit that is not above the number.
static double prefix_of(double number, const char **prefix)
{
    static const char *const names[] = { "G", "M", "k" };
    double unit = 1e9;
    for (int i = 0; i < 3; i++, unit /= 1e3)
        if (number >= unit) {
            *prefix = names[i];
            return 1 / unit;
        }
    return 1;
}

static void tell(const tide_view_options *options, const colouring_kind *kind, const range *range, tide_seen *seen)
{
    bool given = options->colouring == TIDE_COLOURING_AUTOMATIC;
    const char *name = given ? options->numbers[0].name : kind->name,
               *unit = given ? options->numbers[0].unit : kind->unit;
    const char *prefix = "";
    double scale = kind->prefixed ? prefix_of(fmax(-range->low, range->high), &prefix) : kind->scale;
    seen->bar = true;
    seen->low = range->low * scale;
    seen->high = range->high * scale;
    snprintf(seen->name, sizeof seen->name, "%s", name ? name : "");
    snprintf(seen->unit, sizeof seen->unit, "%s%s", prefix, unit ? unit : "");
}

tide_status tide_view_find_numbers(tide_draw_list *list, tide_world *world, const tide_view_options *options,
                                   tide_view_numbers *numbers, tide_seen *seen, tide_error *error)
{
    uint32_t count = tide_world_particle_count(world);
    *numbers = (tide_view_numbers) { .chosen = options->colouring != TIDE_COLOURING_AUTOMATIC };
    bool any = numbers->chosen ? options->colouring != TIDE_COLOURING_PLAIN : options->number_count > 0;
    if (!any || !count)
        return TIDE_OK;
    double *values = tide_draw_list_allocate(list, count * sizeof *values);
    tide_status status = values ? find_values(list, world, options, values, error) : TIDE_OK;
    if (!values || status != TIDE_OK)
        return status;
    const colouring_kind *kind = &kinds[options->colouring];
    range range = choose_range(values, count, options, kind);
    bool given = options->low < options->high;
    if (options->map == TIDE_MAP_SIGNED && !given && !range.sided) // 0 is in the middle of this map
        range = (struct range) { -fmax(-range.low, range.high), fmax(-range.low, range.high), true };
    double slack = 1e-6 * (range.high - range.low); // tolerance for rounding at the ends
    for (uint32_t i = 0; i < count; i++) {
        seen->below = seen->below || values[i] < range.low - slack;
        seen->above = seen->above || values[i] > range.high + slack;
        values[i] = isfinite(values[i]) ? (values[i] - range.low) / (range.high - range.low) : NAN;
    }
    tide_colour_map automatic = range.sided ? TIDE_MAP_SIGNED : TIDE_MAP_RISING;
    tide_colour_map_fill(options->map == TIDE_MAP_AUTOMATIC ? automatic : options->map, numbers->map);
    tide_draw_set_map(list, numbers->map);
    tell(options, kind, &range, seen);
    memcpy(seen->colours, numbers->map, sizeof seen->colours);
    numbers->places = values;
    numbers->low = range.low;
    numbers->high = range.high;
    return TIDE_OK;
}

const double *tide_view_places(const tide_view_numbers *numbers, const tide_view_options *options, tide_world *world,
                               tide_body_id id)
{
    tide_body_info body;
    bool given = numbers->chosen;
    for (uint32_t i = 0; i < options->number_count && !given; i++)
        given = options->numbers[i].body.index == id.index && options->numbers[i].body.generation == id.generation;
    if (!numbers->places || !given || !tide_world_body_info(world, id, &body))
        return NULL;
    return numbers->places + body.first_particle;
}
