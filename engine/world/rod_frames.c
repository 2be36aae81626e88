#include "world/rod_frames.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "model/rod_frame.h"
#include "world/rigid_fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

tide_status tide_body_add_frames(tide_body *body, const double *positions, const double *masses, const char *object,
                                 tide_error *error)
{
    size_t vertices = body->mesh->vertex_count, count = body->mesh->edge_count;
    double *all = tide_reallocate(body->masses, (vertices + count) * sizeof *all);
    if (!all)
        return tide_fail_memory(error, object);
    body->masses = all;
    memcpy(all + vertices, masses, count * sizeof *all);
    body->frames = tide_copy_bytes(positions, 3 * count * sizeof *positions);
    body->seen = tide_allocate_zeroed(6 * vertices, sizeof *body->seen);
    body->couples = tide_allocate_zeroed(3 * count, sizeof *body->couples);
    if (!body->frames || !body->seen || !body->couples)
        return tide_fail_memory(error, object);
    body->frame_count = (uint32_t)count;
    return TIDE_OK;
}

bool tide_body_copy_frames(tide_body *copy, const tide_body *body)
{
    if (!body->frame_count)
        return true;
    copy->frame_count = body->frame_count;
    copy->frames = tide_copy_bytes(body->frames, 3 * (size_t)body->frame_count * sizeof *body->frames);
    copy->seen = tide_copy_bytes(body->seen, 6 * (size_t)body->mesh->vertex_count * sizeof *body->seen);
    copy->couples = tide_allocate_zeroed(3 * (size_t)body->frame_count, sizeof *copy->couples);
    return copy->frames && copy->seen && copy->couples;
}

bool tide_body_split_frames(tide_body *made, const tide_body *body)
{
    size_t before = body->mesh->vertex_count, vertices = made->mesh->vertex_count, frames = made->frame_count;
    if (!frames)
        return true;
    size_t described = made->split->described->mesh->vertex_count;
    double *masses = tide_reallocate(made->masses, (vertices + frames) * sizeof *masses);
    made->masses = masses ? masses : made->masses;
    double *seen = tide_allocate_array(6 * vertices, sizeof *seen);
    if (!masses || !seen) {
        tide_free(seen);
        return false;
    }
    memcpy(masses + vertices, body->masses + before, frames * sizeof *masses);
    for (size_t v = 0; v < vertices; v++) {
        size_t from = v < before ? v : made->split->origins[v - described];
        for (size_t half = 0; half < 2; half++) // positions and velocities
            memcpy(seen + 3 * (half * vertices + v),
                   v < before ? body->seen + 3 * (half * before + v) : seen + 3 * (half * vertices + from),
                   3 * sizeof *seen);
    }
    tide_free(made->seen);
    made->seen = seen;
    return true;
}

bool tide_body_can_split(const tide_body *body)
{
    return !body->frame_count || (!body->mesh->triangle_count && !body->mesh->tetrahedron_count);
}

// --- following vertices ----------------------------------------------------------------------------------------------

void tide_world_note_body_frames(const tide_world *world, const tide_body *body)
{
    size_t count = 3 * (size_t)body->mesh->vertex_count, first = 3 * (size_t)body->first_particle;
    if (!body->frame_count)
        return;
    memcpy(body->seen, world->positions + first, count * sizeof(double));
    memcpy(body->seen + count, world->velocities + first, count * sizeof(double));
}

void tide_world_note_frames(const tide_world *world)
{
    for (size_t b = 0; b < world->body_count; b++)
        tide_world_note_body_frames(world, world->bodies[b]);
}

// The middle and the direction of an edge, and their rates.
typedef struct edge_line {
    tide_vec3 middle, along, velocity, turn; // turn: the angular velocity across the edge
} edge_line;

