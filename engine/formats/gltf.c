// glTF 2.0 (Khronos Group 2021), binary (.glb) or as JSON with the buffer in it (.gltf). A part is a node with a mesh.
// Its positions are those of its first frame; each later frame is a morph target, the displacements from the first. An
// animation moves the weights from target to target, so that a viewer interpolates positions between frames. A part
// that is not there in every frame has the scale 0 in the others.
#include "formats/motion_writing.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "formats/base64.h"
#include "mesh/loose_edges.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FLOAT = 5126, UINT32 = 5125, VERTICES = 34962, INDICES = 34963 }; // of OpenGL
enum { POINTS = 0, LINES = 1, TRIANGLES = 4 };                           // modes of primitives

// The file as it grows. Each text is a list of JSON, whose items are separated by commas.
typedef struct gltf {
    const tide_motion *motion;
    tide_text bytes; // of the buffer
    tide_text views, accessors, meshes, nodes, materials, samplers, channels;
    uint32_t view_count, accessor_count, sampler_count;
    const tide_motion_part *weighted; // the part whose weights were written last; parts of the same frames share them
    uint32_t weight_sampler;
} gltf;

static void free_gltf(gltf *file)
{
    tide_text *texts[] = { &file->bytes, &file->views,     &file->accessors, &file->meshes,
                           &file->nodes, &file->materials, &file->samplers,  &file->channels };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        tide_text_free(texts[i]);
}

// --- the buffer, its views and accessors -----------------------------------------------------------------------------

// Words are little-endian; floats are added by their bits.
static void add_words(gltf *file, const void *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, sizeof word);
        const unsigned char bytes[4] = { (unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                         (unsigned char)(word >> 24) };
        tide_text_add(&file->bytes, bytes, sizeof bytes);
    }
}

static void separate(tide_text *list)
{
    if (list->length)
        tide_text_add(list, ",\n", 2);
}

// Adds a view of the bytes from `start` on. `target` and `stride` 0: none
static uint32_t add_view(gltf *file, size_t start, int target, int stride)
{
    separate(&file->views);
    tide_text_format(&file->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", start,
                     file->bytes.length - start);
    if (stride)
        tide_text_format(&file->views, ",\"byteStride\":%d", stride);
    if (target)
        tide_text_format(&file->views, ",\"target\":%d", target);
    tide_text_format(&file->views, "}");
    return file->view_count++;
}

static void add_bounds(tide_text *text, const char *name, const float *numbers, int width)
{
    tide_text_format(text, ",\"%s\":[", name);
    for (int k = 0; k < width; k++)
        tide_text_format(text, "%s%.9g", k ? "," : "", (double)numbers[k]);
    tide_text_format(text, "]");
}

static uint32_t add_accessor(gltf *file, uint32_t view, size_t offset, int component, const char *type, size_t count)
{
    separate(&file->accessors);
    tide_text_format(&file->accessors,
                     "{\"bufferView\":%u,\"byteOffset\":%zu,\"componentType\":%d,\"type\":\"%s\",\"count\":%zu", view,
                     offset, component, type, count);
    return file->accessor_count++;
}

static void end_accessor(gltf *file)
{
    tide_text_format(&file->accessors, "}");
}

static uint32_t add_numbers(gltf *file, const char *type, const float *numbers, size_t words, size_t count)
{
    size_t start = file->bytes.length;
    add_words(file, numbers, words);
    uint32_t accessor = add_accessor(file, add_view(file, start, 0, 0), 0, FLOAT, type, count);
    end_accessor(file);
    return accessor;
}

static uint32_t add_indices(gltf *file, const uint32_t *indices, size_t count)
{
    size_t start = file->bytes.length;
    add_words(file, indices, count);
    uint32_t accessor = add_accessor(file, add_view(file, start, INDICES, 0), 0, UINT32, "SCALAR", count);
    end_accessor(file);
    return accessor;
}

static uint32_t add_texture(gltf *file, const tide_mesh *mesh)
{
    size_t start = file->bytes.length;
    for (size_t i = 0; i < 2 * (size_t)mesh->vertex_count; i++) {
        float number = (float)(i % 2 ? 1 - mesh->texture[i] : mesh->texture[i]); // glTF counts from the top
        add_words(file, &number, 1);
    }
    uint32_t accessor = add_accessor(file, add_view(file, start, VERTICES, 8), 0, FLOAT, "VEC2", mesh->vertex_count);
    end_accessor(file);
    return accessor;
}

