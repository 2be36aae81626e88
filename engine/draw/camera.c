#include "draw/camera.h"

#include <math.h>

static const float pole = 0.035f; // radians left between the view and the vertical

typedef struct vector {
    double x, y, z;
} vector;

static vector load(const float p[3])
{
    return (vector) { p[0], p[1], p[2] };
}
static void store(float p[3], vector a)
{
    p[0] = (float)a.x;
    p[1] = (float)a.y;
    p[2] = (float)a.z;
}
static vector combine(vector a, double s, vector b)
{
    return (vector) { a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}
static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static vector cross(vector a, vector b)
{
    return (vector) { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static vector unit_or(vector a, vector otherwise)
{
    double length = sqrt(dot(a, a));
    return length > 0 && isfinite(length) ? combine((vector) { 0 }, 1 / length, a) : otherwise;
}

typedef struct axes {
    vector right, up, forward;
} axes;

static axes axes_of(const tide_draw_camera *camera)
{
    vector forward = unit_or(combine(load(camera->target), -1, load(camera->position)), (vector) { 0, 0, -1 });
    vector up = unit_or(load(camera->up), (vector) { 0, 1, 0 }), right = cross(forward, up);
    if (!(dot(right, right) > 1e-8))
        right = cross(forward, fabs(forward.x) < 0.7 ? (vector) { 1, 0, 0 } : (vector) { 0, 0, 1 });
    right = unit_or(right, (vector) { 1, 0, 0 });
    return (axes) { right, cross(right, forward), forward };
}

static double field_of_view(const tide_draw_camera *camera)
{
    double angle = (double)camera->field_of_view;
    return angle > 0.01 ? angle < 3 ? angle : 3 : angle <= 0.01 ? 0.01 : 0.7;
}

tide_draw_camera tide_camera_frame(const float lower[3], const float upper[3], float aspect)
{
    const double margin = 1.12;
    vector low = load(lower), high = load(upper);
    double size = sqrt(dot(combine(high, -1, low), combine(high, -1, low)));
    if (!isfinite(size) || size > 1e5) {
        low = (vector) { -1, -1, -1 };
        high = (vector) { 1, 1, 1 };
        size = sqrt(12);
    }
    double least = size > 1e-4 ? 0 : 0.5; // of nothing, or a point, a metre is shown
    vector centre = combine((vector) { 0.5 * low.x, 0.5 * low.y, 0.5 * low.z }, 0.5, high);
    vector half = { fmax(0.5 * (high.x - low.x), least), fmax(0.5 * (high.y - low.y), least),
                    fmax(0.5 * (high.z - low.z), least) };
    tide_draw_camera camera = { .up = { 0, 1, 0 }, .field_of_view = 0.6f };
    vector away = unit_or((vector) { 0.42, 0.36, 1 }, (vector) { 0 });
    store(camera.target, centre);
    store(camera.position, combine(centre, 1, away));
    axes axes = axes_of(&camera);
    double tall = tan(0.5 * field_of_view(&camera)) / margin;
    double wide = tall * (aspect > 0.01f ? aspect < 100 ? (double)aspect : 100 : aspect <= 0.01f ? 0.01 : 1);
    // each corner must be so far in front that it is within the view
    double distance = 0;
    for (int corner = 0; corner < 8; corner++) {
        vector offset = { corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z };
        double ahead = dot(axes.forward, offset);
        distance = fmax(distance, fabs(dot(axes.right, offset)) / wide - ahead);
        distance = fmax(distance, fabs(dot(axes.up, offset)) / tall - ahead);
        distance = fmax(distance, 0.1 * size - ahead);
    }
    store(camera.position, combine(centre, distance, away));
    return camera;
}

void tide_camera_orbit(tide_draw_camera *camera, float right, float up)
{
    if (!isfinite(right) || !isfinite(up))
        return;
    vector target = load(camera->target), away = combine(load(camera->position), -1, target);
    vector vertical = unit_or(load(camera->up), (vector) { 0, 1, 0 });
    double distance = sqrt(dot(away, away));
    if (!(distance > 0))
        return;
    // height above the target's horizon, and a level direction turned about the vertical
    double sine = fmin(fmax(dot(away, vertical) / distance, -1), 1), height = asin(sine);
    vector other = fabs(vertical.y) < 0.9 ? (vector) { 0, 1, 0 } : (vector) { 0, 0, 1 };
    vector level = unit_or(combine(away, -dot(away, vertical), vertical), cross(vertical, cross(other, vertical)));
    const double limit = 0.5 * 3.14159265358979 - (double)pole;
    height = fmin(fmax(height + (double)up, -limit), limit);
    vector side = cross(vertical, level);
    vector turned = combine((vector) { 0 }, cos((double)right), level);
    turned = combine(turned, sin((double)right), side);
    vector offset = combine((vector) { 0 }, distance * cos(height), unit_or(turned, level));
    store(camera->position, combine(combine(target, 1, offset), distance * sin(height), vertical));
}

void tide_camera_pan(tide_draw_camera *camera, float right, float up)
{
    if (!isfinite(right) || !isfinite(up))
        return;
    axes axes = axes_of(camera);
    vector position = load(camera->position), target = load(camera->target), ahead = combine(target, -1, position);
    double height = 2 * sqrt(dot(ahead, ahead)) * tan(0.5 * field_of_view(camera));
    vector by = combine(combine((vector) { 0 }, (double)right * height, axes.right), (double)up * height, axes.up);
    store(camera->position, combine(position, 1, by));
    store(camera->target, combine(target, 1, by));
}

void tide_camera_zoom(tide_draw_camera *camera, float factor)
{
    vector target = load(camera->target), away = combine(load(camera->position), -1, target);
    double distance = sqrt(dot(away, away)) * (double)factor;
    if (factor > 0 && distance > 1e-4 && distance < 1e5)
        store(camera->position, combine(target, (double)factor, away));
}

void tide_camera_matrix(const tide_draw_camera *camera, float aspect, float near_plane, float far_plane,
                        float matrix[16])
{
    axes axes = axes_of(camera);
    vector position = load(camera->position);
    double focal = 1 / tan(0.5 * field_of_view(camera)), near = (double)near_plane, far = (double)far_plane;
    double scale = far / (far - near);
    const double rows[4][4] = {
        { focal / (double)aspect * axes.right.x, focal / (double)aspect * axes.right.y,
          focal / (double)aspect * axes.right.z, -focal / (double)aspect * dot(axes.right, position) },
        { focal * axes.up.x, focal * axes.up.y, focal * axes.up.z, -focal * dot(axes.up, position) },
        { scale * axes.forward.x, scale * axes.forward.y, scale * axes.forward.z,
          -scale * (dot(axes.forward, position) + near) },
        { axes.forward.x, axes.forward.y, axes.forward.z, -dot(axes.forward, position) },
    };
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            matrix[4 * column + row] = (float)rows[row][column];
}

void tide_camera_ray(const tide_draw_camera *camera, float x, float y, uint32_t width, uint32_t height, float origin[3],
                     float direction[3])
{
    axes axes = axes_of(camera);
    double scale = 2 * tan(0.5 * field_of_view(camera)) / (height ? height : 1);
    vector ray = combine(axes.forward, ((double)x - 0.5 * width) * scale, axes.right);
    ray = combine(ray, (0.5 * height - (double)y) * scale, axes.up);
    store(origin, load(camera->position));
    store(direction, unit_or(ray, axes.forward));
}
