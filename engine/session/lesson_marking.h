// A marking of an exercise that goes on in another process, and its report: lines of fields with tabs between them,
// "check POINTS OF NAME MESSAGE HINT", then "total POINTS OF".
#ifndef TIDE_SESSION_LESSON_MARKING_H
#define TIDE_SESSION_LESSON_MARKING_H

#include "session/lesson.h"

typedef struct tide_marking tide_marking;

// `folder` NULL: the program's course.
tide_status tide_marking_create(const char *lesson, const char *exercise, const char *folder, tide_marking **marking,
                                tide_error *error);
void tide_marking_destroy(tide_marking *marking); // NULL does nothing; ends the process

// Begins anew; a process that still runs is ended.
tide_status tide_marking_begin(tide_marking *marking, tide_error *error);
// Returns whether the process has ended since the last call. `report` is then its report, the caller's; NULL: it made
// none, and `failure` tells why.
bool tide_marking_end(tide_marking *marking, char **report, char *failure, size_t size);

// Reads a report, whose bytes become those of the checks: checks[0].name - 0 ... `report` must live as long as they.
// Returns false for one that is damaged.
bool tide_marking_read(char *report, tide_lesson_check **checks, uint32_t *count, tide_points *total);

#endif
