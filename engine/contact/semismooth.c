#include "contact/semismooth.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "contact/collider_near.h"
#include "contact/contacts_state.h"

#include <string.h>

// Limits: iterations; vectors of GMRES; halvings of one step; solves with the Hessian for one problem.
enum { MOST_SETS = 48, MOST_VECTORS = 48, MOST_PARTS = 6, MOST_SOLVES = 256 };
#define SMALL 1e-11    // m, a residual at which the problem is solved,
#define OF_FIRST 1e-5  // or this part of the first one
#define LINEAR 1e-2    // relative residual of the linear equations
#define SUPPORTED 1e-4 // the same where supports are in the matrix, as their equations are worse conditioned
#define INEXACT 0.1    // part of the first residual that a supported step may leave
#define OPENING 5.0    // weight of the equation of an impulse that ends in a direction in which it supports the matrix
#define NEAR 1e-2      // weight of the proximal term, relative to the scale w
#define DECREASE 0.1   // of the residual, against what a linear model promises
#define LEAST_SCALE 1e-6 // of the scale w, against J M^-1 J'

typedef enum set { OPEN, STICK, SLIDE } set;

typedef struct bearer {
    uint32_t particle;
    double weight;
} bearer;

typedef struct contact {
    double normal[3], gap, slip[3]; // m, before the impulses change
    tide_friction friction;
    double w;                      // 1/kg
    double first[3], impulse[3];   // kg m, impulses before and now
    double moved[3];               // m, by W (impulse - first)
    double step[3], step_moved[3]; // the step under way, and W of it
    set set;
    double frame[3][3], part; // normal, that of the border of friction, across; see tide_friction_border
    double slope, sideways;   // of the friction of a slide in that frame, per normal impulse
    double held, held_across; // kg, n'R n, and t'R t for tangents t
    uint32_t begin, end;      // bearers
    double mass;
    bool of_pair;
    uint32_t index; // in the list of contacts
} contact;

struct tide_semismooth {
    contact *contacts;
    bearer *bearers;
    double *vectors; // (MOST_VECTORS + 5, 3 * contact_count)
    size_t contact_capacity, bearer_capacity, vector_capacity;
    uint32_t contact_count, bearer_count, particle_count;
    double *force, *motion; // (3 * particle_count) kg m; m
    uint32_t solves;        // with the Hessian, for this problem
};

tide_semismooth *tide_semismooth_create(uint32_t particle_count)
{
    tide_semismooth *s = tide_allocate_zeroed(1, sizeof *s);
    if (!s)
        return NULL;
    s->particle_count = particle_count;
    s->force = tide_own_zeroed(s, particle_count, 3 * sizeof *s->force);
    s->motion = tide_own_zeroed(s, particle_count, 3 * sizeof *s->motion);
    if (tide_owns_all(s))
        return s;
    tide_free(s);
    return NULL;
}

void tide_semismooth_begin(tide_semismooth *s)
{
    s->contact_count = s->bearer_count = s->solves = 0;
}

static bool has_room(tide_semismooth *s, size_t bearers)
{
    size_t numbers = 3 * ((size_t)s->contact_count + 1) * (MOST_VECTORS + 5);
    return tide_grow_owned(s, &s->contacts, &s->contact_capacity, s->contact_count + 1, sizeof *s->contacts) &&
           tide_grow_owned(s, &s->bearers, &s->bearer_capacity, s->bearer_count + bearers, sizeof *s->bearers) &&
           tide_grow_owned(s, &s->vectors, &s->vector_capacity, numbers, sizeof *s->vectors);
}

void tide_semismooth_note(tide_contacts *c, const tide_gradient_contact *noted, const uint32_t *points,
                          const double *weights, int count)
{
    tide_semismooth *s = c->semismooth;
    if (!has_room(s, TIDE_BEARERS * (size_t)count)) {
        c->out_of_memory = true;
        return;
    }
    contact *t = &s->contacts[s->contact_count];
    *t = (contact) { .gap = noted->gap,
                     .friction = noted->friction,
                     .begin = s->bearer_count,
                     .mass = noted->mass,
                     .of_pair = tide_contact_is_pair(&c->list.items[noted->index]),
                     .index = noted->index };
    double freely = 0, shares[TIDE_BEARERS];
    uint32_t particles[TIDE_BEARERS];
    for (int i = 0; i < count; i++) {
        int bearers = tide_contact_bearers(c, points[i], particles, shares);
        for (int n = 0; n < bearers; n++) {
            double weight = weights[i] * shares[n];
            s->bearers[s->bearer_count++] = (bearer) { particles[n], weight };
            freely += weight * weight * c->surface->inverse_masses[particles[n]];
        }
    }
    t->end = s->bearer_count;
    const tide_contact_impulse *kept = &c->list.items[noted->index].kept;
    t->w = fmax(noted->w / noted->mass, LEAST_SCALE * freely);
    memcpy(t->normal, noted->normal, sizeof t->normal);
    memcpy(t->slip, noted->slip, sizeof t->slip);
    for (int k = 0; k < 3; k++)
        t->first[k] = t->impulse[k] = noted->mass * kept->accumulated[k];
    if (freely > 0 && t->w > 0)
        s->contact_count++;
    else
        s->bearer_count = t->begin;
}

