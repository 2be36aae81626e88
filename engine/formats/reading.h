// Shared by readers and writers of mesh files: scanning text, collecting the parts of a mesh, and the notes for data
// that a format cannot express.
//
// A note is a comment line, which other programs skip; indices count from 1:
//     #springtide edges                    the edges listed are complete (else those of faces are added)
//     #springtide skip A B
//     #springtide tetrahedron A B C D      in OBJ
//     #springtide texture U V              of the vertices in order
#ifndef TIDE_FORMATS_READING_H
#define TIDE_FORMATS_READING_H

#include "base/text.h"
#include "formats/mesh_file.h"
#include "mesh/connectivity.h"

// --- scan.c: a cursor over bytes, which need not be zero-terminated

typedef struct tide_scan {
    const char *begin, *at, *end;
    const char *name;   // of the file, for messages
    const char *object; // its name in messages: "OBJ mesh"
    int line;           // of the cursor, from 1
    bool binary;        // messages name the byte instead of the line
    const char *note;   // the first note seen, or NULL
    int note_line;
} tide_scan;

void tide_scan_skip_blanks(tide_scan *scan); // also skips comments; stops at the end of the line
void tide_scan_skip_space(tide_scan *scan);  // also skips comments and ends of lines
void tide_scan_skip_line(tide_scan *scan);   // to the beginning of the next line
// Tells whether the cursor is at the end of a line or of the text.
bool tide_scan_at_line_end(const tide_scan *scan);
// Returns the length of the word up to space, a comment or the end; 0 at an end.
size_t tide_scan_word_length(const tide_scan *scan);
bool tide_scan_take_word(tide_scan *scan, const char *word);    // skips the word if it is the next one
bool tide_scan_take_keyword(tide_scan *scan, const char *word); // the same, ignoring case
// Read decimal numbers, independent of the locale. Return false, without moving the cursor, when the next word is no
// number. A real that is too large becomes infinite. An integer may also be followed by '/'.
bool tide_scan_take_integer(tide_scan *scan, int64_t *number);
bool tide_scan_take_real(tide_scan *scan, double *number);
// Fail at the line or byte of the cursor, with `what` and a remedy, or with `expected` and the next word of the text.
__attribute__((format(printf, 4, 5))) tide_status tide_scan_fail(const tide_scan *scan, tide_error *error,
                                                                 const char *what, const char *remedy, ...);
tide_status tide_scan_expected(const tide_scan *scan, tide_error *error, const char *what, const char *expected);

// Appends a number that is read back exactly, independent of the locale.
void tide_text_add_real(tide_text *text, double number);
// Appends a line "<before>a b c<after>" with indices from 1.
void tide_text_add_tuple(tide_text *text, const char *before, const uint32_t *tuple, uint32_t width, const char *after);

// --- reading.c

typedef struct tide_indices {
    uint32_t *items;
    size_t count, capacity; // counts of indices, not of tuples
} tide_indices;

typedef struct tide_reals {
    double *items;
    size_t count, capacity;
} tide_reals;

typedef struct tide_reading {
    tide_scan scan;
    tide_reals vertices; // (3 * vertex count)
    tide_reals texture;  // (2 * vertex count) or empty
    tide_indices edges, triangles, tetrahedra, skips;
    bool edges_complete; // no derived edges are added
} tide_reading;

// Fails when the text is too long.
tide_status tide_reading_begin(tide_reading *reading, const char *bytes, size_t size, const char *name,
                               const char *object, tide_error *error);
// Reads the notes and makes the mesh.
tide_status tide_reading_finish(tide_reading *reading, tide_mesh **mesh, tide_error *error);
void tide_reading_free(tide_reading *reading);

tide_status tide_reading_add_indices(tide_reading *reading, tide_indices *list, const uint32_t *tuple, uint32_t width,
                                     tide_error *error);
tide_status tide_reading_add_reals(tide_reading *reading, tide_reals *list, const double *numbers, uint32_t count,
                                   tide_error *error);
// Reads a finite number; `what` names it: "vertex coordinate".
tide_status tide_reading_real(tide_reading *reading, const char *what, double *number, tide_error *error);
// Reads distinct indices from 1 to `vertex_count` and converts them to indices from 0. `what`: "triangle".
tide_status tide_reading_tuple(tide_reading *reading, const char *what, uint32_t width, size_t vertex_count,
                               uint32_t *tuple, tide_error *error);

// Converts an index of the file, from `first` to first + vertex_count - 1, to one from 0. `what`: "face vertex".
tide_status tide_reading_index(tide_reading *reading, const char *what, double number, uint32_t first,
                               size_t vertex_count, uint32_t *index, tide_error *error);

