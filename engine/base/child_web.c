// A browser starts no other programs.
#include "base/child.h"

#include <errno.h>

bool tide_pipe_make(int ends[2])
{
    (void)ends;
    errno = ENOSYS;
    return false;
}

int tide_spawn(pid_t *id, const char *program, const char *const *words, posix_spawn_file_actions_t *files, int failed)
{
    (void)id;
    (void)program;
    (void)words;
    (void)files;
    return failed ? failed : ENOSYS;
}

tide_status tide_child_start(tide_child *child, const char *const *words, double seconds, tide_error *error)
{
    (void)child;
    (void)seconds;
    return tide_fail(error, TIDE_ERROR_STATE, words[0], NULL, NULL,
                     "a browser starts no programs; use the native Springtide for this");
}

void tide_children_wait(tide_child *children, size_t count)
{
    (void)children;
    (void)count;
}

void tide_child_free(tide_child *child)
{
    tide_text_free(&child->output);
    tide_text_free(&child->report);
}