// --- W --------------------------------------------------------------------------------------------------------------

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Forces of contacts' impulses on particles, into s->force.
static void find_forces(tide_semismooth *s, const double *impulses)
{
    memset(s->force, 0, 3 * (size_t)s->particle_count * sizeof *s->force);
    for (uint32_t i = 0; i < s->contact_count; i++)
        for (uint32_t b = s->contacts[i].begin; b < s->contacts[i].end; b++)
            for (size_t k = 0; k < 3; k++)
                s->force[3 * (size_t)s->bearers[b].particle + k] += s->bearers[b].weight * impulses[3 * (size_t)i + k];
}

// How far contacts move (3 * contact_count) as particles do.
static void find_moves(const tide_semismooth *s, const double *motion, double *moves)
{
    memset(moves, 0, 3 * (size_t)s->contact_count * sizeof *moves);
    for (uint32_t i = 0; i < s->contact_count; i++)
        for (uint32_t b = s->contacts[i].begin; b < s->contacts[i].end; b++)
            for (size_t k = 0; k < 3; k++)
                moves[3 * (size_t)i + k] += s->bearers[b].weight * motion[3 * (size_t)s->bearers[b].particle + k];
}

// moves = W impulses; both (3 * contact_count), and may be the same.
static bool apply_w(tide_contacts *c, const double *impulses, double *moves)
{
    tide_semismooth *s = c->semismooth;
    s->solves++;
    find_forces(s, impulses);
    if (!c->inverse->solve(c->inverse, s->force, s->motion))
        return false;
    find_moves(s, s->motion, moves);
    return true;
}

// --- the laws -------------------------------------------------------------------------------------------------------

// Adds the proximal term of contacts between bodies, for impulses that change by `change`. Such contacts are redundant:
// W is singular, and their equations contradict one another while the sets are wrong. With gap and slip increased by
// NEAR w (s - s_first) they have one solution. At convergence of the outer method s is s_first, and the laws hold.
static void add_proximal(const contact *t, const double change[3], double *gap, double slip[3])
{
    if (!t->of_pair)
        return;
    *gap += NEAR * t->w * dot(change, t->normal);
    for (int k = 0; k < 3; k++)
        slip[k] += NEAR * t->w * change[k];
}

// P(s) - s once a part of the step is taken; a and d too.
static void evaluate(const contact *t, double part, double change[3], double *push, double drag[3])
{
    double impulse[3], slip[3], change_so_far[3];
    for (int k = 0; k < 3; k++) {
        impulse[k] = t->impulse[k] + part * t->step[k];
        change_so_far[k] = impulse[k] - t->first[k];
        slip[k] = t->moved[k] + part * t->step_moved[k];
    }
    double gap = t->gap + dot(slip, t->normal), along = dot(impulse, t->normal);
    for (int k = 0; k < 3; k++)
        slip[k] += t->slip[k];
    add_proximal(t, change_so_far, &gap, slip);
    double slid = dot(slip, t->normal);
    *push = along - gap / t->w;
    for (int k = 0; k < 3; k++)
        drag[k] = impulse[k] - along * t->normal[k] - (slip[k] - slid * t->normal[k]) / t->w;
    double most = *push > 0 ? t->friction.along * *push : 0, length = sqrt(dot(drag, drag));
    double scale = length > most ? most / length : 1, held[3];
    memcpy(held, drag, sizeof held);
    if (!tide_friction_is_round(&t->friction)) {
        tide_friction_clip(&t->friction, *push, held);
        scale = 1;
    }
    for (int k = 0; k < 3; k++)
        change[k] = (*push > 0 ? *push * t->normal[k] + scale * held[k] : 0) - impulse[k];
}