static edge_line line_of(const double *x, const double *v, const uint32_t *edge)
{
    static const tide_vec3 none = { 0, 0, 0 };
    tide_vec3 a = tide_vec3_load(x + 3 * (size_t)edge[0]), b = tide_vec3_load(x + 3 * (size_t)edge[1]);
    tide_vec3 va = v ? tide_vec3_load(v + 3 * (size_t)edge[0]) : none;
    tide_vec3 vb = v ? tide_vec3_load(v + 3 * (size_t)edge[1]) : none;
    tide_vec3 along = tide_vec3_subtract(b, a);
    double length = tide_vec3_length(along);
    edge_line line = { .middle = tide_vec3_scale(tide_vec3_add(a, b), 0.5),
                       .along = tide_vec3_normalize(along),
                       .velocity = tide_vec3_scale(tide_vec3_add(va, vb), 0.5) };
    line.turn = tide_vec3_scale(tide_vec3_cross(line.along, tide_vec3_subtract(vb, va)), length > 0 ? 1 / length : 0);
    return line;
}

// Moves a point that belongs to an edge along with it.
static tide_vec3 carry(const edge_line *from, const edge_line *to, const double *point)
{
    tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(point), from->middle);
    return tide_vec3_add(to->middle, tide_rod_transport(arm, from->along, to->along));
}

static bool moved(const double *a, const double *b, const uint32_t *edge)
{
    size_t i = 3 * (size_t)edge[0], j = 3 * (size_t)edge[1];
    return memcmp(a + i, b + i, 3 * sizeof *a) != 0 || memcmp(a + j, b + j, 3 * sizeof *a) != 0;
}

// A piece of a body is a set of vertices that edges join. If a script has moved it as a whole, its frames move with it.
// The rotation about an edge cannot be seen from that edge alone, nor from a straight piece.
typedef struct piece {
    bool placed, pushed; // rigidly: its positions, and the change of its velocities
    bool moved;          // any of its positions
    tide_placement place;
    tide_motion_fit change;
} piece;

typedef struct pieces {
    uint32_t *piece_of, *order; // (vertex_count): the lowest vertex of the piece; vertices by piece
    double *before, *after, *change, *ones;
    piece *pieces; // (vertex_count) at the lowest vertices
} pieces;

#define CONGRUENT 1e-9 // of the size of a piece, or of its largest velocity
#define BENT 1e-4      // of the size: what tells the rotation about the longest direction

static void find_pieces(const tide_mesh *mesh, uint32_t *piece_of)
{
    bool changed = true;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        piece_of[v] = v;
    while (changed) {
        changed = false;
        for (size_t e = 0; e < mesh->edge_count; e++) {
            uint32_t *a = &piece_of[mesh->edges[2 * e]], *b = &piece_of[mesh->edges[2 * e + 1]];
            changed = changed || *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
}

// Lists the vertices by piece: those of a piece are neighbours, and the lowest is the first.
static void sort_by_piece(const uint32_t *piece_of, uint32_t count, uint32_t *next, uint32_t *order)
{
    uint32_t at = 0;
    memset(next, 0, count * sizeof *next);
    for (uint32_t v = 0; v < count; v++)
        next[piece_of[v]]++;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t size = next[v];
        next[v] = at;
        at += size;
    }
    for (uint32_t v = 0; v < count; v++)
        order[next[piece_of[v]]++] = v;
}

// Returns the size of a piece; 0 if it is straight.
static double size_if_bent(uint32_t count, const double *x)
{
    tide_vec3 origin = tide_vec3_load(x), along = { 0, 0, 0 };
    double size = 0, most = 0;
    for (size_t i = 1; i < count; i++) {
        tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(x + 3 * i), origin);
        if (tide_vec3_length(arm) > size) {
            size = tide_vec3_length(arm);
            along = tide_vec3_normalize(arm);
        }
    }
    for (size_t i = 1; i < count; i++)
        most =
            fmax(most, tide_vec3_length(tide_vec3_cross(along, tide_vec3_subtract(tide_vec3_load(x + 3 * i), origin))));
    return most > BENT * size ? size : 0;
}

