#include "contact/contact_history.h"

#include "base/memory.h"
#include "contact/collider_near.h"
#include "contact/contacts_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TIDE_HISTORY_COLLIDER == (int)TIDE_CONTACT_COLLIDER, "the kinds of contacts");

// --- mapping to other colliders --------------------------------------------------------------------------------------

static bool map_collider(tide_contact_history_entry *entry, const tide_contact_history_mapping *map)
{
    uint32_t points = map->blocks[0].count[TIDE_HISTORY_POINTS];
    uint64_t collider = points ? entry->key / points : map->collider_count;
    if (collider >= map->collider_count || map->colliders[collider] == TIDE_HISTORY_GONE)
        return false;
    entry->key = (uint64_t)map->colliders[collider] * points + entry->key % points;
    return true;
}

static bool map_feature(uint64_t *index, int feature, const tide_contact_history_mapping *map)
{
    for (uint32_t b = 0; b < map->block_count; b++) {
        const tide_contact_history_block *block = &map->blocks[b];
        if (*index >= block->from[feature] && *index - block->from[feature] < block->count[feature]) {
            *index += (uint64_t)block->to[feature] - block->from[feature];
            return true;
        }
    }
    return false;
}

static bool map_pair(tide_contact_history_entry *entry, const tide_contact_history_mapping *map)
{
    static const int features[][2] = { [TIDE_PAIR_POINTS] = { TIDE_HISTORY_POINTS, TIDE_HISTORY_POINTS },
                                       [TIDE_PAIR_TRIANGLE] = { TIDE_HISTORY_POINTS, TIDE_HISTORY_TRIANGLES },
                                       [TIDE_PAIR_EDGES] = { TIDE_HISTORY_EDGES, TIDE_HISTORY_EDGES } };
    uint64_t first = entry->key >> 32, second = entry->key & UINT32_MAX;
    if (entry->kind >= TIDE_HISTORY_COLLIDER || !map_feature(&first, features[entry->kind][0], map) ||
        !map_feature(&second, features[entry->kind][1], map))
        return false;
    entry->key = first << 32 | second;
    return true;
}

// Pairs are kept in ascending order.
static int compare(const void *a, const void *b)
{
    const tide_contact_history_entry *first = a, *second = b;
    if (first->kind != second->kind)
        return first->kind < second->kind ? -1 : 1;
    return first->key < second->key ? -1 : first->key > second->key;
}

// Changes an entry, or returns false: it is removed.
typedef bool entry_filter(tide_contact_history_entry *entry, const void *context);

static size_t filter(void *bytes, size_t size, entry_filter *keeps, const void *context)
{
    tide_contact_history_header header = { 0 }, kept = { 0 };
    if (size < sizeof header)
        return 0;
    memcpy(&header, bytes, sizeof header);
    uint64_t entries = header.colliders + header.pairs;
    if (entries > size || size != sizeof header + entries * sizeof(tide_contact_history_entry))
        return 0;
    kept.h = header.h;
    unsigned char *from = (unsigned char *)bytes + sizeof header, *next = from;
    for (uint64_t i = 0; i < entries; i++) {
        tide_contact_history_entry entry;
        memcpy(&entry, from + i * sizeof entry, sizeof entry);
        if (!keeps(&entry, context))
            continue;
        kept.colliders += entry.kind == TIDE_HISTORY_COLLIDER;
        kept.pairs += entry.kind != TIDE_HISTORY_COLLIDER;
        memcpy(next, &entry, sizeof entry);
        next += sizeof entry;
    }
    memcpy(bytes, &kept, sizeof kept);
    qsort(from + kept.colliders * sizeof(tide_contact_history_entry), kept.pairs, sizeof(tide_contact_history_entry),
          compare);
    return (size_t)(next - (unsigned char *)bytes);
}