// The square of the residual's norm once a part of the step is taken, kg m^2, and its largest number, m.
static double residual(const tide_semismooth *s, double part, double *largest)
{
    double sum = 0, most = 0, change[3], drag[3], push;
    for (uint32_t i = 0; i < s->contact_count; i++) {
        const contact *t = &s->contacts[i];
        evaluate(t, part, change, &push, drag);
        double square = dot(change, change);
        sum += t->w * square;
        most = fmax(most, t->w * sqrt(square));
    }
    *largest = most;
    return sum;
}

static void take(tide_semismooth *s, double part)
{
    for (uint32_t i = 0; i < s->contact_count; i++)
        for (int k = 0; k < 3; k++) {
            contact *t = &s->contacts[i];
            t->impulse[k] += part * t->step[k];
            t->moved[k] += part * t->step_moved[k];
        }
}

static const tide_support *support_of(const tide_contacts *c, const contact *t)
{
    return &c->near->contacts[c->list.items[t->index].found].support;
}

// R u of a contact that moves by u; see support.h.
static void hold(const tide_contacts *c, const contact *t, const double moved[3], double force[3])
{
    memset(force, 0, 3 * sizeof *force);
    if (t->of_pair || !c->inverse->supported)
        return;
    const tide_support *support = support_of(c, t);
    double along = dot(support->normal, moved);
    for (int k = 0; k < 3; k++)
        force[k] = support->strength * (support->sticks ? moved[k] : along * support->normal[k]);
}

static void set_step(tide_contacts *c, const double *step, const double *moves)
{
    tide_semismooth *s = c->semismooth;
    for (uint32_t i = 0; i < s->contact_count; i++) {
        contact *t = &s->contacts[i];
        double held[3];
        memcpy(t->step_moved, moves + 3 * (size_t)i, sizeof t->step_moved);
        hold(c, t, t->step_moved, held);
        for (size_t k = 0; k < 3; k++)
            t->step[k] = step[3 * (size_t)i + k] - held[k];
    }
}

// --- the equations of the sets --------------------------------------------------------------------------------------

static void find_frame(contact *t, const double along[3])
{
    double *n = t->frame[0], *e = t->frame[1], *f = t->frame[2], length = sqrt(dot(along, along));
    memcpy(n, t->normal, sizeof t->normal);
    for (int k = 0; k < 3; k++)
        e[k] = length > 0 ? along[k] / length : 0;
    if (!(length > 0)) {
        int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : fabs(n[1]) < fabs(n[2]) ? 1 : 2;
        for (int k = 0; k < 3; k++)
            e[k] = (k == least) - n[least] * n[k];
        length = sqrt(dot(e, e));
        for (int k = 0; k < 3; k++)
            e[k] /= length;
    }
    f[0] = n[1] * e[2] - n[2] * e[1];
    f[1] = n[2] * e[0] - n[0] * e[2];
    f[2] = n[0] * e[1] - n[1] * e[0];
}

// Finds the set of a contact, with the frame of its equations.
static void find_set(contact *t, double push, const double drag[3])
{
    double length = sqrt(dot(drag, drag)), most = t->friction.along * push, scaled[3];
    t->slope = t->friction.along;
    t->sideways = 0;
    if (tide_friction_is_round(&t->friction)) {
        t->set = !(push > 0) ? OPEN : length > most || t->friction.along == 0 ? SLIDE : STICK;
        t->part = t->set == SLIDE && length > 0 ? most / length : 0;
        find_frame(t, drag);
        return;
    }
    t->set = !(push > 0) ? OPEN : tide_friction_size(&t->friction, drag) > push ? SLIDE : STICK;
    t->part = 0;
    if (t->set != SLIDE) {
        find_frame(t, drag);
        return;
    }
    for (int k = 0; k < 3; k++)
        scaled[k] = drag[k] / push;
    tide_friction_border border = tide_friction_nearest(&t->friction, t->normal, scaled);
    find_frame(t, border.normal);
    t->slope = border.point;
    t->sideways = border.sideways;
    t->part = border.part;
}

