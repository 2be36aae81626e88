// Runs the script: at first, and again for a parameter, a solver, a timestep or another text.
#include "session/live_state.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum { RUN_LIMIT = 10 }; // times the limit of a call, since a run builds meshes

static size_t memory_limit; // for each run of a script, bytes; 0: none

static bool (*progress)(void *context); // called while a script runs; NULL: none
static void *progress_context;

// Indirection, because scripts outlive the function that is set.
static bool call_progress(void *unused)
{
    (void)unused;
    return progress && progress(progress_context);
}

void tide_live_set_progress(bool (*call)(void *context), void *context)
{
    progress = call;
    progress_context = context;
}

void tide_live_limit_memory(size_t bytes)
{
    memory_limit = bytes;
}

// Counts the initial solvers whose frame has come.
static uint32_t count_choices(const tide_live *live, uint64_t frame)
{
    uint32_t count = 0;
    while (count < live->choice_count && live->choices[count].frame <= frame)
        count++;
    return count;
}

const char *tide_live_solver_text(const tide_live *live)
{
    return live->solver ? live->solver : live->chosen ? live->choices[live->chosen - 1].text : NULL;
}

static tide_script_options run_options(const tide_live *live)
{
    return (tide_script_options) { .settings = live->settings,
                                   .setting_count = (uint32_t)live->setting_count,
                                   .solver = tide_live_solver_text(live),
                                   .timestep = live->timestep,
                                   .seed = live->seed,
                                   .portable = live->portable,
                                   .folder_barred = live->folder_barred,
                                   .untrusted = live->untrusted,
                                   .time_limit = RUN_LIMIT * live->time_limit,
                                   .memory_limit = memory_limit,
                                   .progress = call_progress };
}

// --- texts -----------------------------------------------------------------------------------------------------------

static bool is_known(const tide_live *live, const tide_live_text *text)
{
    for (size_t i = 0; i < live->text_count; i++)
        if (live->texts[i].path == text->path && live->texts[i].text == text->text)
            return true;
    return false;
}

// Notes which texts differ from those before the run.
tide_status tide_live_note_texts(tide_live *live, tide_error *error)
{
    uint32_t count;
    const tide_script_text *sources = tide_script_texts(live->script, &count);
    live->file_count = 0;
    if (!tide_grow_owned(live, &live->files, &live->file_capacity, count, sizeof *live->files) ||
        !tide_grow_owned(live, &live->texts, &live->text_capacity, live->text_count + count, sizeof *live->texts))
        return tide_fail_memory(error, "script");
    tide_live_text *now = live->texts + live->text_count;
    for (uint32_t i = 0; i < count; i++) {
        now[i] = (tide_live_text) { tide_hash_string(TIDE_HASH_START, sources[i].path),
                                    tide_hash_bytes(TIDE_HASH_START, sources[i].text, sources[i].size) };
        if (!is_known(live, &now[i]))
            live->files[live->file_count++] = (tide_input_file) { sources[i].path, sources[i].text, sources[i].size };
    }
    memmove(live->texts, now, count * sizeof *now);
    live->text_count = count;
    return TIDE_OK;
}

tide_status tide_live_give_files(tide_live *live, const tide_input *input, tide_error *error)
{
    for (uint32_t f = 0; f < input->file_count; f++) {
        const tide_input_file *file = &input->files[f];
        const tide_script_text text = { file->path, file->text, file->size };
        TIDE_TRY(tide_script_give(live->script, &text, error));
    }
    return TIDE_OK;
}

