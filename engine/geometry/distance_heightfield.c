#include "geometry/distance_parts.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { MAX_HEIGHTS = 1 << 25, MAX_LEVELS = 26 };

// The least and the greatest height of a block of cells.
typedef struct range {
    double least, greatest;
} range;

typedef struct field {
    tide_distance base;
    uint32_t columns, rows;
    double width, depth, step[2]; // step: side of a cell along x and z
    double *heights;
    // A pyramid: a block of level l has 2^l cells each way. Level 0 has a block for each cell, the last level has one
    // block.
    uint32_t level_count, across[MAX_LEVELS], along[MAX_LEVELS]; // blocks along x and z
    range *levels[MAX_LEVELS];                                   // into one array, which begins at levels[0]
} field;

static tide_vec3 point_of(const field *self, uint32_t column, uint32_t row)
{
    double x = ((double)column / (self->columns - 1) - 0.5) * self->width;
    double z = ((double)row / (self->rows - 1) - 0.5) * self->depth;
    return (tide_vec3) { x, self->heights[(size_t)row * self->columns + column], z };
}

// Returns the two triangles of a cell, with upward normals.
static void triangles_of(const field *self, uint32_t column, uint32_t row, tide_vec3 triangles[2][3])
{
    tide_vec3 a = point_of(self, column, row), b = point_of(self, column + 1, row);
    tide_vec3 c = point_of(self, column, row + 1), d = point_of(self, column + 1, row + 1);
    if ((column + row) % 2 == 0) {
        memcpy(triangles, (const tide_vec3[2][3]) { { a, c, d }, { a, d, b } }, sizeof(tide_vec3[2][3]));
    } else {
        memcpy(triangles, (const tide_vec3[2][3]) { { a, c, b }, { b, c, d } }, sizeof(tide_vec3[2][3]));
    }
}

static tide_vec3 combine(tide_vec3 a, tide_vec3 b, double t)
{
    return tide_vec3_add(tide_vec3_scale(a, 1 - t), tide_vec3_scale(b, t));
}

static tide_vec3 nearest_on_side(tide_vec3 a, tide_vec3 b, tide_vec3 p)
{
    tide_vec3 side = tide_vec3_subtract(b, a);
    double t = tide_vec3_dot(tide_vec3_subtract(p, a), side) / tide_vec3_dot(side, side);
    return combine(a, b, fmin(fmax(t, 0), 1));
}

typedef struct nearest {
    double squared; // distance to the nearest point so far
    tide_vec3 place;
    tide_vec3 normal; // of its triangle, upward
    bool within;      // the nearest point is inside the triangle, not on an edge
} nearest;

// Updates the nearest point if the normal through p meets the triangle; else the nearest point is on an edge.
static void meet_triangle(const tide_vec3 corners[3], tide_vec3 p, nearest *best)
{
    tide_vec3 a = corners[0], ab = tide_vec3_subtract(corners[1], a), ac = tide_vec3_subtract(corners[2], a);
    tide_vec3 normal = tide_vec3_cross(ab, ac);
    bool within = true;
    for (int k = 0; k < 3; k++) {
        tide_vec3 from = corners[k], side = tide_vec3_subtract(corners[(k + 1) % 3], from);
        within = within && tide_vec3_dot(tide_vec3_cross(normal, side), tide_vec3_subtract(p, from)) > 0;
    }
    double length = tide_vec3_length(normal);
    normal = tide_vec3_scale(normal, 1 / length);
    nearest found = { .normal = normal, .within = within };
    if (within) {
        double height = tide_vec3_dot(normal, tide_vec3_subtract(p, a));
        found.place = tide_vec3_subtract(p, tide_vec3_scale(normal, height));
        found.squared = height * height;
        if (found.squared < best->squared)
            *best = found;
        return;
    }
    for (int k = 0; k < 3; k++) {
        found.place = nearest_on_side(corners[k], corners[(k + 1) % 3], p);
        tide_vec3 d = tide_vec3_subtract(p, found.place);
        found.squared = tide_vec3_dot(d, d);
        if (found.squared < best->squared)
            *best = found;
    }
}

// Returns the squared distance from p to the box of a block.
static double to_block(const field *self, uint32_t level, uint32_t i, uint32_t j, tide_vec3 p)
{
    const range *heights = &self->levels[level][(size_t)j * self->across[level] + i];
    double from_x = ((double)i * (1u << level)) * self->step[0] - self->width / 2;
    double from_z = ((double)j * (1u << level)) * self->step[1] - self->depth / 2;
    double to_x = fmin(from_x + (1u << level) * self->step[0], self->width / 2);
    double to_z = fmin(from_z + (1u << level) * self->step[1], self->depth / 2);
    double x = fmax(0, fmax(from_x - p.x, p.x - to_x)), z = fmax(0, fmax(from_z - p.z, p.z - to_z));
    double y = fmax(0, fmax(heights->least - p.y, p.y - heights->greatest));
    return x * x + y * y + z * z;
}

