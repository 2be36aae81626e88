#include "draw/camera.h"

#include "base/vec3.h"

#include <math.h>
#include <string.h>

static const float pole = 0.035f; // rad, least angle between the view and the vertical

static tide_vec3 load(const float p[3])
{
    return (tide_vec3) { p[0], p[1], p[2] };
}
static void store(float p[3], tide_vec3 a)
{
    p[0] = (float)a.x;
    p[1] = (float)a.y;
    p[2] = (float)a.z;
}
static tide_vec3 combine(tide_vec3 a, double s, tide_vec3 b)
{
    return (tide_vec3) { a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}
static tide_vec3 unit_or(tide_vec3 a, tide_vec3 otherwise)
{
    double length = sqrt(tide_vec3_dot(a, a));
    return length > 0 && isfinite(length) ? combine((tide_vec3) { 0 }, 1 / length, a) : otherwise;
}

typedef struct axes {
    tide_vec3 right, up, forward;
} axes;

static axes axes_of(const tide_draw_camera *camera)
{
    tide_vec3 forward = unit_or(combine(load(camera->target), -1, load(camera->position)), (tide_vec3) { 0, 0, -1 });
    tide_vec3 up = unit_or(load(camera->up), (tide_vec3) { 0, 1, 0 }), right = tide_vec3_cross(forward, up);
    if (!(tide_vec3_dot(right, right) > 1e-8))
        right = tide_vec3_cross(forward, fabs(forward.x) < 0.7 ? (tide_vec3) { 1, 0, 0 } : (tide_vec3) { 0, 0, 1 });
    right = unit_or(right, (tide_vec3) { 1, 0, 0 });
    return (axes) { right, tide_vec3_cross(right, forward), forward };
}

static double field_of_view(const tide_draw_camera *camera)
{
    double angle = (double)camera->field_of_view;
    return angle > 0.01 ? angle < 3 ? angle : 3 : angle <= 0.01 ? 0.01 : 0.7;
}

tide_draw_camera tide_camera_frame(const float lower[3], const float upper[3], float aspect)
{
    const double margin = 1.12;
    tide_vec3 low = load(lower), high = load(upper);
    double size = sqrt(tide_vec3_dot(combine(high, -1, low), combine(high, -1, low)));
    if (!isfinite(size) || size > 1e5) {
        low = (tide_vec3) { -1, -1, -1 };
        high = (tide_vec3) { 1, 1, 1 };
        size = sqrt(12);
    }
    double least = size > 1e-4 ? 0 : 0.5; // an empty box or a point shows about a metre
    tide_vec3 centre = combine((tide_vec3) { 0.5 * low.x, 0.5 * low.y, 0.5 * low.z }, 0.5, high);
    tide_vec3 half = { fmax(0.5 * (high.x - low.x), least), fmax(0.5 * (high.y - low.y), least),
                       fmax(0.5 * (high.z - low.z), least) };
    tide_draw_camera camera = { .up = { 0, 1, 0 }, .field_of_view = 0.6f };
    tide_vec3 away = unit_or((tide_vec3) { 0.42, 0.36, 1 }, (tide_vec3) { 0 });
    store(camera.target, centre);
    store(camera.position, combine(centre, 1, away));
    axes axes = axes_of(&camera);
    double tall = tan(0.5 * field_of_view(&camera)) / margin;
    double wide = tall * (aspect > 0.01f ? aspect < 100 ? (double)aspect : 100 : aspect <= 0.01f ? 0.01 : 1);
    // the distance at which every corner is within the view
    double distance = 0;
    for (int corner = 0; corner < 8; corner++) {
        tide_vec3 offset = { corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                             corner & 4 ? half.z : -half.z };
        double ahead = tide_vec3_dot(axes.forward, offset);
        distance = fmax(distance, fabs(tide_vec3_dot(axes.right, offset)) / wide - ahead);
        distance = fmax(distance, fabs(tide_vec3_dot(axes.up, offset)) / tall - ahead);
        distance = fmax(distance, 0.1 * size - ahead);
    }
    store(camera.position, combine(centre, distance, away));
    return camera;
}

void tide_camera_orbit(tide_draw_camera *camera, float right, float up)
{
    if (!isfinite(right) || !isfinite(up))
        return;
    tide_vec3 target = load(camera->target), away = combine(load(camera->position), -1, target);
    tide_vec3 vertical = unit_or(load(camera->up), (tide_vec3) { 0, 1, 0 });
    double distance = sqrt(tide_vec3_dot(away, away));
    if (!(distance > 0))
        return;
    // elevation, and a horizontal direction rotated about the vertical
    double sine = fmin(fmax(tide_vec3_dot(away, vertical) / distance, -1), 1), height = asin(sine);
    tide_vec3 other = fabs(vertical.y) < 0.9 ? (tide_vec3) { 0, 1, 0 } : (tide_vec3) { 0, 0, 1 };
    tide_vec3 level = unit_or(combine(away, -tide_vec3_dot(away, vertical), vertical),
                              tide_vec3_cross(vertical, tide_vec3_cross(other, vertical)));
    const double limit = 0.5 * 3.14159265358979 - (double)pole;
    height = fmin(fmax(height + (double)up, -limit), limit);
    tide_vec3 side = tide_vec3_cross(vertical, level);
    tide_vec3 turned = combine((tide_vec3) { 0 }, cos((double)right), level);
    turned = combine(turned, sin((double)right), side);
    tide_vec3 offset = combine((tide_vec3) { 0 }, distance * cos(height), unit_or(turned, level));
    store(camera->position, combine(combine(target, 1, offset), distance * sin(height), vertical));
}

void tide_camera_pan(tide_draw_camera *camera, float right, float up)
{
    if (!isfinite(right) || !isfinite(up))
        return;
    axes axes = axes_of(camera);
    tide_vec3 position = load(camera->position), target = load(camera->target), ahead = combine(target, -1, position);
    double height = 2 * sqrt(tide_vec3_dot(ahead, ahead)) * tan(0.5 * field_of_view(camera));
    tide_vec3 by =
        combine(combine((tide_vec3) { 0 }, (double)right * height, axes.right), (double)up * height, axes.up);
    store(camera->position, combine(position, 1, by));
    store(camera->target, combine(target, 1, by));
}

void tide_camera_zoom(tide_draw_camera *camera, float factor)
{
    tide_vec3 target = load(camera->target), away = combine(load(camera->position), -1, target);
    double distance = sqrt(tide_vec3_dot(away, away)) * (double)factor;
    if (factor > 0 && distance > 1e-4 && distance < 1e5)
        store(camera->position, combine(target, (double)factor, away));
}

void tide_camera_extent(const tide_draw_camera *camera, const float lower[3], const float upper[3], float aspect,
                        float extent[2])
{
    axes axes = axes_of(camera);
    double tall = tan(0.5 * field_of_view(camera)), most[2] = { 0 };
    for (int corner = 0; corner < 8; corner++) {
        tide_vec3 p = { (double)(corner & 1 ? upper : lower)[0], (double)(corner & 2 ? upper : lower)[1],
                        (double)(corner & 4 ? upper : lower)[2] };
        p = combine(p, -1, load(camera->position));
        double ahead = tide_vec3_dot(axes.forward, p);
        double right = fabs(tide_vec3_dot(axes.right, p)) / (tall * (double)aspect);
        double up = fabs(tide_vec3_dot(axes.up, p)) / tall;
        most[0] = ahead > 0 ? fmax(most[0], right / ahead) : INFINITY;
        most[1] = ahead > 0 ? fmax(most[1], up / ahead) : INFINITY;
    }
    extent[0] = (float)most[0];
    extent[1] = (float)most[1];
}

tide_draw_camera tide_camera_in_part(const tide_draw_camera *camera, const tide_camera_part *part, float scale)
{
    tide_draw_camera out = *camera;
    if (scale > 0 && scale != 1 && isfinite(scale))
        out.field_of_view = (float)(2 * atan(tan(0.5 * field_of_view(camera)) / (double)scale));
    out.shift[0] = part->x0 + part->x1 - 1;
    out.shift[1] = 1 - part->y0 - part->y1;
    return out;
}

void tide_camera_matrix(const tide_draw_camera *camera, float aspect, float near_plane, float far_plane,
                        float matrix[16])
{
    axes axes = axes_of(camera);
    tide_vec3 position = load(camera->position);
    double focal = 1 / tan(0.5 * field_of_view(camera)), near = (double)near_plane, far = (double)far_plane;
    double scale = far / (far - near);
    const double rows[4][4] = {
        { focal / (double)aspect * axes.right.x, focal / (double)aspect * axes.right.y,
          focal / (double)aspect * axes.right.z, -focal / (double)aspect * tide_vec3_dot(axes.right, position) },
        { focal * axes.up.x, focal * axes.up.y, focal * axes.up.z, -focal * tide_vec3_dot(axes.up, position) },
        { scale * axes.forward.x, scale * axes.forward.y, scale * axes.forward.z,
          -scale * (tide_vec3_dot(axes.forward, position) + near) },
        { axes.forward.x, axes.forward.y, axes.forward.z, -tide_vec3_dot(axes.forward, position) },
    };
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            matrix[4 * column + row] =
                (float)(rows[row][column] + (row < 2 ? (double)camera->shift[row] * rows[3][column] : 0));
}

void tide_camera_ray(const tide_draw_camera *camera, float x, float y, uint32_t width, uint32_t height, float origin[3],
                     float direction[3])
{
    axes axes = axes_of(camera);
    double scale = 2 * tan(0.5 * field_of_view(camera)) / (height ? height : 1);
    double centre_x = 0.5 * width * (1 + (double)camera->shift[0]);
    double centre_y = 0.5 * height * (1 - (double)camera->shift[1]);
    tide_vec3 ray = combine(axes.forward, ((double)x - centre_x) * scale, axes.right);
    ray = combine(ray, (centre_y - (double)y) * scale, axes.up);
    store(origin, load(camera->position));
    store(direction, unit_or(ray, axes.forward));
}

// --- up ---------------------------------------------------------------------------------------------------------

void tide_camera_turn(const float up[3], float rows[3][3])
{
    static const float y_up[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    float x = up[0], y = up[1], z = up[2];
    memcpy(rows, y_up, sizeof y_up);
    if (fabsf(z) > fabsf(y) && fabsf(z) >= fabsf(x)) { // (x, z, -y), or with -z up (x, -z, y)
        rows[1][1] = rows[2][2] = 0;
        rows[1][2] = z > 0 ? 1 : -1;
        rows[2][1] = -rows[1][2];
    } else if (fabsf(x) > fabsf(y)) { // (-y, x, z), or with -x up (y, -x, z)
        rows[0][0] = rows[1][1] = 0;
        rows[1][0] = x > 0 ? 1 : -1;
        rows[0][1] = -rows[1][0];
    } else if (y < 0) {
        rows[0][0] = rows[1][1] = -1;
    }
}

tide_draw_camera tide_camera_frame_up(const float lower[3], const float upper[3], const float up[3], float aspect)
{
    float rows[3][3], low[3], high[3];
    tide_camera_turn(up, rows);
    for (int i = 0; i < 3; i++) {
        low[i] = high[i] = 0;
        for (int k = 0; k < 3; k++)
            if (rows[i][k] != 0) {
                low[i] = rows[i][k] > 0 ? lower[k] : -upper[k];
                high[i] = rows[i][k] > 0 ? upper[k] : -lower[k];
            }
    }
    tide_draw_camera camera = tide_camera_frame(low, high, aspect), turned = camera;
    for (int k = 0; k < 3; k++) {
        turned.position[k] = turned.target[k] = turned.up[k] = 0;
        for (int i = 0; i < 3; i++)
            if (rows[i][k] != 0) {
                turned.position[k] = rows[i][k] * camera.position[i];
                turned.target[k] = rows[i][k] * camera.target[i];
                turned.up[k] = rows[i][k] * camera.up[i];
            }
    }
    return turned;
}

void tide_camera_angles(const tide_draw_camera *camera, const float up[3], double *around, double *above,
                        double *distance)
{
    float rows[3][3];
    double away[3] = { 0 };
    tide_camera_turn(up, rows);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            away[i] += (double)rows[i][k] * ((double)camera->position[k] - (double)camera->target[k]);
    *distance = sqrt(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
    *around = atan2(away[0], away[2]);
    *above = *distance > 0 ? asin(fmin(fmax(away[1] / *distance, -1), 1)) : 0;
}

void tide_camera_look_from(tide_draw_camera *camera, const float up[3], double around, double above, double distance)
{
    float rows[3][3];
    const double level = distance * cos(above);
    const double away[3] = { level * sin(around), distance * sin(above), level * cos(around) };
    tide_camera_turn(up, rows);
    for (int k = 0; k < 3; k++) {
        double offset = 0;
        for (int i = 0; i < 3; i++)
            offset += (double)rows[i][k] * away[i];
        camera->position[k] = (float)((double)camera->target[k] + offset);
        camera->up[k] = rows[1][k];
    }
}

// --- following --------------------------------------------------------------------------------------------------

// The projected extent of a box: from left to right and from bottom to top, in fractions of half the picture, and the
// depths of the outermost corners (left, right, bottom, top).
typedef struct sight {
    double low[2], high[2], low_depth[2], high_depth[2];
} sight;

static sight sight_of(tide_vec3 position, const axes *axes, const double tangent[2], tide_vec3 low, tide_vec3 high,
                      double nearest)
{
    sight sight = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY }, { 0 }, { 0 } };
    for (int corner = 0; corner < 8; corner++) {
        tide_vec3 p = { corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z };
        p = combine(p, -1, position);
        double w = fmax(tide_vec3_dot(axes->forward, p), nearest);
        const double at[2] = { tide_vec3_dot(axes->right, p) / (w * tangent[0]),
                               tide_vec3_dot(axes->up, p) / (w * tangent[1]) };
        for (int k = 0; k < 2; k++) {
            if (at[k] < sight.low[k]) {
                sight.low[k] = at[k];
                sight.low_depth[k] = w;
            }
            if (at[k] > sight.high[k]) {
                sight.high[k] = at[k];
                sight.high_depth[k] = w;
            }
        }
    }
    return sight;
}

// Returns how far to follow a point that is `a` beyond a border: 0 inside, a smooth start, then all but a constant.
static double beyond(double a)
{
    const double soft = 0.08;
    return a <= 0 ? 0 : a < soft ? a * a / (2 * soft) : a - 0.5 * soft;
}

tide_draw_camera tide_camera_follow(const tide_draw_camera *camera, const float lower[3], const float upper[3],
                                    float aspect)
{
    // what was framed is between these depths, in distances from camera to target
    const double border = 0.92, farthest = 4, nearest = 0.35, deepest = 2;
    tide_draw_camera result = *camera;
    tide_vec3 low = load(lower), high = load(upper), position = load(camera->position), target = load(camera->target);
    tide_vec3 box = combine(high, -1, low), ahead = combine(target, -1, position);
    double distance = sqrt(tide_vec3_dot(ahead, ahead)), size = sqrt(tide_vec3_dot(box, box));
    tide_vec3 centre = combine(low, 0.5, box), away = combine(centre, -1, target);
    if (!(distance > 0) || !isfinite(size) || !(sqrt(tide_vec3_dot(away, away)) < 1e4 * distance))
        return result; // the box is empty, or not finite
    axes axes = axes_of(camera);
    const double depth = tide_vec3_dot(axes.forward, combine(centre, -1, position)) / distance;
    const double along = (beyond(depth - deepest) - beyond(nearest - depth)) * distance;
    position = combine(position, along, axes.forward);
    target = combine(target, along, axes.forward);
    const double tall = tan(0.5 * field_of_view(camera)), tangent[2] = { tall * (double)aspect, tall };
    sight seen = sight_of(position, &axes, tangent, low, high, 0.1 * distance);
    double half = fmax(seen.high[0] - seen.low[0], seen.high[1] - seen.low[1]) / 2;
    double back = fmin(1 + beyond(half / border - 1), farthest) - 1;
    const double behind = fmax(tide_vec3_dot(axes.forward, combine(centre, -1, position)), nearest * distance);
    position = combine(position, -back * behind, axes.forward);
    seen = sight_of(position, &axes, tangent, low, high, 0.1 * distance);
    tide_vec3 by = { 0 };
    for (int k = 0; k < 2; k++) {
        double over = beyond(seen.high[k] - border) * seen.high_depth[k] * tangent[k];
        double under = beyond(-border - seen.low[k]) * seen.low_depth[k] * tangent[k];
        by = combine(by, over - under, k ? axes.up : axes.right);
    }
    // near points move more on the screen, so the other side may be at the edge now
    position = combine(position, 1, by);
    seen = sight_of(position, &axes, tangent, low, high, 0.1 * distance);
    double widest = fmax(fmax(seen.high[0], -seen.low[0]), fmax(seen.high[1], -seen.low[1]));
    position = combine(position, -2 * beyond(widest - border - 0.02) * distance, axes.forward);
    store(result.position, position);
    store(result.target, combine(target, 1, by));
    return result;
}

// --- the grid ---------------------------------------------------------------------------------------------------

float tide_camera_grid(const tide_draw_camera *camera)
{
    tide_vec3 ahead = combine(load(camera->target), -1, load(camera->position));
    double distance = sqrt(tide_vec3_dot(ahead, ahead));
    if (!(distance > 1e-4 && distance < 1e6))
        distance = 1;
    double length = 0.11 * distance, power = pow(10, floor(log10(length))), digit = length / power;
    return (float)(power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10));
}
