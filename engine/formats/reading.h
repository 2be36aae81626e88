// What readers and writers of mesh files share: scanning text, collecting a mesh's parts, and the notes in which a
// file keeps what its format has no words for.
//
// A note is a comment line of its own, which other programs skip; indices count from 1:
//     #springtide edges                    the edges listed are all that there are (else those of faces are added)
//     #springtide skip A B
//     #springtide tetrahedron A B C D      in OBJ
//     #springtide texture U V              of the vertices in order
#ifndef TIDE_FORMATS_READING_H
#define TIDE_FORMATS_READING_H

#include "base/text.h"
#include "formats/mesh_file.h"
#include "mesh/connectivity.h"

// --- scan.c: a cursor over bytes that need not end in a zero

typedef struct tide_scan {
    const char *begin, *at, *end;
    const char *name;   // of the file, for messages
    const char *object; // what messages call it: "OBJ mesh"
    int line;           // of the cursor, from 1
    bool binary;        // messages tell the byte instead of the line
    const char *note;   // where the first note was passed, or NULL
    int note_line;
} tide_scan;

void tide_scan_skip_blanks(tide_scan *scan); // and comments; stops at the end of the line
void tide_scan_skip_space(tide_scan *scan);  // and comments and ends of lines
void tide_scan_skip_line(tide_scan *scan);   // to the beginning of the next line
// Whether the cursor is at the end of a line or of the text.
bool tide_scan_at_line_end(const tide_scan *scan);
// A word up to space, a comment or the end; the length is 0 at an end.
size_t tide_scan_word_length(const tide_scan *scan);
bool tide_scan_take_word(tide_scan *scan, const char *word);    // passes it when it comes next, whole
bool tide_scan_take_keyword(tide_scan *scan, const char *word); // the same in either case of its letters
// Numbers in decimal, whatever the locale. False, with the cursor where it was, when what comes next is none. A real
// that is too large becomes infinite. An integer may also be followed by '/'.
bool tide_scan_take_integer(tide_scan *scan, int64_t *number);
bool tide_scan_take_real(tide_scan *scan, double *number);
// Fail at the cursor's line or byte: `what` came, or with `expected`, what comes next is not what was expected.
__attribute__((format(printf, 4, 5))) tide_status tide_scan_fail(const tide_scan *scan, tide_error *error,
                                                                 const char *what, const char *remedy, ...);
tide_status tide_scan_expected(const tide_scan *scan, tide_error *error, const char *what, const char *expected);

// Adds a number so that it is read back exactly, whatever the locale.
void tide_text_add_real(tide_text *text, double number);
// Adds a line "<before>a b c<after>" with indices from 1.
void tide_text_add_tuple(tide_text *text, const char *before, const uint32_t *tuple, uint32_t width, const char *after);

// --- reading.c

typedef struct tide_indices {
    uint32_t *items;
    size_t count, capacity; // of indices, not of tuples
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
    bool edges_complete; // no others are to be added
} tide_reading;

// Fails when the text is too large.
tide_status tide_reading_begin(tide_reading *reading, const char *bytes, size_t size, const char *name,
                               const char *object, tide_error *error);
// Reads the notes and makes the mesh.
tide_status tide_reading_finish(tide_reading *reading, tide_mesh **mesh, tide_error *error);
void tide_reading_free(tide_reading *reading);

tide_status tide_reading_add_indices(tide_reading *reading, tide_indices *list, const uint32_t *tuple, uint32_t width,
                                     tide_error *error);
tide_status tide_reading_add_reals(tide_reading *reading, tide_reals *list, const double *numbers, uint32_t count,
                                   tide_error *error);
// A finite number; `what` is what it is: "vertex coordinate".
tide_status tide_reading_real(tide_reading *reading, const char *what, double *number, tide_error *error);
// Indices from 1 to `vertex_count`, all different, become indices from 0. `what`: "triangle".
tide_status tide_reading_tuple(tide_reading *reading, const char *what, uint32_t width, size_t vertex_count,
                               uint32_t *tuple, tide_error *error);

// An index as the file has it, from `first` to first + vertex_count - 1, becomes one from 0. `what`: "face vertex".
tide_status tide_reading_index(tide_reading *reading, const char *what, double number, uint32_t first,
                               size_t vertex_count, uint32_t *index, tide_error *error);

