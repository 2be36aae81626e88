// Universal Scene Description as text (.usda): a prim for each part, with its points as time samples. Triangles become
// a Mesh, edges without a triangle BasisCurves, and vertices of a part with neither Points. A time code is a timestep.
// Between frames, USD interpolates points linearly.
#include "formats/motion_writing.h"

#include "base/memory.h"
#include "mesh/loose_edges.h"

#include <ctype.h>
#include <string.h>

// The vertices whose points a prim has.
typedef struct selection {
    const uint32_t *vertices; // NULL: all
    size_t count;
} selection;

// Returns the time code of a frame: timesteps since the first frame.
static double time_code(const tide_motion *motion, uint32_t frame)
{
    return (motion->times[frame] - motion->times[0]) / motion->timestep;
}

static void add_point(tide_text *text, const float *points, const selection *of, size_t i)
{
    const float *p = points + 3 * (of->vertices ? of->vertices[i] : i);
    tide_text_format(text, "%s(%.9g, %.9g, %.9g)", i ? ", " : "", (double)p[0], (double)p[1], (double)p[2]);
}

static void add_samples(tide_text *text, const tide_motion *motion, const tide_motion_part *part, const selection *of)
{
    tide_text_format(text, "        point3f[] points.timeSamples = {\n");
    for (uint32_t f = 0; f < part->frame_count; f++) {
        tide_text_format(text, "            %.9g: [", time_code(motion, part->first_frame + f));
        for (size_t i = 0; i < of->count; i++)
            add_point(text, tide_motion_points(part, f), of, i);
        tide_text_format(text, "],\n");
    }
    tide_text_format(text, "        }\n        float3[] extent.timeSamples = {\n");
    for (uint32_t f = 0; f < part->frame_count; f++) {
        float bounds[6];
        tide_motion_bounds(tide_motion_points(part, f), part->mesh->vertex_count, bounds, bounds + 3);
        tide_text_format(text, "            %.9g: [", time_code(motion, part->first_frame + f));
        add_point(text, bounds, &(selection) { 0 }, 0);
        add_point(text, bounds, &(selection) { 0 }, 1);
        tide_text_format(text, "],\n");
    }
    tide_text_format(text, "        }\n");
}

// Hides a part before its first frame and after its last one.
static void add_visibility(tide_text *text, const tide_motion *motion, const tide_motion_part *part)
{
    uint32_t end = part->first_frame + part->frame_count;
    if (part->frame_count == motion->frame_count)
        return;
    tide_text_format(text, "        token visibility.timeSamples = {\n");
    if (part->first_frame)
        tide_text_format(text, "            0: \"invisible\",\n");
    tide_text_format(text, "            %.9g: \"inherited\",\n", time_code(motion, part->first_frame));
    if (end < motion->frame_count)
        tide_text_format(text, "            %.9g: \"invisible\",\n", time_code(motion, end));
    tide_text_format(text, "        }\n");
}

// Returns whether a name of a part can be that of its prim: letters, digits and _, unlike the names made below.
static bool is_plain(const tide_motion *motion, uint32_t index)
{
    const char *name = motion->parts[index].name, *end = name + strlen(name);
    bool plain = *name && !isdigit((unsigned char)*name);
    for (const char *c = name; *c; c++)
        plain = plain && (unsigned char)*c < 0x80 && (isalnum((unsigned char)*c) || *c == '_');
    for (uint32_t i = 0; i < motion->part_count && plain; i++)
        plain = i == index || strcmp(motion->parts[i].name, name) != 0;
    if (end - name >= 6 && strcmp(end - 6, "_edges") == 0)
        return false;
    while (end > name && isdigit((unsigned char)end[-1]))
        end--;
    return plain && !(*end && end > name && end[-1] == '_');
}

// Begins a prim. A part whose name cannot be a prim's gets one with its number: "left sleeve" may be left_sleeve_2.
static void begin_prim(tide_text *text, const tide_motion *motion, uint32_t index, const char *type, const char *ending)
{
    const tide_motion_part *part = &motion->parts[index];
    tide_text_format(text, "\n    def %s \"", type);
    if (isdigit((unsigned char)part->name[0]))
        tide_text_add(text, "_", 1);
    for (const char *c = part->name; *c; c++)
        tide_text_add(text, (unsigned char)*c < 0x80 && isalnum((unsigned char)*c) ? c : "_", 1);
    if (!is_plain(motion, index))
        tide_text_format(text, "_%u", index + 1);
    tide_text_format(text, "%s\"\n    {\n        custom string springtide:name = ", ending);
    tide_text_add_quoted(text, part->name);
    tide_text_format(text, "\n        color3f[] primvars:displayColor = [(%.6g, %.6g, %.6g)]\n", part->colour[0],
                     part->colour[1], part->colour[2]);
    add_visibility(text, motion, part);
}