static bool map_rolling(tide_contact_history_entry *entry, const tide_contact_history_mapping *map)
{
    uint32_t collider = (uint32_t)entry->key ^ TIDE_ROLLING_COLLIDER;
    if (!(entry->key & TIDE_ROLLING_COLLIDER)) // parts are those of the same bodies
        return true;
    if (collider >= map->collider_count || map->colliders[collider] == TIDE_HISTORY_GONE)
        return false;
    entry->key = (entry->key >> 32 << 32) | TIDE_ROLLING_COLLIDER | map->colliders[collider];
    return true;
}

static bool map_entry(tide_contact_history_entry *entry, const void *map)
{
    if (entry->kind == TIDE_HISTORY_TANGLE)
        return true;
    if (entry->kind == TIDE_HISTORY_ROLLING)
        return map_rolling(entry, map);
    if (entry->kind == TIDE_HISTORY_SKIN)
        return map_feature(&entry->key, TIDE_HISTORY_POINTS, map);
    return entry->kind == TIDE_HISTORY_COLLIDER ? map_collider(entry, map) : map_pair(entry, map);
}

size_t tide_contact_history_map(void *bytes, size_t size, const tide_contact_history_mapping *map)
{
    return filter(bytes, size, map_entry, map);
}

static bool has_points_alone(tide_contact_history_entry *entry, const void *unused)
{
    (void)unused;
    return entry->kind == TIDE_HISTORY_COLLIDER || entry->kind == TIDE_PAIR_POINTS ||
           entry->kind == TIDE_HISTORY_ROLLING || entry->kind == TIDE_HISTORY_TANGLE;
}

size_t tide_contact_history_drop_surfaces(void *bytes, size_t size)
{
    return filter(bytes, size, has_points_alone, NULL);
}

// --- untangling ------------------------------------------------------------------------------------------------------

bool tide_contact_history_tangle(const void *bytes, size_t size, tide_contact_history_entry *entry)
{
    if (size < TIDE_HISTORY_TANGLE_SIZE)
        return false;
    memcpy(entry, (const unsigned char *)bytes + size - sizeof *entry, sizeof *entry);
    return entry->kind == TIDE_HISTORY_TANGLE;
}

size_t tide_contact_history_put_tangle(void *bytes, size_t size, const tide_contact_history_entry *entry)
{
    tide_contact_history_header header = { 0 };
    tide_contact_history_entry present;
    bool any = tide_contact_history_tangle(bytes, size, &present);
    if (!any && !entry)
        return size;
    if (size >= sizeof header)
        memcpy(&header, bytes, sizeof header);
    size = (size >= sizeof header ? size : sizeof header) - (any ? sizeof present : 0);
    header.pairs = header.pairs - any + (entry != NULL);
    memcpy(bytes, &header, sizeof header);
    if (!entry)
        return size;
    memcpy((unsigned char *)bytes + size, entry, sizeof *entry);
    return size + sizeof *entry;
}

// --- of contacts -----------------------------------------------------------------------------------------------------

static bool has_couple(const tide_rolling_contact *r)
{
    return r->couple[0] != 0 || r->couple[1] != 0 || r->couple[2] != 0;
}

static bool has_skin(const tide_contacts *c, uint32_t point)
{
    return tide_proximity_uses(c->search.proximity, point);
}

// Returns the number of skins that the history has.
static uint64_t skin_count(const tide_contacts *c)
{
    uint64_t count = 0;
    for (uint32_t p = 0; p < c->moving_count && c->search.lasts; p++)
        count += has_skin(c, p);
    return count;
}

static tide_contact_history_header header_of(const tide_contacts *c)
{
    tide_contact_history_header header = { .h = c->h };
    for (size_t i = 0; i < c->list.count; i++)
        if (!tide_contact_is_idle(&c->list.items[i].kept))
            ++*(tide_contact_is_pair(&c->list.items[i]) ? &header.pairs : &header.colliders);
    for (size_t i = 0; i < c->rolling.count; i++)
        header.pairs += has_couple(&c->rolling.items[i]);
    header.pairs += skin_count(c);
    return header;
}