static bool is_rigid_change(const tide_motion_fit *fit, uint32_t count, const double *x, const double *v)
{
    double most = 0, error = 0;
    for (size_t i = 0; i < count; i++) {
        tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(x + 3 * i), fit->centre), own = tide_vec3_load(v + 3 * i);
        tide_vec3 rigid = tide_vec3_add(fit->velocity, tide_vec3_cross(fit->spin, arm));
        most = fmax(most, tide_vec3_length(own));
        error = fmax(error, tide_vec3_length(tide_vec3_subtract(own, rigid)));
    }
    return error <= CONGRUENT * most;
}

static piece piece_at(const pieces *all, uint32_t begin, uint32_t end, const double *v, const double *seen)
{
    piece found = { 0 };
    uint32_t count = end - begin;
    const double *before = all->before + 3 * (size_t)begin, *after = all->after + 3 * (size_t)begin;
    double *change = all->change + 3 * (size_t)begin, size = size_if_bent(count, before);
    if (!(size > 0))
        return found;
    found.moved = memcmp(before, after, 3 * (size_t)count * sizeof *before) != 0;
    found.place = tide_fit_placement(count, NULL, before, after);
    found.placed = tide_placement_error(&found.place, count, before, after) <= CONGRUENT * size;
    for (uint32_t i = 0; i < count; i++) {
        size_t vertex = 3 * (size_t)all->order[begin + i];
        tide_vec3 was = tide_turned(&found.place, tide_vec3_load(seen + vertex));
        tide_vec3_store(change + 3 * (size_t)i, tide_vec3_subtract(tide_vec3_load(v + vertex), was));
    }
    tide_fit_motion(count, all->ones, NULL, after, change, &found.change);
    found.pushed = found.placed && is_rigid_change(&found.change, count, after, change);
    return found;
}

// Finds the pieces of a body that were moved as a whole. Fails without memory.
static bool find_motions(const tide_world *world, const tide_body *body, pieces *all)
{
    uint32_t count = body->mesh->vertex_count;
    const double *x = world->positions + 3 * (size_t)body->first_particle;
    const double *v = world->velocities + 3 * (size_t)body->first_particle;
    all->piece_of = tide_own_array(all->pieces, count, sizeof *all->piece_of);
    all->order = tide_own_array(all->pieces, count, sizeof *all->order);
    all->before = tide_own_array(all->pieces, count, 3 * sizeof *all->before);
    all->after = tide_own_array(all->pieces, count, 3 * sizeof *all->after);
    all->change = tide_own_array(all->pieces, count, 3 * sizeof *all->change);
    all->ones = tide_own_array(all->pieces, count, sizeof *all->ones);
    uint32_t *next = tide_own_array(all->pieces, count, sizeof *next);
    if (!tide_owns_all(all->pieces))
        return false;
    find_pieces(body->mesh, all->piece_of);
    sort_by_piece(all->piece_of, count, next, all->order);
    for (size_t i = 0; i < count; i++) {
        size_t vertex = 3 * (size_t)all->order[i];
        memcpy(all->before + 3 * i, body->seen + vertex, 3 * sizeof *x);
        memcpy(all->after + 3 * i, x + vertex, 3 * sizeof *x);
        all->ones[i] = 1;
    }
    for (uint32_t begin = 0; begin < count; begin = next[all->order[begin]])
        all->pieces[all->order[begin]] =
            piece_at(all, begin, next[all->order[begin]], v, body->seen + 3 * (size_t)count);
    return true;
}

