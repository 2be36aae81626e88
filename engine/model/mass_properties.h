// Mass, centre and second moments of a mesh that is filled with matter, and four particles with the same.
//
//     tide_mass_properties of = tide_mass_of_volume(mesh, NULL, 2000);
//     double points[12];
//     tide_equimomental_points(&of, points); // each has a quarter of of.mass
//
// The moments are exact: the integrals over tetrahedra, or over the cones from one point to the triangles of a closed
// surface (Mirtich 1996, Fast and accurate computation of polyhedral mass properties, gives the same by other means).
// Threads: any. Nothing fails and nothing allocates.
#ifndef TIDE_MODEL_MASS_PROPERTIES_H
#define TIDE_MODEL_MASS_PROPERTIES_H

#include "mesh/mesh.h"

typedef struct tide_mass_properties {
    double measure;    // m^3 of a volume, m^2 of an area; negative for a closed surface that faces inward
    double mass;       // kg
    double centre[3];  // m
    double moments[9]; // kg m^2, about the centre: the integral of r r' dm, symmetric
} tide_mass_properties;

// Computes those of the mesh's tetrahedra or, without any, of the volume that its closed surface encloses, for a
// density in kg/m^3. `density_at` (mesh->vertex_count; NULL: not given) takes its place for tetrahedra: each has the
// mean of its corners.
tide_mass_properties tide_mass_of_volume(const tide_mesh *mesh, const double *density_at, double density);
// Computes those of the mesh's triangles, for a mass per area in kg/m^2.
tide_mass_properties tide_mass_of_area(const tide_mesh *mesh, double area_density);
// Computes those of the mesh's vertices, for their masses in kg.
tide_mass_properties tide_mass_of_points(const tide_mesh *mesh, const double *masses);
// Multiplies the masses by a factor.
void tide_mass_scale(tide_mass_properties *of, double factor);

// Computes four points, of a quarter of the mass each, with the same centre and moments, so that every rigid motion has
// the same momenta and energy (Routh 1905, Dynamics of a system of rigid bodies, art. 34). Where the body is flat or
// straight, the points are moved apart across it by `TIDE_MASS_THIN` of its radius of gyration, so that they span a
// volume. Returns whether they were.
#define TIDE_MASS_THIN 1e-3
bool tide_equimomental_points(const tide_mass_properties *of, double points[12]);

#endif
