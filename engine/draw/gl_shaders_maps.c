// The shaders of the maps, and the list of all programs. They use the numbers and formulas of lanes_maps.h,
// lanes_openness.h, raster_light.c, raster_openness.c and raster_shadow.c. Change both together.
#include "draw/gl_parts.h"

#define TEXT(...) #__VA_ARGS__

// clang-format off
static const char light_surface_vertex[] = TEXT(
    layout(location = 0) in vec4 place;
    void main() {
        gl_Position = to_light(place.xyz);
    }
);

// The outline of a tube or ball seen from the light: twelve corners, the first half of them around the far end
static const char light_solid_vertex[] = TEXT(
    layout(location = 1) in vec4 solid_from;
    layout(location = 2) in vec4 solid_along;
    void main() {
        vec2 flat_along = vec2(dot(light_u.xyz, solid_along.xyz), dot(light_v.xyz, solid_along.xyz));
        float turned = dot(flat_along, flat_along) > 0.0 ? atan(flat_along.y, flat_along.x) : 0.0;
        float size = max(solid_from.w, 0.7 * towards.w);
        float angle = turned + 3.14159265 * ((float(gl_VertexID) + 0.5) / 6.0 - 0.5);
        vec3 middle = gl_VertexID < 6 ? solid_from.xyz + solid_along.xyz : solid_from.xyz;
        gl_Position = to_light(middle + size * (cos(angle) * light_u.xyz + sin(angle) * light_v.xyz));
        if (solid_along.w == 0.0)
            gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
);

static const char touch_surface_vertex[] = TEXT(
    layout(location = 0) in vec4 place;
    out float nearness;
    void main() {
        nearness = 1.0 - (place.y - ground_place.x) / contact.w;
        gl_Position = to_contact(place.xyz);
    }
);

// A narrow band along the bottom represents a tube or ball.
static const char touch_solid_vertex[] = TEXT(
    layout(location = 1) in vec4 solid_from;
    layout(location = 2) in vec4 solid_along;
    out float nearness;
    void main() {
        float reach = 0.6 * solid_from.w;
        float far = length(solid_along.xz);
        vec2 ahead = far > 0.0 ? solid_along.xz / far * reach : vec2(reach, 0.0);
        vec2 aside = vec2(-ahead.y, ahead.x) * ((gl_VertexID & 1) == 0 ? 1.0 : -1.0);
        bool end = gl_VertexID >= 2;
        vec3 p = solid_from.xyz + (end ? solid_along.xyz : vec3(0.0));
        p.xz += (end ? ahead : -ahead) + aside;
        nearness = 1.0 - (p.y - solid_from.w - ground_place.x) / contact.w;
        gl_Position = solid_along.w == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : to_contact(p);
    }
);

static const char whole_vertex[] = TEXT(
    void main() {
        gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
    }
);

// --- casters --------------------------------------------------------------------------------------------------------

// Reduces the shadow map, or the previous level
static const char pool_fragment[] = TEXT(
    uniform sampler2D light_map;
    uniform sampler2D source;
    uniform vec2 pool; // the first level; how far below the highest caster one merges with it, m
    out vec4 result;
    void main() {
        ivec2 first = 2 * ivec2(gl_FragCoord.xy);
        vec2 found[4];
        float highest = -1e30;
        for (int i = 0; i < 4; i++) {
            ivec2 at = first + ivec2(i & 1, i >> 1);
            if (pool.x > 0.0) {
                float depth = texelFetch(light_map, at, 0).r;
                found[i] = depth < 1.0 ? vec2(light_range.x - depth * light_range.y, 1.0) : vec2(-1e30, 0.0);
            } else
                found[i] = texelFetch(source, at, 0).rg;
            highest = max(highest, found[i].x);
        }
        float cover = 0.0;
        for (int i = 0; i < 4; i++)
            cover += found[i].x >= max(highest - pool.y, -1e29) ? 0.25 * found[i].y : 0.0;
        result = vec4(highest, cover, 0.0, 1.0);
    }
);

// --- openness -------------------------------------------------------------------------------------------------------

// For the openness map, whose texels may reach beyond the picture
static const char near_surface_vertex[] = TEXT(
    layout(location = 0) in vec4 place;
    void main() {
        gl_Position = to_clip(place.xyz);
        gl_Position.xy = gl_Position.xy * open_clip.xy + gl_Position.w * (open_clip.xy - 1.0);
    }
);

// The outline of a tube or ball, a fan about its centre that bulges towards the viewer
static const char near_solid_vertex[] = TEXT(
    layout(location = 1) in vec4 solid_from;
    layout(location = 2) in vec4 solid_along;
    void main() {
        vec3 to = solid_from.xyz + solid_along.xyz;
        vec2 depths = 1.0 / vec2(dot(forward.xyz, solid_from.xyz), dot(forward.xyz, to));
        float focal = right.w * top.w;
        vec2 from_at = focal * vec2(dot(right.xyz, solid_from.xyz), -dot(up.xyz, solid_from.xyz)) * depths.x;
        vec2 to_at = focal * vec2(dot(right.xyz, to), -dot(up.xyz, to)) * depths.y;
        vec2 along = to_at - from_at;
        float turn = dot(along, along) > 0.0 ? atan(along.y, along.x) : 0.0;
        int corner = (gl_VertexID - 1) % 12;
        bool end = corner < 6;
        float angle = turn + 3.14159265 * ((float(corner) + 0.5) / 6.0 - 0.5);
        float middle = 0.5 * (depths.x + depths.y);
        float depth = end ? depths.y : depths.x;
        vec2 at = (end ? to_at : from_at) + focal * solid_from.w * depth * vec2(cos(angle), sin(angle));
        if (gl_VertexID == 0) {
            at = 0.5 * (from_at + to_at);
            depth = middle / (1.0 - solid_from.w * middle);
        }
        vec2 place = (at / vec2(top.w, bottom.w) + shift.xy) * open_clip.xy + (open_clip.xy - 1.0);
        gl_Position = vec4(place, depth_map.x * forward.w * depth + depth_map.y, 1.0);
        if (min(1.0 / depths.x, 1.0 / depths.y) - solid_from.w <= forward.w)
            gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
);

static const char open_shared[] = TEXT(
    uniform sampler2D near_map;
    uniform sampler2D source;
    out vec4 result;
    float depth_at(ivec2 at) {
        return texelFetch(near_map, clamp(at, ivec2(0), ivec2(open_map.yz) - 1), 0).r / forward.w;
    }
    float ball_texels(float depth) {
        return clamp(open_map.w * open_clip.z * depth, 2.0, 22.0);
    }
);

static const char open_fragment[] = TEXT(
    const int turns[16] = int[16](0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5);
    void main() {
        ivec2 at = ivec2(gl_FragCoord.xy);
        float depth = depth_at(at);
        result = vec4(1.0, 0.0, 0.0, 1.0);
        if (depth <= 0.0)
            return;
        float texels = ball_texels(depth);
        float scale = open_clip.z / (texels * depth);
        float taken = 0.0;
        for (int k = 0; k < 4; k++) {
            float away = sqrt((float(k) + 0.5) / 4.0);
            float turn = k == 1 ? 2.0 : k == 2 ? 1.0 : float(k);
            float angle = 3.14159265 * (float(turns[4 * (at.y & 3) + (at.x & 3)]) / 64.0 + turn / 4.0);
            ivec2 off = ivec2(floor(texels * away * vec2(cos(angle), sin(angle)) + 0.5));
            vec2 rise = (vec2(depth_at(at + off), depth_at(at - off)) - depth) * scale;
            vec2 hidden = clamp(rise * (0.5 / sqrt(1.0 - away * away)) + 0.5, 0.0, 1.0);
            vec2 near = clamp(2.5 - 1.5 * rise, 0.0, 1.0);
            taken += max(hidden.x + hidden.y - 1.0, 0.0) * near.x * near.y;
        }
        result.r = 1.0 - min(taken * 1.6 / 4.0, 0.75);
    }
);

static const char smooth_fragment[] = TEXT(
    void main() {
        ivec2 at = ivec2(gl_FragCoord.xy);
        float depth = depth_at(at);
        result = vec4(1.0, depth, 0.0, 1.0);
        if (depth <= 0.0)
            return;
        float scale = 2.0 * open_clip.z / (ball_texels(depth) * depth);
        vec2 sum = vec2(0.0);
        for (int k = 0; k < 16; k++) {
            ivec2 there = at + ivec2(k & 3, k >> 2) - 2;
            if (any(lessThan(there, ivec2(0))) || any(greaterThanEqual(there, ivec2(open_map.yz))))
                continue;
            float weight = max(1.0 - abs(depth_at(there) - depth) * scale, 0.0);
            sum += weight * vec2(texelFetch(source, there, 0).r, 1.0);
        }
        result.r = sum.x / max(sum.y, 1e-6);
    }
);

// --- maps -----------------------------------------------------------------------------------------------------------

static const char gather_fragment[] = TEXT(
    uniform sampler2D light_map;
    out vec4 result;
    void main() {
        ivec2 first = 2 * ivec2(gl_FragCoord.xy);
        float level = ground_line.x + ground_line.y * gl_FragCoord.x + ground_line.z * gl_FragCoord.y;
        vec2 sum = vec2(0.0);
        for (int i = 0; i < 4; i++) {
            float depth = texelFetch(light_map, first + ivec2(i & 1, i >> 1), 0).r;
            float above = depth < 1.0 ? light_range.x - depth * light_range.y - level : 0.0;
            sum += vec2(above > 0.0 ? 0.25 : 0.0, 0.25 * max(above, 0.0));
        }
        result = vec4(sum, 0.0, 1.0);
    }
);

static const char halve_fragment[] = TEXT(
    uniform sampler2D source;
    out vec4 result;
    void main() {
        ivec2 first = 2 * ivec2(gl_FragCoord.xy);
        result = 0.25 * (texelFetch(source, first, 0) + texelFetch(source, first + ivec2(1, 0), 0) +
                         texelFetch(source, first + ivec2(0, 1), 0) + texelFetch(source, first + ivec2(1, 1), 0));
    }
);

// Blurs along one axis with weights 1 4 6 4 1 over 16; 0 outside
static const char blur_fragment[] = TEXT(
    uniform sampler2D source;
    uniform ivec4 blur; // step, size, and whether the source is squared
    out vec4 result;
    vec4 read(ivec2 at) {
        if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, ivec2(blur.z))))
            return vec4(0.0);
        vec4 here = texelFetch(source, at, 0);
        return blur.w > 0 ? min(here, 1.0) * min(here, 1.0) : here;
    }
    void main() {
        ivec2 at = ivec2(gl_FragCoord.xy);
        result = 0.375 * read(at) + 0.25 * (read(at - blur.xy) + read(at + blur.xy)) +
                 0.0625 * (read(at - 2 * blur.xy) + read(at + 2 * blur.xy));
    }
);

