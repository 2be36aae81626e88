// Inputs: everything from outside that changes a running world, as values that can be kept, logged and given again.
#ifndef TIDE_SESSION_INPUTS_H
#define TIDE_SESSION_INPUTS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// Each says which members of tide_input it uses; the others are ignored. Bodies and colliders go by name, vertices and
// springs count from 0.
typedef enum tide_input_kind {
    TIDE_INPUT_NONE,
    TIDE_INPUT_PARAM,      // name = text: a tide.param of the scene, whose script is run again with it; files
    TIDE_INPUT_SOLVER,     // text: "NAME" or "NAME,key=value,..."; NULL or "": the scene's own
    TIDE_INPUT_TIMESTEP,   // number: s; 0: the scene's own; files
    TIDE_INPUT_KEY,        // text: the key's name, as scene.keypressed gets it
    TIDE_INPUT_CLICK,      // point[0], point[1]: pixels; button, as scene.mousepressed gets them
    TIDE_INPUT_PIN,        // name, vertex: held where it is from now on, over later runs of the script, too
    TIDE_INPUT_UNPIN,      // name, vertex
    TIDE_INPUT_DRAG_BEGIN, // name, grip, vertex (and other, of an edge), point: where the hand is, number: N/m of all
    TIDE_INPUT_DRAG_MOVE,  // point: m. What is held keeps its place about the hand
    TIDE_INPUT_DRAG_END,
    TIDE_INPUT_CUT,      // name, springs, spring_count
    TIDE_INPUT_NUDGE,    // name: a collider; point: m that it is moved by, at once
    TIDE_INPUT_RELOAD,   // the script is run again; files: as tide_input_file says
    TIDE_INPUT_RESET,    // to the state at the start
    TIDE_INPUT_REWIND,   // frame: one that the history has
    TIDE_INPUT_RESTORE,  // text, size: a world as tide_live_save_world writes it
    TIDE_INPUT_CONSOLE,  // text: a line of Lua, or several, as script/console.h says; files
    TIDE_INPUT_COLLIDER, // name, text: "friction", "restitution" or "thickness"; number: what it is from now on
    TIDE_INPUT_KINDS
} tide_input_kind;

typedef enum tide_grip { TIDE_GRIP_VERTEX, TIDE_GRIP_EDGE, TIDE_GRIP_BODY } tide_grip;

// A script file with its text. Who asks for a reload gives none: the files are read then, and those that have changed
// since they were read last are told to who observes, so that a log has all it takes to do the same without the files.
typedef struct tide_input_file {
    const char *path; // as the script names it
    const char *text;
    size_t size; // bytes; there may be zeros among them
} tide_input_file;

typedef struct tide_input {
    tide_input_kind kind;
    const char *name, *text;
    size_t size; // of `text`, where it is no string
    double number, point[3];
    uint64_t frame;
    uint32_t vertex, other;
    int button, grip;
    const uint32_t *springs;
    uint32_t spring_count;
    const tide_input_file *files;
    uint32_t file_count;
} tide_input;

const char *tide_input_name(tide_input_kind kind); // "param", "drag_begin": the word of the log

// A copy that owns all it points to.
tide_status tide_input_copy(const tide_input *input, tide_input *copy, tide_error *error);
void tide_input_free(tide_input *copy);

// Checks what can be checked without a world: kind, ranges, finite numbers, what must not be NULL.
tide_status tide_input_check(const tide_input *input, tide_error *error);

// A line of words and numbers without its end: `drag_move 0.1 -2e-17 4`. Numbers come back to the last bit, any bytes
// in strings as they were.
void tide_input_write(const tide_input *input, tide_text *line);
// The input of such a line, to be freed. Nothing in it is trusted: the error says what was expected.
tide_status tide_input_read(const char *line, tide_input *input, tide_error *error);

// The parts of such lines, for files that have more than inputs in them. Readers move *at past what they have read;
// where they fail it stays. A text is written after a space, in quotation marks.
void tide_input_write_text(const char *bytes, size_t size, tide_text *line);
bool tide_input_read_word(const char **at, char *word, size_t size); // up to a space
bool tide_input_read_count(const char **at, uint64_t maximum, uint64_t *value);
bool tide_input_read_real(const char **at, double *value); // finite
// Any bytes, with a zero after them that `size` does not count; to be freed. The second refuses those with a zero.
tide_status tide_input_read_text(const char **at, char **text, size_t *size, tide_error *error);
tide_status tide_input_read_string(const char **at, char **text, tide_error *error);

#endif