size_t tide_contacts_history_size(const tide_contacts *c)
{
    tide_contact_history_header header = header_of(c);
    return sizeof header + (header.colliders + header.pairs) * sizeof(tide_contact_history_entry);
}

// Puts the contacts with colliders, or the others.
static unsigned char *put_contacts(const tide_contacts *c, bool pairs, unsigned char *to)
{
    for (size_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        if (tide_contact_is_pair(t) != pairs || tide_contact_is_idle(&t->kept))
            continue;
        tide_contact_history_entry entry = { .kind = t->kind, .key = t->kept.key };
        memcpy(entry.accumulated, t->kept.accumulated, sizeof entry.accumulated);
        if (pairs)
            memcpy(entry.weights, t->weights, sizeof entry.weights);
        memcpy(to, &entry, sizeof entry);
        to += sizeof entry;
    }
    return to;
}

void tide_contacts_save_history(const tide_contacts *c, void *bytes)
{
    tide_contact_history_header header = header_of(c);
    memcpy(bytes, &header, sizeof header);
    unsigned char *to = put_contacts(c, false, (unsigned char *)bytes + sizeof header);
    to = put_contacts(c, true, to);
    for (size_t i = 0; i < c->rolling.count; i++) {
        const tide_rolling_contact *r = &c->rolling.items[i];
        tide_contact_history_entry entry = { .kind = TIDE_HISTORY_ROLLING, .key = r->key };
        if (!has_couple(r))
            continue;
        memcpy(entry.accumulated, r->couple, sizeof entry.accumulated);
        memcpy(to, &entry, sizeof entry);
        to += sizeof entry;
    }
    for (uint32_t p = 0; p < c->moving_count && c->search.lasts; p++) {
        tide_contact_history_entry entry = { .kind = TIDE_HISTORY_SKIN, .key = p, .weights = { c->search.skins[p] } };
        if (!has_skin(c, p))
            continue;
        memcpy(entry.accumulated, c->search.skin_centres + 3 * (size_t)p, sizeof entry.accumulated);
        memcpy(to, &entry, sizeof entry);
        to += sizeof entry;
    }
}

static tide_status fail_history(size_t size, tide_error *error)
{
    char value[48];
    snprintf(value, sizeof value, "%zu bytes", size);
    return tide_fail(error, TIDE_ERROR_STATE, "contact", "history", value,
                     "this is no history of these contacts; the snapshot is of another scene");
}

static bool is_sound(const tide_contacts *c, const tide_contact_history_entry *entry)
{
    double all = entry->weights[0] + entry->weights[1] + entry->weights[2] + entry->weights[3];
    if (!isfinite(all + entry->accumulated[0] + entry->accumulated[1] + entry->accumulated[2]))
        return false;
    uint32_t points[4];
    if (entry->kind == TIDE_HISTORY_TANGLE)
        return true;
    if (entry->kind == TIDE_HISTORY_SKIN)
        return entry->key < c->moving_count && entry->weights[0] >= 0;
    if (entry->kind == TIDE_HISTORY_COLLIDER)
        return entry->key < (uint64_t)c->collider_count * c->moving_count;
    if (entry->kind == TIDE_HISTORY_ROLLING)
        return tide_rolling_is_key(c, entry->key);
    return entry->kind < TIDE_HISTORY_COLLIDER &&
           tide_pair_points(c->surface, (tide_pair_kind)entry->kind, entry->key, points);
}

// A skin that is too wide is left out: a search would find pairs of everything.
static void load_skin(tide_contacts *c, const tide_contact_history_entry *entry)
{
    if (!tide_contacts_have_pairs(c) || !has_skin(c, (uint32_t)entry->key) ||
        entry->weights[0] > c->search.widest_skins[c->surface->part_of[entry->key]])
        return;
    memcpy(c->search.skin_centres + 3 * entry->key, entry->accumulated, sizeof entry->accumulated);
    c->search.skins[entry->key] = entry->weights[0];
}

