// Repairs that keep the evident meaning of a mesh.
#include "mesh/doctor.h"

#include "base/memory.h"

#include <string.h>

const tide_field tide_mesh_mend_fields[] = {
    { TIDE_MEMBER(tide_mesh_mend_def, scale), .type = TIDE_FIELD_REAL, .initial = { 1 }, .minimum = 0, .maximum = 1e15,
      .positive = true, .help = "scale factor of all coordinates, applied first: 0.001 for a file in millimetres" },
    { TIDE_MEMBER(tide_mesh_mend_def, weld), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN },
      .initial_text = "nil", .minimum = 0, .maximum = 1e15, .unit = "m",
      .help = "join vertices closer than this, as mesh:weld does" },
    { TIDE_MEMBER(tide_mesh_mend_def, fix), .type = TIDE_FIELD_BOOLEAN,
      .help = "repair the mesh: join coincident vertices; repair flat triangles by changing edges; remove flat "
              "tetrahedra, duplicate elements and unused vertices; orient triangles consistently, outward where the "
              "surface is closed" },
    { .name = NULL },
};

// The current mesh: the given one, or one that replaced it.
typedef struct mend {
    const tide_mesh *mesh;
    tide_mesh_mending *did;
    tide_error *error;
} mend;

static void replace(mend *mend, tide_mesh *with)
{
    tide_mesh_release(mend->mesh);
    mend->mesh = with;
}

static uint32_t element_count(const tide_mesh *mesh)
{
    return mesh->edge_count + mesh->triangle_count + mesh->tetrahedron_count;
}

static tide_status scale(mend *mend, double factor)
{
    const double factors[3] = { factor, factor, factor };
    tide_mesh *scaled;
    if (factor == 1)
        return TIDE_OK;
    TIDE_TRY(tide_mesh_scale(mend->mesh, factors, &scaled, mend->error));
    replace(mend, scaled);
    return TIDE_OK;
}

static tide_status count_joined(mend *mend, double distance, uint32_t *joined)
{
    const tide_mesh *mesh = mend->mesh;
    TIDE_SCOPED uint32_t *lowest = tide_allocate_array(mesh->vertex_count, sizeof *lowest);
    if (!lowest)
        return tide_fail_memory(mend->error, "mesh mending");
    tide_status status = tide_mesh_cluster(mesh->vertices, mesh->vertex_count, distance, lowest, mend->error);
    *joined = 0;
    for (uint32_t i = 0; i < mesh->vertex_count && status == TIDE_OK; i++)
        *joined += lowest[i] != i;
    return status;
}

static tide_status weld(mend *mend, double distance)
{
    uint32_t joined, elements = element_count(mend->mesh), vertices = mend->mesh->vertex_count;
    tide_finding copies;
    int list;
    tide_mesh *welded;
    TIDE_TRY(count_joined(mend, distance, &joined));
    TIDE_TRY(tide_doctor_count_copies(mend->mesh, &copies, &list, mend->error));
    TIDE_TRY(tide_mesh_weld(mend->mesh, distance, &welded, mend->error));
    replace(mend, welded);
    // Duplicates are dropped whether or not a corner was joined.
    uint32_t dropped = elements - element_count(mend->mesh);
    mend->did->joined_vertices += joined;
    mend->did->dropped_vertices += vertices - joined - mend->mesh->vertex_count;
    mend->did->duplicate_elements += copies.count;
    mend->did->joined_elements += dropped > copies.count ? dropped - copies.count : 0;
    return TIDE_OK;
}

// --- flat elements ---------------------------------------------------------------------------------------------------

// Elements of one width: first those that stay, then the flat ones.
typedef struct parted {
    uint32_t *tuples;
    uint32_t width, kept, count;
} parted;

static bool part(parted *list, const tide_doctor *doctor, const uint32_t *tuples, uint32_t width, uint32_t count,
                 const unsigned char *owners)
{
    uint32_t last = count;
    *list = (parted) { tide_allocate_array(count, width * sizeof *tuples), width, 0, count };
    for (uint32_t i = 0; i < count && list->tuples; i++) {
        const uint32_t *tuple = tuples + (size_t)width * i;
        // Triangles of tetrahedra follow from the tetrahedra.
        bool flat = width == 4 ? tide_doctor_is_flat_tetrahedron(doctor, tuple)
                               : !(owners && owners[i]) && tide_doctor_is_flat_triangle(doctor, tuple);
        memcpy(list->tuples + (size_t)width * (flat ? --last : list->kept++), tuple, width * sizeof *tuple);
    }
    return list->tuples != NULL;
}

