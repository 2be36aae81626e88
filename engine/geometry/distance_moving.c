#include "geometry/distance_moving.h"

tide_status tide_distance_moving(const tide_mesh *mesh, bool sheet, tide_distance **out, tide_error *error)
{
    return sheet ? tide_distance_moving_sheet(mesh, out, error) : tide_distance_moving_mesh(mesh, out, error);
}

void tide_distance_move(tide_distance *distance, const double *vertices)
{
    distance->kind->move(distance, vertices);
}