typedef struct block {
    uint32_t level, i, j;
    double squared;
} block;

// Finds the nearest point of the surface. Visits the nearest blocks first and skips those farther than the best point.
static void find_nearest(const field *self, tide_vec3 p, nearest *best)
{
    block stack[4 * MAX_LEVELS];
    int count = 0;
    uint32_t top = self->level_count - 1;
    stack[count++] = (block) { top, 0, 0, to_block(self, top, 0, 0, p) };
    while (count > 0) {
        block now = stack[--count];
        if (!(now.squared < best->squared))
            continue;
        if (now.level == 0) {
            tide_vec3 triangles[2][3];
            triangles_of(self, now.i, now.j, triangles);
            meet_triangle((const tide_vec3 *)triangles[0], p, best);
            meet_triangle((const tide_vec3 *)triangles[1], p, best);
            continue;
        }
        uint32_t level = now.level - 1;
        int first = count;
        for (uint32_t k = 0; k < 4; k++) {
            block part = { level, 2 * now.i + k % 2, 2 * now.j + k / 2, 0 };
            if (part.i >= self->across[level] || part.j >= self->along[level])
                continue;
            part.squared = to_block(self, level, part.i, part.j, p);
            int at = count++; // the nearest block is last and is taken first
            for (; at > first && stack[at - 1].squared < part.squared; at--)
                stack[at] = stack[at - 1];
            stack[at] = part;
        }
    }
}

// Returns the height of the surface at (x, z) in the rectangle, and the normal of the triangle there.
static double height_at(const field *self, double x, double z, tide_vec3 *normal)
{
    double u = (x + self->width / 2) / self->step[0], v = (z + self->depth / 2) / self->step[1];
    uint32_t column = (uint32_t)fmin(fmax(floor(u), 0), self->columns - 2);
    uint32_t row = (uint32_t)fmin(fmax(floor(v), 0), self->rows - 2);
    u -= column;
    v -= row;
    tide_vec3 triangles[2][3];
    triangles_of(self, column, row, triangles);
    bool second = (column + row) % 2 == 0 ? u > v : u + v > 1;
    const tide_vec3 *t = triangles[second];
    tide_vec3 n = tide_vec3_normalize(tide_vec3_cross(tide_vec3_subtract(t[1], t[0]), tide_vec3_subtract(t[2], t[0])));
    *normal = n;
    return t[0].y - (n.x * (x - t[0].x) + n.z * (z - t[0].z)) / n.y;
}

// Returns the distance to the nearest wall, for a point below the surface, if it is above `value` (negative); else
// `value`.
static double meet_walls(const field *self, tide_vec3 p, double value, double gradient[3])
{
    const double beyond[4] = { p.x - self->width / 2, -p.x - self->width / 2, p.z - self->depth / 2,
                               -p.z - self->depth / 2 };
    for (int k = 0; k < 4; k++)
        if (beyond[k] > value) {
            value = beyond[k];
            if (gradient)
                tide_vec3_store(gradient, (tide_vec3) { (k == 0) - (k == 1), 0, (k == 2) - (k == 3) });
        }
    return value;
}

static double field_at(const tide_distance *distance, const double at[3], double gradient[3])
{
    const field *self = (const field *)distance;
    tide_vec3 p = tide_vec3_load(at), normal;
    double x = fmin(fmax(p.x, -self->width / 2), self->width / 2);
    double z = fmin(fmax(p.z, -self->depth / 2), self->depth / 2);
    double above = p.y - height_at(self, x, z, &normal);
    bool over = x == p.x && z == p.z;
    if (!over && above <= 0) {
        // Horizontally to a wall: no point of the surface is nearer.
        tide_vec3 d = { p.x - x, 0, p.z - z };
        double length = tide_vec3_length(d);
        if (gradient)
            tide_vec3_store(gradient, tide_vec3_scale(d, 1 / length));
        return length;
    }
    double reach = above * above + (p.x - x) * (p.x - x) + (p.z - z) * (p.z - z);
    nearest best = { .squared = reach * (1 + 1e-12), .place = { x, p.y - above, z }, .normal = normal };
    find_nearest(self, p, &best);
    double sign = over && above < 0 ? -1 : 1, length = sqrt(best.squared);
    if (gradient) {
        tide_vec3 d = tide_vec3_subtract(p, best.place);
        // Where the difference is too small to give a direction, the normal of the triangle is used.
        bool touching = length <= 1e-10 * (fabs(p.x) + fabs(p.y) + fabs(p.z));
        tide_vec3 up = best.within || touching ? best.normal : tide_vec3_scale(d, sign / length);
        tide_vec3_store(gradient, up);
    }
    return sign < 0 ? meet_walls(self, p, -length, gradient) : length;
}

