#define _GNU_SOURCE // posix_spawn_file_actions_addchdir_np
#include "draw/gnuplot.h"

#include "base/output_file.h"
#include "base/signals.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Runs gnuplot in the folder with standard output to `to`; NULL: to nowhere.
static bool run_gnuplot(const char *folder, char *const *words, FILE *to, bool quiet)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (to)
        posix_spawn_file_actions_adddup2(&actions, fileno(to), STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (quiet)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    int state = 0;
    bool ran = posix_spawnp(&child, words[0], &actions, NULL, words, environ) == 0 &&
               waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ran;
}

bool tide_gnuplot_available(void)
{
    static int known = -1;
    char program[] = "gnuplot", version[] = "--version", *words[] = { program, version, NULL };
    if (known < 0)
        known = run_gnuplot(".", words, NULL, true);
    return known;
}

// A script that fails runs again with its messages shown.
static tide_status run_script(const char *folder, const char *path, char *script, FILE *picture, tide_error *error)
{
    char program[] = "gnuplot", option[] = "-e", command[] = "picture = '/dev/stdout'";
    char *words[] = { program, option, command, script, NULL };
    if (run_gnuplot(folder, words, picture, true) || run_gnuplot(folder, words, NULL, false))
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL,
                     "gnuplot could not draw it; its message is above, what it was to do in %s beside it", script);
}

tide_status tide_gnuplot_draw(const char *folder, const char *name, bool *drawn, tide_error *error)
{
    char script[300], path[1024];
    *drawn = false;
    if (!tide_gnuplot_available())
        return TIDE_OK;
    if ((size_t)snprintf(script, sizeof script, "%s.gnuplot", name) >= sizeof script ||
        (size_t)snprintf(path, sizeof path, "%s/%s.png", folder, name) >= sizeof path)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "plot", "folder", folder, "expected a shorter name");
    tide_output *picture;
    tide_signals_hold(); // an interrupt from the terminal waits until the picture is complete, for gnuplot too
    tide_status status = tide_output_open(path, path, TIDE_OUTPUT_REGULAR, &picture, error);
    if (status == TIDE_OK) {
        status = run_script(folder, path, script, tide_output_stream(picture), error);
        if (status == TIDE_OK)
            status = tide_output_close(picture, error);
        else
            tide_output_discard(picture);
    }
    tide_signals_release();
    *drawn = status == TIDE_OK;
    return status;
}