// Guesses the known part of the step: impulses that end, and friction that follows the normal impulse. Without supports
// the guess is exact.
static void find_sets(tide_contacts *c, double *known)
{
    tide_semismooth *s = c->semismooth;
    memset(known, 0, 3 * (size_t)s->contact_count * sizeof *known);
    for (uint32_t i = 0; i < s->contact_count; i++) {
        contact *t = &s->contacts[i];
        double change[3], drag[3], push, *own = known + 3 * (size_t)i;
        evaluate(t, 0, change, &push, drag);
        find_set(t, push, drag);
        double held[3], gap = t->gap + dot(t->moved, t->normal);
        hold(c, t, t->normal, held);
        t->held = dot(held, t->normal);
        t->held_across = !t->of_pair && support_of(c, t)->sticks ? t->held : 0;
        double behind = t->slope * (dot(t->impulse, t->normal) + t->held * gap) - dot(t->impulse, t->frame[1]);
        for (int k = 0; k < 3; k++)
            own[k] = t->set == OPEN ? -t->impulse[k] : t->set == SLIDE ? behind * t->frame[1][k] : 0;
    }
}

// The impulses of unknowns in the contacts' frames.
static void expand(const tide_semismooth *s, const double *unknowns, double *impulses)
{
    for (uint32_t i = 0; i < s->contact_count; i++) {
        const contact *t = &s->contacts[i];
        const double *z = unknowns + 3 * (size_t)i;
        double along = z[1] + (t->set == SLIDE ? t->slope * z[0] : 0);
        double across = z[2] + (t->set == SLIDE ? t->sideways * z[0] : 0);
        for (int k = 0; k < 3; k++)
            impulses[3 * (size_t)i + (size_t)k] =
                z[0] * t->frame[0][k] + along * t->frame[1][k] + across * t->frame[2][k];
    }
}

// The left sides of the equations of a contact's set: their residual when gap, slip and impulse are those of the state
// after a guess of the step, and their product with a step when these are its changes. The sliding equation contains
// the normal one, times the factor that makes its friction known.
static void find_row(const contact *t, double gap, const double slip[3], const double impulse[3], double row[3])
{
    double u[3], p[3], opening = t->held > 0 ? OPENING : 1, slipping = t->held_across > 0 ? OPENING : 1;
    double across = fmax(1, t->w * t->held_across);
    for (int k = 0; k < 3; k++) {
        u[k] = dot(slip, t->frame[k]) / t->w;
        p[k] = dot(impulse, t->frame[k]);
    }
    row[0] = gap * fmax(1 / t->w, t->held);
    row[1] = t->set == STICK ? across * u[1] : slipping * (p[1] - t->slope * (p[0] + t->held * gap));
    row[2] = t->set == STICK
                 ? across * u[2]
                 : slipping * (t->part * u[2] + (1 - t->part) * (p[2] - t->sideways * (p[0] + t->held * gap)));
    if (t->set != OPEN)
        return;
    row[0] = opening * p[0];
    row[1] = slipping * p[1];
    row[2] = slipping * p[2];
}

static bool multiply(tide_contacts *c, const double *unknowns, double *out, double *room)
{
    tide_semismooth *s = c->semismooth;
    double *moves = s->vectors + 4 * 3 * (size_t)s->contact_count;
    expand(s, unknowns, room);
    if (!apply_w(c, room, moves))
        return false;
    for (size_t i = 0; i < s->contact_count; i++) {
        const contact *t = &s->contacts[i];
        double held[3], impulse[3], *u = moves + 3 * i;
        hold(c, t, u, held);
        for (size_t k = 0; k < 3; k++)
            impulse[k] = room[3 * i + k] - held[k];
        double gap = dot(u, t->normal);
        add_proximal(t, impulse, &gap, u);
        find_row(t, gap, u, impulse, out + 3 * i);
    }
    return true;
}

// The negative residual of the equations after a guess of the step, which moves contacts by `moves`.
static void find_side(const tide_contacts *c, const double *guess, const double *moves, double *side)
{
    const tide_semismooth *s = c->semismooth;
    for (size_t i = 0; i < s->contact_count; i++) {
        const contact *t = &s->contacts[i];
        double *row = side + 3 * i, held[3], moved[3], slip[3], sum[3], change[3];
        hold(c, t, moves + 3 * i, held);
        for (size_t k = 0; k < 3; k++) {
            moved[k] = t->moved[k] + moves[3 * i + k];
            slip[k] = t->slip[k] + moved[k];
            sum[k] = t->impulse[k] + guess[3 * i + k] - held[k];
            change[k] = sum[k] - t->first[k];
        }
        double gap = t->gap + dot(moved, t->normal);
        add_proximal(t, change, &gap, slip);
        find_row(t, gap, slip, sum, row);
        for (int k = 0; k < 3; k++)
            row[k] = -row[k];
    }
}

