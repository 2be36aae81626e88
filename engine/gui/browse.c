// The scene browser, which `springtide` without a command opens: a window with the scenes of the scenes folder.
#define _GNU_SOURCE
#include "gui/browse.h"

#include "base/account.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/places.h"
#include "gui/busy.h"
#include "gui/gui.h"
#include "gui/preview.h"
#include "gui/screen.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SCENES = 200, WIDTH = 900, HEIGHT = 700, MESSAGE_LINES = 7 };

typedef struct scene_entry {
    char name[128];  // of the file, relative to the folder
    char title[128]; // the scene's own title; "" if it has none
    tide_image picture;
    bool drawn; // the picture is drawn, or the scene has none
} scene_entry;

typedef struct browser {
    tide_job *job;
    char folder[PATH_MAX];
    char chosen[PATH_MAX + 160]; // the file to open next; "": none
    char refused[1300];          // why the last one could not be opened; "": it was opened
    char warnings[1000];         // logged while it was opened, one per line
    char busy[400];              // the notice that its script runs; "": none
    double busy_since;           // clock when the script began to run
    scene_entry *scenes;
    uint32_t count;
    tide_preview preview;
    uint32_t previewed; // index of the scene whose picture is being drawn, valid if preview.process is not 0
    uint32_t wanted;    // the first visible scene without a picture; `count`: none
    tide_screen screen;
    tide_picture picture; // only its image is used
    tide_gui *gui;
    double scale;
    bool closed; // by the page's button
} browser;

// --- the scenes ------------------------------------------------------------------------------------------------------

// Finds the scenes folder: the program's, or in the current folder.
static bool find_folder(char folder[PATH_MAX])
{
    return tide_place_find("scenes", ".", folder, PATH_MAX) ||
           (access("scenes", R_OK) == 0 && realpath("scenes", folder));
}

// Reads the text after `title =` from the first lines of the file.
static void read_title(const char *path, char *title, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "r");
    title[0] = '\0';
    for (int n = 0; file && n < 60 && !title[0] && fgets(line, sizeof line, file); n++) {
        const char *at = strstr(line, "title = \"");
        if (at)
            snprintf(title, size, "%.*s", (int)strcspn(at + 9, "\""), at + 9);
    }
    if (file)
        fclose(file);
}

static int compare_names(const void *a, const void *b)
{
    const char *x = ((const scene_entry *)a)->name, *y = ((const scene_entry *)b)->name;
    bool deep_x = strchr(x, '/') != NULL, deep_y = strchr(y, '/') != NULL;
    return deep_x != deep_y ? deep_x - deep_y : strcmp(x, y);
}

// Lists the scenes in `below`, relative to the scenes folder ("": itself). With `deep` also lists its subfolders.
static void list_scenes(browser *b, const char *below, bool deep)
{
    char path[PATH_MAX + 512];
    snprintf(path, sizeof path, "%s/%s", b->folder, below);
    DIR *listing = opendir(path);
    if (!listing)
        return;
    for (struct dirent *entry = readdir(listing); entry && b->count < MOST_SCENES; entry = readdir(listing)) {
        scene_entry *scene = &b->scenes[b->count];
        struct stat about;
        const char *dot = strrchr(entry->d_name, '.');
        int length = snprintf(scene->name, sizeof scene->name, "%s%s%s", below, below[0] ? "/" : "", entry->d_name);
        snprintf(path, sizeof path, "%s/%s", b->folder, scene->name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof scene->name || stat(path, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode) && deep) {
            char folder[sizeof scene->name];
            memcpy(folder, scene->name, sizeof folder);
            list_scenes(b, folder, false);
        } else if (S_ISREG(about.st_mode) && dot && strcmp(dot, ".lua") == 0) {
            read_title(path, scene->title, sizeof scene->title);
            b->count++;
        }
    }
    closedir(listing);
}

// --- the window ------------------------------------------------------------------------------------------------------

static void choose(browser *b, const char *path)
{
    snprintf(b->chosen, sizeof b->chosen, "%s", path);
}

