// Control characters in text from outside. A terminal obeys them, a script of another program ends a line at them, so
// names and messages must not hold them. Text is UTF-8.
#ifndef TIDE_BASE_CHARACTERS_H
#define TIDE_BASE_CHARACTERS_H

#include <stddef.h>

// Bytes of the character at `text`, which has `length` > 0 bytes left. 0: it is a control character (U+0000 to U+001F,
// U+007F to U+009F), or the byte begins no valid UTF-8 character.
size_t tide_printable_length(const char *text, size_t length);
// The first such byte of a zero-terminated text, or NULL when there is none.
const char *tide_find_unprintable(const char *text);
// The first control character of one byte (1 to 31 and 127), or NULL. For names of files, which need not be UTF-8.
const char *tide_find_control(const char *text);

// Writes `length` bytes so that a terminal shows them and obeys none of them: newline and tab stay, any other byte that
// is not printable becomes \xNN. Ends with a zero and is cut where `size` ends. Returns `out`.
char *tide_visible_text(const char *text, size_t length, char *out, size_t size);

#endif
