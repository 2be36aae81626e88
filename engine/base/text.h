// A string that grows, for writers of files and messages.
#ifndef TIDE_BASE_TEXT_H
#define TIDE_BASE_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct tide_text {
    char *bytes; // zero-terminated once anything was added; NULL before
    size_t length, capacity;
    bool failed; // an allocation failed; what was added since is lost
} tide_text;     // { 0 } is the empty text

void tide_text_add(tide_text *text, const void *bytes, size_t size);
__attribute__((format(printf, 2, 3))) void tide_text_format(tide_text *text, const char *format, ...);
// Writes the text to a file, whole or not at all (output_file.h, which also tells of `kinds`; without it any). `object`
// is what a message calls the file. A text that failed is TIDE_ERROR_MEMORY.
tide_status tide_text_save(const tide_text *text, const char *path, const char *object, tide_error *error);
tide_status tide_text_save_as(const tide_text *text, const char *path, const char *object, unsigned kinds,
                              tide_error *error);
void tide_text_clear(tide_text *text); // empties it and keeps the memory
void tide_text_free(tide_text *text);

#endif