static void add_mesh(tide_text *text, const tide_motion *motion, uint32_t index)
{
    const tide_motion_part *part = &motion->parts[index];
    const tide_mesh *mesh = part->mesh;
    begin_prim(text, motion, index, "Mesh", "");
    tide_text_format(text, "        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1\n"
                           "        int[] faceVertexCounts = [");
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        tide_text_format(text, "%s3", i ? ", " : "");
    tide_text_format(text, "]\n        int[] faceVertexIndices = [");
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        tide_text_format(text, "%s%u", i ? ", " : "", mesh->triangles[i]);
    tide_text_format(text, "]\n");
    for (uint32_t i = 0; mesh->texture && i < mesh->vertex_count; i++)
        tide_text_format(text, "%s(%.9g, %.9g)", i ? ", " : "        texCoord2f[] primvars:st = [",
                         mesh->texture[2 * i], mesh->texture[2 * i + 1]);
    if (mesh->texture)
        tide_text_format(text, "] (\n            interpolation = \"vertex\"\n        )\n");
    add_samples(text, motion, part, &(selection) { NULL, mesh->vertex_count });
    tide_text_format(text, "    }\n");
}

static void add_width(tide_text *text, const tide_motion_part *part)
{
    tide_text_format(text, "        float[] widths = [%.6g] (\n            interpolation = \"constant\"\n        )\n",
                     2 * part->radius);
}

// Edges that follow one another make one curve.
static tide_status add_curves(tide_text *text, const tide_motion *motion, uint32_t index, const tide_loose_edges *edges,
                              tide_error *error)
{
    const tide_motion_part *part = &motion->parts[index];
    TIDE_SCOPED uint32_t *vertices = tide_allocate_array(edges->count, 2 * sizeof *vertices);
    if (!vertices)
        return tide_fail_memory(error, "curves");
    begin_prim(text, motion, index, "BasisCurves", part->mesh->triangle_count ? "_edges" : "");
    tide_text_format(text, "        uniform token type = \"linear\"\n        int[] curveVertexCounts = [");
    size_t count = 0, start = 0;
    for (uint32_t e = 0; e < edges->count; e++) {
        const uint32_t *edge = edges->vertices + 2 * (size_t)e;
        if (count == 0 || vertices[count - 1] != edge[0]) {
            if (count)
                tide_text_format(text, "%zu, ", count - start);
            start = count;
            vertices[count++] = edge[0];
        }
        vertices[count++] = edge[1];
    }
    tide_text_format(text, "%zu]\n", count - start);
    add_width(text, part);
    add_samples(text, motion, part, &(selection) { vertices, count });
    tide_text_format(text, "    }\n");
    return TIDE_OK;
}

static tide_status add_part(tide_text *text, const tide_motion *motion, uint32_t index, tide_error *error)
{
    const tide_motion_part *part = &motion->parts[index];
    tide_loose_edges edges = { 0 };
    TIDE_TRY(tide_loose_edges_find(part->mesh, &edges, error));
    TIDE_SCOPED uint32_t *owned = edges.vertices;
    (void)owned;
    if (part->mesh->triangle_count)
        add_mesh(text, motion, index);
    if (edges.count)
        TIDE_TRY(add_curves(text, motion, index, &edges, error));
    if (part->mesh->triangle_count || edges.count)
        return TIDE_OK;
    begin_prim(text, motion, index, "Points", "");
    add_width(text, part);
    add_samples(text, motion, part, &(selection) { NULL, part->mesh->vertex_count });
    tide_text_format(text, "    }\n");
    return TIDE_OK;
}

static tide_status write_usda(const tide_motion *motion, tide_text *text, tide_error *error)
{
    double rate = 1 / motion->timestep;
    tide_text_format(text,
                     "#usda 1.0\n(\n    defaultPrim = \"scene\"\n    doc = \"Springtide\"\n    metersPerUnit = 1\n"
                     "    upAxis = \"%s\"\n    startTimeCode = 0\n    endTimeCode = %.9g\n"
                     "    timeCodesPerSecond = %.9g\n    framesPerSecond = %.9g\n)\n\ndef Xform \"scene\"\n{",
                     motion->up == 2 ? "Z" : "Y", time_code(motion, motion->frame_count - 1), rate, rate);
    for (uint32_t p = 0; p < motion->part_count; p++)
        TIDE_TRY(add_part(text, motion, p, error));
    tide_text_format(text, "}\n");
    return TIDE_OK;
}

const tide_motion_format tide_motion_format_usda = { ".usda", write_usda };
