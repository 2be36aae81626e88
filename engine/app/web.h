// The engine behind the page in a browser: one experiment, driven by calls and answered by messages.
//
// scripts/web/README.md specifies the messages. The worker translates a message into one call of this header; what the
// call has to tell waits as lines of JSON, which tide_web_take returns. The same code is in the native program's
// library, where tests call it.
//
//     tide_web_begin(1280, 720, 1);
//     tide_web_open("scenes/curtain.lua", "", 0, 0, 0);
//     tide_web_advance(1.0 / 30, 0.03);
//     tide_web_draw();
//     show(tide_web_pixels(), tide_web_width(), tide_web_height());
//     tide_web_tell_frame();
//     puts(tide_web_take());
//     tide_web_end();
//
// Calls return 1 when they succeed, and 0 when they do not: an `error` then waits. Before an experiment is open, calls
// that need one do nothing. Texts are UTF-8. Positions are pixels of the picture, from its top left. Numbers from
// outside need not be finite or in range. Threads: one.
#ifndef TIDE_APP_WEB_H
#define TIDE_APP_WEB_H

#include <stdint.h>

// web.c: the experiment
int tide_web_begin(double width, double height, double ratio); // pixels; pixels in a CSS pixel; adds `ready`
void tide_web_end(void);
const char *tide_web_take(void); // lines since the last call, each a message; valid until the next call of this header

void tide_web_threads(double count); // 0: as many as there are processors
int tide_web_thread_count(void);

enum { TIDE_WEB_PORTABLE = 1, TIDE_WEB_UNTRUSTED = 2 };
// Adds a parameter's value to the next opening.
void tide_web_set(const char *name, const char *value);
// Runs the script as a new experiment; one that fails leaves the one before. `solver` "": the scene's own.
int tide_web_open(const char *path, const char *solver, double timestep, double seed, int flags);
int tide_web_reload(void); // the script's file has changed
// Steps through `elapsed` seconds of real time, for at most `budget` seconds; returns the steps taken.
int tide_web_advance(double elapsed, double budget);
int tide_web_step(double frames, double budget); // pauses; returns how many steps were taken
void tide_web_play(int on);
void tide_web_speed(double factor);
int tide_web_reset(void);
int tide_web_seek(double frame);
int tide_web_parameter(const char *name, const char *value);
int tide_web_solver(double pane, const char *text);
int tide_web_timestep(double seconds);
int tide_web_console(const char *text);
void tide_web_complete(const char *text, double id);
int tide_web_suggestion(double index);
void tide_web_dismiss(void); // the failure that is shown
int tide_web_is_playing(void);
double tide_web_frame(void); // of the world
// Tells the hash of the present state, compared with the expected one ("": with none).
void tide_web_hash(const char *expected);

// web_files.c: the state as a text, which `restore` takes; files of the present state
void tide_web_snapshot(void);
int tide_web_restore(const char *world);
int tide_web_export(const char *path); // .png, .obj, .ply, .vtk, .mesh, .world

// web_compare.c: panes
int tide_web_compare(const char *solvers, const char *vary, const char *timesteps);
int tide_web_end_comparing(double pane); // continues with this one

// web_picture.c: the picture
int tide_web_draw(void);
int tide_web_is_dirty(void); // the picture has changed since it was drawn
void tide_web_resize(double width, double height, double ratio);
const uint8_t *tide_web_pixels(void); // RGBA; of the last picture that the software renderer drew
int tide_web_width(void);
int tide_web_height(void);
int tide_web_renderer(const char *name, const char *why); // "software", "webgl"; `why` goes into the message
int tide_web_view(const char *option, const char *value);
void tide_web_camera_to(const char *place); // "fit", "scene"
void tide_web_camera(const char *numbers);  // position, target, up, field of view: 10 numbers
void tide_web_tell_frame(void);

// web_pointer.c: mouse, fingers and keys
enum { TIDE_WEB_SHIFT = 1, TIDE_WEB_CTRL = 2, TIDE_WEB_ALT = 4 };
void tide_web_pointer(const char *kind, double x, double y, int button, int modifiers);
void tide_web_wheel(double delta);
void tide_web_gesture(double dx, double dy, double zoom, double turn, int modifiers);
void tide_web_key(const char *key);
int tide_web_tool(const char *name, double stiffness); // "": keeps the tool; stiffness in N/m, 0: keeps it

#endif
