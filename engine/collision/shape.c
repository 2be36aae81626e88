// Shared by the files of shapes.
#include "collision/shape.h"
#include "collision/collider_vertices.h"

#include <string.h>

void tide_shape_release(tide_shape *shape)
{
    if (shape->deform)
        tide_deform_destroy(shape->deform);
    else
        tide_distance_release(shape->distance);
    tide_mesh_release(shape->surface);
    shape->deform = NULL;
    shape->distance = NULL;
    shape->surface = NULL;
}

tide_status tide_shape_place(tide_shape *shape, const char *object, const double position[3], const double *rotation,
                             tide_error *error)
{
    memcpy(shape->pose.position, position, sizeof shape->pose.position);
    if (rotation)
        memcpy(shape->pose.rotation, rotation, sizeof shape->pose.rotation);
    return tide_pose_check(&shape->pose, object, error);
}

tide_status tide_shape_between(const char *object, const double from[3], const double to[3], double radius,
                               tide_round_distance *distance, tide_round_tessellation *tessellate, tide_shape *shape,
                               tide_error *error)
{
    double middle[3], a[3], b[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * from[k] + 0.5 * to[k];
        a[k] = from[k] - middle[k];
        b[k] = to[k] - middle[k];
    }
    TIDE_TRY(tide_shape_place(shape, object, middle, NULL, error));
    TIDE_TRY(distance(a, b, radius, &shape->distance, error));
    return tessellate(a, b, radius, &shape->surface, error);
}