// Copies the list of the script's texts, with these files replacing those of the same path. The caller frees the list;
// the texts are not copied.
static tide_status lay_over(const tide_live *live, const tide_input_file *files, uint32_t file_count,
                            tide_script_text **out, uint32_t *out_count, tide_error *error)
{
    uint32_t count;
    const tide_script_text *sources = tide_script_texts(live->script, &count);
    tide_script_text *all = tide_allocate_array((size_t)count + file_count, sizeof *all);
    if (!all)
        return tide_fail_memory(error, "script");
    for (uint32_t i = 0; i < count; i++)
        all[i] = sources[i];
    for (uint32_t f = 0; f < file_count; f++) {
        uint32_t at = 0;
        while (at < count && strcmp(all[at].path, files[f].path) != 0)
            at++;
        all[at] = (tide_script_text) { files[f].path, files[f].text, files[f].size };
        count += at == count;
    }
    *out = all;
    *out_count = count;
    return TIDE_OK;
}

// --- runs ------------------------------------------------------------------------------------------------------------

static tide_status run_again(tide_live *live, tide_script_options *options, tide_error *error)
{
    tide_tool_targets targets;
    TIDE_TRY(tide_tools_read_targets(&live->tools, tide_live_world(live), &targets, error));
    tide_status status = tide_script_reload(live->script, options, NULL, error);
    tide_script_set_time_limit(live->script, live->time_limit);
    if (status == TIDE_OK) {
        live->changed = true;
        tide_frame_history_run_release(live->run);
        live->run = NULL;
        tide_tools_apply(&live->tools, tide_live_world(live), &targets, NULL); // what no longer fits is released
        status = tide_live_note_texts(live, error);
    } else
        tide_live_fail(live, TIDE_FAILURE_RUN, error);
    tide_free(targets.points);
    return status;
}

// Runs the script with its present texts, whatever the files contain now.
static tide_status run_same(tide_live *live, tide_script_options *options, tide_error *error)
{
    TIDE_SCOPED tide_script_text *sources = NULL;
    TIDE_TRY(lay_over(live, NULL, 0, &sources, &options->text_count, error));
    options->texts = sources;
    return run_again(live, options, error);
}

tide_status tide_live_reload(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_script_options options = run_options(live);
    if (!live->sealed && !input->file_count)
        return run_again(live, &options, error);
    TIDE_SCOPED tide_script_text *sources = NULL;
    TIDE_TRY(lay_over(live, input->files, input->file_count, &sources, &options.text_count, error));
    options.texts = sources;
    return run_again(live, &options, error);
}

// Copies the list of settings and adds or replaces one. The caller frees the list; strings are not copied.
static tide_status with_setting(const tide_live *live, const tide_setting *added, tide_setting **out, size_t *count,
                                tide_error *error)
{
    tide_setting *settings = tide_allocate_array(live->setting_count + 1, sizeof *settings);
    if (!settings)
        return tide_fail_memory(error, "parameter");
    *count = 0;
    for (size_t i = 0; i < live->setting_count; i++)
        if (strcmp(live->settings[i].name, added->name) != 0)
            settings[(*count)++] = live->settings[i];
    settings[(*count)++] = *added;
    *out = settings;
    return TIDE_OK;
}

static void free_setting(tide_setting *setting)
{
    tide_free((void *)setting->name); // owns the value
    *setting = (tide_setting) { 0 };
}

// Stores the setting; the list has room for it.
static void keep_setting(tide_live *live, const tide_setting *added)
{
    size_t count = 0;
    for (size_t i = 0; i < live->setting_count; i++)
        if (strcmp(live->settings[i].name, added->name) != 0)
            live->settings[count++] = live->settings[i];
        else
            free_setting(&live->settings[i]);
    live->settings[count++] = *added;
    live->setting_count = count;
}

static tide_status copy_setting(const char *name, const char *value, tide_setting *copy, tide_error *error)
{
    char *owner = tide_copy_string(name);
    *copy = (tide_setting) { owner, owner ? tide_own(owner, tide_copy_string(value)) : NULL };
    if (copy->value)
        return TIDE_OK;
    free_setting(copy);
    return tide_fail_memory(error, "parameter");
}