static const char touch_fragment[] = TEXT(
    in float nearness;
    out vec4 result;
    void main() {
        result = vec4(max(nearness, 0.0), 0.0, 0.0, 1.0);
    }
);

static const char nothing_fragment[] = TEXT(
    void main() {
    }
);

// Labels, which are transparent where there is none
static const char overlay_fragment[] = TEXT(
    uniform sampler2D source;
    out vec4 result;
    void main() {
        result = texelFetch(source, ivec2(gl_FragCoord.xy), 0);
    }
);

const tide_gl_shader_text tide_gl_shader_texts[TIDE_GL_PROGRAM_COUNT] = {
    [TIDE_GL_SURFACE] = { "surfaces", tide_gl_surface_vertex, tide_gl_light_shared, tide_gl_surface_fragment },
    [TIDE_GL_SOLID] = { "tubes and balls", tide_gl_solid_vertex, tide_gl_light_shared, tide_gl_solid_fragment },
    [TIDE_GL_STAGE] = { "ground and sky", tide_gl_stage_vertex, tide_gl_stage_shared, tide_gl_stage_fragment },
    [TIDE_GL_ENCODE] = { "the picture", whole_vertex, "", tide_gl_encode_fragment },
    [TIDE_GL_MARK] = { "marks", tide_gl_mark_vertex, tide_gl_light_shared, tide_gl_mark_fragment },
    [TIDE_GL_NEAR_SURFACE] = { "depths of surfaces", near_surface_vertex, "", nothing_fragment },
    [TIDE_GL_NEAR_SOLID] = { "depths of tubes and balls", near_solid_vertex, "", nothing_fragment },
    [TIDE_GL_OPEN] = { "openness", whole_vertex, open_shared, open_fragment },
    [TIDE_GL_SMOOTH] = { "smoothing", whole_vertex, open_shared, smooth_fragment },
    [TIDE_GL_POOL] = { "casters", whole_vertex, "", pool_fragment },
    [TIDE_GL_LIGHT_SURFACE] = { "surfaces from the light", light_surface_vertex, "", nothing_fragment },
    [TIDE_GL_LIGHT_SOLID] = { "tubes and balls from the light", light_solid_vertex, "", nothing_fragment },
    [TIDE_GL_GATHER] = { "the ground's shadow", whole_vertex, "", gather_fragment },
    [TIDE_GL_HALVE] = { "halving", whole_vertex, "", halve_fragment },
    [TIDE_GL_BLUR] = { "blurring", whole_vertex, "", blur_fragment },
    [TIDE_GL_TOUCH_SURFACE] = { "surfaces near the ground", touch_surface_vertex, "", touch_fragment },
    [TIDE_GL_TOUCH_SOLID] = { "tubes and balls near the ground", touch_solid_vertex, "", touch_fragment },
    [TIDE_GL_OVERLAY] = { "labels", whole_vertex, "", overlay_fragment },
};
// clang-format on
