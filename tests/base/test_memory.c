#define _POSIX_C_SOURCE 200809L
#include "tests.h"

#include "output_checks.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void test_blocks_are_aligned_and_counted(void **state)
{
    (void)state;
    tide_memory_counts before = tide_memory_count();
    void *blocks[20];
    for (size_t i = 0; i < 20; i++) {
        blocks[i] = tide_allocate(i * i);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % TIDE_ALIGNMENT, 0);
        memset(blocks[i], 0xab, i * i);
    }
    tide_memory_counts during = tide_memory_count();
    assert_int_equal(during.blocks - before.blocks, 20);
    assert_int_equal(during.allocations - before.allocations, 20);
    assert_int_equal(during.bytes - before.bytes, 2470); // 0 + 1 + 4 + ... + 361
    assert_true(during.peak_bytes >= during.bytes);
    for (size_t i = 0; i < 20; i++)
        tide_free(blocks[i]);
    tide_memory_counts after = tide_memory_count();
    assert_int_equal(after.blocks, before.blocks);
    assert_int_equal(after.bytes, before.bytes);
    assert_int_equal(after.peak_bytes, during.peak_bytes);
    assert_int_equal(after.allocations, during.allocations);
}

static void test_held_blocks_stay(void **state)
{
    (void)state;
    tide_memory_counts before = tide_memory_count();
    void *owner = tide_allocate(0);
    int *numbers = tide_own_array(owner, 4, sizeof *numbers), *first = numbers;
    for (int i = 0; i < 4; i++)
        numbers[i] = i;
    tide_hold_block(first);
    tide_hold_block(first);
    numbers = tide_reallocate(numbers, 8 * sizeof *numbers); // moves, as every time
    assert_ptr_not_equal(numbers, first);
    numbers[3] = 7;
    tide_drop_block(first);
    tide_free(owner); // and the block that it owns
    assert_int_equal(first[3], 3);
    assert_int_equal(tide_memory_count().blocks, before.blocks + 1);
    assert_int_equal(tide_memory_count().bytes, before.bytes + 4 * sizeof *first);
    tide_drop_block(first);
    assert_int_equal(tide_memory_count().blocks, before.blocks);
    assert_int_equal(tide_memory_count().bytes, before.bytes);
}

static void test_peak_follows_the_bytes(void **state)
{
    (void)state;
    size_t size = tide_memory_count().peak_bytes + 1000 - tide_memory_count().bytes;
    size_t peak = tide_memory_count().peak_bytes;
    void *block = tide_allocate(size);
    assert_non_null(block);
    assert_int_equal(tide_memory_count().peak_bytes, peak + 1000);
    tide_free(block);
    assert_int_equal(tide_memory_count().peak_bytes, peak + 1000);
}

static void test_zeroed_and_overflow(void **state)
{
    (void)state;
    unsigned char *block = tide_allocate_zeroed(100, 7);
    assert_non_null(block);
    for (size_t i = 0; i < 700; i++)
        assert_int_equal(block[i], 0);
    tide_free(block);
    uint64_t allocations = tide_memory_count().allocations;
    assert_null(tide_allocate_zeroed(SIZE_MAX / 4, 8));
    assert_null(tide_allocate_array(SIZE_MAX / 4, 8));
    assert_null(tide_allocate(SIZE_MAX));
    assert_int_equal(tide_memory_count().allocations, allocations);
    tide_free(NULL);
}

