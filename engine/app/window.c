#include "app/window.h"

#include "app/overlay.h"
#include "app/screen.h"
#include "base/clock.h"
#include "base/text.h"

#include <SDL.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct window {
    tide_job *job;
    tide_screen screen;
    tide_overlay overlay;
    double scale;             // pixels of a point
    double period, presented; // s: least time between pictures; when the last one came
    bool paused, help, dirty, closing;
    bool failed, redraw_failed; // the scene failed: `error` is shown; its `draw` failed: it is left out
    tide_error error;
    // time
    double last, owed; // clock at the last turn; simulated time still to catch up, s
    double shown_since, frames_per_second, real_time_rate, simulated;
    uint32_t shown; // pictures since `shown_since`
    // the mouse
    enum { DRAG_NONE, DRAG_ORBIT, DRAG_PAN } drag;
    int pressed_x, pressed_y; // where the button went down, points
    bool moved;               // far enough to be no click
    char toast[1300];         // a short message, until `toast_until`
    double toast_until;
    char warning[sizeof((tide_report *)NULL)->warning]; // the solver's last, until `warning_until`
    double warning_until;
} window;

static const char keys[] = "space\n. or right\nR\nF5\nW\nG\nF\nHome\nP\nH or F1\nEsc or Q\n\n"
                           "left drag\nright drag\nwheel\n\nother keys, clicks";
static const char what_keys_do[] =
    "pause, go on\na single step\nstart again\nrun the file again and go on\n"
    "springs, coloured by strain\nthe other renderer: software, OpenGL\nfit the world into the window\n"
    "the scene's own view\nsave a picture\nthese keys\nquit\n\n"
    "turn\nmove (also middle drag, or shift and left drag)\nnearer, farther\n\n"
    "go to the scene";

// --- opening and closing ---------------------------------------------------------------------------------------------

static void window_title(window *w)
{
    char title[512];
    const char *name = tide_script_title(w->job->script);
    snprintf(title, sizeof title, "%s - Springtide", name && name[0] ? name : w->job->arguments->subject);
    SDL_SetWindowTitle(w->screen.window, title);
}

static tide_status open_window(window *w, tide_error *error)
{
    const tide_arguments *arguments = w->job->arguments;
    tide_status status = tide_screen_open(&w->screen, &w->job->picture, arguments->renderer, !arguments->width,
                                          arguments->subject, error);
    if (status != TIDE_OK)
        return status;
    // not everything that says so waits for the display
    SDL_DisplayMode mode;
    bool known = SDL_GetWindowDisplayMode(w->screen.window, &mode) == 0 && mode.refresh_rate > 0;
    w->period = 0.9 / (known ? mode.refresh_rate : 60);
    SDL_SetWindowMinimumSize(w->screen.window, 160, 120);
    window_title(w);
    return tide_overlay_create(&w->overlay, error);
}

static void close_window(window *w)
{
    tide_overlay_free(&w->overlay);
    tide_screen_close(&w->screen, &w->job->picture);
}

// The picture has the window's size in pixels; text grows with the window, for the back of a room.
static void measure(window *w)
{
    int width, height, points_wide, points_high;
    if (!tide_screen_size(&w->screen, &width, &height))
        return;
    SDL_GetWindowSize(w->screen.window, &points_wide, &points_high);
    w->scale = points_wide > 0 ? (double)width / points_wide : 1;
    w->job->picture.width = (uint32_t)width;
    w->job->picture.height = (uint32_t)height;
    w->overlay.text_size = (float)(w->scale * fmin(fmax(points_high / 42.0, 14), 40));
    w->dirty = true;
}

// --- failing and going on --------------------------------------------------------------------------------------------

static void fail(window *w, const tide_error *error)
{
    w->error = *error;
    w->failed = w->dirty = true;
    w->paused = true;
}

static void recover(window *w)
{
    w->paused = w->paused && !w->failed;
    w->failed = w->redraw_failed = false;
    w->warning[0] = '\0';
    w->dirty = true;
    w->owed = 0;
}

static void toast(window *w, const char *what, const char *detail)
{
    snprintf(w->toast, sizeof w->toast, "%s%s", what, detail);
    w->toast_until = tide_clock_seconds() + 2;
    w->dirty = true;
}

// Whether the time of a text is over; it is empty then.
static bool expire(char *text, double until)
{
    bool over = text[0] && tide_clock_seconds() > until;
    if (over)
        text[0] = '\0';
    return over;
}

static bool run_file_again(window *w)
{
    tide_error error;
    tide_adoption adoption;
    if (tide_script_reload(w->job->script, &w->job->options, &adoption, &error) != TIDE_OK) {
        fail(w, &error);
        return false;
    }
    window_title(w);
    recover(w);
    return true;
}