static void follow(tide_world *world, const tide_body *body, uint32_t e, const piece *piece)
{
    size_t first = 3 * (size_t)body->first_particle, vertices = body->mesh->vertex_count;
    size_t frame = body->first_particle + vertices + e;
    const uint32_t *edge = body->mesh->edges + 2 * (size_t)e;
    const double *x = world->positions + first, *v = world->velocities + first, *seen = body->seen + 3 * vertices;
    bool turned = piece->placed, elsewhere = turned ? piece->moved : moved(x, body->seen, edge);
    if (!elsewhere && !piece->pushed && !moved(v, seen, edge))
        return;
    edge_line before = line_of(body->seen, seen, edge), now = line_of(x, v, edge);
    double *position = world->positions + 3 * frame, *velocity = world->velocities + 3 * frame;
    tide_pin *pin = tide_world_pin_of(world, (uint32_t)frame);
    tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(position), before.middle), was = tide_vec3_load(velocity);
    tide_vec3 own = tide_vec3_subtract(was, tide_vec3_add(before.velocity, tide_vec3_cross(before.turn, arm)));
    if (elsewhere) {
        const double *target = pin ? pin->target : position;
        tide_vec3 to = turned ? tide_placed(&piece->place, tide_vec3_load(target)) : carry(&before, &now, target);
        tide_vec3_store(position,
                        turned ? tide_placed(&piece->place, tide_vec3_load(position)) : carry(&before, &now, position));
        if (pin)
            tide_vec3_store(pin->target, to);
        own = turned ? tide_turned(&piece->place, own) : tide_rod_transport(own, before.along, now.along);
        arm = tide_vec3_subtract(tide_vec3_load(position), now.middle);
    }
    tide_vec3 next = tide_vec3_add(own, tide_vec3_add(now.velocity, tide_vec3_cross(now.turn, arm)));
    if (piece->pushed) {
        const tide_motion_fit *change = &piece->change;
        tide_vec3 away = tide_vec3_subtract(tide_vec3_load(position), change->centre);
        next = tide_vec3_add(tide_turned(&piece->place, was),
                             tide_vec3_add(change->velocity, tide_vec3_cross(change->spin, away)));
    }
    tide_vec3_store(velocity, next);
}

static void follow_body(tide_world *world, const tide_body *body)
{
    size_t size = 3 * (size_t)body->mesh->vertex_count, first = 3 * (size_t)body->first_particle;
    if (!body->frame_count || (memcmp(world->positions + first, body->seen, size * sizeof(double)) == 0 &&
                               memcmp(world->velocities + first, body->seen + size, size * sizeof(double)) == 0))
        return;
    const piece apart = { 0 };
    pieces all = { .pieces = tide_allocate_zeroed(body->mesh->vertex_count, sizeof *all.pieces) };
    bool known = all.pieces && find_motions(world, body, &all);
    for (uint32_t e = 0; e < body->frame_count; e++)
        follow(world, body, e, known ? &all.pieces[all.piece_of[body->mesh->edges[2 * (size_t)e]]] : &apart);
    tide_free(all.pieces);
}

void tide_world_follow_frames(tide_world *world)
{
    for (size_t b = 0; b < world->body_count; b++)
        follow_body(world, world->bodies[b]);
    tide_world_note_frames(world);
}

// --- pins ------------------------------------------------------------------------------------------------------------

static bool is_held(const tide_world *world, uint32_t particle)
{
    const tide_pin *pin = tide_world_pin_of(world, particle);
    return pin && !tide_given(pin->stiffness);
}

tide_status tide_world_pin_frames(tide_world *world, const tide_body *body, uint32_t vertex, tide_error *error)
{
    for (uint32_t e = 0; e < body->frame_count; e++) {
        const uint32_t *edge = body->mesh->edges + 2 * (size_t)e;
        uint32_t frame = body->first_particle + body->mesh->vertex_count + e;
        if (edge[0] != vertex && edge[1] != vertex)
            continue;
        bool held = is_held(world, body->first_particle + edge[0]) && is_held(world, body->first_particle + edge[1]);
        if (!held)
            tide_world_unpin_particle(world, frame);
        else if (!tide_world_pin_of(world, frame))
            TIDE_TRY(
                tide_world_pin_particle(world, frame, world->positions + 3 * (size_t)frame, TIDE_NOT_GIVEN, error));
    }
    return TIDE_OK;
}

