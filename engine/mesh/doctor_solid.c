// The mesh doctor: tetrahedra that are inverted relative to their neighbours.
#include "mesh/doctor.h"

#include "base/memory.h"

#include <stdio.h>

// Duplicates are reported elsewhere; a flat tetrahedron is on neither side.
static bool is_fold(const tide_doctor *doctor, const uint32_t pair[2])
{
    const uint32_t *a = doctor->mesh->tetrahedra + 4 * (size_t)pair[0];
    const uint32_t *b = doctor->mesh->tetrahedra + 4 * (size_t)pair[1];
    return !tide_mesh_same_tuple(a, b, 4) && !tide_doctor_is_flat_tetrahedron(doctor, a) &&
           !tide_doctor_is_flat_tetrahedron(doctor, b);
}

// Writes the common vertices as "1, 2, 4"; `first` is the first of them.
static void name_face(const uint32_t *a, const uint32_t *b, uint32_t *first, char text[64])
{
    int length = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            if (a[i] == b[k]) {
                *first = length ? *first : a[i];
                length += snprintf(text + length, 64 - (size_t)length, "%s%u", length ? ", " : "", a[i] + 1);
            }
}

static void report_folds(tide_doctor *doctor, const uint32_t *pair, uint32_t count)
{
    const uint32_t *tetrahedra = doctor->mesh->tetrahedra;
    const tide_finding found = { count, pair[0] };
    uint32_t first = 0;
    char face[64], place[64];
    name_face(tetrahedra + 4 * (size_t)pair[0], tetrahedra + 4 * (size_t)pair[1], &first, face);
    tide_doctor_report(doctor, TIDE_MESH_INVERTED_TETRAHEDRON, false, found,
                       "tetrahedra %u and %u are on the same side of the face that they share (vertices %s) at %s, so "
                       "that one of them is inverted (%u such %s); move one of their vertices or remove one",
                       pair[0] + 1, pair[1] + 1, face, tide_doctor_place(doctor, first, place), count,
                       count == 1 ? "face" : "faces");
}

static void note_turned(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    const tide_finding turned = { mesh->turned_count, mesh->first_turned };
    char place[64];
    if (turned.count)
        tide_doctor_report(doctor, TIDE_MESH_TURNED_TETRAHEDRA, false, turned,
                           "tetrahedron %u at %s was given inside out, its volume negative by the order of its "
                           "corners, and is turned (%u of %u tetrahedra)",
                           turned.first + 1,
                           tide_doctor_place(doctor, mesh->tetrahedra[4 * (size_t)turned.first], place), turned.count,
                           mesh->tetrahedron_count);
}

tide_status tide_doctor_find_inverted(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    uint32_t *pairs, count, folds = 0;
    if (!mesh->tetrahedron_count || !doctor->measurable)
        return TIDE_OK;
    TIDE_TRY(tide_mesh_folds_of(mesh->tetrahedra, mesh->tetrahedron_count, &pairs, &count, doctor->error));
    const uint32_t *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *pair = pairs + 2 * (size_t)i;
        if (!is_fold(doctor, pair))
            continue;
        folds++;
        if (!first || pair[0] < first[0])
            first = pair;
    }
    if (first)
        report_folds(doctor, first, folds);
    note_turned(doctor);
    tide_free(pairs);
    return TIDE_OK;
}