static void start_again(window *w)
{
    tide_error error;
    bool again = tide_job_forget_choices(w->job) || w->failed; // the file may have been put right
    if (again && !run_file_again(w))
        return;
    if (tide_world_reset(tide_script_world(w->job->script), &error) != TIDE_OK)
        fail(w, &error);
    else
        recover(w);
}

// --- the picture -----------------------------------------------------------------------------------------------------

static void add_status(window *w, tide_text *text)
{
    tide_world *world = tide_script_world(w->job->script);
    const tide_report *report = tide_world_report(world);
    tide_energy energy;
    if (w->paused)
        tide_text_format(text, "paused");
    else
        tide_text_format(text, "%.0f fps", w->frames_per_second);
    if (!w->paused && w->real_time_rate > 0 && w->real_time_rate < 0.9)
        tide_text_format(text, ", %.2f of real time", w->real_time_rate);
    tide_text_format(text, "  |  ms: local %.1f  global %.1f  contact %.1f  step %.1f  draw %.1f%s",
                     1e3 * report->local_seconds, 1e3 * report->global_seconds, 1e3 * report->contact_seconds,
                     1e3 * report->step_seconds, 1e3 * w->job->picture.draw_seconds,
                     w->job->picture.opengl ? " (OpenGL)" : "");
    tide_text_format(text, "  |  %s", tide_solver_kind_of(tide_world_solver(world))->name);
    if (report->iterations || report->substeps <= 1)
        tide_text_format(text, ", %" PRIu32 " iterations", report->iterations);
    if (report->substeps > 1)
        tide_text_format(text, ", %" PRIu32 " substeps", report->substeps);
    if (tide_world_energy(world, &energy, NULL) == TIDE_OK)
        tide_text_format(text, "  |  energy %.4g J", energy.total);
    tide_text_format(text, "  |  t = %.2f s", tide_world_time(world));
    if (w->warning[0])
        tide_text_format(text, "\nwarning: %s", w->warning);
}

static tide_status add_panels(window *w, tide_error *error)
{
    tide_image *image = &w->job->picture.image;
    tide_text text = { 0 };
    add_status(w, &text);
    tide_status status = text.failed ? tide_fail_memory(error, "status line") : TIDE_OK;
    if (status == TIDE_OK)
        status = tide_overlay_panel(&w->overlay, image, TIDE_PANEL_BOTTOM, text.bytes, w->warning[0], error);
    if (status == TIDE_OK && w->job->picture.view.wireframe && !w->help)
        status = tide_overlay_legend(&w->overlay, image, error);
    if (status == TIDE_OK && w->failed) {
        char message[1200];
        tide_text_clear(&text);
        tide_text_format(&text,
                         "%s\n\nThe world is as it was before. R runs the file again and starts over; F5 runs "
                         "it again and goes on.",
                         tide_error_text(&w->error, message, sizeof message));
        status = text.failed ? tide_fail_memory(error, "message")
                             : tide_overlay_panel(&w->overlay, image, TIDE_PANEL_CENTRE, text.bytes, true, error);
    }
    if (status == TIDE_OK && w->help)
        status = tide_overlay_table(&w->overlay, image, keys, what_keys_do, error);
    else if (status == TIDE_OK && w->toast[0])
        status = tide_overlay_panel(&w->overlay, image, TIDE_PANEL_TOP_LEFT, w->toast, false, error);
    tide_text_free(&text);
    return status;
}

// The world with the scene's drawing on it; a `draw` that fails is left out until the scene is put right.
static tide_status draw_scene(window *w, tide_error *error)
{
    tide_job *job = w->job;
    tide_status status = tide_picture_draw(&job->picture, job->script, !w->redraw_failed, error);
    if (status == TIDE_OK || w->redraw_failed || error->status == TIDE_ERROR_MEMORY)
        return status;
    w->redraw_failed = true;
    fail(w, error);
    return TIDE_OK;
}

static tide_status draw(window *w, tide_error *error)
{
    tide_status status = draw_scene(w, error);
    return status == TIDE_OK ? add_panels(w, error) : status;
}

// A picture without the panels, into the first free name-NNNN.png.
static void save_picture(window *w)
{
    char path[600], name[256];
    const char *scene = w->job->arguments->subject, *slash = strrchr(scene, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : scene);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    for (unsigned number = 1; number < 10000; number++) {
        snprintf(path, sizeof path, "%s-%04u.png", name, number);
        FILE *file = fopen(path, "rb");
        if (!file)
            break;
        fclose(file);
    }
    tide_error error;
    char message[1200];
    tide_status status = draw_scene(w, &error);
    if (status == TIDE_OK)
        status = tide_image_write_png(&w->job->picture.image, path, &error);
    if (status == TIDE_OK)
        toast(w, "saved ", path);
    else
        toast(w, "not saved: ", tide_error_text(&error, message, sizeof message));
}

