// Impact zones: points of impacts that are moved together (contact/continuous.h).
#ifndef TIDE_CONTACT_IMPACT_ZONE_H
#define TIDE_CONTACT_IMPACT_ZONE_H

#include "collision/impact.h"
#include "collision/work_limit.h"

typedef struct tide_zones tide_zones;
tide_status tide_zones_create(const tide_contact_surface *surface, tide_zones **zones, tide_error *error);
void tide_zones_destroy(tide_zones *zones); // NULL does nothing
void tide_zones_clear(tide_zones *zones);   // every point is on its own again
// Joins the points of each impact to one zone; returns how many zones there are.
uint32_t tide_zones_join(tide_zones *zones, const tide_impact *impacts, size_t count);
// Whether all four are in one zone without moving points that have no inverse mass: then they keep their distances.
bool tide_zones_hold(const tide_zones *zones, const uint32_t points[4]);
// Moves each zone as if rigid, and marks the points whose place in x changes.
void tide_zones_move(tide_zones *zones, const double *from, double *x, bool *moved);

// Moves x until the constraints hold or `sweeps` are over, by the least change in the kinetic norm when it has settled:
// Gauss and Seidel's method with multipliers that stay at least 0. Marks the points it moves. Stops when `work` (NULL:
// no bound) is exhausted.
void tide_impacts_push(const tide_contact_surface *surface, tide_impact *impacts, size_t count, int sweeps, double *x,
                       bool *moved, tide_contact_work *work);

#endif
