// This build starts no other programs yet: a video becomes numbered pictures, as where ffmpeg is not installed.
#include "draw/video_process.h"

tide_status tide_process_start(tide_process *process, const char *const *words, bool *absent, tide_error *error)
{
    *process = (tide_process) { .input = -1, .messages = -1 };
    *absent = true;
    return tide_fail(error, TIDE_ERROR_STATE, words[0], NULL, NULL, "the Springtide for Windows starts no programs");
}

bool tide_process_write(tide_process *process, const void *bytes, size_t size)
{
    (void)process;
    (void)bytes;
    (void)size;
    return false;
}

bool tide_process_end(tide_process *process, double seconds, int *status)
{
    (void)process;
    (void)seconds;
    *status = -1;
    return true;
}

void tide_process_kill(tide_process *process)
{
    (void)process;
}

void tide_process_last_words(const tide_process *process, char *text, size_t size)
{
    (void)process;
    if (size)
        text[0] = '\0';
}