// --- steps -----------------------------------------------------------------------------------------------------------

static void note_warning(window *w)
{
    const tide_report *report = tide_world_report(tide_script_world(w->job->script));
    if (!report->warning[0])
        return;
    memcpy(w->warning, report->warning, sizeof w->warning);
    w->warning_until = tide_clock_seconds() + 3;
}

// A step with what is to be written about it.
static tide_status take_step(window *w, tide_error *error)
{
    tide_job *job = w->job;
    tide_error failure;
    if (tide_job_step(job, &failure) != TIDE_OK) {
        fail(w, &failure);
        return TIDE_OK;
    }
    w->dirty = true;
    note_warning(w);
    w->simulated += tide_world_get_settings(tide_script_world(job->script))->timestep;
    if (tide_job_wants_picture(job)) {
        tide_status status = draw(w, error);
        if (status != TIDE_OK)
            return status;
    }
    return tide_job_record(job, error);
}

// Catches up with the clock, for at most 30 ms: a scene that is too slow runs slower than real time.
static tide_status advance(window *w, tide_error *error)
{
    double now = tide_clock_seconds();
    double h = tide_world_get_settings(tide_script_world(w->job->script))->timestep;
    w->owed += fmin(now - w->last, 0.25);
    w->last = now;
    tide_status status = TIDE_OK;
    for (uint32_t steps = 0; status == TIDE_OK && !w->paused && w->owed >= h && !tide_job_is_over(w->job); steps++) {
        if (steps && (tide_clock_seconds() - now > 0.03 || tide_job_wants_picture(w->job)))
            break;
        status = take_step(w, error);
        w->owed -= h;
    }
    w->owed = w->paused ? 0 : fmin(w->owed, h);
    return status;
}

static void count_pictures(window *w)
{
    double now = tide_clock_seconds(), elapsed = now - w->shown_since;
    if (elapsed < 0.5)
        return;
    w->frames_per_second = w->shown / elapsed;
    w->real_time_rate = w->simulated / elapsed;
    w->shown = 0;
    w->simulated = 0;
    w->shown_since = now;
}

// --- input -----------------------------------------------------------------------------------------------------------

static void give_key_to_scene(window *w, SDL_Keycode key)
{
    char name[64];
    snprintf(name, sizeof name, "%s", SDL_GetKeyName(key));
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    tide_error error;
    if (!w->failed && name[0] && tide_script_key_pressed(w->job->script, name, &error) != TIDE_OK)
        fail(w, &error);
    w->dirty = true;
}

static tide_status single_step(window *w, tide_error *error)
{
    w->paused = true;
    return w->failed || tide_job_is_over(w->job) ? TIDE_OK : take_step(w, error);
}

static tide_status look(window *w, tide_status (*how)(tide_picture *, tide_script *, tide_error *), tide_error *error)
{
    w->dirty = true;
    return how(&w->job->picture, w->job->script, error);
}

static void change_renderer(window *w)
{
    tide_error error;
    char message[1200];
    if (tide_screen_switch(&w->screen, &w->job->picture, &error) != TIDE_OK)
        toast(w, "", tide_error_text(&error, message, sizeof message));
    else if (w->job->picture.opengl)
        toast(w, "OpenGL: ", tide_gl_name(w->job->picture.gl));
    else
        toast(w, "software renderer", "");
}

static tide_status key_down(window *w, const SDL_KeyboardEvent *event, tide_error *error)
{
    SDL_Keycode key = event->keysym.sym;
    if (key == SDLK_PERIOD || key == SDLK_RIGHT) // the only keys that repeat
        return single_step(w, error);
    if (event->repeat)
        return TIDE_OK;
    w->dirty = true;
    switch (key) {
    case SDLK_SPACE:
        w->paused = !w->paused || w->failed;
        break;
    case SDLK_r:
        start_again(w);
        break;
    case SDLK_F5:
        run_file_again(w);
        break;
    case SDLK_w:
        w->job->picture.view.wireframe = !w->job->picture.view.wireframe;
        break;
    case SDLK_g:
        change_renderer(w);
        break;
    case SDLK_f:
        return look(w, tide_picture_fit, error);
    case SDLK_HOME:
        return look(w, tide_picture_look_again, error);
    case SDLK_p:
        save_picture(w);
        break;
    case SDLK_h:
    case SDLK_F1:
        w->help = !w->help;
        break;
    case SDLK_ESCAPE:
    case SDLK_q:
        w->closing = true;
        break;
    default:
        give_key_to_scene(w, key);
    }
    return TIDE_OK;
}