static void field_destroy(tide_distance *distance)
{
    field *self = (field *)distance;
    tide_free(self->heights);
    tide_free(self->levels[0]);
}

static const tide_distance_kind field_kind = { .name = "heightfield", .at = field_at, .destroy = field_destroy };

static range join(range a, range b)
{
    return (range) { fmin(a.least, b.least), fmax(a.greatest, b.greatest) };
}

static void set_levels(field *self)
{
    for (uint32_t row = 0; row + 1 < self->rows; row++)
        for (uint32_t column = 0; column + 1 < self->columns; column++) {
            const double *h = self->heights + (size_t)row * self->columns + column, *next = h + self->columns;
            range near = { fmin(h[0], h[1]), fmax(h[0], h[1]) },
                  far = { fmin(next[0], next[1]), fmax(next[0], next[1]) };
            self->levels[0][(size_t)row * self->across[0] + column] = join(near, far);
        }
    for (uint32_t level = 1; level < self->level_count; level++) {
        uint32_t across = self->across[level - 1], along = self->along[level - 1];
        for (uint32_t j = 0; j < self->along[level]; j++)
            for (uint32_t i = 0; i < self->across[level]; i++) {
                range all = { INFINITY, -INFINITY };
                for (uint32_t k = 0; k < 4; k++) {
                    uint32_t x = 2 * i + k % 2, z = 2 * j + k / 2;
                    if (x < across && z < along)
                        all = join(all, self->levels[level - 1][(size_t)z * across + x]);
                }
                self->levels[level][(size_t)j * self->across[level] + i] = all;
            }
    }
}

// Allocates the pyramid. Returns false without memory.
static bool allocate_levels(field *self)
{
    size_t blocks = 0, starts[MAX_LEVELS];
    uint32_t across = self->columns - 1, along = self->rows - 1;
    for (bool last = false; !last; self->level_count++) {
        last = across == 1 && along == 1;
        self->across[self->level_count] = across;
        self->along[self->level_count] = along;
        starts[self->level_count] = blocks;
        blocks += (size_t)across * along;
        across = (across + 1) / 2;
        along = (along + 1) / 2;
    }
    range *all = tide_allocate_array(blocks, sizeof *all);
    for (uint32_t level = 0; all && level < self->level_count; level++)
        self->levels[level] = all + starts[level];
    return all != NULL;
}

static tide_status refuse_number(double number, const char *name, const char *expected, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%.10g", number);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "distance heightfield", name, value, "%s", expected);
}

static tide_status check(uint32_t columns, uint32_t rows, double width, double depth, const double *heights,
                         tide_error *error)
{
    const char *object = "distance heightfield";
    if (columns < 2)
        return refuse_number(columns, "columns", "expected at least 2", error);
    if (rows < 2)
        return refuse_number(rows, "rows", "expected at least 2", error);
    if ((uint64_t)columns * rows > MAX_HEIGHTS)
        return refuse_number((double)columns * rows, "heights", "expected at most 33554432 of them", error);
    TIDE_TRY(tide_distance_check_size(width, object, "width", error));
    TIDE_TRY(tide_distance_check_size(depth, object, "depth", error));
    for (size_t i = 0; i < (size_t)columns * rows; i++)
        if (!(fabs(heights[i]) <= TIDE_DISTANCE_LARGEST)) {
            char value[32];
            snprintf(value, sizeof value, "%g", heights[i]);
            TIDE_TRY(tide_fail(error, TIDE_ERROR_ARGUMENT, object, "heights", value,
                               "expected numbers from -1e9 to 1e9 m; this is the one of column %zu, row %zu",
                               i % columns + 1, i / columns + 1));
        }
    return TIDE_OK;
}

tide_status tide_distance_heightfield(uint32_t columns, uint32_t rows, double width, double depth,
                                      const double *heights, const tide_distance **out, tide_error *error)
{
    TIDE_TRY(check(columns, rows, width, depth, heights, error));
    field *self = (field *)tide_distance_allocate(&field_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, "distance heightfield");
    self->columns = columns;
    self->rows = rows;
    self->width = width;
    self->depth = depth;
    self->step[0] = width / (columns - 1);
    self->step[1] = depth / (rows - 1);
    self->heights = tide_copy_bytes(heights, (size_t)columns * rows * sizeof *heights);
    if (!self->heights || !allocate_levels(self)) {
        tide_distance_release(&self->base);
        return tide_fail_memory(error, "distance heightfield");
    }
    set_levels(self);
    const double half[3] = { width / 2, INFINITY, depth / 2 };
    for (int k = 0; k < 3; k++) {
        self->base.lower[k] = -half[k];
        self->base.upper[k] = half[k];
    }
    self->base.upper[1] = self->levels[self->level_count - 1][0].greatest;
    *out = &self->base;
    return TIDE_OK;
}
