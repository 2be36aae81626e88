// Inputs: every external change of a running world as a value that can be stored, logged and applied again.
#ifndef TIDE_SESSION_INPUTS_H
#define TIDE_SESSION_INPUTS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// Each kind uses the listed members of tide_input and ignores the others. Bodies and colliders are given by name;
// vertices and elements count from 0.
typedef enum tide_input_kind {
    TIDE_INPUT_NONE,
    TIDE_INPUT_PARAM,      // name = text: a tide.param of the scene, whose script runs again with it; files
    TIDE_INPUT_SOLVER,     // text: "NAME" or "NAME,key=value,..."; NULL or "": the scene's own solver
    TIDE_INPUT_TIMESTEP,   // number: s; 0: the scene's own timestep; files
    TIDE_INPUT_KEY,        // text: the key's name, as scene.keypressed gets it
    TIDE_INPUT_CLICK,      // point[0], point[1]: pixels; button: both as scene.mousepressed gets them
    TIDE_INPUT_PIN,        // name, vertex: fixes it where it is; the pin also outlasts later runs of the script
    TIDE_INPUT_UNPIN,      // name, vertex
    TIDE_INPUT_DRAG_BEGIN, // name, grip, vertex (and other, for an edge), point: the hand, number: N/m in total
    TIDE_INPUT_DRAG_MOVE,  // point: m. What is held keeps its offset from the hand
    TIDE_INPUT_DRAG_END,
    TIDE_INPUT_CUT,           // name, elements, element_count
    TIDE_INPUT_MOVE_COLLIDER, // name: a collider; point: its displacement, m, applied at once
    TIDE_INPUT_RELOAD,        // runs the script again; files: as tide_input_file says
    TIDE_INPUT_RESET,         // goes to the initial state
    TIDE_INPUT_REWIND,        // frame: one in the history
    TIDE_INPUT_RESTORE,       // text, size: a world as tide_live_save_world writes it
    TIDE_INPUT_CONSOLE,       // text: one or several lines of Lua, as script/console.h says; files
    TIDE_INPUT_COLLIDER,      // name, text: "friction", "restitution" or "thickness"; number: the new value
    TIDE_INPUT_OPEN,          // name, elements, element_count: faces of the body that open (world/openings.h)
    TIDE_INPUT_KINDS
} tide_input_kind;

typedef enum tide_grip { TIDE_GRIP_VERTEX, TIDE_GRIP_EDGE, TIDE_GRIP_BODY } tide_grip;

// A script file with its text. An input that asks for a reload has no files: the files are then read. Observers get
// those that have changed since the last reading, so that a log suffices to repeat the reload without the files.
typedef struct tide_input_file {
    const char *path; // as the script names it
    const char *text;
    size_t size; // bytes; the text may contain zeros
} tide_input_file;

typedef struct tide_input {
    tide_input_kind kind;
    const char *name, *text;
    size_t size; // bytes of `text`, if it is not a string
    double number, point[3];
    uint64_t frame;
    uint32_t vertex, other;
    int button, grip;
    const uint32_t *elements;
    uint32_t element_count;
    const tide_input_file *files;
    uint32_t file_count;
    void *owner; // of all that a copy points to; NULL: they are borrowed
} tide_input;

const char *tide_input_name(tide_input_kind kind); // the word in logs: "param", "drag_begin"

// Makes a deep copy, which tide_input_free frees.
tide_status tide_input_copy(const tide_input *input, tide_input *copy, tide_error *error);
void tide_input_free(tide_input *copy);

// Checks what needs no world: the kind, ranges, finite numbers, members that must not be NULL.
tide_status tide_input_check(const tide_input *input, tide_error *error);

// Writes the input as one line of words and numbers, without an end of line: `drag_move 0.1 -2e-17 4`. Reading gives
// back numbers and strings exactly, whatever bytes a string has.
void tide_input_write(const tide_input *input, tide_text *line);
// Reads such a line; tide_input_free frees the input. The line is untrusted: the error says what was expected.
tide_status tide_input_read(const char *line, tide_input *input, tide_error *error);

// Read and write the parts of such lines, for files that contain more than inputs. A reader moves *at past what it has
// read; on failure *at is unchanged. A text is written in quotation marks, after a space.
void tide_input_write_text(const char *bytes, size_t size, tide_text *line);
bool tide_input_read_word(const char **at, char *word, size_t size); // up to the next space
bool tide_input_read_count(const char **at, uint64_t maximum, uint64_t *value);
bool tide_input_read_real(const char **at, double *value); // fails unless it is finite
// Read any bytes and add a zero that `size` does not count; the caller frees the text. The second one refuses texts
// that contain a zero.
tide_status tide_input_read_text(const char **at, char **text, size_t *size, tide_error *error);
tide_status tide_input_read_string(const char **at, char **text, tide_error *error);

#endif