static void test_reallocate_keeps_the_content(void **state)
{
    (void)state;
    uint64_t blocks = tide_memory_count().blocks;
    char *block = tide_reallocate(NULL, 4);
    assert_non_null(block);
    memcpy(block, "abc", 4);
    block = tide_reallocate(block, 1000);
    assert_non_null(block);
    assert_string_equal(block, "abc");
    block = tide_reallocate(block, 2);
    assert_non_null(block);
    assert_memory_equal(block, "ab", 2);
    assert_int_equal(tide_memory_count().blocks, blocks + 1);
    tide_free(block);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static void test_copies(void **state)
{
    (void)state;
    char *text = tide_copy_string("curtain");
    assert_string_equal(text, "curtain");
    unsigned char *bytes = tide_copy_bytes("a\0b", 3);
    assert_memory_equal(bytes, "a\0b", 3);
    void *empty = tide_copy_bytes(NULL, 0);
    assert_non_null(empty);
    tide_free(text);
    tide_free(bytes);
    tide_free(empty);
}

static void test_grow(void **state)
{
    (void)state;
    uint32_t *items = NULL;
    size_t capacity = 0;
    uint64_t allocations = tide_memory_count().allocations;
    for (uint32_t i = 0; i < 10000; i++) {
        assert_true(tide_grow(&items, &capacity, i + 1, sizeof *items));
        assert_true(capacity > i);
        items[i] = i;
    }
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(items[i], i);
    assert_true(tide_memory_count().allocations - allocations < 25); // by half: log_1.5(10000 / 8) = 18
    uint32_t *same = items;
    size_t was = capacity;
    assert_false(tide_grow(&items, &capacity, SIZE_MAX / 2, sizeof *items));
    assert_true(items == same && capacity == was);
    tide_free(items);
}

static void test_blocks_of_an_owner(void **state)
{
    (void)state;
    uint64_t blocks = tide_memory_count().blocks;
    assert_null(tide_own_array(NULL, 1, 8));
    assert_false(tide_owns_all(NULL));
    void *owner = tide_allocate(0), *other = tide_allocate(0);
    uint32_t *items = NULL;
    size_t capacity = 0;
    char *first = tide_own_array(owner, 3, 1), *second = tide_own_zeroed(owner, 100, 1);
    assert_true(first && second && second[99] == 0);
    assert_non_null(tide_own_array(second, 10, 8)); // freed with `second`
    memcpy(first, "ab", 3);
    first = tide_reallocate(first, 1000);
    assert_string_equal(first, "ab");
    for (uint32_t i = 1; i < 100; i++)
        assert_true(tide_grow_owned(owner, &items, &capacity, i, sizeof *items));
    second = tide_reallocate(second, 5000); // keeps its owner and its block
    assert_int_equal(tide_memory_count().blocks, blocks + 6);
    assert_ptr_equal(tide_own(other, first), first);
    tide_free(second);
    assert_int_equal(tide_memory_count().blocks, blocks + 4);
    assert_true(tide_owns_all(owner));
    assert_null(tide_own_array(owner, SIZE_MAX / 4, 8));
    assert_false(tide_owns_all(owner));
    tide_free(owner);
    assert_int_equal(tide_memory_count().blocks, blocks + 2);
    assert_false(tide_renew_owner(&other, true));
    tide_own(other, NULL);
    assert_false(tide_owns_all(other));
    assert_true(tide_renew_owner(&other, true)); // a block is missing
    assert_int_equal(tide_memory_count().blocks, blocks + 1);
    assert_true(tide_owns_all(other));
    assert_true(tide_renew_owner(&other, false));
    assert_null(tide_own(NULL, tide_allocate(1))); // frees it
    tide_free(other);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static size_t asked_size;

static bool refuse_after(size_t size, void *context)
{
    asked_size = size;
    return (*(int *)context)-- <= 0;
}

static void test_failure_hook(void **state)
{
    (void)state;
    tide_memory_counts before = tide_memory_count();
    int granted = 1;
    tide_memory_set_failure_hook(refuse_after, &granted);
    char *block = tide_allocate(10);
    assert_non_null(block);
    memcpy(block, "still here", 10);
    assert_int_equal(asked_size, 10);
    assert_null(tide_allocate(11));
    assert_int_equal(asked_size, 11);
    assert_null(tide_allocate_zeroed(2, 2));
    assert_null(tide_copy_string("x"));
    assert_null(tide_reallocate(block, 20));
    size_t capacity = 10;
    assert_false(tide_grow(&block, &capacity, 11, 1));
    assert_int_equal(capacity, 10);
    tide_memory_set_failure_hook(NULL, NULL);
    assert_memory_equal(block, "still here", 10);
    tide_free(block);
    tide_memory_counts after = tide_memory_count();
    assert_int_equal(after.blocks, before.blocks);
    assert_int_equal(after.bytes, before.bytes);
    assert_int_equal(after.allocations, before.allocations + 1);
}

static void test_text_grows(void **state)
{
    (void)state;
    tide_text text = { 0 };
    tide_text_add(&text, "", 0);
    assert_string_equal(text.bytes, "");
    for (int i = 0; i < 1000; i++)
        tide_text_format(&text, "%d,", i);
    assert_false(text.failed);
    assert_int_equal(text.length, 10 * 2 + 90 * 3 + 900 * 4);
    assert_int_equal(strlen(text.bytes), text.length);
    assert_memory_equal(text.bytes, "0,1,2,", 6);
    assert_string_equal(text.bytes + text.length - 8, "998,999,");
    char *bytes = text.bytes;
    tide_text_clear(&text);
    assert_true(text.bytes == bytes && text.length == 0 && bytes[0] == '\0');
    tide_text_add(&text, "a\0b", 3);
    assert_int_equal(text.length, 3);
    assert_memory_equal(text.bytes, "a\0b\0", 4);
    tide_text_free(&text);
    assert_null(text.bytes);
    tide_text_clear(&text);
    tide_text_free(&text);
}

static void test_text_is_saved_whole_or_not_at_all(void **state)
{
    (void)state;
    char path[300], read[16] = "";
    snprintf(path, sizeof path, "%s/saved.txt", tide_test_folder());
    remove(path);
    tide_text text = { 0 };
    tide_error error;
    assert_ok(tide_text_save(&text, path, "notes", &error), error); // an empty file
    tide_text_add(&text, "one\ntwo", 7);
    assert_ok(tide_text_save(&text, path, "notes", &error), error);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(read, 1, sizeof read, file), 7);
    fclose(file);
    assert_memory_equal(read, "one\ntwo", 7);
    assert_fails(tide_text_save(&text, "no/such/folder.txt", "notes", &error), error,
                 "notes: cannot be written: No such file or directory; check the path");
    tide_text_add(&text, "more", 4);
    struct rlimit before = limit_file_size(8);
    tide_status status = tide_text_save(&text, path, "notes", &error);
    restore_file_size(before);
    assert_fails(status, error, "cannot be written: File too large");
    assert_int_equal(unfinished_files(path, NULL), 0);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(read, 1, sizeof read, file), 7); // as it was
    fclose(file);
    tide_text_free(&text);
}

