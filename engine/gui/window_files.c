// Files that the user asks for: pictures and worlds, named after the scene.
#define _POSIX_C_SOURCE 200809L
#include "gui/window_state.h"

#include "base/log.h"

#include "base/output_file.h"
#include "session/compare_panes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_free(const char *name, const char *ending)
{
    char path[600];
    snprintf(path, sizeof path, "%s%s", name, ending);
    return access(path, F_OK) != 0 && !tide_output_is_being_written(path);
}

void tide_window_free_name(const tide_window *w, const char *ending, const char *other, char *path, size_t size)
{
    char name[256], numbered[300];
    const char *scene = tide_live_path(w->job->live), *slash = strrchr(scene, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : scene);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    for (unsigned number = 1; number < 10000; number++) {
        snprintf(numbered, sizeof numbered, "%s-%04u", name, number);
        snprintf(path, size, "%s%s", numbered, ending);
        if (is_free(numbered, ending) && (!other || is_free(numbered, other)))
            break;
    }
}

static void tell_saved(tide_window *w, tide_status status, const char *path, const tide_error *error)
{
    char message[1200];
    if (status == TIDE_OK)
        tide_window_notice(w, false, "saved ", path);
    else
        tide_window_notice(w, true, "not saved: ", tide_error_text(error, message, sizeof message));
}

void tide_window_save_world(tide_window *w)
{
    char path[600];
    tide_error error;
    tide_window_free_name(w, ".world", NULL, path, sizeof path);
    tell_saved(w, tide_live_save_world(w->job->live, path, &error), path, &error);
}

void tide_window_open_world(tide_window *w, const char *path)
{
    tide_error error;
    char message[1200];
    tide_window_leave_iterates(w);
    tide_job_take_over(w->job);
    if (tide_live_open_world(w->job->live, path, &error) == TIDE_OK)
        tide_window_notice(w, false, "opened ", path);
    else
        tide_window_notice(w, true, "not opened: ", tide_error_text(&error, message, sizeof message));
}

void tide_window_open_last_world(tide_window *w)
{
    char path[600];
    tide_window_free_name(w, ".world", NULL, path, sizeof path);
    char *digits = path + strlen(path) - strlen("0000.world");
    int number = atoi(digits) - 1;
    if (number < 1) {
        tide_window_toast(w, "there is none to open: F12 saves ", path);
        return;
    }
    snprintf(digits, sizeof "0000.world", "%04d.world", number % 10000);
    tide_window_open_world(w, path);
}

// Saves a picture without the panels.
void tide_window_save_picture(tide_window *w)
{
    char path[600];
    tide_error error;
    tide_window_free_name(w, ".png", NULL, path, sizeof path);
    if (w->job->compare)
        w->job->compare->bottom = w->job->compare->left = w->job->compare->right = w->job->compare->top = 0;
    w->job->picture.part = (tide_camera_part) { 0 };
    memset(&w->job->picture.scale, 0, sizeof w->job->picture.scale);
    tide_status status = tide_window_draw_scene(w, &error);
    if (status == TIDE_OK)
        status = tide_image_write_png(&w->job->picture.image, path, &error);
    tell_saved(w, status, path, &error);
}

bool tide_window_open_file(tide_window *w, const char *path)
{
    tide_error error;
    char message[1200];
    w->refused[0] = '\0';
    w->dirty = true;
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".world") == 0) {
        tide_window_open_world(w, path);
        return true;
    }
    if (tide_job_open_next(w->job, path, &error) == TIDE_OK) {
        tide_panels_take_warnings(w->panels, w->job->next->job.warnings, sizeof w->job->next->job.warnings);
        w->closing = true;
        return true;
    }
    snprintf(w->refused, sizeof w->refused, "not opened: %s", tide_error_text(&error, message, sizeof message));
    tide_log(TIDE_LOG_ERROR, "%s", w->refused);
    return false;
}

void tide_window_switch_lesson(tide_window *w)
{
    tide_lesson *lesson = w->job->options->lesson;
    if (tide_window_open_file(w, lesson->on_exercise ? lesson->scene : lesson->exercise))
        lesson->on_exercise = !lesson->on_exercise;
}
