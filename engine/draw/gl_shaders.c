// The shaders of the scene. They use the numbers and formulas of lanes_shade.h, lanes_shadow.h, lanes_ground.h,
// lanes_openness.h, lanes_tile.h, raster_solids.c, raster_thin.c and raster_marks.c. Change both together.
#include "draw/gl_parts.h"

#define TEXT(...) #__VA_ARGS__

// clang-format off
const char tide_gl_shader_head[] =
    TEXT(
    layout(std140) uniform Frame {
        vec4 right, up, forward, shift;
        vec4 depth_map, ray, ray_x, ray_y, top, bottom, ground, ground_depth, ground_place, grid;
        vec4 towards, light_u, light_v, light_range, ground_line, contact, key_light, sky_light, ground_light;
        vec4 open_map, open_clip, major, axis_x, axis_z;
    };
    const float light_size = 1024.0;   // texels
    const float contact_size = 128.0;
    vec4 to_clip(vec3 p) {
        float w = dot(forward.xyz, p);
        return vec4(right.w * dot(right.xyz, p) + shift.x * w, up.w * dot(up.xyz, p) + shift.y * w,
                    depth_map.x * forward.w + depth_map.y * w, w);
    }
    // A place in the shadow map. The depth is 0 at what is nearest to the light.
    vec4 to_light(vec3 p) {
        vec2 at = (vec2(dot(light_u.xyz, p), dot(light_v.xyz, p)) - vec2(light_u.w, light_v.w)) / towards.w;
        float depth = (light_range.x - dot(towards.xyz, p)) / light_range.y;
        return vec4(2.0 * at / light_size - 1.0, depth_map.x * depth + depth_map.y, 1.0);
    }
    vec4 to_contact(vec3 p) {
        return vec4(2.0 * (p.xz - contact.xy) / (contact.z * contact_size) - 1.0, 0.0, 1.0);
    }
);

// --- vertices -------------------------------------------------------------------------------------------------------

const char tide_gl_surface_vertex[] = TEXT(
    layout(location = 0) in vec4 place; // and texture u
    layout(location = 1) in vec4 turn;  // normal, and texture v
    centroid out vec4 position; // w is 1, unless the driver interpolates it wrongly: see surface_fragment
    centroid out vec3 normal;
    centroid out vec2 texture_place;
    out vec3 smooth_position; // defined at the pixel centre even outside of the triangle, for derivatives
    out vec2 smooth_texture;
    void main() {
        position = vec4(place.xyz, gl_VertexID < 0 ? 0.0 : 1.0);
        smooth_position = place.xyz;
        normal = turn.xyz;
        texture_place = smooth_texture = vec2(place.w, turn.w);
        gl_Position = to_clip(place.xyz);
    }
);