// Replaces the triangles of tetrahedra by the surface of the remaining ones; triangles without a tetrahedron stay.
static tide_status renew_surface(mend *mend, parted *triangles, const parted *tetrahedra, const unsigned char *owners)
{
    const tide_mesh *mesh = mend->mesh;
    uint32_t *surface = NULL, count = 0, alone = 0;
    TIDE_TRY(tide_mesh_surface_of(tetrahedra->tuples, tetrahedra->kept, &surface, &count, mend->error));
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        alone += !owners[i];
    uint32_t *all = tide_allocate_array((size_t)count + alone, 3 * sizeof *all);
    if (!all) {
        tide_free(surface);
        return tide_fail_memory(mend->error, "mesh mending");
    }
    tide_doctor doctor = tide_doctor_of(mesh, NULL, mend->error);
    if (count)
        memcpy(all, surface, 3 * sizeof *all * count);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        if (!owners[i] && !tide_doctor_is_flat_triangle(&doctor, mesh->triangles + 3 * i))
            memcpy(all + 3 * (size_t)count++, mesh->triangles + 3 * i, 3 * sizeof *all);
    tide_free(surface);
    tide_free(triangles->tuples);
    triangles->tuples = all;
    triangles->kept = count;
    return TIDE_OK;
}

// Returns the edges except those that only flat elements have: *edges is allocated.
static tide_status keep_edges(mend *mend, const parted *triangles, const parted *tetrahedra, uint32_t flat_triangles,
                              const uint32_t *flat_triangle, uint32_t **edges, uint32_t *count)
{
    const tide_mesh *mesh = mend->mesh;
    const tide_mesh_tuples kept_lists[] = { { triangles->tuples, 3, triangles->kept },
                                            { tetrahedra->tuples, 4, tetrahedra->kept } };
    const tide_mesh_tuples flat_lists[] = { { flat_triangle, 3, flat_triangles },
                                            { tetrahedra->tuples + 4 * (size_t)tetrahedra->kept, 4,
                                              tetrahedra->count - tetrahedra->kept } };
    tide_mesh_edge_table kept = { 0 }, flat = { 0 };
    tide_status status = tide_mesh_edge_table_create(mesh->vertex_count, kept_lists, 2, &kept, mend->error);
    if (status == TIDE_OK)
        status = tide_mesh_edge_table_create(mesh->vertex_count, flat_lists, 2, &flat, mend->error);
    *edges = tide_allocate_array(mesh->edge_count, 2 * sizeof **edges);
    *count = 0;
    if (status == TIDE_OK && !*edges)
        status = tide_fail_memory(mend->error, "mesh mending");
    for (size_t i = 0; i < mesh->edge_count && status == TIDE_OK; i++) {
        const uint32_t *edge = mesh->edges + 2 * i;
        if (tide_mesh_edge_table_find(&flat, edge[0], edge[1]) == TIDE_MESH_NO_EDGE ||
            tide_mesh_edge_table_find(&kept, edge[0], edge[1]) != TIDE_MESH_NO_EDGE)
            memcpy(*edges + 2 * (size_t)(*count)++, edge, 2 * sizeof *edge);
    }
    tide_mesh_edge_table_destroy(&kept);
    tide_mesh_edge_table_destroy(&flat);
    return status;
}

static tide_status create_without_flat(mend *mend, parted *triangles, parted *tetrahedra, const unsigned char *owners)
{
    const tide_mesh *mesh = mend->mesh;
    uint32_t flat_triangles = triangles->count - triangles->kept,
             flat_tetrahedra = tetrahedra->count - tetrahedra->kept;
    uint32_t *edges = NULL, edge_count = 0;
    if (!flat_triangles && !flat_tetrahedra)
        return TIDE_OK;
    uint32_t *flat =
        tide_copy_bytes(triangles->tuples + 3 * (size_t)triangles->kept, 3 * sizeof *flat * flat_triangles);
    tide_status status = flat ? TIDE_OK : tide_fail_memory(mend->error, "mesh mending");
    if (status == TIDE_OK && flat_tetrahedra)
        status = renew_surface(mend, triangles, tetrahedra, owners);
    if (status == TIDE_OK)
        status = keep_edges(mend, triangles, tetrahedra, flat_triangles, flat, &edges, &edge_count);
    tide_free(flat);
    if (status == TIDE_OK && !edge_count && !triangles->kept && !tetrahedra->kept)
        status = tide_fail(mend->error, TIDE_ERROR_ARGUMENT, "mesh", "fix", NULL,
                           "all its triangles and tetrahedra are flat: nothing would be left");
    if (status == TIDE_OK) {
        tide_mesh_parts parts = tide_mesh_view(mesh);
        parts.edges = edges;
        parts.edge_count = edge_count;
        parts.triangles = triangles->tuples;
        parts.triangle_count = triangles->kept;
        parts.tetrahedra = tetrahedra->tuples;
        parts.tetrahedron_count = tetrahedra->kept;
        tide_mesh *made;
        status = tide_mesh_create(&parts, &made, mend->error);
        if (status == TIDE_OK) {
            replace(mend, made);
            mend->did->flat_elements += flat_triangles + flat_tetrahedra;
        }
    }
    tide_free(edges);
    return status;
}

