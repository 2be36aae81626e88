// The pages of a course as files, with pictures of its scenes.
#ifndef TIDE_APP_COURSE_PAGES_H
#define TIDE_APP_COURSE_PAGES_H

#include "session/course.h"

// Writes the pages of the course, with pictures of its scenes, into a folder, which is made as needed.
tide_status tide_course_write_pages(const tide_course *course, const char *folder, tide_error *error);

#endif
