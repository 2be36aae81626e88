#include "app/web_state.h"

#include "base/account.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/task.h"
#include "script/console.h"
#include "solver/solver_text.h"
#include "world/snapshot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TIME_LIMIT = 2, HISTORY = 96, MEMORY = 1024 }; // s; MB; MB

static tide_live *live(void)
{
    return tide_web_page.now ? tide_web_page.now->job.live : NULL;
}

// --- what goes on while a script or a task runs ----------------------------------------------------------------------

// Returns false: nothing interrupts a script but its limits and the page, which ends the worker.
static bool go_on(void *unused)
{
    (void)unused;
    static double since, last;
    tide_account_book *script = tide_account_use(NULL); // the messages do not count as the script's memory
    double now = tide_clock_seconds();
    if (now - last > 0.5)
        since = now;
    last = now;
    if (now - since > 0.2)
        tide_web_tell_busy("the script", now - since);
    tide_account_use(script);
    return false;
}

static void note_task(void *unused, const char *task, double seconds)
{
    (void)unused;
    tide_account_book *script = tide_account_use(NULL);
    tide_web_tell_busy(task ? task : "", seconds);
    tide_account_use(script);
}

static void note_log(tide_log_level level, const char *message, void *unused)
{
    static const char *const kinds[] = { "info", "info", "warning", "error" };
    (void)unused;
    if (level != TIDE_LOG_DEBUG)
        tide_web_tell_print(kinds[level], message, strlen(message));
}

// Lua prints in pieces; the page gets lines.
static void print(void *unused, const char *bytes, size_t size)
{
    tide_text *line = &tide_web_page.printed;
    (void)unused;
    tide_text_add(line, bytes, size);
    if (size && bytes[size - 1] == '\n')
        tide_web_end_line();
}

// --- life ------------------------------------------------------------------------------------------------------------

static void free_settings(tide_setting_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        tide_free((void *)list->items[i].name);
        tide_free((void *)list->items[i].value);
    }
    tide_free(list->items);
    *list = (tide_setting_list) { 0 };
}

TIDE_WEB_CALL int tide_web_begin(double width, double height, double ratio)
{
    tide_web *w = &tide_web_page;
    tide_error error;
    if (w->begun)
        tide_web_end();
    *w = (tide_web) { .begun = true, .factor = 1, .stiffness = 200, .tool = TIDE_WEB_DRAG, .ratio = 1 };
    tide_log_set_sink(note_log, NULL);
    tide_task_listen(note_task, NULL);
    if (tide_picture_create(&w->picture, NULL, 1, 1, false, &error) != TIDE_OK) {
        tide_web_tell_error("engine", &error, "");
        return 0;
    }
    tide_web_resize(width, height, ratio);
    tide_web_tell_ready();
    return 1;
}

// Closes the experiment, and takes its picture, which the next one continues with.
static void close_now(void)
{
    tide_web *w = &tide_web_page;
    if (!w->now)
        return;
    w->picture = w->now->job.picture;
    tide_job_end_comparing(&w->now->job);
    tide_job_call_while_running(NULL);
    tide_job_close_scene(&w->now->job);
    free_settings(&w->now->options.scene.settings);
    if (w->now->options.solvers.count)
        tide_free(w->now->options.solvers.items[0].text);
    tide_free(w->now->options.solvers.items);
    tide_free(w->now->path);
    tide_free(w->now);
    w->now = NULL;
}

TIDE_WEB_CALL void tide_web_end(void)
{
    tide_web *w = &tide_web_page;
    close_now();
    tide_picture_free(&w->picture);
    free_settings(&w->next);
    tide_text_free(&w->messages);
    tide_text_free(&w->printed);
    tide_log_set_sink(NULL, NULL);
    tide_task_listen(NULL, NULL);
    *w = (tide_web) { 0 };
}

TIDE_WEB_CALL const char *tide_web_take(void)
{
    static tide_text taken;
    tide_text_clear(&taken);
    tide_text before = taken;
    taken = tide_web_page.messages;
    tide_web_page.messages = before;
    return taken.failed || !taken.bytes ? "" : taken.bytes;
}

TIDE_WEB_CALL void tide_web_threads(double count)
{
    tide_set_threads((int)tide_web_count(count, 64));
}

