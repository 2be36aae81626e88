// Legacy VTK files (Schroeder, Martin and Lorensen, The Visualization Toolkit), which are only written: text of version
// 3.0, an unstructured grid of lines (edges without a face), triangles and
// tetrahedra. In a FIELD of the grid, the array springtide_edges says that the lines are all edges of the mesh, and
// springtide_skips (2 numbers each) holds the skips. Texture coordinates are the array "texture" of the points.
#include "formats/reading.h"

#include <stdio.h>

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

static tide_status write_mesh(const tide_mesh *mesh, tide_text *text, tide_error *error)
{
    bool derived = false;
    TIDE_TRY(tide_mesh_has_derived_edges(mesh, &derived, error));
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
    if (mesh->texture) {
        tide_text_format(text, "POINT_DATA %u\nFIELD FieldData 1\ntexture 2 %u double\n", mesh->vertex_count,
                         mesh->vertex_count);
        write_reals(text, mesh->texture, 2, mesh->vertex_count);
    }
    return TIDE_OK;
}

const tide_mesh_format tide_mesh_format_vtk = { ".vtk", "legacy VTK", .write = write_mesh };