// Edges that follow one another in a body, all of them pinned with their frames.
typedef struct held_run {
    const tide_body *body;
    const uint32_t *edges; // (2 * count)
    size_t count;
    const double *x, *to; // places of the body's vertices, now and at the end of the step
    bool placed;          // it moves as one rigid body, by `place`
    tide_placement place;
} held_run;

static bool joined(const uint32_t *a, const uint32_t *b)
{
    return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

// Finds the run that begins with a pin. Its count is 0 if the pin is of no frame.
static held_run run_at(const tide_world *world, size_t pin)
{
    uint64_t particle = world->pins[pin].particle;
    const tide_body *body = tide_world_body_of_particle(world, (uint32_t)particle);
    size_t first = 3 * (size_t)body->first_particle, frames = body->first_particle + body->mesh->vertex_count;
    held_run run = { .body = body, .x = world->positions + first, .to = world->pinned_positions + first };
    if (!body->frame_count || tide_pin_is_of_rigid(particle) || particle < frames)
        return run;
    run.edges = body->mesh->edges + 2 * (particle - frames);
    size_t most = body->frame_count - (particle - frames);
    for (run.count = 1; run.count < most && pin + run.count < world->pin_count; run.count++)
        if (world->pins[pin + run.count].particle != particle + run.count ||
            !joined(run.edges + 2 * run.count, run.edges + 2 * run.count - 2))
            break;
    return run;
}

static tide_vec3 direction(const double *x, const uint32_t *edge)
{
    return tide_vec3_normalize(
        tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)edge[1]), tide_vec3_load(x + 3 * (size_t)edge[0])));
}

// Finds whether a run moves as one rigid body. The first edge and the one most at an angle to it tell the rotation.
static void find_placement(held_run *run)
{
    const uint32_t *other = run->edges;
    tide_vec3 along = direction(run->x, run->edges);
    double most = 0, before[12], after[12], size, largest = 0;
    for (size_t e = 1; e < run->count; e++) {
        const uint32_t *edge = run->edges + 2 * e;
        double sine = tide_vec3_length(tide_vec3_cross(along, direction(run->x, edge)));
        other = sine > most ? edge : other;
        most = fmax(most, sine);
    }
    const uint32_t corners[4] = { run->edges[0], run->edges[1], other[0], other[1] };
    for (size_t c = 0; c < 4; c++) {
        memcpy(before + 3 * c, run->x + 3 * (size_t)corners[c], 3 * sizeof *before);
        memcpy(after + 3 * c, run->to + 3 * (size_t)corners[c], 3 * sizeof *after);
    }
    size = size_if_bent(4, before);
    run->place = tide_fit_placement(4, NULL, before, after);
    for (size_t i = 0; i < 2 * run->count; i++) {
        size_t v = 3 * (size_t)run->edges[i];
        largest = fmax(largest, tide_placement_error(&run->place, 1, run->x + v, run->to + v));
    }
    run->placed = size > 0 && largest <= CONGRUENT * size;
}

void tide_world_place_frames(tide_world *world)
{
    for (size_t p = 0; p < world->pin_count; p++) {
        held_run run = run_at(world, p);
        bool any = false;
        for (size_t e = 0; e < run.count && !any; e++)
            any = moved(run.x, run.to, run.edges + 2 * e);
        if (any)
            find_placement(&run);
        for (size_t e = 0; e < run.count && any; e++) {
            const tide_pin *pin = &world->pins[p + e];
            edge_line before = line_of(run.x, NULL, run.edges + 2 * e),
                      after = line_of(run.to, NULL, run.edges + 2 * e);
            double *place = world->pinned_positions + 3 * pin->particle;
            if (run.placed)
                tide_vec3_store(place, tide_placed(&run.place, tide_vec3_load(pin->target)));
            else if (moved(run.x, run.to, run.edges + 2 * e))
                tide_vec3_store(place, carry(&before, &after, pin->target));
        }
        p += run.count > 1 ? run.count - 1 : 0;
    }
}