static void test_text_remembers_a_failure(void **state)
{
    (void)state;
    uint64_t blocks = tide_memory_count().blocks;
    tide_text text = { 0 };
    tide_text_add(&text, "kept", 4);
    int granted = 0;
    tide_memory_set_failure_hook(refuse_after, &granted);
    tide_text_format(&text, "%100d", 1);
    assert_true(text.failed);
    tide_memory_set_failure_hook(NULL, NULL);
    tide_text_add(&text, "lost", 4);
    tide_text_format(&text, "lost");
    assert_true(text.failed);
    assert_string_equal(text.bytes, "kept");
    tide_text_clear(&text);
    tide_text_add(&text, "new", 3);
    assert_false(text.failed);
    assert_string_equal(text.bytes, "new");
    tide_text_free(&text);
    tide_memory_set_failure_hook(refuse_after, &granted);
    tide_text_add(&text, "x", 1);
    assert_true(text.failed);
    tide_memory_set_failure_hook(NULL, NULL);
    tide_text_free(&text);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_blocks_are_aligned_and_counted),
    cmocka_unit_test(test_held_blocks_stay),
    cmocka_unit_test(test_peak_follows_the_bytes),
    cmocka_unit_test(test_zeroed_and_overflow),
    cmocka_unit_test(test_reallocate_keeps_the_content),
    cmocka_unit_test(test_copies),
    cmocka_unit_test(test_grow),
    cmocka_unit_test(test_blocks_of_an_owner),
    cmocka_unit_test(test_failure_hook),
    cmocka_unit_test(test_text_grows),
    cmocka_unit_test(test_text_is_saved_whole_or_not_at_all),
    cmocka_unit_test(test_text_remembers_a_failure),
};
TIDE_TEST_SUITE(base_memory, tests)