static void button_down(window *w, const SDL_MouseButtonEvent *event)
{
    bool shift = (SDL_GetModState() & KMOD_SHIFT) != 0;
    if (event->button == SDL_BUTTON_LEFT || event->button == SDL_BUTTON_MIDDLE || event->button == SDL_BUTTON_RIGHT)
        w->drag = event->button == SDL_BUTTON_LEFT && !shift ? DRAG_ORBIT : DRAG_PAN;
    w->pressed_x = event->x;
    w->pressed_y = event->y;
    w->moved = false;
}

// A button that comes up where it went down is a click, and goes to the scene: 1 left, 2 right, 3 middle.
static void button_up(window *w, const SDL_MouseButtonEvent *event)
{
    w->drag = DRAG_NONE;
    int button = event->button == SDL_BUTTON_RIGHT ? 2 : event->button == SDL_BUTTON_MIDDLE ? 3 : event->button;
    tide_error error;
    if (!w->moved && !w->failed &&
        tide_script_mouse_pressed(w->job->script, w->scale * event->x, w->scale * event->y, button, &error) != TIDE_OK)
        fail(w, &error);
    w->dirty = true;
}

static void mouse_moved(window *w, const SDL_MouseMotionEvent *event)
{
    if (w->drag == DRAG_NONE)
        return;
    w->moved = w->moved || abs(event->x - w->pressed_x) > 3 || abs(event->y - w->pressed_y) > 3;
    int points;
    SDL_GetWindowSize(w->screen.window, NULL, &points);
    float right = (float)event->xrel / (float)points, down = (float)event->yrel / (float)points;
    if (w->drag == DRAG_ORBIT)
        tide_camera_orbit(&w->job->picture.camera, -3.5f * right, 3.5f * down);
    else
        tide_camera_pan(&w->job->picture.camera, -right, down);
    w->dirty = true;
}

static tide_status handle(window *w, const SDL_Event *event, tide_error *error)
{
    switch (event->type) {
    case SDL_QUIT:
        w->closing = true;
        break;
    case SDL_WINDOWEVENT:
        measure(w);
        break;
    case SDL_KEYDOWN:
        return key_down(w, &event->key, error);
    case SDL_MOUSEBUTTONDOWN:
        button_down(w, &event->button);
        break;
    case SDL_MOUSEBUTTONUP:
        button_up(w, &event->button);
        break;
    case SDL_MOUSEMOTION:
        mouse_moved(w, &event->motion);
        break;
    case SDL_MOUSEWHEEL:
        tide_camera_zoom(&w->job->picture.camera, powf(0.9f, event->wheel.preciseY));
        w->dirty = true;
        break;
    default:
        break;
    }
    return TIDE_OK;
}

// --- the loop --------------------------------------------------------------------------------------------------------

static tide_status show(window *w, tide_error *error)
{
    w->dirty = false;
    w->presented = tide_clock_seconds();
    tide_status status = draw(w, error);
    if (status == TIDE_OK)
        status = tide_screen_show(&w->screen, &w->job->picture, error);
    w->shown++;
    return status;
}

static tide_status turn(window *w, tide_error *error)
{
    SDL_Event event;
    tide_status status = TIDE_OK;
    while (status == TIDE_OK && SDL_PollEvent(&event))
        status = handle(w, &event, error);
    if (status == TIDE_OK && !w->closing)
        status = advance(w, error);
    if (status != TIDE_OK)
        return status;
    w->dirty = expire(w->toast, w->toast_until) || w->dirty;
    w->dirty = (!w->paused && expire(w->warning, w->warning_until)) || w->dirty;
    count_pictures(w);
    if (!w->dirty || tide_clock_seconds() - w->presented < w->period) {
        SDL_Delay(w->dirty ? 1 : 3);
        return TIDE_OK;
    }
    return show(w, error);
}

tide_status tide_window_run(tide_job *job, tide_error *error)
{
    window w = { .job = job, .dirty = true };
    tide_status status = open_window(&w, error);
    if (status == TIDE_OK) {
        measure(&w);
        status = tide_picture_look_again(&job->picture, job->script, error);
    }
    if (status == TIDE_OK)
        status = show(&w, error);
    w.last = w.shown_since = tide_clock_seconds();
    while (status == TIDE_OK && !w.closing && !tide_job_is_over(job) && !(w.failed && job->arguments->frames_given))
        status = turn(&w, error);
    if (status == TIDE_OK && w.failed) {
        *error = w.error;
        status = error->status;
    }
    close_window(&w);
    return status;
}
