// Control characters in text from outside. A terminal executes them, and another program's script may end a line at
// them, so names and messages must not contain them. Text is UTF-8.
#ifndef TIDE_BASE_CHARACTERS_H
#define TIDE_BASE_CHARACTERS_H

#include <stddef.h>

// Returns the number of bytes of the character at `text`, which has `length` > 0 bytes left. Returns 0 for a control
// character (U+0000 to U+001F, U+007F to U+009F), or if no valid UTF-8 character begins here.
size_t tide_printable_length(const char *text, size_t length);
// Returns the first such byte of a zero-terminated text, or NULL.
const char *tide_find_unprintable(const char *text);
// Returns the first one-byte control character (1 to 31 and 127), or NULL. For file names, which need not be UTF-8.
const char *tide_find_control(const char *text);

// Writes `length` bytes in a form that is safe for a terminal: newline and tab stay, any other byte that is not
// printable becomes \xNN. The result is zero-terminated and truncated at `size`. Returns `out`.
char *tide_visible_text(const char *text, size_t length, char *out, size_t size);

#endif