void tide_world_settle_frames(tide_world *world)
{
    for (size_t p = 0; p < world->pin_count; p++) {
        tide_pin *pin = &world->pins[p];
        const tide_body *body = tide_world_body_of_particle(world, (uint32_t)pin->particle);
        if (body->frame_count && pin->particle >= body->first_particle + body->mesh->vertex_count)
            memcpy(pin->target, world->pinned_positions + 3 * pin->particle, sizeof pin->target);
    }
}

// --- another mesh ----------------------------------------------------------------------------------------------------

static double square_distance_to(const double *x, const uint32_t *edge, tide_vec3 p)
{
    tide_vec3 a = tide_vec3_load(x + 3 * (size_t)edge[0]);
    tide_vec3 along = tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)edge[1]), a), arm = tide_vec3_subtract(p, a);
    double square = tide_vec3_dot(along, along);
    double at = square > 0 ? fmin(fmax(tide_vec3_dot(arm, along) / square, 0), 1) : 0;
    tide_vec3 away = tide_vec3_subtract(arm, tide_vec3_scale(along, at));
    return tide_vec3_dot(away, away);
}

static uint32_t nearest_edge(const tide_mesh *mesh, tide_vec3 p)
{
    double least = INFINITY;
    uint32_t nearest = 0;
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        double square = square_distance_to(mesh->vertices, mesh->edges + 2 * (size_t)e, p);
        if (square < least) {
            least = square;
            nearest = e;
        }
    }
    return nearest;
}

// The axes of an edge: along it, towards its frame, and across both.
typedef struct axes {
    tide_vec3 along, side, across;
} axes;

static axes axes_of(const edge_line *line, const double *frame)
{
    tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(frame), line->middle);
    tide_vec3 axial = tide_vec3_scale(line->along, tide_vec3_dot(line->along, arm));
    tide_vec3 side = tide_vec3_normalize(tide_vec3_subtract(arm, axial));
    return (axes) { line->along, side, tide_vec3_cross(line->along, side) };
}

// Rotates a vector as the axes have turned.
static tide_vec3 turn_with(const axes *from, const axes *to, tide_vec3 v)
{
    return tide_vec3_add(tide_vec3_scale(to->along, tide_vec3_dot(from->along, v)),
                         tide_vec3_add(tide_vec3_scale(to->side, tide_vec3_dot(from->side, v)),
                                       tide_vec3_scale(to->across, tide_vec3_dot(from->across, v))));
}

void tide_world_reshape_frames(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before)
{
    size_t first = 3 * (size_t)body->first_particle, vertices = body->mesh->vertex_count;
    const double *x = old->positions + 3 * (size_t)before->first_particle;
    const double *v = old->velocities + 3 * (size_t)before->first_particle;
    for (uint32_t e = 0; e < body->frame_count; e++) {
        const uint32_t *edge = body->mesh->edges + 2 * (size_t)e;
        edge_line rest = line_of(body->mesh->vertices, NULL, edge);
        edge_line now = line_of(world->positions + first, world->velocities + first, edge);
        uint32_t near = nearest_edge(before->mesh, rest.middle);
        const uint32_t *old_edge = before->mesh->edges + 2 * (size_t)near;
        size_t frame = 3 * ((size_t)before->mesh->vertex_count + near);
        edge_line old_rest = line_of(before->mesh->vertices, NULL, old_edge), old_now = line_of(x, v, old_edge);
        axes from = axes_of(&old_rest, before->frames + 3 * (size_t)near), to = axes_of(&old_now, x + frame);
        // The rotation of the old edge, and then that to the direction of the new one.
        tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(body->frames + 3 * (size_t)e), rest.middle);
        arm = tide_rod_transport(turn_with(&from, &to, arm), turn_with(&from, &to, rest.along), now.along);
        tide_vec3 old_arm = tide_vec3_subtract(tide_vec3_load(x + frame), old_now.middle);
        tide_vec3 own = tide_vec3_subtract(tide_vec3_load(v + frame),
                                           tide_vec3_add(old_now.velocity, tide_vec3_cross(old_now.turn, old_arm)));
        double radius = tide_vec3_dot(to.side, old_arm), rate = radius > 0 ? tide_vec3_dot(to.across, own) / radius : 0;
        tide_vec3 spin = tide_vec3_add(now.turn, tide_vec3_scale(now.along, rate));
        tide_vec3_store(world->positions + first + 3 * (vertices + e), tide_vec3_add(now.middle, arm));
        tide_vec3_store(world->velocities + first + 3 * (vertices + e),
                        tide_vec3_add(now.velocity, tide_vec3_cross(spin, arm)));
    }
    tide_world_note_body_frames(world, body);
}