static double product(size_t count, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

// Whether the problem took too many solves. It also looks at the limit of time.
static bool stops(tide_contacts *c)
{
    return c->semismooth->solves >= MOST_SOLVES || tide_contact_work_stops(&c->work, TIDE_WORK_LOOK);
}

// GMRES from 0: `solution` of the equations for `side`, which is overwritten, as is `room`.
static bool solve_equations(tide_contacts *c, double *side, double *solution, double *room, double tolerance)
{
    tide_semismooth *s = c->semismooth;
    size_t numbers = 3 * (size_t)s->contact_count;
    double *basis = s->vectors + 5 * numbers, h[MOST_VECTORS + 1][MOST_VECTORS], cosine[MOST_VECTORS],
           sine[MOST_VECTORS], r[MOST_VECTORS + 1] = { 0 };
    memset(solution, 0, numbers * sizeof *solution);
    double first = r[0] = sqrt(product(numbers, side, side));
    int used = 0;
    if (!(first > 0))
        return isfinite(first);
    for (size_t i = 0; i < numbers; i++)
        basis[i] = side[i] / first;
    while (used < MOST_VECTORS && fabs(r[used]) > tolerance * first && !stops(c)) {
        double *next = used + 1 < MOST_VECTORS ? basis + (size_t)(used + 1) * numbers : side;
        if (!multiply(c, basis + (size_t)used * numbers, next, room))
            return false;
        for (int j = 0; j <= used; j++) {
            h[j][used] = product(numbers, next, basis + (size_t)j * numbers);
            for (size_t i = 0; i < numbers; i++)
                next[i] -= h[j][used] * basis[(size_t)j * numbers + i];
        }
        double length = sqrt(product(numbers, next, next));
        for (size_t i = 0; i < numbers && length > 0; i++)
            next[i] /= length;
        for (int j = 0; j < used; j++) {
            double upper = h[j][used];
            h[j][used] = cosine[j] * upper + sine[j] * h[j + 1][used];
            h[j + 1][used] = cosine[j] * h[j + 1][used] - sine[j] * upper;
        }
        double diagonal = sqrt(h[used][used] * h[used][used] + length * length);
        if (!(diagonal > 0))
            break;
        cosine[used] = h[used][used] / diagonal;
        sine[used] = length / diagonal;
        h[used][used] = diagonal;
        r[used + 1] = -sine[used] * r[used];
        r[used] *= cosine[used];
        used++;
    }
    for (int i = used - 1; i >= 0; i--) {
        for (int j = i + 1; j < used; j++)
            r[i] -= h[i][j] * r[j];
        r[i] /= h[i][i];
        for (size_t n = 0; n < numbers; n++)
            solution[n] += r[i] * basis[(size_t)i * numbers + n];
    }
    return true;
}

// --- steps ----------------------------------------------------------------------------------------------------------

// The Newton step of the sets.
static bool find_newton_step(tide_contacts *c)
{
    tide_semismooth *s = c->semismooth;
    size_t numbers = 3 * (size_t)s->contact_count;
    double *known = s->vectors, *moves = known + numbers, *side = moves + numbers, *room = side + numbers;
    find_sets(c, known);
    if (!apply_w(c, known, moves))
        return false;
    find_side(c, known, moves, side);
    if (!solve_equations(c, side, moves, room, c->inverse->supported ? SUPPORTED : LINEAR))
        return false;
    expand(s, moves, room);
    for (size_t i = 0; i < numbers; i++)
        known[i] += room[i];
    if (!apply_w(c, known, moves))
        return false;
    set_step(c, known, moves);
    return true;
}

// A step d of projected gradients, and the part of it that lowers what it is to lower most (compliant_response.c).
static bool find_gradient_step(tide_contacts *c, double *part)
{
    tide_semismooth *s = c->semismooth;
    size_t numbers = 3 * (size_t)s->contact_count;
    double *step = s->vectors, *moves = step + numbers, drag[3], push, taken = 0;
    for (uint32_t i = 0; i < s->contact_count; i++) {
        evaluate(&s->contacts[i], 0, step + 3 * (size_t)i, &push, drag);
        taken += s->contacts[i].w * dot(step + 3 * (size_t)i, step + 3 * (size_t)i);
    }
    if (!apply_w(c, step, moves))
        return false;
    double work = product(numbers, step, moves);
    *part = work > taken ? taken / work : 1;
    set_step(c, step, moves);
    return true;
}

// A Newton step, or a part of it; *lowers: whether it lowers the residual.
static bool improve(tide_contacts *c, double *square, bool *lowers)
{
    tide_semismooth *s = c->semismooth;
    double part = 1, largest;
    *lowers = false;
    if (!find_newton_step(c))
        return false;
    for (int i = 0; i < MOST_PARTS && !*lowers; i++, part /= 2) {
        double next = residual(s, part, &largest);
        if (!(next <= (1 - DECREASE * part) * *square))
            continue;
        take(s, part);
        *square = next;
        *lowers = true;
    }
    return true;
}

static bool take_gradient_step(tide_contacts *c)
{
    double part;
    if (!find_gradient_step(c, &part))
        return false;
    take(c->semismooth, part);
    return true;
}

// Solves the problem, whose residual is *left (m) and its norm's `square` now. Sets *left to the residual that remains.
// Returns false when it is too large.
static bool solve(tide_contacts *c, double square, double *left)
{
    tide_semismooth *s = c->semismooth;
    double largest = *left;
    double enough = fmax(SMALL, OF_FIRST * largest);
    for (int i = 0; i < MOST_SETS && largest > enough && !stops(c); i++) {
        bool lowers;
        if (!improve(c, &square, &lowers) || (!lowers && !take_gradient_step(c)))
            break;
        for (uint32_t n = 0; n < s->contact_count; n++) {
            memset(s->contacts[n].step, 0, sizeof s->contacts[n].step);
            memset(s->contacts[n].step_moved, 0, sizeof s->contacts[n].step_moved);
        }
        square = residual(s, 0, &largest);
    }
    *left = largest;
    return largest <= enough;
}

// --- results ---------------------------------------------------------------------------------------------------------

// Moves x by the impulses found and their supports.
static bool follow_impulses(tide_contacts *c, double *x, double *also, double *most)
{
    tide_semismooth *s = c->semismooth;
    double *applied = s->vectors;
    for (uint32_t i = 0; i < s->contact_count; i++) {
        const contact *t = &s->contacts[i];
        double held[3];
        hold(c, t, t->moved, held);
        for (size_t k = 0; k < 3; k++)
            applied[3 * (size_t)i + k] = t->impulse[k] - t->first[k] + held[k];
    }
    find_forces(s, applied);
    if (!c->inverse->solve(c->inverse, s->force, s->motion))
        return false;
    for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++) {
        x[i] += s->motion[i];
        if (also)
            also[i] += s->motion[i];
        *most = fmax(*most, fabs(s->motion[i]));
    }
    tide_collider_near_move(c->near, *most);
    return true;
}