tide_status tide_live_set_param(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_setting added, *settings = NULL;
    tide_script_options options = run_options(live);
    size_t count = 0;
    TIDE_TRY(copy_setting(input->name, input->text, &added, error));
    tide_status status = with_setting(live, &added, &settings, &count, error);
    if (status == TIDE_OK &&
        !tide_grow(&live->settings, &live->setting_capacity, live->setting_count + 1, sizeof *live->settings))
        status = tide_fail_memory(error, "parameter");
    options.settings = settings;
    options.setting_count = (uint32_t)count;
    if (status == TIDE_OK)
        status = run_same(live, &options, error);
    if (status == TIDE_OK)
        keep_setting(live, &added);
    else
        free_setting(&added);
    tide_free(settings);
    return status;
}

tide_status tide_live_set_timestep(tide_live *live, const tide_input *input, tide_error *error)
{
    tide_script_options options = run_options(live);
    options.timestep = input->number;
    TIDE_TRY(run_same(live, &options, error));
    live->timestep = input->number;
    return TIDE_OK;
}

// --- earlier runs ----------------------------------------------------------------------------------------------------

tide_status tide_live_note_run(tide_live *live, tide_error *error)
{
    uint32_t count;
    const tide_script_text *texts = tide_script_texts(live->script, &count);
    const tide_frame_history_run *before =
        live->history.count ? tide_frame_history_find(&live->history, tide_frame_history_last(&live->history))->run
                            : NULL;
    return live->run ? TIDE_OK
                     : tide_frame_history_run_create(texts, count, live->settings, live->setting_count, live->timestep,
                                                     before, &live->run, error);
}

// Copies a run's settings to the live.
static tide_status take_settings(tide_live *live, const tide_frame_history_run *run, tide_error *error)
{
    TIDE_SCOPED tide_setting *copies = tide_allocate_zeroed(run->setting_count, sizeof *copies);
    tide_status status =
        copies && tide_grow(&live->settings, &live->setting_capacity, run->setting_count, sizeof *live->settings)
            ? TIDE_OK
            : tide_fail_memory(error, "parameter");
    for (size_t i = 0; i < run->setting_count && status == TIDE_OK; i++)
        status = copy_setting(run->settings[i].name, run->settings[i].value, &copies[i], error);
    for (size_t i = 0; i < live->setting_count && status == TIDE_OK; i++)
        free_setting(&live->settings[i]);
    if (status == TIDE_OK) {
        for (size_t i = 0; i < run->setting_count; i++)
            live->settings[i] = copies[i];
        live->setting_count = run->setting_count;
        live->timestep = run->timestep;
    } else
        for (size_t i = 0; copies && i < run->setting_count; i++)
            free_setting(&copies[i]);
    return status;
}

tide_status tide_live_run_as(tide_live *live, tide_frame_history_run *run, tide_error *error)
{
    tide_script_options options = run_options(live);
    options.settings = run->settings;
    options.setting_count = (uint32_t)run->setting_count;
    options.timestep = run->timestep;
    options.texts = tide_frame_history_run_texts(run, &options.text_count);
    TIDE_TRY(run_again(live, &options, error));
    TIDE_TRY(take_settings(live, run, error));
    live->run = tide_frame_history_run_share(run);
    return TIDE_OK;
}

// --- solvers ---------------------------------------------------------------------------------------------------------

static void free_choices(tide_live *live)
{
    tide_free(live->choices); // own their texts
    live->choices = NULL;
    live->choice_count = live->chosen = 0;
}

tide_status tide_live_set_solver(tide_live *live, const tide_input *input, tide_error *error)
{
    char *text = NULL;
    tide_status status;
    if (input->text && input->text[0]) {
        text = tide_copy_string(input->text);
        status = text ? tide_script_set_solver(live->script, text, error) : tide_fail_memory(error, "solver");
        live->changed = live->changed || status == TIDE_OK;
    } else {
        tide_script_options options = run_options(live);
        options.solver = NULL;
        status = run_same(live, &options, error);
    }
    if (status != TIDE_OK) {
        tide_free(text);
        return status;
    }
    free_choices(live);
    tide_free(live->solver);
    live->solver = text;
    return TIDE_OK;
}

