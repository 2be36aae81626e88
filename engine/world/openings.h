// The faces of a body that a cut opens: those between cells on different sides. Private to world/ and session/.
#ifndef TIDE_WORLD_OPENINGS_H
#define TIDE_WORLD_OPENINGS_H

#include "world/world.h"

// Tells whether a cut passes between two points of a body, each the mean of some of its vertices.
typedef bool tide_cut_test(const void *context, const uint32_t *a, uint32_t a_count, const uint32_t *b,
                           uint32_t b_count);

// What a cut does: faces that it opens (split.h), then elements that it cuts without cells on both sides, as springs
// between distant vertices. Owned: tide_openings_free.
typedef struct tide_openings {
    uint32_t *faces, *elements;
    uint32_t face_count, element_count;
} tide_openings;
// Finds both. Fails for a stale id and without memory. An edge of a mesh without triangles comes off at its second end,
// or at the first if it has no other edge at the second; a lone one is cut.
tide_status tide_world_find_openings(const tide_world *world, tide_body_id body, tide_cut_test *test,
                                     const void *context, tide_openings *found, tide_error *error);
void tide_openings_free(tide_openings *openings);

// Opens faces of a body: splits vertices, from the next step on. *added (may be NULL) is the number of new vertices.
// Copies of a vertex have its position, velocity and pin. Fails, changing nothing, for a face that does not exist.
tide_status tide_world_open(tide_world *world, tide_body_id body, const uint32_t *faces, uint32_t count,
                            uint32_t *added, tide_error *error);

#endif