// Changes the accumulated impulses of contacts, and y.
static void change_impulses(tide_contacts *c, bool solved, double *y)
{
    tide_semismooth *s = c->semismooth;
    double *change = s->vectors;
    for (uint32_t i = 0; i < s->contact_count; i++) {
        contact *t = &s->contacts[i];
        double change_of_laws[3], drag[3], push;
        tide_contact_impulse *kept = &c->list.items[t->index].kept;
        evaluate(t, 0, change_of_laws, &push, drag);
        for (size_t k = 0; k < 3; k++) {
            double next = solved && !(push > 0) ? 0 : t->impulse[k]; // with supports it is near 0, not 0
            change[3 * (size_t)i + k] = next - t->first[k];
            kept->accumulated[k] = next == 0 ? 0 : kept->accumulated[k] + (next - t->first[k]) / t->mass;
        }
    }
    find_forces(s, change);
    for (size_t i = 0; y && i < 3 * (size_t)s->particle_count; i++)
        if (s->force[i] != 0)
            y[i] += c->surface->inverse_masses[i / 3] * s->force[i];
}

double tide_semismooth_go(tide_contacts *c, double *x, double *y, double *also, bool *solved)
{
    tide_semismooth *s = c->semismooth;
    double largest, square = residual(s, 0, &largest);
    *solved = true;
    if (s->contact_count == 0 || largest <= SMALL)
        return 0;
    double first = largest;
    *solved = solve(c, square, &largest);
    c->left = *solved ? 0 : largest <= INEXACT * first ? largest : HUGE_VAL;
    double most = 0;
    if (follow_impulses(c, x, also, &most))
        change_impulses(c, *solved, y);
    return most;
}
