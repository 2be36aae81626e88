// Legacy VTK files (Schroeder, Martin and Lorensen, The Visualization Toolkit), which are only written: text of version
// 3.0, an unstructured grid of lines (edges without a face), triangles and
// tetrahedra. In a FIELD of the grid, the array springtide_edges says that the lines are all edges of the mesh, and
// springtide_skips (2 numbers each) holds the skips. Texture coordinates are the array "texture" of the points.
#include "formats/reading.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 3, TRIANGLE = 5, TETRAHEDRON = 10 }; // cell types of VTK

static void write_tuples(tide_text *text, const uint32_t *tuples, uint32_t width, uint32_t count, bool counted)
{
    for (size_t i = 0; i < count; i++) {
        char line[64];
        const uint32_t *t = tuples + width * i;
        int length = counted ? snprintf(line, sizeof line, "%u ", width) : 0;
        for (uint32_t k = 0; k < width; k++)
            length += snprintf(line + length, sizeof line - (size_t)length, "%u%c", t[k], k + 1 < width ? ' ' : '\n');
        tide_text_add(text, line, (size_t)length);
    }
}

static void write_types(tide_text *text, int type, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        tide_text_format(text, "%d\n", type);
}

static void write_reals(tide_text *text, const double *numbers, size_t width, size_t count)
{
    for (size_t i = 0; i < width * count; i++) {
        tide_text_add_real(text, numbers[i]);
        tide_text_add(text, i % width + 1 < width ? " " : "\n", 1);
    }
}

static size_t count_arrays(const tide_mesh_numbers *numbers)
{
    size_t count = 0;
    while (numbers[count].name)
        count++;
    return count;
}

static void write_point_data(const tide_mesh *mesh, const tide_mesh_data *data, tide_text *text)
{
    size_t arrays = count_arrays(data->vertices) + (mesh->texture != NULL);
    if (arrays)
        tide_text_format(text, "POINT_DATA %u\nFIELD FieldData %zu\n", mesh->vertex_count, arrays);
    if (mesh->texture) {
        tide_text_format(text, "texture 2 %u double\n", mesh->vertex_count);
        write_reals(text, mesh->texture, 2, mesh->vertex_count);
    }
    for (const tide_mesh_numbers *n = data->vertices; n->name; n++) {
        tide_text_format(text, "%s %d %u double\n", n->name, n->width, mesh->vertex_count);
        write_reals(text, n->values, (size_t)n->width, mesh->vertex_count);
    }
}

// The lists of numbers of the cells, in the order of the cells.
typedef struct cell_list {
    const tide_mesh_numbers *numbers;
    uint32_t count;
} cell_list;

static const tide_mesh_numbers *find_numbers(const tide_mesh_numbers *numbers, const char *name)
{
    while (numbers->name && strcmp(numbers->name, name) != 0)
        numbers++;
    return numbers->name ? numbers : NULL;
}

// Returns whether a list before the one at `last` has an array of this name.
static bool is_written(const cell_list *lists, int last, const char *name)
{
    for (int i = 0; i < last; i++)
        if (find_numbers(lists[i].numbers, name))
            return true;
    return false;
}

static void write_cell_array(tide_text *text, const cell_list lists[3], const tide_mesh_numbers *like, uint64_t cells)
{
    tide_text_format(text, "%s %d %llu double\n", like->name, like->width, (unsigned long long)cells);
    for (int i = 0; i < 3; i++) {
        const tide_mesh_numbers *n = find_numbers(lists[i].numbers, like->name);
        if (n)
            write_reals(text, n->values, (size_t)n->width, lists[i].count);
        for (size_t c = 0; !n && c < lists[i].count; c++)
            tide_text_add(text, "0\n", 2);
    }
}

// Numbers of cells have the width 1.
static void write_cell_data(const cell_list lists[3], uint64_t cells, tide_text *text)
{
    size_t arrays = 0;
    for (int i = 0; i < 3; i++)
        for (const tide_mesh_numbers *n = lists[i].numbers; n->name; n++)
            arrays += !is_written(lists, i, n->name);
    if (arrays)
        tide_text_format(text, "CELL_DATA %llu\nFIELD FieldData %zu\n", (unsigned long long)cells, arrays);
    for (int i = 0; i < 3; i++)
        for (const tide_mesh_numbers *n = lists[i].numbers; n->name; n++)
            if (!is_written(lists, i, n->name))
                write_cell_array(text, lists, n, cells);
}

static tide_status write_mesh(const tide_mesh *mesh, const tide_mesh_data *data, tide_text *text, tide_error *error)
{
    bool derived = false;
    TIDE_TRY(tide_mesh_has_derived_edges(mesh, &derived, error));
    derived = derived && !data->edges[0].name;
    uint32_t lines = derived ? 0 : mesh->edge_count;
    uint64_t cells = (uint64_t)lines + mesh->triangle_count + mesh->tetrahedron_count;
    uint64_t numbers = 3 * (uint64_t)lines + 4 * (uint64_t)mesh->triangle_count + 5 * (uint64_t)mesh->tetrahedron_count;
    bool complete = !derived && cells > lines;
    tide_text_format(text, "# vtk DataFile Version 3.0\nSpringtide\nASCII\nDATASET UNSTRUCTURED_GRID\n");
    tide_text_format(text, "POINTS %u double\n", mesh->vertex_count);
    write_reals(text, mesh->vertices, 3, mesh->vertex_count);
    tide_text_format(text, "CELLS %llu %llu\n", (unsigned long long)cells, (unsigned long long)numbers);
    write_tuples(text, mesh->edges, 2, lines, true);
    write_tuples(text, mesh->triangles, 3, mesh->triangle_count, true);
    write_tuples(text, mesh->tetrahedra, 4, mesh->tetrahedron_count, true);
    tide_text_format(text, "CELL_TYPES %llu\n", (unsigned long long)cells);
    write_types(text, LINE, lines);
    write_types(text, TRIANGLE, mesh->triangle_count);
    write_types(text, TETRAHEDRON, mesh->tetrahedron_count);
    if (complete || mesh->skip_count)
        tide_text_format(text, "FIELD FieldData %d\n", complete + (mesh->skip_count > 0));
    if (complete)
        tide_text_format(text, "springtide_edges 1 1 int\n1\n");
    if (mesh->skip_count)
        tide_text_format(text, "springtide_skips 2 %u int\n", mesh->skip_count);
    write_tuples(text, mesh->skips, 2, mesh->skip_count, false);
    const cell_list lists[3] = { { data->edges, lines },
                                 { data->triangles, mesh->triangle_count },
                                 { data->tetrahedra, mesh->tetrahedron_count } };
    write_point_data(mesh, data, text);
    write_cell_data(lists, cells, text);
    return TIDE_OK;
}

const tide_mesh_format tide_mesh_format_vtk = { ".vtk", "legacy VTK", .write = write_mesh };
