// What the files of web.h share. Private to them.
#ifndef TIDE_APP_WEB_STATE_H
#define TIDE_APP_WEB_STATE_H

#include "app/json.h"
#include "app/web.h"
#include "session/job_compare.h"
#include "session/live_knife.h"

// Functions that the page's worker calls by their names.
#define TIDE_WEB_CALL __attribute__((used))

typedef struct tide_web_experiment {
    tide_run_options options;
    tide_job job;
    char *path; // owned
} tide_web_experiment;

typedef enum tide_web_tool {
    TIDE_WEB_LOOK,
    TIDE_WEB_DRAG,
    TIDE_WEB_PIN,
    TIDE_WEB_CUT,
    TIDE_WEB_PUSH,
    TIDE_WEB_TOOLS
} tide_web_tool_kind;
extern const char *const tide_web_tools[]; // their names; ends with NULL

typedef struct tide_web {
    bool begun;
    tide_text messages;            // lines
    tide_setting_list next;        // of the next opening
    tide_web_experiment *now;      // NULL: none is open
    tide_picture picture;          // while no experiment is open; else the job has it
    uint64_t told;                 // hash of the failure that was told; 0: none
    bool dirty, draw_failed;       // the picture is out of date; the scene's draw failed and is left out
    double owed, factor;           // simulated time still to catch up, s; simulated seconds in a second
    double simulated, since, rate; // the rate is measured from time to time
    double ratio;                  // pixels in a CSS pixel
    double step_seconds;           // of the last step
    // the pointer
    tide_web_tool_kind tool;
    double stiffness; // of the drag spring, N/m
    enum { TIDE_WEB_IDLE, TIDE_WEB_ORBIT, TIDE_WEB_PAN, TIDE_WEB_HOLD, TIDE_WEB_SHOVE, TIDE_WEB_STROKE } drag;
    double pressed[2], last[2], hold[3];
    int button, modifiers;
    bool moved;
    char pushed[256]; // name of the collider that is pushed
    tide_knife knife;
    uint32_t pane;
} tide_web;
extern tide_web tide_web_page;

static inline tide_job *tide_web_job(void)
{
    return tide_web_page.now ? &tide_web_page.now->job : NULL;
}
static inline tide_picture *tide_web_picture(void)
{
    return tide_web_page.now ? &tide_web_page.now->job.picture : &tide_web_page.picture;
}

// Applies an input, tells its failure or what it has changed, and returns whether it succeeded.
bool tide_web_apply(tide_live *live, const tide_input *input);

// web_messages.c: each adds a message
tide_text *tide_web_tell(const char *type); // begins one, to which members are added
void tide_web_told(void);                   // ends it
void tide_web_tell_error(const char *where, const tide_error *error, const char *traceback);
void tide_web_tell_failure(void); // `error` or `mended`, if the failure has changed
void tide_web_tell_print(const char *kind, const char *text, size_t size);
void tide_web_tell_ready(void);
void tide_web_tell_opened(void);
void tide_web_tell_parameters(void);
void tide_web_tell_solver(uint32_t pane);
void tide_web_add_views(tide_text *text, const char *key); // web_picture.c; a list
void tide_web_tell_views(void);
void tide_web_tell_panes(void);
void tide_web_tell_camera(void);

void tide_web_tool_stepped(void); // web_pointer.c; after a step: cuts what has moved under the knife

// web_host.c: what the browser is told while a script or a task runs
void tide_web_tell_busy(const char *what, double seconds); // "": it is over

// A number from outside as a count, within a range.
uint64_t tide_web_count(double value, uint64_t most);

#endif