// A skin that the history lacks stays NAN.
static void forget_skins(tide_contacts *c)
{
    c->search.found = TIDE_PAIRS_NONE;
    c->search.lasts = false;
    for (uint32_t p = 0; p < c->moving_count && tide_contacts_have_pairs(c); p++)
        c->search.skins[p] = has_skin(c, p) ? NAN : HUGE_VAL;
}

// Returns whether the history had the skins of all points that may touch.
static bool has_all_skins(const tide_contacts *c)
{
    bool any = false, all = true;
    for (uint32_t p = 0; p < c->moving_count && tide_contacts_have_pairs(c); p++) {
        any = any || c->search.skins[p] < HUGE_VAL;
        all = all && !isnan(c->search.skins[p]);
    }
    return any && all;
}

static bool load_entry(tide_contacts *c, const tide_contact_history_entry *entry)
{
    if (entry->kind == TIDE_HISTORY_COLLIDER) {
        tide_contact_constraint *t = tide_collider_contacts_add(c, (uint32_t)(entry->key / c->moving_count),
                                                                (uint32_t)(entry->key % c->moving_count));
        if (t)
            memcpy(t->kept.accumulated, entry->accumulated, sizeof entry->accumulated);
        return t != NULL;
    }
    if (entry->kind == TIDE_HISTORY_TANGLE) // the world's
        return true;
    if (entry->kind == TIDE_HISTORY_SKIN) {
        load_skin(c, entry);
        return true;
    }
    if (entry->kind == TIDE_HISTORY_ROLLING) {
        tide_rolling_contact *r = tide_rolling_of(c, entry->key);
        if (r)
            memcpy(r->couple, entry->accumulated, sizeof entry->accumulated);
        return r != NULL;
    }
    tide_contact_constraint *pair = tide_contact_list_add(c, (uint32_t)entry->kind, entry->key);
    if (!pair)
        return false;
    tide_pair_points(c->surface, (tide_pair_kind)entry->kind, entry->key, pair->points);
    memcpy(pair->kept.accumulated, entry->accumulated, sizeof entry->accumulated);
    memcpy(pair->weights, entry->weights, sizeof entry->weights);
    return true;
}

// Clears forces that a stopped step has left unapplied.
static void forget_forces(tide_contacts *c)
{
    memset(c->compliance.force, 0, 3 * (size_t)c->particle_count * sizeof *c->compliance.force);
    memset(c->compliance.others, 0, 3 * (size_t)c->particle_count * sizeof *c->compliance.others);
    c->compliance.forced = c->compliance.others_forced = c->compliance.strays = false;
    c->compliance.use = TIDE_DENSE_UNUSED;
}

tide_status tide_contacts_load_history(tide_contacts *c, const void *bytes, size_t size, tide_error *error)
{
    tide_contact_history_header header = { 0 };
    const unsigned char *from = bytes;
    if (size >= sizeof header)
        memcpy(&header, bytes, sizeof header);
    uint64_t count = header.colliders + header.pairs;
    if (size != 0 &&
        (count > size || size != sizeof header + count * sizeof(tide_contact_history_entry) || !(header.h >= 0)))
        return fail_history(size, error);
    tide_contact_list_clear(c);
    tide_collider_near_forget(c);
    c->rolling.count = 0;
    forget_skins(c);
    c->h = header.h;
    forget_forces(c);
    for (uint64_t i = 0; i < count; i++) {
        tide_contact_history_entry entry;
        memcpy(&entry, from + sizeof header + i * sizeof entry, sizeof entry);
        if (!is_sound(c, &entry))
            return fail_history(size, error);
        if (!load_entry(c, &entry))
            return tide_fail_memory(error, "contact");
    }
    c->search.lasts = has_all_skins(c);
    return TIDE_OK;
}
