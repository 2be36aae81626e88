#include "session/shown_body.h"

#include "base/memory.h"

tide_status tide_shown_body_find(tide_world *world, tide_body_id id, tide_shown_body *out, tide_error *error)
{
    tide_shown_body body = { 0 };
    const tide_mesh *fine = tide_world_surface(world, id);
    TIDE_TRY(tide_world_check_body(world, id, &body.info, error));
    body.mesh = body.info.mesh;
    body.x = tide_world_positions(world, id);
    if (fine) {
        body.mesh = fine;
        body.surface = tide_allocate_array(fine->vertex_count, 3 * sizeof(double));
        if (!body.surface)
            return tide_fail_memory(error, "exported mesh");
        tide_world_surface_positions(world, id, body.surface);
        body.x = body.surface;
    }
    *out = body;
    return TIDE_OK;
}