typedef enum tide_cell {
    TIDE_CELL_NONE,
    TIDE_CELL_LINE,    // through any number of corners
    TIDE_CELL_POLYGON, // becomes a fan of triangles from its first corner
    TIDE_CELL_STRIP,   // of triangles, every other one turned
    TIDE_CELL_TETRAHEDRON
} tide_cell;
// Adds what the corners (indices from 0, all of them valid) describe; fails when there are too few or when an edge,
// triangle or tetrahedron names one twice. `first` is what the file calls the first vertex.
tide_status tide_reading_add_cell(tide_reading *reading, tide_cell cell, const char *what, const uint32_t *corners,
                                  size_t count, uint32_t first, tide_error *error);

// Whether the mesh's edges are those that tide_mesh_create makes when it is given none.
tide_status tide_mesh_has_derived_edges(const tide_mesh *mesh, bool *derived, tide_error *error);
void tide_mesh_write_skip_notes(const tide_mesh *mesh, tide_text *text);
void tide_mesh_write_texture_notes(const tide_mesh *mesh, tide_text *text);

// --- numbers.c: numbers as text, separated by any space, or as bytes

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

// The next number, which must be finite, and whole when its type is. `what` is what it is: "vertex coordinate".
tide_status tide_reading_number(tide_reading *reading, tide_encoding encoding, tide_number_type type, const char *what,
                                double *number, tide_error *error);
// A number of items, at least 0: those that follow need `each` bytes, or as text `each` numbers.
tide_status tide_reading_count(tide_reading *reading, tide_encoding encoding, const char *what, double number,
                               size_t each, size_t *count, tide_error *error);
// Before each item of a list that a count announced: fails where text goes on with a word or ends, as there are fewer
// items then. `list` is what it is: "Vertices".
tide_status tide_reading_expect_item(tide_reading *reading, tide_encoding encoding, const char *list, size_t found,
                                     size_t count, tide_error *error);
// Passes `count` numbers of no interest, whatever they are.
tide_status tide_reading_pass(tide_reading *reading, tide_encoding encoding, tide_number_type type, const char *what,
                              size_t count, tide_error *error);
void tide_text_add_float64(tide_text *text, double number);  // 8 bytes, little endian
void tide_text_add_uint32(tide_text *text, uint32_t number); // 4 bytes, little endian

// --- mesh_file.c and a file for each format

tide_status tide_mesh_write_vtk(const tide_mesh *mesh, tide_text *text, tide_error *error);

// Files of TetGen; without `ele` and `face` (NULL) the mesh is of vertices alone.
typedef struct tide_mesh_bytes {
    const char *bytes;
    size_t size;
    const char *name; // for messages
} tide_mesh_bytes;
tide_status tide_mesh_read_tetgen(const tide_mesh_bytes *nodes, const tide_mesh_bytes *ele, const tide_mesh_bytes *face,
                                  tide_mesh **mesh, tide_error *error);

// `mesh file "path"`, shortened at its beginning where it would not fit.
char *tide_mesh_file_name(const char *path, char *text, size_t size);

typedef struct tide_mesh_format {
    const char *extension, *name;
    tide_status (*read)(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
    // Fails when there is no memory; `text` may also say so. NULL where files are only read.
    tide_status (*write)(const tide_mesh *mesh, tide_text *text, tide_error *error);
    // Takes the place of `read` where a mesh is more than one file.
    tide_status (*load)(const char *path, tide_mesh **mesh, tide_error *error);
    const char *const *parts; // the extensions of these files, NULL at the end; NULL where there is one
} tide_mesh_format;
extern const tide_mesh_format tide_mesh_format_obj, tide_mesh_format_ply, tide_mesh_format_stl, tide_mesh_format_medit,
    tide_mesh_format_tetgen_node, tide_mesh_format_tetgen_ele, tide_mesh_format_gmsh, tide_mesh_format_vtk;

// tide_mesh_save for files of these kinds (base/output_file.h).
tide_status tide_mesh_save_as(const tide_mesh *mesh, const char *path, unsigned kinds, tide_error *error);

// All of a file, allocated for the caller.
tide_status tide_mesh_file_bytes(const char *path, char **bytes, size_t *size, tide_error *error);
// The path, which has one, with another extension in the case of its own: "A.NODE" and ".ele" make "A.ELE". Cut where
// `size` ends.
void tide_mesh_file_beside(const char *path, const char *extension, char *out, size_t size);

#endif