// Mends a mesh without tetrahedra: a closed surface stays closed.
static tide_status mend_flat_triangles(mend *mend)
{
    uint32_t mended;
    tide_mesh *made;
    tide_status status = tide_mesh_mend_flat(mend->mesh, &made, &mended, mend->error);
    if (status == TIDE_OK && made) {
        replace(mend, made);
        mend->did->flat_elements += mended;
    }
    return status;
}

static tide_status drop_flat(mend *mend)
{
    const tide_mesh *mesh = mend->mesh;
    if (mesh->tetrahedron_count == 0)
        return mend_flat_triangles(mend);
    tide_doctor doctor = tide_doctor_of(mesh, NULL, mend->error);
    parted triangles = { 0 }, tetrahedra = { 0 };
    TIDE_SCOPED uint32_t *turned = tide_copy_bytes(mesh->triangles, 3 * sizeof *turned * mesh->triangle_count);
    TIDE_SCOPED unsigned char *owners = tide_allocate_zeroed(mesh->triangle_count, 1);
    tide_status status = TIDE_OK;
    if (!turned || !owners)
        status = tide_fail_memory(mend->error, "mesh mending");
    else
        status = tide_mesh_turn_outward(mesh->tetrahedra, mesh->tetrahedron_count, mesh->vertex_count, turned,
                                        mesh->triangle_count, owners, mend->error);
    if (status == TIDE_OK && (!part(&triangles, &doctor, mesh->triangles, 3, mesh->triangle_count, owners) ||
                              !part(&tetrahedra, &doctor, mesh->tetrahedra, 4, mesh->tetrahedron_count, NULL)))
        status = tide_fail_memory(mend->error, "mesh mending");
    if (status == TIDE_OK)
        status = create_without_flat(mend, &triangles, &tetrahedra, owners);
    tide_free(triangles.tuples);
    tide_free(tetrahedra.tuples);
    return status;
}

// --- orientation -----------------------------------------------------------------------------------------------------

static tide_status orient(mend *mend)
{
    const tide_mesh *mesh = mend->mesh;
    tide_orientation sides;
    uint32_t turned = 0;
    tide_status status = tide_mesh_orient(mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                                          &sides, mend->error);
    if (status != TIDE_OK)
        return status;
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        turned += sides.turns[i];
    mend->did->unorientable_pieces = sides.unorientable;
    if (turned) {
        tide_mesh_parts parts = tide_mesh_view(mesh);
        uint32_t *triangles = tide_copy_bytes(mesh->triangles, 3 * sizeof *triangles * mesh->triangle_count);
        for (size_t i = 0; i < mesh->triangle_count && triangles; i++)
            if (sides.turns[i]) {
                uint32_t second = triangles[3 * i + 1];
                triangles[3 * i + 1] = triangles[3 * i + 2];
                triangles[3 * i + 2] = second;
            }
        parts.triangles = triangles;
        tide_mesh *made;
        status = triangles ? tide_mesh_create(&parts, &made, mend->error) : tide_fail_memory(mend->error, "mesh");
        tide_free(triangles);
        if (status == TIDE_OK) {
            replace(mend, made);
            mend->did->turned_triangles = turned;
        }
    }
    tide_orientation_destroy(&sides);
    return status;
}

static tide_status fix(mend *mend, double distance)
{
    // The tolerance of the doctor is the least welding distance.
    double same = tide_doctor_of(mend->mesh, NULL, mend->error).tolerance;
    tide_status status = weld(mend, tide_given(distance) && distance > same ? distance : same);
    if (status == TIDE_OK)
        status = drop_flat(mend);
    if (status == TIDE_OK && mend->did->flat_elements)
        status = weld(mend, 0); // drops vertices that are now unused
    if (status == TIDE_OK)
        status = orient(mend);
    return status;
}

tide_status tide_mesh_mend(const tide_mesh *mesh, const tide_mesh_mend_def *def, const tide_mesh **out,
                           tide_mesh_mending *mending, tide_error *error)
{
    tide_mesh_mending did = { 0 };
    tide_status status = tide_fields_check(tide_mesh_mend_fields, "mesh", def, error);
    if (status != TIDE_OK)
        return status;
    mend mend = { tide_mesh_retain(mesh), &did, error };
    status = scale(&mend, def->scale);
    if (status == TIDE_OK && def->fix)
        status = fix(&mend, def->weld);
    else if (status == TIDE_OK && tide_given(def->weld))
        status = weld(&mend, def->weld);
    if (status != TIDE_OK) {
        tide_mesh_release(mend.mesh);
        return status;
    }
    if (mend.mesh != mesh && mend.mesh->hash == mesh->hash) {
        tide_mesh_release(mend.mesh);
        mend.mesh = tide_mesh_retain(mesh);
    }
    *out = mend.mesh;
    if (mending)
        *mending = did;
    return TIDE_OK;
}
