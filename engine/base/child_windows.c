// This build starts no other programs yet: no ffmpeg, no gnuplot, no marking in processes of their own.
#include "base/child.h"

bool tide_pipe_make(int ends[2])
{
    return pipe(ends) == 0;
}

int tide_spawn(pid_t *id, const char *program, const char *const *words, posix_spawn_file_actions_t *files, int failed)
{
    (void)program;
    (void)words;
    (void)files;
    *id = 0;
    return failed ? failed : ENOENT;
}

tide_status tide_child_start(tide_child *child, const char *const *words, double seconds, tide_error *error)
{
    *child = (tide_child) { .output_end = -1, .report_end = -1, .ended = true };
    (void)seconds;
    return tide_fail(error, TIDE_ERROR_STATE, words[0], NULL, NULL,
                     "the Springtide for Windows starts no other processes; use the one for Linux for this");
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
    child->ended = true;
}