// A ball facing the viewer, or a tube. Its corners lie slightly outside of the shape, so that the polygonal outline
// has the area of the true one.
const char tide_gl_solid_vertex[] = TEXT(
    layout(location = 0) in vec4 corner; // on a unit ball around the z axis; w: the end of the tube that it belongs to
    layout(location = 1) in vec4 solid_from; // and radius
    layout(location = 2) in vec4 solid_along; // and whether it casts a shadow
    layout(location = 3) in vec4 solid_colour; // w: factor by which the corners lie outside of a ball
    centroid out vec3 position;
    flat out vec4 from;
    flat out vec3 along;
    flat out vec3 colour;
    vec3 across(vec3 axis, vec3 wanted) {
        vec3 side = cross(axis, wanted);
        if (dot(side, side) < 1e-10 * dot(wanted, wanted))
            side = cross(axis, abs(axis.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
        return normalize(side);
    }
    void main() {
        from = solid_from;
        along = solid_along.xyz;
        colour = solid_colour.xyz;
        bool ball = dot(along, along) == 0.0;
        vec3 middle = from.xyz + 0.5 * along;
        vec3 axis = normalize(ball ? -middle : along);
        vec3 side = across(axis, ball ? up.xyz : middle);
        vec3 other = cross(axis, side);
        float size = from.w * (ball ? solid_colour.w : 1.0);
        position = from.xyz + corner.w * along + size * (corner.x * side + corner.y * other + corner.z * axis);
        gl_Position = to_clip(position);
    }
);

// Sets the depth of the ground, which is linear on the screen and is negative beyond the horizon. A second triangle has
// the depth of the sky.
const char tide_gl_stage_vertex[] = TEXT(
    void main() {
        int corner = gl_VertexID % 3;
        vec2 at = vec2(corner == 1 ? 3.0 : -1.0, corner == 2 ? 3.0 : -1.0);
        vec2 pixel = (at + 1.0) * vec2(top.w, bottom.w);
        float inverse = ground_depth.x + ground_depth.y * pixel.x + ground_depth.z * pixel.y;
        float depth = ground_depth.w > 0.0 && gl_VertexID < 3 ? forward.w * inverse : 0.0;
        gl_Position = vec4(at, depth_map.x * depth + depth_map.y, 1.0);
    }
);

const char tide_gl_mark_vertex[] = TEXT(
    layout(location = 1) in vec4 ends; // pixels
    layout(location = 2) in vec3 sizes; // depths at the ends, radius
    layout(location = 3) in vec4 mark_colour; // sRGB, 0 to 255
    layout(location = 4) in vec3 mark_dark;
    layout(location = 5) in vec3 mark_normal;
    flat out vec4 segment;
    flat out vec3 size;
    flat out vec4 colour;
    flat out vec3 dark;
    flat out vec3 normal;
    void main() {
        segment = ends;
        dark = mark_dark / 255.0;
        normal = mark_normal;
        size = vec3(sizes.xy, max(sizes.z, 0.5));
        colour = vec4(mark_colour.rgb / 255.0, mark_colour.a * min(2.0 * sizes.z, 1.0));
        vec2 along = ends.zw - ends.xy;
        float far = length(along);
        vec2 ahead = (far > 0.0 ? along / far : vec2(1.0, 0.0)) * (size.z + 1.0);
        vec2 aside = vec2(-ahead.y, ahead.x) * ((gl_VertexID & 1) == 0 ? 1.0 : -1.0);
        vec2 at = (gl_VertexID < 2 ? ends.xy - ahead : ends.zw + ahead) + aside;
        gl_Position = vec4(at / vec2(top.w, bottom.w) - 1.0, 0.0, 1.0);
    }
);

// --- light ----------------------------------------------------------------------------------------------------------

const char tide_gl_light_shared[] = TEXT(
    uniform sampler2D light_map;
    // Weights of a cubic B-spline for the four texels around a place
    vec4 spline(float t) {
        float s = 1.0 - t;
        float t2 = t * t;
        float t3 = t2 * t;
        return vec4(s * s * s, 3.0 * t3 - 6.0 * t2 + 4.0, -3.0 * t3 + 3.0 * t2 + 3.0 * t + 1.0, t3) / 6.0;
    }
    // Casters up to the height `top` count.
    float sharp_visibility(vec2 at, float height, float top) {
        vec2 middle = at - 0.5;
        if (!(all(greaterThan(middle, vec2(2.0))) && all(lessThan(middle, vec2(light_size - 3.0)))))
            return 1.0;
        ivec2 first = ivec2(middle) - 1;
        vec2 part = middle - vec2(first + 1);
        vec4 across = spline(part.x);
        vec4 down = spline(part.y);
        float limit = (light_range.x - height) / light_range.y;
        float least = (light_range.x - top) / light_range.y;
        float sum = 0.0;
        for (int j = 0; j < 4; j++) {
            vec4 depth = vec4(texelFetch(light_map, first + ivec2(0, j), 0).r,
                              texelFetch(light_map, first + ivec2(1, j), 0).r,
                              texelFetch(light_map, first + ivec2(2, j), 0).r,
                              texelFetch(light_map, first + ivec2(3, j), 0).r);
            vec4 lit = vec4(greaterThanEqual(depth, min(vec4(limit), vec4(1.0)))) + vec4(lessThan(depth, vec4(least)));
            sum += down[j] * dot(across, lit);
        }
        return sum;
    }
    uniform sampler2D casters_1;
    uniform sampler2D casters_2;
    uniform sampler2D casters_3;
    uniform sampler2D casters_4;
    uniform sampler2D openness_map;
    // A texel of a level: the height of its highest caster, and the fraction of its area that casters near that
    // height cover
    vec2 read_caster(int level, ivec2 at) {
        return level == 1 ? texelFetch(casters_1, at, 0).rg : level == 2 ? texelFetch(casters_2, at, 0).rg :
               level == 3 ? texelFetch(casters_3, at, 0).rg : texelFetch(casters_4, at, 0).rg;
    }
    // Reads the 4 x 4 casters around a place and takes those above `height`. Returns the sums of their weights, of
    // weight times distance, and of weight times distance squared; -1 outside of the map.
    vec3 casters_above(int level, vec2 at, float height) {
        vec2 middle = at / float(1 << level) - 0.5;
        if (!(all(greaterThan(middle, vec2(2.0))) && all(lessThan(middle, vec2(light_size / float(1 << level) - 3.0)))))
            return vec3(-1.0);
        ivec2 first = ivec2(middle) - 1;
        vec2 part = middle - vec2(first + 1);
        vec4 across = spline(part.x);
        vec4 down = spline(part.y);
        vec3 sum = vec3(0.0);
        for (int k = 0; k < 16; k++) {
            vec2 caster = read_caster(level, first + ivec2(k & 3, k >> 2));
            float above = max(caster.x - height, 0.0);
            float weight = above > 0.0 ? caster.y * across[k & 3] * down[k >> 2] : 0.0;
            sum += weight * vec3(1.0, above, above * above);
        }
        return sum;
    }
    float visibility(int level, vec2 at, float height, float rise) {
        return level == 0 ? sharp_visibility(at, height, 1e6) :
               1.0 - max(casters_above(level, at, height + float(1 << level) * rise).x, 0.0);
    }
    // The fraction of the key light that arrives. The place is moved off the surface, towards the side that faces the
    // light, so that a surface does not shadow itself: further for grazing light and coarse texels. Distant casters
    // are read from coarser levels, which makes the shadow softer.
    float shadow(vec3 p, vec3 n, float facing) {
        if (light_range.z == 0.0)
            return 1.0;
        float slant = sqrt(max(1.0 - facing * facing, 0.0));
        float least = 0.6 + 2.2 * slant;
        vec3 q = p + (facing >= 0.0 ? 1.0 : -1.0) * least * towards.w * n;
        vec2 at = (vec2(dot(q, light_u.xyz), dot(q, light_v.xyz)) - vec2(light_u.w, light_v.w)) / towards.w;
        float height = dot(q, towards.xyz) + 0.8 * towards.w;
        float rise = (least / max(abs(facing), 0.25) + 0.8) * towards.w;
        vec3 casters = casters_above(3, at, height);
        if (casters.y <= 0.0)
            return 1.0;
        float width = 0.13 * casters.z / casters.y / towards.w;
        int level = width < 2.0 ? 0 : width < 4.0 ? 1 : width < 8.0 ? 2 : 3;
        float part = clamp(width / float(1 << level) - 1.0, 0.0, 1.0);
        float near = part < 1.0 ? visibility(level, at, height, rise) : 0.0;
        float far = part > 0.0 ? visibility(level + 1, at, height, rise) : 0.0;
        float light = mix(near, far, part);
        // Coarser levels do not see casters close above the surface, nor parts of inclined ones within the filter's
        // radius of two texels.
        float most = height + float(2 << level) * (rise + 2.0 * towards.w);
        return width > 1.0 ? min(light, sharp_visibility(at, height, most)) : light;
    }
    // Ambient occlusion of a point, interpolated between four texels; texels at another depth hardly count
    float openness(vec3 p) {
        float w = dot(forward.xyz, p);
        vec4 clip = to_clip(p);
        vec2 pixel = vec2(top.w, bottom.w) * (1.0 + clip.xy / clip.w);
        vec2 at = clamp(pixel * open_map.x - 0.5, vec2(0.0), open_map.yz - 1.01);
        ivec2 first = ivec2(at);
        vec2 part = at - vec2(first);
        vec2 sum = vec2(0.0);
        for (int k = 0; k < 4; k++) {
            ivec2 step = ivec2(k & 1, k >> 1);
            vec2 there = texelFetch(openness_map, first + step, 0).rg;
            vec2 near = mix(1.0 - part, part, vec2(step));
            float weight = near.x * near.y * max(1.0 - abs(there.g - 1.0 / w) * w * w * 2.0 / open_map.w, 1e-3);
            sum += weight * vec2(there.r, 1.0);
        }
        return sum.x / sum.y;
    }
    vec3 soften(vec3 c) {
        vec3 over = max(c - 0.75, 0.0);
        return min(c, 0.75) + over / (1.0 + over / 0.25);
    }
    // The colour of a surface. `through` is the fraction of the key light transmitted from behind, `even` the fraction
    // of light that is uniform.
    vec3 shade(vec3 p, vec3 n, vec3 tone, float through, float even) {
        vec3 l = towards.xyz;
        vec3 v = -normalize(p);
        float d = dot(n, v);
        n = normalize(n - min(d - 0.02, 0.0) * v);
        float facing = max(d, 0.02);
        float level = max(length(l.xz), 1e-3);
        float toward = dot(n, l);
        float lit = toward > 0.0 || through > 0.0 ? shadow(p, n, toward) : 0.0;
        float direct = max(toward, 0.0) * lit;
        float key = direct + through * max(-toward, 0.0) * lit;
        float upward = 0.5 + 0.5 * n.y;
        float open = 1.0;
        if (ground_depth.w > 0.0) {
            float low = clamp(1.0 - (p.y - ground_place.x) / (0.35 * grid.w), 0.0, 1.0);
            open = 1.0 - 0.45 * low * low * (1.0 - upward);
        }
        float filled = max(dot(n, vec3(-0.9 * l.x / level, 0.25, 0.6 * l.z / level)), 0.0);
        float ambient = openness(p);
        open *= (0.88 + 0.12 * facing) * ambient;
        filled *= ambient;
        vec3 h = v + l;
        float middle = clamp(dot(n, h) / sqrt(dot(h, h) + 1e-6), 0.0, 1.0);
        float h2 = middle * middle;
        float h4 = h2 * h2;
        float h8 = h4 * h4;
        float grazing = 1.0 - facing;
        float shine = 0.055 * h8 * h8 * h4 * direct;
        float rim = 0.085 * grazing * grazing * grazing;
        vec3 sky = mix(ground_light.rgb, sky_light.rgb, upward) * open;
        vec3 light = key_light.rgb * key + sky + 0.42 * sky_light.rgb * filled;
        return soften(tone * mix(light, vec3(1.0), even) + (1.0 - even) * (rim * light + shine * key_light.rgb));
    }
);

const char tide_gl_surface_fragment[] = TEXT(
    uniform vec3 tones[4];
    uniform float through;
    uniform float checkers;
    uniform bool mapped;
    uniform vec3 map[65];
    centroid in vec4 position;
    centroid in vec3 normal;
    centroid in vec2 texture_place;
    in vec3 smooth_position;
    in vec2 smooth_texture;
    out vec4 result;
    vec2 wave_mean(vec2 t, vec2 width) {
        width = clamp(width, 1e-4, 1e4);
        vec2 low = fract(t - 0.5 * width);
        vec2 high = fract(t + 0.5 * width);
        return clamp((min(high, 1.0 - high) - min(low, 1.0 - low)) / width, -1.0, 1.0);
    }
    vec3 map_colour(float u) {
        float place = clamp(u, 0.0, 1.0) * 64.0;
        int low = min(int(place), 63);
        return u < -1.0 ? vec3(0.4) : mix(map[low], map[low + 1], place - float(low));
    }
    void main() {
        // llvmpipe (Mesa 22.3) divides values at covered samples by w at the pixel centre; position.w undoes that
        vec3 p = position.xyz / position.w;
        vec2 t = texture_place / position.w;
        // Differences to the neighbouring pixels may leave the triangle, but they stay in its plane.
        vec3 right_of = dFdx(smooth_position);
        vec3 below = dFdy(smooth_position);
        vec3 face = cross(right_of, below);
        // The extent of a pixel on the plane gives its extent in the texture, which is linear there.
        float depth = dot(forward.xyz, p);
        vec3 sight = p / depth;
        float across = dot(face, sight);
        vec3 reach_x = depth * (ray_x.xyz - sight * dot(face, ray_x.xyz) / across);
        vec3 reach_y = depth * (ray_y.xyz - sight * dot(face, ray_y.xyz) / across);
        mat2 texture_steps = mat2(dFdx(smooth_texture), dFdy(smooth_texture)) / dot(face, face);
        vec2 wide = abs(texture_steps * vec2(dot(cross(reach_x, below), face), dot(cross(right_of, reach_x), face))) +
                    abs(texture_steps * vec2(dot(cross(reach_y, below), face), dot(cross(right_of, reach_y), face)));
        if (!all(lessThan(wide, vec2(1e4)))) // edge-on
            wide = vec2(1e4);
        face = across > 0.0 ? -face : face;
        vec3 n = normal / sqrt(max(dot(normal, normal), 1e-20));
        n = dot(n, face) < 0.0 ? -n : n;
        vec3 tone = gl_FrontFacing ? tones[0] : tones[2];
        if (checkers > 0.0) {
            vec2 wave = wave_mean(t * checkers, wide * checkers);
            tone = mix(tone, gl_FrontFacing ? tones[1] : tones[3], 0.5 - 0.5 * wave.x * wave.y);
        }
        if (mapped)
            tone = map_colour(t.x);
        result = vec4(shade(p, n, tone, through, mapped ? 0.65 : 0.0), 1.0);
    }
);

const char tide_gl_solid_fragment[] = TEXT(
    centroid in vec3 position;
    flat in vec4 from;
    flat in vec3 along;
    flat in vec3 colour;
    out vec4 result;
    vec3 touch_ball(vec3 ray, vec3 middle, float size) {
        float square = dot(ray, ray);
        float closest = dot(ray, middle) / square;
        vec3 off = middle - closest * ray;
        return ray * (closest - sqrt(max(size * size - dot(off, off), 0.0) / square));
    }
    void main() {
        vec3 middle = from.xyz;
        vec3 hit = vec3(0.0);
        float square = dot(along, along);
        float place = -1.0;
        if (square > 0.0) {
            float ray_along = dot(position, along) / square;
            float from_along = dot(from.xyz, along) / square;
            vec3 ray_across = position - ray_along * along;
            vec3 from_across = from.xyz - from_along * along;
            float size = max(dot(ray_across, ray_across), 1e-20);
            float closest = dot(ray_across, from_across) / size;
            vec3 off = from_across - closest * ray_across;
            float t = closest - sqrt(max(from.w * from.w - dot(off, off), 0.0) / size);
            place = t * ray_along - from_along;
            middle = from.xyz + clamp(place, 0.0, 1.0) * along;
            hit = position * t;
        }
        if (!(place >= 0.0 && place <= 1.0))
            hit = touch_ball(position, middle, from.w);
        vec3 outward = hit - middle;
        float far = length(outward);
        result = vec4(shade(hit, far > 0.0 ? outward / far : vec3(0.0, 1.0, 0.0), colour, 0.0, 0.0), 1.0);
    }
);

// --- ground and sky -------------------------------------------------------------------------------------------------

const char tide_gl_stage_shared[] = TEXT(
    uniform sampler2D level_0;
    uniform sampler2D level_1;
    uniform sampler2D level_2;
    uniform sampler2D level_3;
    uniform sampler2D contact_map;
    vec2 read_level(int level, vec2 at) {
        vec2 place = at / (0.5 * light_size);
        return level == 0 ? textureLod(level_0, place, 0.0).rg : level == 1 ? textureLod(level_1, place, 0.0).rg :
               level == 2 ? textureLod(level_2, place, 0.0).rg : textureLod(level_3, place, 0.0).rg;
    }
    float ground_shadow(vec2 at) {
        if (!(all(greaterThan(at, vec2(0.0))) && all(lessThan(at, vec2(0.5 * light_size)))))
            return 1.0;
        vec2 wide = read_level(3, at);
        if (wide.x < 1e-4)
            return 1.0;
        vec2 close = read_level(2, at);
        float far = (5.0 * close.y + wide.y) / (5.0 * close.x + wide.x);
        float width = 0.11 * far / (2.0 * towards.w);
        if (width >= 8.0)
            return 1.0 - wide.x;
        int level = width < 2.0 ? 0 : width < 4.0 ? 1 : 2;
        float low = float(1 << level);
        float part = min(max(0.0, width - low) / low, 1.0);
        return 1.0 - mix(read_level(level, at).x, read_level(level + 1, at).x, part);
    }
    float touched(vec2 at) {
        vec2 place = (at - contact.xy) / contact.z - 0.5;
        if (!(all(greaterThan(place, vec2(0.0))) && all(lessThan(place, vec2(contact_size - 1.0)))))
            return 0.0;
        return textureLod(contact_map, (place + 0.5) / contact_size, 0.0).r;
    }
    vec2 on_lines(vec2 t, vec2 width, float line) {
        width = clamp(width, 1e-4, 1e4);
        vec2 low = t - 0.5 * width + 0.5 * line;
        vec2 high = low + width;
        vec2 whole = floor(high) - floor(low);
        return (whole * line + min(fract(high), line) - min(fract(low), line)) / width;
    }
    vec2 on_line(vec2 t, vec2 width) {
        const float side = 0.0175;
        width = clamp(width, 1e-4, 1e4);
        return max(min(t + 0.5 * width, side) - max(t - 0.5 * width, -side), 0.0) / width;
    }
    vec3 ground_colour(vec2 at, float w, float fade) {
        vec2 reach = abs((ray_x.xz - at * ground_depth.y) * w) + abs((ray_y.xz - at * ground_depth.z) * w);
        vec2 lines = on_lines((at - grid.yz) / grid.x, reach / grid.x, 0.014);
        float darker = 1.0 - 0.16 * (lines.x + lines.y - lines.x * lines.y);
        lines = on_lines((at - major.yz) / major.x, reach / major.x, 0.0021);
        darker *= 1.0 - 0.22 * (lines.x + lines.y - lines.x * lines.y);
        vec2 axes = 0.6 * on_line((at - vec2(axis_x.w, axis_z.w)) / grid.x, reach / grid.x);
        float open = 1.0;
        float lit = 1.0;
        vec3 p = vec3(at.x, ground_place.x, at.y);
        if (light_range.w > 0.0)
            lit = ground_shadow((vec2(dot(light_u.xyz, p), dot(light_v.xyz, p)) - vec2(light_u.w, light_v.w)) * 0.5 /
                                towards.w);
        if (ground_line.w > 0.0)
            open = 1.0 - 0.5 * touched(at);
        vec3 own = ground.rgb * darker * open;
        own = mix(own, axis_z.rgb * open, axes.x);
        own = mix(own, axis_x.rgb * open, axes.y);
        vec3 key = key_light.rgb * max(towards.y, 0.0);
        vec3 share = key / (key + sky_light.rgb);
        return mix(bottom.rgb, own * (1.0 - share * (1.0 - lit)), fade);
    }
);

const char tide_gl_stage_fragment[] = TEXT(
    out vec4 result;
    void main() {
        vec2 pixel = gl_FragCoord.xy;
        vec3 sight = ray.xyz + pixel.x * ray_x.xyz + pixel.y * ray_y.xyz;
        float depth = ground_depth.x + ground_depth.y * pixel.x + ground_depth.z * pixel.y;
        bool has_ground = ground_depth.w > 0.0;
        if (has_ground && depth > 1e-9) {
            float w = 1.0 / depth;
            vec2 at = sight.xz * w;
            vec2 off = at - ground_place.yz;
            float fade = max(1.0 - dot(off, off) / (ground_place.w * ground_place.w), 0.0);
            fade *= fade;
            result = vec4(fade > 0.0 ? ground_colour(at, w, fade) : bottom.rgb, 1.0);
        } else {
            float t = has_ground ? clamp(sight.y / length(sight) * 1.6, 0.0, 1.0) : 1.0 - pixel.y / (2.0 * bottom.w);
            result = vec4(mix(bottom.rgb, top.rgb, t * t * (3.0 - 2.0 * t)), 1.0);
        }
    }
);

// --- the picture ----------------------------------------------------------------------------------------------------

const char tide_gl_encode_fragment[] = TEXT(
    uniform SCENE_SAMPLER scene;
    out vec4 result;
    const float dither[16] = float[16](0.08, 0.53, 0.19, 0.64, 0.75, 0.30, 0.86, 0.42, 0.25, 0.70, 0.14, 0.58, 0.92,
                                       0.47, 0.81, 0.36);
    vec3 encode(vec3 c) {
        vec3 root = sqrt(c);
        vec3 curve = 226.751483 * root + 67.7270055 * sqrt(root) + c * (3.4800615 * c - 24.5739165) - 18.3504885;
        return min(mix(curve, 3294.6 * c, vec3(lessThanEqual(c, vec3(0.0031308)))), 255.0);
    }
    void main() {
        ivec2 pixel = ivec2(gl_FragCoord.xy);
        int samples = int(depth_map.z);
        vec3 sum = vec3(0.0);
        for (int i = 0; i < samples; i++)
            sum += texelFetch(scene, pixel, i).rgb;
        float threshold = dither[4 * (pixel.y & 3) + (pixel.x & 3)];
        result = vec4(floor(encode(clamp(sum / float(samples), 0.0, 1.0)) + threshold) / 255.0, 1.0);
    }
);

const char tide_gl_mark_fragment[] = TEXT(
    flat in vec4 segment;
    flat in vec3 size;
    flat in vec4 colour;
    flat in vec3 dark;
    flat in vec3 normal;
    out vec4 result;
    void main() {
        vec2 at = gl_FragCoord.xy - segment.xy;
        vec2 along = segment.zw - segment.xy;
        float square = dot(along, along);
        float place = square > 0.0 ? clamp(dot(at, along) / square, 0.0, 1.0) : 0.0;
        float cover = clamp(size.z + 0.5 - length(at - place * along), 0.0, 1.0);
        float inverse = mix(size.x, size.y, place) * 1.0015;
        float depth = forward.w * inverse;
        float seen = visible_samples(depth);
        vec3 lit = colour.rgb;
        if (dot(normal, normal) > 0.0 && cover * seen > 0.0) { // a thin tube
            vec3 p = (ray.xyz + gl_FragCoord.x * ray_x.xyz + gl_FragCoord.y * ray_y.xyz) / inverse;
            lit = mix(dark, lit, shadow(p, normal, dot(normal, towards.xyz)));
        }
        result = vec4(lit, colour.a * cover * seen / depth_map.z);
    }
);
// clang-format on