TIDE_WEB_CALL int tide_web_thread_count(void)
{
    return tide_threads();
}

TIDE_WEB_CALL void tide_web_set(const char *name, const char *value)
{
    tide_setting_list *next = &tide_web_page.next;
    if (!tide_grow(&next->items, &next->capacity, next->count + 1, sizeof *next->items))
        return;
    next->items[next->count++] = (tide_setting) { tide_copy_string(name), tide_copy_string(value) };
}

// --- opening ---------------------------------------------------------------------------------------------------------

static tide_status set_options(tide_web_experiment *e, const char *solver, double timestep, double seed, int flags,
                               tide_error *error)
{
    tide_run_options *o = &e->options;
    o->scene.path = e->path;
    o->scene.settings = tide_web_page.next;
    tide_web_page.next = (tide_setting_list) { 0 };
    o->scene.timestep = timestep > 0 && isfinite(timestep) ? timestep : 0;
    o->scene.seed = tide_web_count(seed, UINT64_C(1) << 53);
    o->scene.memory_limit = MEMORY;
    o->time_limit = TIME_LIMIT;
    o->text_scale = TIDE_NOT_GIVEN;
    o->video_rate = TIDE_NOT_GIVEN;
    o->history_limit = HISTORY;
    o->history_given = true;
    o->untrusted = flags & TIDE_WEB_UNTRUSTED;
    o->scene.portable = flags & TIDE_WEB_PORTABLE;
    if (!solver[0])
        return TIDE_OK;
    TIDE_TRY(tide_solver_text_check(solver, error));
    o->solvers.items = tide_allocate_zeroed(1, sizeof *o->solvers.items);
    if (!o->solvers.items)
        return tide_fail_memory(error, "solver");
    o->solvers.items[0].text = tide_copy_string(solver);
    o->solvers.count = o->solvers.items[0].text ? 1 : 0;
    return TIDE_OK;
}

// Replaces the experiment, whose picture and renderer go on.
static tide_status replace(tide_web_experiment *e, tide_error *error)
{
    tide_web *w = &tide_web_page;
    bool refused;
    tide_view_settings view = tide_web_picture()->view;
    close_now();
    w->now = e;
    e->job.picture = w->picture;
    w->picture = (tide_picture) { 0 };
    e->job.picture.view = view;
    w->owed = w->rate = 0;
    w->drag = TIDE_WEB_IDLE;
    w->draw_failed = false;
    w->dirty = true;
    w->pane = 0;
    tide_job_keep_alive(&e->job, go_on, NULL);
    tide_job_call_while_running(&e->job);
    tide_live_set_printer(e->job.live, &(tide_live_printer) { print, NULL });
    TIDE_TRY(tide_picture_look_again(&e->job.picture, tide_live_script(e->job.live), error));
    return tide_job_begin_comparing(&e->job, &refused, error);
}

TIDE_WEB_CALL int tide_web_open(const char *path, const char *solver, double timestep, double seed, int flags)
{
    tide_error error = { 0 };
    tide_web_experiment *e = tide_allocate_zeroed(1, sizeof *e);
    if (!e) {
        tide_fail_memory(&error, "experiment");
        tide_web_tell_error("engine", &error, "");
        return 0;
    }
    e->path = tide_copy_string(path);
    e->job.options = &e->options;
    tide_job_keep_alive(&e->job, go_on, NULL);
    tide_status status =
        e->path ? set_options(e, solver, timestep, seed, flags, &error) : tide_fail_memory(&error, "experiment");
    if (status == TIDE_OK)
        status = tide_job_open_scene(&e->job, &error);
    tide_web_tell_busy("", 0);
    if (status != TIDE_OK) {
        tide_web_experiment *before = tide_web_page.now;
        tide_picture picture = tide_web_page.picture;
        tide_web_page.now = e;
        close_now();
        tide_web_page.now = before;
        tide_web_page.picture = picture;
        if (before)
            tide_job_call_while_running(&before->job);
        tide_web_tell_error("run", &error, "");
        return 0;
    }
    tide_web_page.told = 0;
    status = replace(e, &error);
    tide_web_tell_opened();
    if (status != TIDE_OK)
        tide_web_tell_error("engine", &error, "");
    tide_web_tell_failure();
    return 1;
}

// --- inputs ----------------------------------------------------------------------------------------------------------