// Going back in time also goes back to the solver of that frame; before the first choice, the last solver stays.
tide_status tide_live_choose_solver(tide_live *live, tide_error *error)
{
    uint32_t due = count_choices(live, tide_live_frame(live));
    if (due == live->chosen)
        return TIDE_OK;
    if (due > 0)
        TIDE_TRY(tide_script_set_solver(live->script, live->choices[due - 1].text, error));
    live->chosen = due;
    return TIDE_OK;
}

tide_status tide_live_forget_choices(tide_live *live, tide_error *error)
{
    uint32_t before = live->chosen;
    live->chosen = count_choices(live, 0);
    if (live->chosen == before)
        return TIDE_OK;
    tide_script_options options = run_options(live);
    tide_status status = run_same(live, &options, error);
    if (status != TIDE_OK)
        live->chosen = before;
    return status;
}

// --- opening and closing ---------------------------------------------------------------------------------------------

static tide_status copy_choices(tide_live *live, const tide_live_options *options, tide_error *error)
{
    live->choices = tide_allocate_zeroed(options->solver_count, sizeof *live->choices);
    if (!live->choices)
        return tide_fail_memory(error, "solver");
    for (; live->choice_count < options->solver_count; live->choice_count++) {
        const tide_solver_choice *given = &options->solvers[live->choice_count];
        live->choices[live->choice_count] =
            (tide_solver_choice) { tide_own(live->choices, tide_copy_string(given->text)), given->frame };
    }
    if (!tide_owns_all(live->choices))
        return tide_fail_memory(error, "solver");
    live->chosen = count_choices(live, 0);
    return TIDE_OK;
}

static tide_status copy_settings(tide_live *live, const tide_live_options *options, tide_error *error)
{
    for (uint32_t i = 0; i < options->setting_count; i++) {
        tide_setting copy;
        if (!tide_grow(&live->settings, &live->setting_capacity, live->setting_count + 1, sizeof *live->settings))
            return tide_fail_memory(error, "parameter");
        TIDE_TRY(copy_setting(options->settings[i].name, options->settings[i].value, &copy, error));
        keep_setting(live, &copy);
    }
    return TIDE_OK;
}

tide_status tide_live_first_run(tide_live *live, const tide_live_options *options, tide_error *error)
{
    TIDE_SCOPED tide_script_text *sources = tide_allocate_array(options->file_count, sizeof *sources);
    TIDE_TRY(sources ? copy_choices(live, options, error) : tide_fail_memory(error, "script"));
    TIDE_TRY(copy_settings(live, options, error));
    for (uint32_t i = 0; i < options->file_count; i++)
        sources[i] = (tide_script_text) { options->files[i].path, options->files[i].text, options->files[i].size };
    tide_script_options run = run_options(live);
    run.texts = sources;
    run.text_count = options->file_count;
    TIDE_TRY(tide_script_open(live->path, &run, &live->script, error));
    live->portable = tide_script_portable(live->script);
    tide_script_set_time_limit(live->script, live->time_limit);
    for (uint32_t i = 0; i < live->choice_count; i++)
        TIDE_TRY(tide_script_check_solver(live->script, live->choices[i].text, error));
    TIDE_TRY(tide_world_mark_initial(tide_script_world(live->script), error)); // before an input can change it
    return tide_live_note_texts(live, error);
}

void tide_live_free_run(tide_live *live)
{
    tide_script_close(live->script);
    tide_frame_history_run_release(live->run);
    for (size_t i = 0; i < live->setting_count; i++)
        free_setting(&live->settings[i]);
    tide_free(live->settings);
    free_choices(live);
    tide_free(live->solver);
}