static bool handle(browser *b, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        return false;
    case SDL_KEYDOWN:
        return event->key.keysym.sym != SDLK_ESCAPE && event->key.keysym.sym != SDLK_q;
    case SDL_MOUSEMOTION:
        tide_gui_mouse_at(b->gui, (float)(b->scale * event->motion.x), (float)(b->scale * event->motion.y));
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        tide_gui_mouse_at(b->gui, (float)(b->scale * event->button.x), (float)(b->scale * event->button.y));
        tide_gui_mouse_button(b->gui, event->button.button == SDL_BUTTON_LEFT ? 0 : 1,
                              event->type == SDL_MOUSEBUTTONDOWN);
        break;
    case SDL_MOUSEWHEEL:
        tide_gui_mouse_wheel(b->gui, event->wheel.preciseX, event->wheel.preciseY);
        break;
    case SDL_DROPFILE:
        choose(b, event->drop.file);
        SDL_free(event->drop.file);
        break;
    default:
        break;
    }
    return true;
}

static void scene_tiles(browser *b)
{
    char path[PATH_MAX + 160];
    const float width = 13.4f * tide_gui_em(b->gui);
    b->wanted = b->count;
    for (uint32_t i = 0; i < b->count; i++) {
        const scene_entry *scene = &b->scenes[i];
        bool seen;
        if (i)
            tide_gui_next(b->gui);
        if (tide_gui_tile(b->gui, scene->title[0] ? scene->title : scene->name, scene->name, &scene->picture, width,
                          &seen)) {
            snprintf(path, sizeof path, "%s/%s", b->folder, scene->name);
            choose(b, path);
        }
        if (seen && !scene->drawn && b->wanted == b->count)
            b->wanted = i;
    }
}

// Draws the pictures of the visible scenes, one at a time.
static void draw_previews(browser *b)
{
    char path[PATH_MAX + 160];
    if (b->preview.process) {
        scene_entry *scene = &b->scenes[b->previewed];
        scene->drawn = tide_preview_is_over(&b->preview, &scene->picture);
    } else if (b->wanted < b->count) {
        uint32_t width = (uint32_t)(13.4f * tide_gui_em(b->gui));
        b->previewed = b->wanted;
        snprintf(path, sizeof path, "%s/%s", b->folder, b->scenes[b->wanted].name);
        b->scenes[b->wanted].drawn = !tide_preview_start(&b->preview, path, width, 5 * width / 8);
    }
}

// Returns the message about the scene that was chosen last; NULL: none.
static const char *message(const browser *b)
{
    return b->busy[0] ? b->busy : b->refused[0] ? b->refused : NULL;
}

static tide_status draw(browser *b, tide_error *error)
{
    int width, height, points;
    tide_image *image = &b->picture.image;
    if (!tide_screen_size(&b->screen, &width, &height))
        return TIDE_OK;
    SDL_GetWindowSize(b->screen.window, &points, NULL);
    b->scale = points > 0 ? (double)width / points : 1;
    float text = (float)(15 * b->scale);
    TIDE_TRY(tide_image_resize(image, (uint32_t)width, (uint32_t)height, error));
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++)
        memcpy(image->pixels + 4 * i, (const uint8_t[4]) { 232, 236, 242, 255 }, 4);
    TIDE_TRY(tide_gui_begin(b->gui, (uint32_t)width, (uint32_t)height, text, 1.0 / 30, error));
    float bottom = (float)height;
    if (message(b)) {
        bottom -= MESSAGE_LINES * text;
        tide_gui_begin_bottom(b->gui, 0, (float)width, (float)height, MESSAGE_LINES * text);
        tide_gui_text(b->gui, b->busy[0] ? TIDE_GUI_WARNING : TIDE_GUI_ALERT, message(b));
        tide_gui_end_bottom(b->gui);
    }
    if (tide_gui_begin_page(b->gui, "Springtide: choose a scene", 58 * text, 0, bottom)) {
        tide_gui_text(b->gui, TIDE_GUI_QUIET,
                      "A click opens it. Or drop a scene (.lua) or a mesh (.obj, .ply, .stl ...) on this window. "
                      "springtide --help tells about the command line.");
        tide_gui_gap(b->gui);
        scene_tiles(b);
        tide_gui_end_page(b->gui);
    } else
        b->closed = true;
    TIDE_TRY(tide_gui_end(b->gui, image, error));
    return tide_screen_show(&b->screen, &b->picture, error);
}