typedef enum tide_cell {
    TIDE_CELL_NONE,
    TIDE_CELL_LINE,    // through any number of corners
    TIDE_CELL_POLYGON, // becomes a fan of triangles from its first corner
    TIDE_CELL_STRIP,   // of triangles, every other one reversed
    TIDE_CELL_TETRAHEDRON
} tide_cell;
// Adds the elements that the corners (valid indices from 0) describe. Fails when there are too few corners, or when an
// edge, triangle or tetrahedron names one twice. `first` is the index of the first vertex in the file.
tide_status tide_reading_add_cell(tide_reading *reading, tide_cell cell, const char *what, const uint32_t *corners,
                                  size_t count, uint32_t first, tide_error *error);

// Sets *derived if the edges are those that tide_mesh_create makes when none are given.
tide_status tide_mesh_has_derived_edges(const tide_mesh *mesh, bool *derived, tide_error *error);
void tide_mesh_write_skip_notes(const tide_mesh *mesh, tide_text *text);
void tide_mesh_write_texture_notes(const tide_mesh *mesh, tide_text *text);

// --- numbers.c: numbers as text, separated by any space, or in binary

typedef enum tide_encoding { TIDE_TEXT, TIDE_LITTLE_ENDIAN, TIDE_BIG_ENDIAN } tide_encoding;

typedef enum tide_number_type {
    TIDE_INT8,
    TIDE_UINT8,
    TIDE_INT16,
    TIDE_UINT16,
    TIDE_INT32,
    TIDE_UINT32,
    TIDE_INT64,
    TIDE_UINT64,
    TIDE_FLOAT32,
    TIDE_FLOAT64
} tide_number_type;
size_t tide_number_size(tide_number_type type); // bytes

// Reads the next number, which must be finite, and whole if its type is. `what` names it: "vertex coordinate".
tide_status tide_reading_number(tide_reading *reading, tide_encoding encoding, tide_number_type type, const char *what,
                                double *number, tide_error *error);
// Checks a count of items, at least 0, each of `each` bytes, or of `each` numbers of text, against the remaining bytes.
tide_status tide_reading_count(tide_reading *reading, tide_encoding encoding, const char *what, double number,
                               size_t each, size_t *count, tide_error *error);
// Expects another item of a list with a count. Fails with fewer items than announced: text that goes on with a word, or
// ends. `list` names the list: "Vertices".
tide_status tide_reading_expect_item(tide_reading *reading, tide_encoding encoding, const char *list, size_t found,
                                     size_t count, tide_error *error);
// Skips `count` numbers, whatever their values.
tide_status tide_reading_pass(tide_reading *reading, tide_encoding encoding, tide_number_type type, const char *what,
                              size_t count, tide_error *error);
void tide_text_add_float64(tide_text *text, double number);  // 8 bytes, little endian
void tide_text_add_uint32(tide_text *text, uint32_t number); // 4 bytes, little endian

// --- mesh_file.c and a file for each format

// Files of TetGen; without `ele` and `face` (NULL) the mesh has only vertices.
typedef struct tide_mesh_bytes {
    const char *bytes;
    size_t size;
    const char *name; // for messages
} tide_mesh_bytes;
tide_status tide_mesh_read_tetgen(const tide_mesh_bytes *nodes, const tide_mesh_bytes *ele, const tide_mesh_bytes *face,
                                  tide_mesh **mesh, tide_error *error);

// Writes `mesh file "path"`; a long path is shortened at its beginning.
char *tide_mesh_file_name(const char *path, char *text, size_t size);

typedef struct tide_mesh_format {
    const char *extension, *name;
    // NULL, as `load`, for formats that are only written.
    tide_status (*read)(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
    // Fails without memory, as does a `text` that failed. `data` is never NULL. NULL for formats that are only read.
    tide_status (*write)(const tide_mesh *mesh, const tide_mesh_data *data, tide_text *text, tide_error *error);
    // Replaces `read` for meshes of more than one file.
    tide_status (*load)(const char *path, tide_mesh **mesh, tide_error *error);
    const char *const *parts; // the extensions of these files, NULL at the end; NULL for one file
} tide_mesh_format;
extern const tide_mesh_format tide_mesh_format_obj, tide_mesh_format_ply, tide_mesh_format_stl, tide_mesh_format_medit,
    tide_mesh_format_tetgen_node, tide_mesh_format_tetgen_ele, tide_mesh_format_gmsh, tide_mesh_format_vtk;

// As tide_mesh_save, for files of these kinds (base/output_file.h).
tide_status tide_mesh_save_as(const tide_mesh *mesh, const char *path, unsigned kinds, tide_error *error);

// Reads a whole file; the caller frees the bytes.
tide_status tide_mesh_file_bytes(const char *path, char **bytes, size_t *size, tide_error *error);
// Replaces the extension of the path, which has one, in the same case: "A.NODE" and ".ele" give "A.ELE". Truncated at
// `size`.
void tide_mesh_file_beside(const char *path, const char *extension, char *out, size_t size);

#endif
