// A lesson that is open: its text, the student's exercise, and the marks of it. When the exercise is saved, it is
// marked by a process of its own (`springtide course LESSON --mark`), so that nothing waits for it.
#ifndef TIDE_SESSION_LESSON_H
#define TIDE_SESSION_LESSON_H

#include "session/course.h"

typedef struct tide_lesson_check {
    char *name, *message, *hint; // "" for none; of the lesson's `texts`
    double points, of;
} tide_lesson_check;

typedef enum tide_lesson_state {
    TIDE_LESSON_UNMARKED,
    TIDE_LESSON_MARKING,
    TIDE_LESSON_MARKED,
    TIDE_LESSON_FAILED // it could not be marked: `failure` tells why
} tide_lesson_state;

typedef struct tide_lesson {
    tide_course *course;              // owned
    const tide_course_lesson *lesson; // in it
    tide_document *document;
    char *scene, *exercise; // paths: the demonstration; the student's file
    bool on_exercise;       // the exercise is shown, not the demonstration
    int leaf;               // of the panel that is open, and how far it is scrolled, from window to window
    float scroll;
    tide_lesson_state state;
    tide_lesson_check *checks; // (check_count) of the last marks, also while it is marked again
    uint32_t check_count;
    double points, of;
    char failure[600];
    uint64_t marked; // counts the ends of markings
    struct tide_marking *marking;
} tide_lesson;

// Opens a lesson and begins to mark the exercise. Takes the course, also if it fails.
tide_status tide_lesson_open(tide_course *course, const tide_course_lesson *lesson, const char *exercise,
                             const char *lessons, tide_lesson **out, tide_error *error);
void tide_lesson_close(tide_lesson *lesson); // NULL does nothing

// Ends a marking that runs, and all further ones. For a program that ends.
void tide_lesson_stop(tide_lesson *lesson);

// Begins to mark if the exercise was saved, and takes the marks when they are there. To be called often. Returns
// whether anything has changed.
bool tide_lesson_poll(tide_lesson *lesson);

#endif