static int give(const tide_input *input)
{
    return live() && tide_web_apply(live(), input);
}

TIDE_WEB_CALL int tide_web_reload(void)
{
    bool changed;
    tide_error error;
    if (!give(&(tide_input) { .kind = TIDE_INPUT_RELOAD }))
        return 0;
    tide_text *text = tide_web_tell("good");
    tide_json_string(text, "notice", tide_live_notice(live()));
    tide_json_string(text, "title", tide_script_title(tide_live_script(live())));
    tide_web_told();
    if (tide_job_follow_scene(tide_web_job(), &changed, &error) != TIDE_OK)
        tide_web_tell_error("engine", &error, "");
    if (changed)
        tide_web_tell_panes();
    return 1;
}

TIDE_WEB_CALL int tide_web_reset(void)
{
    return give(&(tide_input) { .kind = TIDE_INPUT_RESET });
}

TIDE_WEB_CALL int tide_web_seek(double frame)
{
    if (!live())
        return 0;
    tide_history_span span = tide_live_history(live());
    uint64_t wanted = tide_web_count(frame, UINT64_MAX >> 1);
    tide_live_pause(live(), true);
    if (!span.count || wanted == tide_live_frame(live()))
        return span.count > 0;
    wanted = wanted < span.first ? span.first : wanted > span.last ? span.last : wanted;
    return give(&(tide_input) { .kind = TIDE_INPUT_REWIND, .frame = wanted });
}

TIDE_WEB_CALL int tide_web_parameter(const char *name, const char *value)
{
    return give(&(tide_input) { .kind = TIDE_INPUT_PARAM, .name = name, .text = value });
}

TIDE_WEB_CALL int tide_web_solver(double pane, const char *text)
{
    const tide_job *job = tide_web_job();
    if (!job)
        return 0;
    uint64_t index = tide_web_count(pane, TIDE_PANES_MOST);
    tide_live *to = job->compare && index < job->compare->count ? job->compare->panes[index].live : job->live;
    return tide_web_apply(to, &(tide_input) { .kind = TIDE_INPUT_SOLVER, .text = text });
}

TIDE_WEB_CALL int tide_web_timestep(double seconds)
{
    return give(&(tide_input) { .kind = TIDE_INPUT_TIMESTEP, .number = seconds });
}

TIDE_WEB_CALL int tide_web_suggestion(double index)
{
    tide_suggestion suggestions[TIDE_SUGGESTION_MAX];
    uint32_t count = live() ? tide_live_suggestions(live(), suggestions) : 0;
    uint64_t at = tide_web_count(index, TIDE_SUGGESTION_MAX);
    return at < count && tide_web_apply(live(), &suggestions[at].input);
}

TIDE_WEB_CALL void tide_web_dismiss(void)
{
    if (!live())
        return;
    tide_live_clear_failure(live());
    tide_web_tell_failure();
}

TIDE_WEB_CALL int tide_web_console(const char *text)
{
    if (!live())
        return 0;
    bool unfinished = tide_script_is_unfinished(tide_live_script(live()), text);
    uint64_t before, after;
    tide_world_hash(tide_live_world(live()), &before, NULL);
    bool done = !unfinished && give(&(tide_input) { .kind = TIDE_INPUT_CONSOLE, .text = text });
    tide_web_end_line();
    tide_world_hash(tide_live_world(live()), &after, NULL);
    tide_text *answer = tide_web_tell("console");
    tide_json_boolean(answer, "ok", done);
    tide_json_boolean(answer, "changed", before != after);
    tide_json_boolean(answer, "unfinished", unfinished);
    tide_web_told();
    return done;
}

TIDE_WEB_CALL void tide_web_complete(const char *text, double id)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text names = { 0 };
    size_t length = 0;
    if (live())
        tide_script_complete(tide_live_script(live()), text, &names, &length, NULL);
    tide_text *answer = tide_web_tell("completions");
    tide_json_number(answer, "id", id);
    tide_json_count(answer, "length", length);
    tide_json_open(answer, "names", '[');
    for (char *name = names.bytes, *end; name && *name; name = end) {
        end = name + strcspn(name, "\n");
        if (*end)
            *end++ = '\0';
        tide_json_string(answer, NULL, name);
    }
    tide_json_close(answer, ']');
    tide_web_told();
}