// Adds the positions of the first frame and the displacements of the others, all in one view. Returns the first of
// their accessors. `room` is (3 * vertex_count).
static uint32_t add_positions(gltf *file, const tide_motion_part *part, float *room)
{
    const size_t count = part->mesh->vertex_count, start = file->bytes.length;
    const uint32_t view = file->view_count;
    uint32_t first = 0;
    for (uint32_t frame = 0; frame < part->frame_count; frame++) {
        const float *base = tide_motion_points(part, 0), *points = tide_motion_points(part, frame);
        for (size_t i = 0; i < 3 * count; i++)
            room[i] = frame ? points[i] - base[i] : points[i];
        float lower[3], upper[3];
        tide_motion_bounds(room, count, lower, upper);
        uint32_t accessor = add_accessor(file, view, file->bytes.length - start, FLOAT, "VEC3", count);
        add_bounds(&file->accessors, "min", lower, 3);
        add_bounds(&file->accessors, "max", upper, 3);
        end_accessor(file);
        add_words(file, room, 3 * count);
        first = frame ? first : accessor;
    }
    add_view(file, start, VERTICES, 12);
    return first;
}

// --- meshes ----------------------------------------------------------------------------------------------------------

typedef struct attributes {
    uint32_t positions, texture; // accessors; the targets follow `positions`
    uint32_t target_count, material;
} attributes;

static void add_primitive(gltf *file, const attributes *a, bool textured, int mode, int64_t indices, bool first)
{
    tide_text *text = &file->meshes;
    tide_text_format(text, "%s{\"attributes\":{\"POSITION\":%u", first ? "" : ",", a->positions);
    if (textured)
        tide_text_format(text, ",\"TEXCOORD_0\":%u", a->texture);
    tide_text_format(text, "},\"mode\":%d,\"material\":%u", mode, a->material);
    if (indices >= 0)
        tide_text_format(text, ",\"indices\":%" PRId64, indices);
    for (uint32_t t = 0; t < a->target_count; t++)
        tide_text_format(text, "%s{\"POSITION\":%u}", t ? "," : ",\"targets\":[", a->positions + 1 + t);
    tide_text_format(text, "%s}", a->target_count ? "]" : "");
}

// Adds triangles, and lines where edges have no triangle; for a part with neither, its points.
static tide_status add_mesh(gltf *file, const tide_motion_part *part, uint32_t index, tide_error *error)
{
    const tide_mesh *mesh = part->mesh;
    tide_loose_edges edges = { 0 };
    TIDE_TRY(tide_loose_edges_find(mesh, &edges, error));
    TIDE_SCOPED uint32_t *lines = edges.vertices;
    TIDE_SCOPED float *room = tide_allocate_array(mesh->vertex_count, 3 * sizeof *room);
    if (!room)
        return tide_fail_memory(error, "glTF");
    attributes a = { .target_count = part->frame_count - 1, .material = index };
    a.positions = add_positions(file, part, room);
    a.texture = mesh->texture ? add_texture(file, mesh) : 0;
    separate(&file->meshes);
    tide_text_format(&file->meshes, "{\"name\":");
    tide_text_add_quoted(&file->meshes, part->name);
    tide_text_format(&file->meshes, ",\"primitives\":[");
    if (mesh->triangle_count)
        add_primitive(file, &a, mesh->texture, TRIANGLES,
                      add_indices(file, mesh->triangles, 3 * (size_t)mesh->triangle_count), true);
    if (edges.count)
        add_primitive(file, &a, false, LINES, add_indices(file, lines, 2 * (size_t)edges.count), !mesh->triangle_count);
    if (!mesh->triangle_count && !edges.count)
        add_primitive(file, &a, false, POINTS, -1, true);
    tide_text_format(&file->meshes, "]");
    for (uint32_t t = 0; t < a.target_count; t++)
        tide_text_format(&file->meshes, "%s0", t ? "," : ",\"weights\":[");
    tide_text_format(&file->meshes, "%s}", a.target_count ? "]" : "");
    return TIDE_OK;
}

// glTF has linear colours.
static double linear(double s)
{
    return s <= 0.04045 ? s / 12.92 : tide_pow((s + 0.055) / 1.055, 2.4);
}

static void add_material(gltf *file, const tide_motion_part *part)
{
    separate(&file->materials);
    tide_text_format(&file->materials, "{\"name\":");
    tide_text_add_quoted(&file->materials, part->name);
    tide_text_format(&file->materials,
                     ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.6g,%.6g,%.6g,1],\"metallicFactor\":0,"
                     "\"roughnessFactor\":0.8},\"doubleSided\":true}",
                     linear(part->colour[0]), linear(part->colour[1]), linear(part->colour[2]));
}

// --- the animation ---------------------------------------------------------------------------------------------------

