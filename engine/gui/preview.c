#define _GNU_SOURCE // for the process's working folder
#include "gui/preview.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/places.h"
#include "session/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static const double most_seconds = 10; // wall-clock limit of a picture
static const uint32_t fine = 3;        // supersampling factor
static const char file_name[] = "picture.png";

// Starts the process in the folder, so that what a scene saves goes there, without output.
static int spawn(pid_t *process, const char *const *words, const char *folder)
{
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_addchdir_np(&actions, folder);
    // posix_spawn does not change the words
    failed =
        failed ? failed
               : posix_spawn(process, tide_place_to_start(), &actions, NULL, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static void forget(tide_preview *preview)
{
    tide_scratch_remove(preview->folder);
    tide_free(preview->folder);
    *preview = (tide_preview) { 0 };
}

// Averages blocks of `fine` x `fine` pixels, to the size that was asked for.
static void shrink(tide_image *image)
{
    const uint32_t width = image->width / fine, height = image->height / fine;
    for (uint32_t at = 0; at < width * height; at++) {
        uint32_t sums[4] = { 0 };
        const uint32_t left = fine * (at % width), top = fine * (at / width);
        for (uint32_t i = 0; i < fine * fine; i++)
            for (uint32_t c = 0; c < 4; c++)
                sums[c] += image->pixels[4 * (image->width * (top + i / fine) + left + i % fine) + c];
        for (uint32_t c = 0; c < 4; c++) // pixels that are overwritten have been read already
            image->pixels[4 * at + c] = (uint8_t)((sums[c] + fine * fine / 2) / (fine * fine));
    }
    image->width = width;
    image->height = height;
}

bool tide_preview_start(tide_preview *preview, const char *scene, uint32_t width, uint32_t height)
{
    char size[32];
    const char *const words[] = { "springtide", "run",          scene, "--headless",     "--fit",   "--frames",
                                  "12",         "--size",       size,  "--png",          file_name, "--threads",
                                  "1",          "--time-limit", "5",   "--memory-limit", "1024",    NULL };
    snprintf(size, sizeof size, "%ux%u", (unsigned)(fine * width), (unsigned)(fine * height));
    *preview = (tide_preview) { .width = width, .height = height, .started = tide_clock_seconds() };
    preview->folder = tide_scratch_make();
    if (!preview->folder || spawn(&preview->process, words, preview->folder) != 0) {
        preview->process = 0;
        forget(preview);
        return false;
    }
    setpriority(PRIO_PROCESS, (id_t)preview->process, 10); // the window has priority
    return true;
}

bool tide_preview_is_over(tide_preview *preview, tide_image *image)
{
    char path[PATH_MAX];
    tide_error unread;
    int status = -1;
    pid_t ended = waitpid(preview->process, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) {
        if (tide_clock_seconds() - preview->started < most_seconds)
            return false;
        tide_preview_stop(preview);
        return true;
    }
    preview->process = 0;
    snprintf(path, sizeof path, "%s/%s", preview->folder, file_name);
    if (status != 0 ||
        tide_image_read_png(image, path, fine * preview->width, fine * preview->height, &unread) != TIDE_OK)
        tide_image_free(image);
    else
        shrink(image);
    forget(preview);
    return true;
}

void tide_preview_stop(tide_preview *preview)
{
    if (preview->process) {
        kill(preview->process, SIGKILL);
        while (waitpid(preview->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    forget(preview);
}
