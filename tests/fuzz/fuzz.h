// What the fuzz targets share. Each feeds its bytes to one reader: whatever they are, it must refuse them with a
// message or make a valid mesh, and leave no memory behind. What can be written is written and must be read back
// exactly. scripts/fuzz.sh builds and runs them; the tests run the seeds alone.
#ifndef TIDE_FUZZ_H
#define TIDE_FUZZ_H

#include "base/memory.h"
#include "formats/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline void fuzz_expect(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

// As `reader` is tide_mesh_format's read.
typedef tide_status fuzz_reader(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);

static inline void fuzz_write_and_read(const tide_mesh *mesh, const tide_mesh_format *format)
{
    tide_error error;
    const tide_mesh_data no_data = { 0 };
    tide_text text = { 0 };
    tide_mesh *again = NULL;
    fuzz_expect(format->write(mesh, &no_data, &text, &error) == TIDE_OK && !text.failed, "a mesh could not be written");
    if (format->read(text.bytes, text.length, "again", &again, &error) != TIDE_OK) {
        char message[1024];
        fprintf(stderr, "%s\n", tide_error_text(&error, message, sizeof message));
        fuzz_expect(false, "what was written could not be read");
    }
    fuzz_expect(again->hash == mesh->hash, "what was written was read back otherwise");
    tide_mesh_release(again);
    tide_text_free(&text);
}

static inline bool fuzz_note_largest(size_t size, void *largest)
{
    if (size > *(size_t *)largest)
        *(size_t *)largest = size;
    return false;
}

static inline int fuzz_read(fuzz_reader *read, const tide_mesh_format *format, const uint8_t *bytes, size_t size)
{
    tide_mesh *mesh = NULL;
    tide_error error = { 0 };
    uint64_t blocks = tide_memory_count().blocks;
    size_t largest = 0;
    tide_memory_set_failure_hook(fuzz_note_largest, &largest);
    tide_status status = read((const char *)bytes, size, "fuzz", &mesh, &error);
    tide_memory_set_failure_hook(NULL, NULL);
    // However much a file claims to hold: a byte of it brings a bounded number of items.
    fuzz_expect(largest < 200 * size + 10000, "too much memory for so few bytes");
    if (status == TIDE_OK) {
        tide_mesh_report report;
        fuzz_expect(tide_mesh_check(mesh, &report, &error) == TIDE_OK, "a mesh could not be checked");
        if (format && format->write)
            fuzz_write_and_read(mesh, format);
        tide_mesh_release(mesh);
    } else
        fuzz_expect(!mesh && error.where[0] && error.remedy[0], "a failure without a mesh left, place or remedy");
    fuzz_expect(tide_memory_count().blocks == blocks, "memory was left behind");
    return 0;
}

#endif
