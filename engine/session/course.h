// A course: a folder of lessons NN-name/ with lesson.md, scene.lua, exercise.lua, solution.lua and check.lua; and what
// of it is done, in a file in the user's data folder.
#ifndef TIDE_SESSION_COURSE_H
#define TIDE_SESSION_COURSE_H

#include "base/error.h"
#include "formats/markdown.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_points {
    double points, of; // of the last mark; of 0: never marked
} tide_points;

typedef struct tide_course_lesson {
    uint32_t number;
    char *name, *folder, *title; // "06-local-global"; its path; the first heading of its lesson.md
    tide_points mark;
} tide_course_lesson;

typedef struct tide_course {
    tide_course_lesson *lessons; // (count), by their numbers
    uint32_t count;
    size_t capacity;
} tide_course; // owns everything in it

// Reads the list of lessons. `folder` NULL: that of the program, scenes/course. A lesson without lesson.md and
// scene.lua is left out.
tide_status tide_course_open(const char *folder, tide_course **course, tide_error *error);
void tide_course_close(tide_course *course); // NULL does nothing
// Finds a lesson by its number, its name or the folder's path.
tide_status tide_course_find(const tide_course *course, const char *which, const tide_course_lesson **lesson,
                             tide_error *error);

// Writes the path of a lesson's file, such as "scene.lua".
tide_status tide_course_path(const tide_course_lesson *lesson, const char *file, char *path, size_t size,
                             tide_error *error);
// Reads the lesson's text.
tide_status tide_course_read(const tide_course_lesson *lesson, tide_document **document, tide_error *error);

// course_progress.c: $XDG_DATA_HOME/springtide/course, a line for each lesson. Damaged lines are left out, and never
// make a command fail.
void tide_course_read_progress(tide_course *course);
// Sets the points of a lesson, in the list and in the file; those of other lessons stay.
tide_status tide_course_save_progress(tide_course *course, const char *name, tide_points mark, tide_error *error);

#endif
