// The pages of a course as HTML that is XML as well, with formulas in MathML and nothing from another host.
#ifndef TIDE_SESSION_COURSE_HTML_H
#define TIDE_SESSION_COURSE_HTML_H

#include "base/text.h"
#include "session/course.h"

typedef struct tide_course_page {
    const tide_course *course;
    uint32_t lesson;      // index
    const char *picture;  // its file, from the page; NULL: none
    const char *exercise; // the text of exercise.lua; NULL: none
    // Makes a file of the lesson's folder available to the page. Returns whether there is such a file, and it may be
    // linked to; its place is NAME/FILE.
    bool (*offer)(void *context, const char *file);
    void *context;
} tide_course_page;

// Adds the lesson's text alone, to stand in another page. `picture` and `exercise` are not used.
tide_status tide_course_write_text(const tide_course_page *page, tide_text *html, tide_error *error);
// Adds the page of a lesson, NAME.html. Formulas that cannot be read stand as they are, with a warning in the log.
tide_status tide_course_write_page(const tide_course_page *page, tide_text *html, tide_error *error);
// Adds index.html. `picture` returns the file of a lesson's picture, or NULL.
void tide_course_write_index(const tide_course *course, const char *(*picture)(void *context, uint32_t lesson),
                             void *context, tide_text *html);
const char *tide_course_style(void); // style.css

#endif