// Called while the script of the chosen scene runs: draws the window; closing it stops the script.
static bool keep_alive(void *context)
{
    browser *b = context;
    tide_error unread;
    tide_account_book *script = tide_account_use(NULL); // the window's memory does not count as the script's
    SDL_PumpEvents();
    if (tide_busy_text(b->chosen, b->busy_since, true, b->busy, sizeof b->busy))
        draw(b, &unread);
    tide_account_use(script);
    return SDL_HasEvent(SDL_QUIT) || tide_job_is_interrupted() || tide_job_files_have_changed(b->job->opening);
}

// Keeps warnings for the window of the scene.
static void note_warning(tide_log_level level, const char *text, void *context)
{
    browser *b = context;
    tide_log_to_standard_error(level, text, NULL);
    tide_log_append_warning(b->warnings, sizeof b->warnings, level, text);
}

static void open_chosen(browser *b)
{
    tide_error error;
    char text[1200];
    tide_preview_stop(&b->preview); // leaves the processors to the scene
    b->refused[0] = b->warnings[0] = '\0';
    b->busy_since = tide_clock_seconds();
    tide_job_keep_alive(b->job, keep_alive, b);
    tide_log_set_sink(note_warning, b);
    if (tide_job_open_next(b->job, b->chosen, &error) != TIDE_OK) {
        snprintf(b->refused, sizeof b->refused, "not opened: %s", tide_error_text(&error, text, sizeof text));
        tide_log(TIDE_LOG_ERROR, "%s", b->refused);
    } else
        snprintf(b->job->next->job.warnings, sizeof b->job->next->job.warnings, "%s", b->warnings);
    tide_log_set_sink(NULL, NULL);
    tide_job_keep_alive(b->job, NULL, NULL);
    b->busy[0] = b->chosen[0] = '\0';
}

static tide_status browse(browser *b, tide_error *error)
{
    bool open = true;
    tide_status status = TIDE_OK;
    while (open && status == TIDE_OK && !b->job->next && !b->closed && !tide_job_is_interrupted()) {
        SDL_Event event;
        while (open && SDL_PollEvent(&event))
            open = handle(b, &event);
        status = draw(b, error);
        if (open && status == TIDE_OK && b->chosen[0])
            open_chosen(b);
        draw_previews(b);
        SDL_Delay(15);
    }
    return status;
}

bool tide_browse_is_possible(void)
{
    // A program or file that takes the output wants the help
    struct stat about;
    if (fstat(STDOUT_FILENO, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISREG(about.st_mode)))
        return false;
    return getenv("DISPLAY") || getenv("WAYLAND_DISPLAY") || getenv("SDL_VIDEODRIVER");
}

bool tide_browse(tide_job *job)
{
    tide_error error;
    browser b = { .job = job, .picture = { .width = WIDTH, .height = HEIGHT }, .scale = 1 };
    b.scenes = tide_allocate_zeroed(MOST_SCENES, sizeof *b.scenes);
    bool shown = b.scenes && find_folder(b.folder);
    tide_job_catch_signals();
    if (shown) {
        list_scenes(&b, "", true);
        qsort(b.scenes, b.count, sizeof *b.scenes, compare_names);
        shown = tide_screen_open(&b.screen, &b.picture, TIDE_RENDERER_SOFTWARE, true, "SCENE.lua", &error) == TIDE_OK;
    }
    if (shown) {
        SDL_SetWindowTitle(b.screen.window, "Springtide");
        if (tide_gui_create(&b.gui, &error) != TIDE_OK || browse(&b, &error) != TIDE_OK)
            tide_report_error(&error);
        tide_gui_destroy(b.gui);
        tide_preview_stop(&b.preview);
        tide_screen_close(&b.screen, &b.picture);
    }
    for (uint32_t i = 0; i < b.count; i++)
        tide_image_free(&b.scenes[i].picture);
    tide_image_free(&b.picture.image);
    tide_free(b.scenes);
    if (!job->next)
        tide_job_end_by_signal();
    return shown;
}
