// The history of contacts, mapped to other colliders.
#include "tests.h"

#include "contact/contact_history.h"

#include <string.h>

// Two bodies of 10 points, 20 edges and 8 triangles in all; of three colliders the first and the last have meshes, of
// 4 points, 6 edges and 4 triangles each.
static const tide_contact_history_block blocks[] = {
    { { 0, 0, 0 }, { 10, 20, 8 }, { 0, 0, 0 } },
    { { 10, 20, 8 }, { 4, 6, 4 }, { 14, 26, 12 } },
    { { 14, 26, 12 }, { 4, 6, 4 }, { 10, 20, 8 } },
};
static const uint32_t colliders[] = { 3, TIDE_HISTORY_GONE, 0 };

typedef struct history {
    tide_contact_history_header header;
    tide_contact_history_entry sums[16];
} history;

static void add(history *h, uint64_t kind, uint64_t first, uint64_t second, double value)
{
    uint64_t key = kind == TIDE_HISTORY_COLLIDER ? first * 10 + second : first << 32 | second;
    h->sums[h->header.colliders + h->header.pairs] = (tide_contact_history_entry) { kind, key, { value }, { 0 } };
    *(kind == TIDE_HISTORY_COLLIDER ? &h->header.colliders : &h->header.pairs) += 1;
}

static size_t size_of(const history *h)
{
    return sizeof h->header + (h->header.colliders + h->header.pairs) * sizeof *h->sums;
}

static void test_what_stays_is_found_and_what_is_gone_is_dropped(void **state)
{
    (void)state;
    history before = { .header.h = 0.01 }, expected = before;
    add(&before, 3, 0, 7, 1);
    add(&before, 3, 1, 7, 2); // its collider is gone
    add(&before, 3, 2, 0, 3);
    add(&before, 0, 1, 9, 4);
    add(&before, 1, 2, 7, 5);  // triangle of a body
    add(&before, 1, 2, 9, 6);  // of the first collider
    add(&before, 1, 2, 13, 7); // of the last
    add(&before, 1, 12, 3, 8); // a point of the first collider
    add(&before, 1, 18, 3, 9); // of no one
    add(&before, 2, 19, 20, 10);
    add(&before, 2, 19, 27, 11);
    add(&before, 2, 19, 32, 12); // of no one

    add(&expected, 3, 3, 7, 1);
    add(&expected, 3, 0, 0, 3);
    add(&expected, 0, 1, 9, 4);
    add(&expected, 1, 2, 7, 5);
    add(&expected, 1, 2, 9, 7);
    add(&expected, 1, 2, 13, 6);
    add(&expected, 1, 16, 3, 8);
    add(&expected, 2, 19, 21, 11);
    add(&expected, 2, 19, 26, 10);

    tide_contact_history_mapping map = { colliders, 3, blocks, 3 };
    size_t size = tide_contact_history_map(&before, size_of(&before), &map);
    assert_int_equal(size, size_of(&expected));
    assert_memory_equal(&before, &expected, size);
}

static void test_what_is_no_history_is_nothing(void **state)
{
    (void)state;
    const tide_contact_history_block nothing = { 0 };
    history bad = { .header.h = 0.01 };
    tide_contact_history_mapping map = { colliders, 3, blocks, 3 }, nobody = { colliders, 3, &nothing, 1 };
    add(&bad, 3, 0, 7, 1);
    size_t size = size_of(&bad);
    assert_int_equal(tide_contact_history_map(&bad, 0, &map), 0);
    assert_int_equal(tide_contact_history_map(&bad, sizeof bad.header - 1, &map), 0);
    assert_int_equal(tide_contact_history_map(&bad, size - 1, &map), 0);
    bad.header.pairs = UINT64_MAX - 1;
    assert_int_equal(tide_contact_history_map(&bad, size, &map), 0);
    bad.header.pairs = 0;
    bad.sums[0].kind = 77;
    assert_int_equal(tide_contact_history_map(&bad, size, &map), sizeof bad.header);
    assert_int_equal(bad.header.colliders, 0);
    bad = (history) { .header.h = 0.01 };
    add(&bad, 3, 5, 7, 1); // there is no such collider
    assert_int_equal(tide_contact_history_map(&bad, size, &map), sizeof bad.header);
    bad = (history) { .header.h = 0.01 };
    add(&bad, 3, 0, 7, 1);
    assert_int_equal(tide_contact_history_map(&bad, size, &nobody), sizeof bad.header);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_stays_is_found_and_what_is_gone_is_dropped),
    cmocka_unit_test(test_what_is_no_history_is_nothing),
};
TIDE_TEST_SUITE(contact_history, tests)