// --- time ------------------------------------------------------------------------------------------------------------

static bool is_playing(void)
{
    const tide_job *job = tide_web_job();
    if (!job)
        return false;
    if (job->compare && !tide_compare_is_over(job->compare) &&
        tide_live_failure(job->live)->kind == TIDE_FAILURE_STEP) // the other panes go on
        return true;
    return !tide_live_is_paused(job->live);
}

TIDE_WEB_CALL int tide_web_is_playing(void)
{
    return is_playing();
}

TIDE_WEB_CALL void tide_web_play(int on)
{
    if (!live())
        return;
    tide_live_pause(live(), !on);
    tide_web_page.owed = 0;
    tide_web_page.dirty = true;
}

TIDE_WEB_CALL void tide_web_speed(double factor)
{
    tide_web_page.factor = factor > 0 ? fmin(factor, 4) : 1;
}

// Takes one step. Returns whether it was taken.
static bool take_step(void)
{
    tide_web *w = &tide_web_page;
    tide_job *job = tide_web_job();
    tide_error error = { 0 };
    if (w->drag != TIDE_WEB_HOLD && tide_live_dragging(job->live)->active) // as after going back
        tide_web_apply(job->live, &(tide_input) { .kind = TIDE_INPUT_DRAG_END });
    tide_live_certify(job->live, job->picture.view.options.crossings);
    uint64_t before = tide_job_steps(job);
    double start = tide_clock_seconds();
    tide_status status = tide_job_step(job, &error);
    w->step_seconds = tide_clock_seconds() - start;
    w->dirty = true;
    if (tide_job_steps(job) > before)
        tide_web_tool_stepped();
    if (job->compare && status != TIDE_OK)
        tide_web_tell_error("step", &error, "");
    tide_web_tell_failure();
    return tide_job_steps(job) > before;
}

static double timestep(void)
{
    return tide_world_get_settings(tide_live_world(live()))->timestep;
}

static void count_rate(double steps, double now)
{
    tide_web *w = &tide_web_page;
    w->simulated += steps * timestep();
    if (now - w->since < 0.5)
        return;
    w->rate = now - w->since < 2 ? w->simulated / (now - w->since) : 0;
    w->simulated = 0;
    w->since = now;
}

TIDE_WEB_CALL int tide_web_advance(double elapsed, double budget)
{
    tide_web *w = &tide_web_page;
    int steps = 0;
    double start = tide_clock_seconds();
    if (!live() || !is_playing())
        return 0;
    w->owed += w->factor * fmin(fmax(elapsed, 0), 0.25); // after a longer sleep it goes on from where it was
    double h = timestep();
    while (is_playing() && w->owed >= h && !(steps && tide_clock_seconds() - start > budget)) {
        w->owed -= h;
        if (!take_step())
            break;
        steps++;
    }
    w->owed = fmin(w->owed, h);
    count_rate(steps, tide_clock_seconds());
    return steps;
}

TIDE_WEB_CALL int tide_web_step(double frames, double budget)
{
    double start = tide_clock_seconds();
    uint64_t wanted = tide_web_count(frames, 1000000), taken = 0;
    if (!live())
        return 0;
    tide_live_pause(live(), true);
    while (taken < wanted && !(taken && tide_clock_seconds() - start > budget) && take_step())
        taken++;
    return (int)taken;
}

TIDE_WEB_CALL double tide_web_frame(void)
{
    return live() ? (double)tide_live_frame(live()) : 0;
}

TIDE_WEB_CALL void tide_web_hash(const char *expected)
{
    char text[24];
    uint64_t hash;
    tide_error error;
    if (!live())
        return;
    if (tide_world_hash(tide_live_world(live()), &hash, &error) != TIDE_OK) {
        tide_web_tell_error("engine", &error, "");
        return;
    }
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    tide_text *answer = tide_web_tell("reached");
    tide_json_count(answer, "frame", tide_live_frame(live()));
    tide_json_string(answer, "hash", text);
    tide_json_boolean(answer, "portable", tide_script_portable(tide_live_script(live())));
    tide_json_string(answer, "expected", expected[0] ? expected : NULL);
    if (expected[0])
        tide_json_boolean(answer, "same", strcmp(expected, text) == 0);
    else
        tide_json_null(answer, "same");
    tide_web_told();
}