// Seconds since the first frame, in single precision and still ascending.
static void find_times(const tide_motion *motion, float *times)
{
    for (uint32_t i = 0; i < motion->frame_count; i++) {
        times[i] = (float)(motion->times[i] - motion->times[0]);
        if (i && !(times[i] > times[i - 1]))
            times[i] = nextafterf(times[i - 1], INFINITY);
    }
}

static uint32_t add_times(gltf *file, const float *times, uint32_t count)
{
    size_t start = file->bytes.length;
    add_words(file, times, count);
    uint32_t accessor = add_accessor(file, add_view(file, start, 0, 0), 0, FLOAT, "SCALAR", count);
    add_bounds(&file->accessors, "min", times, 1);
    add_bounds(&file->accessors, "max", times + count - 1, 1);
    end_accessor(file);
    return accessor;
}

static uint32_t add_sampler(gltf *file, uint32_t input, uint32_t output, const char *interpolation)
{
    separate(&file->samplers);
    tide_text_format(&file->samplers, "{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}", input, output,
                     interpolation);
    return file->sampler_count++;
}

static void add_channel(gltf *file, uint32_t sampler, uint32_t node, const char *path)
{
    separate(&file->channels);
    tide_text_format(&file->channels, "{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", sampler, node, path);
}

// Adds the weights: in frame f after the first, target f has weight 1 and the others 0.
static tide_status animate_weights(gltf *file, const tide_motion_part *part, uint32_t node, const float *times,
                                   tide_error *error)
{
    uint32_t frames = part->frame_count, targets = frames - 1;
    if (targets == 0)
        return TIDE_OK;
    const tide_motion_part *last = file->weighted;
    if (!last || last->first_frame != part->first_frame || last->frame_count != frames) {
        TIDE_SCOPED float *row = tide_allocate_zeroed(targets, sizeof *row);
        if (!row)
            return tide_fail_memory(error, "glTF");
        uint32_t input = add_times(file, times + part->first_frame, frames);
        size_t start = file->bytes.length;
        for (uint32_t f = 0; f < frames; f++) {
            for (uint32_t t = 0; t < targets; t++)
                row[t] = t + 1 == f;
            add_words(file, row, targets);
        }
        uint32_t output = add_accessor(file, add_view(file, start, 0, 0), 0, FLOAT, "SCALAR", (size_t)frames * targets);
        end_accessor(file);
        file->weight_sampler = add_sampler(file, input, output, "LINEAR");
        file->weighted = part;
    }
    add_channel(file, file->weight_sampler, node, "weights");
    return TIDE_OK;
}

// Hides a part, by its scale, before its first frame and after its last one.
static void animate_presence(gltf *file, const tide_motion_part *part, uint32_t node, const float *times)
{
    float keys[3], scales[9];
    uint32_t end = part->first_frame + part->frame_count, count = 0;
    const struct {
        bool given;
        uint32_t frame;
        float scale;
    } changes[] = { { part->first_frame > 0, 0, 0 },
                    { true, part->first_frame, 1 },
                    { end < file->motion->frame_count, end, 0 } };
    for (int c = 0; c < 3; c++) {
        if (!changes[c].given)
            continue;
        keys[count] = times[changes[c].frame];
        for (int k = 0; k < 3; k++)
            scales[3 * count + (uint32_t)k] = changes[c].scale;
        count++;
    }
    if (count == 1)
        return;
    uint32_t input = add_times(file, keys, count);
    add_channel(file, add_sampler(file, input, add_numbers(file, "VEC3", scales, 3 * (size_t)count, count), "STEP"),
                node, "scale");
}

// --- the file --------------------------------------------------------------------------------------------------------

static tide_status add_parts(gltf *file, tide_error *error)
{
    const tide_motion *motion = file->motion;
    TIDE_SCOPED float *times = tide_allocate_array(motion->frame_count, sizeof *times);
    if (!times)
        return tide_fail_memory(error, "glTF");
    find_times(motion, times);
    for (uint32_t p = 0; p < motion->part_count; p++) {
        const tide_motion_part *part = &motion->parts[p];
        add_material(file, part);
        TIDE_TRY(add_mesh(file, part, p, error));
        separate(&file->nodes);
        tide_text_format(&file->nodes, "{\"name\":");
        tide_text_add_quoted(&file->nodes, part->name);
        tide_text_format(&file->nodes, ",\"mesh\":%u}", p);
        TIDE_TRY(animate_weights(file, part, p, times, error));
        animate_presence(file, part, p, times);
    }
    return TIDE_OK;
}

