// The mesh doctor: sizes of elements and when they count as 0, and the text of the report.
#include "mesh/doctor.h"

#include "base/elementary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// Lengths below this fraction of the diagonal of the bounding box count as 0, as do areas below this fraction of the
// square of the longest side, and volumes below the second number times its cube.
static const double nothing = 1e-9, no_volume = 1e-12;

// Beyond these sizes squares and cubes overflow or vanish. For such a mesh, only the size is reported.
static const double largest_size = 1e80, smallest_size = 1e-80;

tide_doctor tide_doctor_of(const tide_mesh *mesh, tide_mesh_report *report, tide_error *error)
{
    double lower[3], upper[3];
    tide_mesh_bounds(mesh, lower, upper);
    tide_doctor doctor = { .mesh = mesh, .report = report, .error = error };
    doctor.diagonal = tide_hypot(tide_hypot(upper[0] - lower[0], upper[1] - lower[1]), upper[2] - lower[2]);
    doctor.tolerance = isfinite(doctor.diagonal) ? nothing * doctor.diagonal : 0;
    doctor.measurable = doctor.diagonal == 0 || (doctor.diagonal > smallest_size && doctor.diagonal < largest_size);
    return doctor;
}

void tide_doctor_note(tide_finding *finding, uint32_t index)
{
    if (finding->count++ == 0)
        finding->first = index;
}

void tide_doctor_report(tide_doctor *doctor, tide_mesh_problem_kind kind, bool fatal, tide_finding finding,
                        const char *format, ...)
{
    tide_mesh_report *report = doctor->report;
    bool note = kind == TIDE_MESH_OPEN_SURFACE || kind == TIDE_MESH_PIECES || kind == TIDE_MESH_TURNED_TETRAHEDRA;
    tide_mesh_problem *problem =
        note ? &report->notes[report->note_count++] : &report->problems[report->problem_count++];
    *problem = (tide_mesh_problem) { .kind = kind, .fatal = fatal, .count = finding.count, .first = finding.first };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
}

tide_vec3 tide_doctor_position(const tide_doctor *doctor, uint32_t vertex)
{
    return tide_vec3_load(doctor->mesh->vertices + 3 * (size_t)vertex);
}

const char *tide_doctor_place(const tide_doctor *doctor, uint32_t vertex, char text[64])
{
    tide_vec3 p = tide_doctor_position(doctor, vertex);
    snprintf(text, 64, "(%g, %g, %g)", p.x, p.y, p.z);
    return text;
}

double tide_doctor_distance(const tide_doctor *doctor, uint32_t a, uint32_t b)
{
    return tide_vec3_length(tide_vec3_subtract(tide_doctor_position(doctor, a), tide_doctor_position(doctor, b)));
}

double tide_doctor_weld_distance(const tide_doctor *doctor, double gap)
{
    double least = fmax(gap, doctor->tolerance);
    if (!(least > 0))
        return 0;
    double power = tide_pow(10, ceil(tide_log10(least)));
    return power < least ? 10 * power : power;
}

double tide_doctor_longest_side(const tide_doctor *doctor, const uint32_t *tuple, uint32_t width)
{
    double longest = 0;
    for (uint32_t i = 1; i < width; i++)
        for (uint32_t j = 0; j < i; j++)
            longest = fmax(longest, tide_doctor_distance(doctor, tuple[i], tuple[j]));
    return longest;
}

double tide_doctor_twice_area(const tide_doctor *doctor, uint32_t a, uint32_t b, uint32_t c)
{
    tide_vec3 p = tide_doctor_position(doctor, a);
    return tide_vec3_length(tide_vec3_cross(tide_vec3_subtract(tide_doctor_position(doctor, b), p),
                                            tide_vec3_subtract(tide_doctor_position(doctor, c), p)));
}

bool tide_doctor_is_short_edge(const tide_doctor *doctor, const uint32_t *edge)
{
    return tide_doctor_distance(doctor, edge[0], edge[1]) <= doctor->tolerance;
}

bool tide_doctor_is_flat_triangle(const tide_doctor *doctor, const uint32_t *t)
{
    double side = tide_doctor_longest_side(doctor, t, 3);
    return doctor->measurable && tide_doctor_twice_area(doctor, t[0], t[1], t[2]) <= nothing * side * side;
}

bool tide_doctor_is_flat_tetrahedron(const tide_doctor *doctor, const uint32_t *t)
{
    double side = tide_doctor_longest_side(doctor, t, 4);
    return doctor->measurable &&
           fabs(tide_mesh_tetrahedron_volume(doctor->mesh->vertices, t)) <= no_volume * side * side * side;
}
