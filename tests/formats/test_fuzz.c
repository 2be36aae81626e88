// Readers on damaged files: they refuse it or make a valid mesh, touch nothing outside it, and take little memory.
#define _GNU_SOURCE // memmem
#include "../mesh/mesh_tests.h"

#include "formats/reading.h"

#include <dirent.h>
#include <stdio.h>

typedef tide_status reader(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);

// The files of TetGen in one, parted by lines "=", as the fuzz target takes them.
static tide_status read_tetgen(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error)
{
    tide_mesh_bytes parts[3] = { { bytes, size, name }, { NULL, 0, name }, { NULL, 0, name } };
    int count = 1;
    for (; count < 3; count++) {
        tide_mesh_bytes *last = &parts[count - 1];
        const char *mark = last->size ? memmem(last->bytes, last->size, "\n=\n", 3) : NULL;
        if (!mark)
            break;
        parts[count].bytes = mark + 3;
        parts[count].size = last->size - (size_t)(mark + 3 - last->bytes);
        last->size = (size_t)(mark - last->bytes);
    }
    return tide_mesh_read_tetgen(&parts[0], count > 1 ? &parts[1] : NULL, count > 2 ? &parts[2] : NULL, mesh, error);
}

// Where the fuzz targets begin: tests/fuzz/seeds/FORMAT. Together the seeds of a format have all that it can say.
static const struct format {
    const char *name;
    reader *read;
    uint32_t seeds, triangles, tetrahedra; // how many there are, and what they hold in all
} formats[] = {
    { "obj", tide_mesh_read_obj, 1, 3, 1 },  { "medit", tide_mesh_read_medit, 1, 3, 2 },
    { "ply", tide_mesh_read_ply, 3, 11, 2 }, { "stl", tide_mesh_read_stl, 2, 7, 0 },
    { "tetgen", read_tetgen, 2, 8, 2 },      { "gmsh", tide_mesh_read_gmsh, 2, 5, 3 },
};
enum { FORMATS = sizeof formats / sizeof formats[0], MOST_BYTES = 2048 };

// Reads a copy that ends where its block of memory ends.
static void try_bytes(reader *read, const char *bytes, size_t size)
{
    char *copy = size ? test_malloc(size) : NULL;
    if (size)
        memcpy(copy, bytes, size);
    tide_mesh *mesh = NULL;
    tide_error error;
    uint64_t blocks = tide_memory_count().blocks;
    tide_status status = read(copy, size, "fuzz", &mesh, &error);
    if (status == TIDE_OK) {
        // A mesh that was made can be made again from its own parts: it is valid.
        tide_mesh_parts parts = tide_mesh_view(mesh);
        tide_mesh *again = make_mesh(parts);
        assert_same_mesh(mesh, again);
        tide_mesh_report report;
        assert_ok(tide_mesh_check(mesh, &report, &error), error);
        tide_mesh_release(again);
        tide_mesh_release(mesh);
    } else {
        assert_null(mesh);
        assert_true(status == TIDE_ERROR_FORMAT || status == TIDE_ERROR_ARGUMENT);
        assert_true(error.where[0] && error.remedy[0]);
    }
    assert_int_equal(tide_memory_count().blocks, blocks);
    if (size)
        test_free(copy);
}

static void fuzz(reader *read, const char *text, size_t size, int trials, uint64_t seed)
{
    char bytes[MOST_BYTES];
    for (size_t cut = 0; cut <= size; cut++)
        try_bytes(read, text, cut);
    tide_random random = tide_random_seed(seed);
    static const char likely[] = "0123456789-+.eE/\\#\n\r \tvflnE";
    for (int trial = 0; trial < trials; trial++) {
        memcpy(bytes, text, size);
        size_t length = trial % 3 ? size : tide_random_next(&random) % (size + 1);
        uint32_t flips = 1 + tide_random_next(&random) % 4;
        for (uint32_t i = 0; i < flips && length; i++) {
            size_t place = tide_random_next(&random) % length;
            uint32_t value = tide_random_next(&random);
            if (trial % 2)
                bytes[place] = likely[value % (sizeof likely - 1)];
            else
                bytes[place] = (char)(bytes[place] ^ (1 << value % 8));
        }
        try_bytes(read, bytes, length);
    }
}

// Calls `use` with every seed of a format; how many there were.
static uint32_t each_seed(const struct format *format,
                          void (*use)(const struct format *format, const char *bytes, size_t size, void *context),
                          void *context)
{
    char folder[128], path[512], bytes[MOST_BYTES];
    snprintf(folder, sizeof folder, "tests/fuzz/seeds/%s", format->name);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    uint32_t count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_true(size < sizeof bytes);
        use(format, bytes, size, context);
        count++;
    }
    closedir(directory);
    return count;
}

static void read_seed(const struct format *format, const char *bytes, size_t size, void *context)
{
    tide_mesh *mesh, *sums = context;
    tide_error error;
    assert_ok(format->read(bytes, size, format->name, &mesh, &error), error);
    sums->triangle_count += mesh->triangle_count;
    sums->tetrahedron_count += mesh->tetrahedron_count;
    tide_mesh_release(mesh);
}

static void test_the_seeds_are_good(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        tide_mesh sums = { 0 };
        assert_int_equal(each_seed(&formats[i], read_seed, &sums), formats[i].seeds);
        assert_int_equal(sums.triangle_count, formats[i].triangles);
        assert_int_equal(sums.tetrahedron_count, formats[i].tetrahedra);
    }
}

static void damage_seed(const struct format *format, const char *bytes, size_t size, void *context)
{
    fuzz(format->read, bytes, size, *(int *)context, size);
}

static void test_damaged_files(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        int trials = 6000 / (int)formats[i].seeds;
        each_seed(&formats[i], damage_seed, &trials);
    }
}

static void test_random_bytes(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(9);
    for (int trial = 0; trial < 2000; trial++) {
        char bytes[128];
        size_t size = tide_random_next(&random) % sizeof bytes;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)tide_random_next(&random);
        for (int i = 0; i < FORMATS; i++)
            try_bytes(formats[i].read, bytes, size);
    }
}

static bool note_largest(size_t size, void *context)
{
    size_t *largest = context;
    if (size > *largest)
        *largest = size;
    return false;
}

static void test_claims_are_not_allocated(void **state)
{
    (void)state;
    static const char *const sections[] = { "Vertices",   "Edges",     "Triangles", "Quadrilaterals",
                                            "Tetrahedra", "Hexahedra", "Corners" };
    static const char *const counts[] = { "4000000000", "4294967295", "100000000", "999999999999999999", "500" };
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
            char text[256];
            snprintf(text, sizeof text, "MeshVersionFormatted 1\nDimension 3\n%s%s\n%s\n1 2 3 4 0\n1 2 3 4 0\n",
                     i == 0 ? "" : "Vertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n", sections[i], counts[j]);
            size_t largest = 0;
            tide_mesh *mesh = NULL;
            tide_error error;
            tide_memory_set_failure_hook(note_largest, &largest);
            tide_status status = tide_mesh_read_medit(text, strlen(text), "a", &mesh, &error);
            tide_memory_set_failure_hook(NULL, NULL);
            assert_fails(status, error, "for which what is left of the file has room");
            assert_true(largest < 10000);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_seeds_are_good),
    cmocka_unit_test(test_damaged_files),
    cmocka_unit_test(test_random_bytes),
    cmocka_unit_test(test_claims_are_not_allocated),
};
TIDE_TEST_SUITE(formats_fuzz, tests)