static void add_list(tide_text *out, const char *name, const tide_text *list)
{
    tide_text_format(out, ",\n\"%s\":[\n", name);
    if (list->length)
        tide_text_add(out, list->bytes, list->length);
    tide_text_format(out, "]");
}

// In glTF y is up. Parts of a scene whose z is up get a common node that turns them.
static void add_scene(gltf *file, tide_text *json)
{
    uint32_t count = file->motion->part_count;
    bool turned = file->motion->up == 2;
    if (turned) {
        tide_text_format(&file->nodes, ",\n{\"name\":\"z is up\",\"rotation\":[-0.70710678,0,0,0.70710678]");
        for (uint32_t p = 0; p < count; p++)
            tide_text_format(&file->nodes, "%s%u", p ? "," : ",\"children\":[", p);
        tide_text_format(&file->nodes, "]}");
    }
    tide_text_format(json, ",\n\"scene\":0,\n\"scenes\":[{\"nodes\":[");
    for (uint32_t p = 0; p < (turned ? 1 : count); p++)
        tide_text_format(json, "%s%u", p ? "," : "", turned ? count : p);
    tide_text_format(json, "]}]");
}

static void add_animation(gltf *file, tide_text *json)
{
    if (!file->channels.length)
        return;
    tide_text_format(json, ",\n\"animations\":[{\"name\":\"motion\"");
    add_list(json, "samplers", &file->samplers);
    add_list(json, "channels", &file->channels);
    tide_text_format(json, "}]");
}

// Writes the whole JSON; `embed`: with the buffer in it, else the buffer is the next chunk.
static tide_status write_json(gltf *file, bool embed, tide_text *json, tide_error *error)
{
    TIDE_TRY(add_parts(file, error));
    tide_text_format(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Springtide\"}");
    add_scene(file, json);
    const struct {
        const char *name;
        const tide_text *list;
    } lists[] = { { "nodes", &file->nodes },
                  { "meshes", &file->meshes },
                  { "materials", &file->materials },
                  { "accessors", &file->accessors },
                  { "bufferViews", &file->views } };
    bool failed = file->bytes.failed || file->samplers.failed || file->channels.failed;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        add_list(json, lists[i].name, lists[i].list);
        failed = failed || lists[i].list->failed;
    }
    add_animation(file, json);
    tide_text_format(json, ",\n\"buffers\":[{\"byteLength\":%zu", file->bytes.length);
    if (embed) {
        tide_text_format(json, ",\"uri\":\"data:application/octet-stream;base64,");
        tide_base64_add(json, file->bytes.bytes, file->bytes.length);
        tide_text_format(json, "\"");
    }
    tide_text_format(json, "}]}\n");
    return failed || json->failed ? tide_fail_memory(error, "glTF") : TIDE_OK;
}

static tide_status write_gltf(const tide_motion *motion, tide_text *text, tide_error *error)
{
    TIDE_SCOPED_BY(free_gltf) gltf file = { .motion = motion };
    return write_json(&file, true, text, error);
}

static void add_word(tide_text *text, uint64_t word)
{
    for (int k = 0; k < 4; k++)
        tide_text_add(text, &(unsigned char) { (unsigned char)(word >> 8 * k) }, 1);
}

// A header of 12 bytes, then the chunks of JSON and of the buffer; lengths are multiples of 4.
static tide_status write_glb(const tide_motion *motion, tide_text *text, tide_error *error)
{
    TIDE_SCOPED_BY(free_gltf) gltf file = { .motion = motion };
    TIDE_SCOPED_BY(tide_text_free) tide_text json = { 0 };
    TIDE_TRY(write_json(&file, false, &json, error));
    while (json.length % 4)
        tide_text_add(&json, " ", 1);
    uint64_t size = 12 + 8 + (uint64_t)json.length + 8 + file.bytes.length;
    if (size > UINT32_MAX)
        return tide_fail(error, TIDE_ERROR_STATE, "glTF", NULL, NULL,
                         "the file would have more than 4 GiB, which .glb cannot; export fewer frames, or .pc2");
    if (json.failed)
        return tide_fail_memory(error, "glTF");
    tide_text_add(text, "glTF", 4);
    add_word(text, 2);
    add_word(text, size);
    add_word(text, json.length);
    tide_text_add(text, "JSON", 4);
    tide_text_add(text, json.bytes, json.length);
    add_word(text, file.bytes.length);
    tide_text_add(text, "BIN", 4); // with its zero
    tide_text_add(text, file.bytes.bytes, file.bytes.length);
    return TIDE_OK;
}

const tide_motion_format tide_motion_format_glb = { ".glb", write_glb };
const tide_motion_format tide_motion_format_gltf = { ".gltf", write_gltf };