// --- turning ---------------------------------------------------------------------------------------------------------

static tide_status refuse_turn(const tide_body *body, const char *value, const char *remedy, tide_error *error)
{
    char object[96];
    tide_body_object(body->name, object);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "turn", value, "%s", remedy);
}

// Finds the pin of the frame of an edge.
static tide_status find_frame_pin(const tide_world *world, const tide_body *body, uint32_t i, uint32_t j,
                                  tide_pin **pin, tide_error *error)
{
    char value[48];
    snprintf(value, sizeof value, "%u, %u", i + 1, j + 1);
    if (!body->frame_count)
        return refuse_turn(body, NULL, "the body does not twist; give it rod = { ..., twist = true }", error);
    for (uint32_t e = 0; e < body->frame_count; e++) {
        const uint32_t *edge = body->mesh->edges + 2 * (size_t)e;
        if (!((edge[0] == i && edge[1] == j) || (edge[0] == j && edge[1] == i)))
            continue;
        *pin = tide_world_pin_of(world, body->first_particle + body->mesh->vertex_count + e);
        return *pin ? TIDE_OK
                    : refuse_turn(body, value, "this edge is free to turn; pin both of its vertices first", error);
    }
    return refuse_turn(body, value, "no edge joins these vertices; expected the two ends of an edge", error);
}

tide_status tide_world_turn(tide_world *world, tide_body_id id, uint32_t i, uint32_t j, double angle, tide_error *error)
{
    uint32_t particle;
    tide_pin *pin = NULL;
    TIDE_TRY(tide_world_check_idle(world, "turn", error));
    TIDE_TRY(tide_world_find_vertex(world, id, i, "turn", &particle, error));
    TIDE_TRY(tide_world_find_vertex(world, id, j, "turn", &particle, error));
    const tide_body *body = tide_world_lookup(world, id);
    if (!isfinite(angle))
        return refuse_turn(body, NULL, "expected a finite angle, rad", error);
    tide_world_follow_frames(world);
    TIDE_TRY(find_frame_pin(world, body, i, j, &pin, error));
    const uint32_t edge[2] = { i, j };
    edge_line line = line_of(world->positions + 3 * (size_t)body->first_particle, NULL, edge);
    tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(pin->target), line.middle);
    tide_vec3 axial = tide_vec3_scale(line.along, tide_vec3_dot(line.along, arm));
    tide_vec3 across = tide_vec3_subtract(arm, axial), side = tide_vec3_cross(line.along, across);
    tide_vec3 turned = tide_vec3_add(tide_vec3_scale(across, tide_cos(angle)), tide_vec3_scale(side, tide_sin(angle)));
    tide_vec3_store(pin->target, tide_vec3_add(line.middle, tide_vec3_add(axial, turned)));
    return TIDE_OK;
}
