// Impact zones: points that impacts connect, moved together (contact/continuous.h).
#ifndef TIDE_CONTACT_IMPACT_ZONE_H
#define TIDE_CONTACT_IMPACT_ZONE_H

#include "collision/impact.h"
#include "collision/work_limit.h"

typedef struct tide_zones tide_zones;
tide_status tide_zones_create(const tide_contact_surface *surface, tide_zones **zones, tide_error *error);
void tide_zones_clear(tide_zones *zones); // every point becomes a zone of its own
// Joins the points of each impact to one zone; returns how many zones there are.
uint32_t tide_zones_join(tide_zones *zones, const tide_impact *impacts, size_t count);
// Returns whether all four points are in one zone without points of infinite mass. Such a zone moves rigidly and keeps
// their distances.
bool tide_zones_hold(const tide_zones *zones, const uint32_t points[4]);
// Moves each zone rigidly, and marks the points whose place in x changes.
void tide_zones_move(tide_zones *zones, const double *from, double *x, bool *moved);

// Moves x until the constraints hold, or for `sweeps` sweeps, by Gauss-Seidel with multipliers of at least 0. At
// convergence the change is the least in the kinetic norm. Marks the points that it moves. Stops when `work` (NULL:
// unbounded) is exhausted.
void tide_impacts_push(const tide_contact_surface *surface, tide_impact *impacts, size_t count, int sweeps, double *x,
                       bool *moved, tide_contact_work *work);

#endif
