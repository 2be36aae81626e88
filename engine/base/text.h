// A growing string, for writers of files and messages.
//
//     tide_text text = { 0 };
//     tide_text_format(&text, "%u vertices\n", mesh->vertex_count);
//     status = tide_text_save(&text, "counts.txt", "counts.txt", error);
//     tide_text_free(&text);
//
// Ownership: the text owns its bytes. Errors: additions do not fail at once; a text without memory is marked `failed`.
// Threads: each uses its own text.
#ifndef TIDE_BASE_TEXT_H
#define TIDE_BASE_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct tide_text {
    char *bytes; // zero-terminated after the first addition; NULL before
    size_t length, capacity;
    bool failed; // an allocation failed; later additions are lost
} tide_text;     // { 0 } is the empty text

void tide_text_add(tide_text *text, const void *bytes, size_t size);
__attribute__((format(printf, 2, 3))) void tide_text_format(tide_text *text, const char *format, ...);
// Write the text to a file, whole or not at all. `kinds` are those of output_file.h, by default any. `object` is the
// name of the file in messages. Saving a text that failed is TIDE_ERROR_MEMORY.
tide_status tide_text_save(const tide_text *text, const char *path, const char *object, tide_error *error);
tide_status tide_text_save_as(const tide_text *text, const char *path, const char *object, unsigned kinds,
                              tide_error *error);
void tide_text_clear(tide_text *text); // empties the text and keeps the memory
void tide_text_free(tide_text *text);

#endif
