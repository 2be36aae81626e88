// `link`: writes a scene, with its parameters and the hash of a frame, as a link; or shows what is in a link.
#include "app/commands.h"
#include "base/characters.h"
#include "base/memory.h"
#include "session/job.h"
#include "session/opened_link.h"
#include "session/progress.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct link_options {
    tide_run_options run;
    const char *base;
    bool decode;
} link_options;

// --- what a scene consists of ----------------------------------------------------------------------------------------

// Makes a link's name of a file's.
static char *name_of(void *owner, const char *path)
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path, *dot = strrchr(from, '.');
    size_t length = dot && dot > from ? (size_t)(dot - from) : strlen(from);
    length = length < TIDE_LINK_NAME_SIZE ? length : TIDE_LINK_NAME_SIZE;
    char *name = tide_own_zeroed(owner, length + 1, 1);
    for (size_t i = 0; name && i < length; i++) {
        const char letter[] = { from[i], '\0' };
        name[i] = tide_link_is_name(letter) ? from[i] : '-';
    }
    return name;
}

// Makes the name by which `require` asks for a file beside the scene: "scenes/parts/flags.lua" is parts.flags.
static char *module_of(void *owner, const char *scene, const char *path)
{
    static const char *const endings[] = { "/init.lua", ".lua" };
    const char *slash = strrchr(scene, '/');
    size_t folder = slash ? (size_t)(slash - scene) + 1 : strlen("./"), length = strlen(path), i = 0;
    if (length <= folder || strncmp(path, slash ? scene : "./", folder) != 0)
        return tide_own(owner, tide_copy_string(path));
    char *name = tide_own(owner, tide_copy_string(path + folder));
    length -= folder;
    while (name && i < 2 &&
           (length <= strlen(endings[i]) || strcmp(name + length - strlen(endings[i]), endings[i]) != 0))
        i++;
    if (name && i < 2)
        name[length - strlen(endings[i])] = '\0';
    for (char *c = name; c && *c; c++)
        *c = *c == '/' ? '.' : *c;
    return name;
}

static tide_status check_text(const tide_script_text *text, tide_error *error)
{
    if (tide_link_is_text(text->text, text->size))
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_FORMAT, text->path, NULL, NULL,
                     "a link carries texts in UTF-8 without zero bytes; save the file so");
}

// Fails for a file that is neither a text of the scene nor of the Lua library.
static tide_status check_files(tide_script *script, tide_error *error)
{
    uint32_t count, text_count;
    char library[PATH_MAX];
    const char *const *files = tide_script_files(script, &count);
    const tide_script_text *texts = tide_script_texts(script, &text_count);
    tide_library_find(library, sizeof library);
    for (uint32_t f = 0; f < count; f++) {
        bool known = library[0] && strncmp(files[f], library, strlen(library)) == 0;
        for (uint32_t t = 0; t < text_count; t++)
            known = known || strcmp(texts[t].path, files[f]) == 0;
        if (!known && access(files[f], F_OK) == 0)
            return tide_fail(error, TIDE_ERROR_FILE, "link", NULL, files[f],
                             "a link carries the script and its Lua modules, and no other file; make the mesh in the "
                             "script, by a builder of tide.mesh or tide.mesh.new");
    }
    return TIDE_OK;
}

static tide_status take_texts(tide_script *script, const char *path, tide_link *link, tide_error *error)
{
    uint32_t count;
    const tide_script_text *texts = tide_script_texts(script, &count);
    TIDE_TRY(check_files(script, error));
    link->name = name_of(link, path);
    link->modules = tide_own_zeroed(link, count, sizeof *link->modules);
    if (!tide_owns_all(link))
        return tide_fail_memory(error, "link");
    for (uint32_t i = 0; i < count; i++) {
        if (texts[i].path[0] == '@') // of the Lua library
            continue;
        TIDE_TRY(check_text(&texts[i], error));
        char *text = tide_own_zeroed(link, texts[i].size + 1, 1);
        if (!text)
            return tide_fail_memory(error, "link");
        memcpy(text, texts[i].text, texts[i].size);
        if (strcmp(texts[i].path, path) == 0)
            link->script = text;
        else
            link->modules[link->module_count++] = (tide_link_pair) { module_of(link, path, texts[i].path), text };
    }
    return tide_owns_all(link) ? TIDE_OK : tide_fail_memory(error, "link");
}

// Runs the scene as a trusted one, to see what it consists of.
static tide_status collect(const tide_run_options *given, tide_link *link, tide_error *error)
{
    tide_script_options opening = tide_scene_script_options(&given->scene);
    tide_script *script;
    opening.portable = true;
    TIDE_TRY(tide_script_open(given->scene.path, &opening, &script, error));
    tide_status status = take_texts(script, given->scene.path, link, error);
    tide_script_close(script);
    return status;
}

static tide_status take_options(const tide_run_options *given, tide_link *link, tide_error *error)
{
    const tide_setting_list *settings = &given->scene.settings;
    link->parameters = tide_own_zeroed(link, settings->count, sizeof *link->parameters);
    for (uint32_t i = 0; link->parameters && i < settings->count; i++) {
        uint32_t at = 0; // a later value replaces an earlier one
        while (at < link->parameter_count && strcmp(link->parameters[at].name, settings->items[i].name) != 0)
            at++;
        link->parameters[at] = (tide_link_pair) { settings->items[i].name, settings->items[i].value };
        link->parameter_count += at == link->parameter_count;
    }
    link->solver = given->solvers.count ? given->solvers.items[0].text : NULL;
    link->timestep = given->scene.timestep;
    link->seed = given->scene.seed;
    link->frame = given->frames;
    return tide_owns_all(link) ? TIDE_OK : tide_fail_memory(error, "link");
}

// --- the hash --------------------------------------------------------------------------------------------------------

static tide_status step_to_frame(tide_job *job, uint64_t frames, uint64_t *hash, tide_error *error)
{
    tide_progress progress;
    tide_status status = TIDE_OK;
    tide_progress_begin(&progress);
    while (status == TIDE_OK && tide_live_frame(job->live) < frames) {
        status = tide_job_step(job, error);
        tide_progress_show(&progress, "frames", tide_live_frame(job->live), frames);
    }
    tide_progress_end(&progress);
    return status == TIDE_OK ? tide_world_hash(tide_live_world(job->live), hash, error) : status;
}

// Runs the link as those who open it do.
static tide_status run_link(tide_opened_link *link, const tide_run_options *given, tide_error *error)
{
    tide_run_options options;
    const tide_run_options none = { .headless = true,
                                    .time_limit = TIDE_NOT_GIVEN,
                                    .scene.memory_limit = given->scene.memory_limit };
    TIDE_TRY(tide_opened_link_options(link, &none, &options, error));
    tide_job job = { .options = &options };
    TIDE_TRY(tide_job_open_scene(&job, error));
    tide_status status = step_to_frame(&job, link->content->frame, &link->content->hash, error);
    link->content->has_hash = status == TIDE_OK;
    tide_job_close_scene(&job);
    return status;
}

static tide_status make(const link_options *o, tide_error *error)
{
    tide_link *content = tide_allocate_zeroed(1, sizeof *content);
    tide_opened_link *link = NULL;
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    tide_status status = content ? collect(&o->run, content, error) : tide_fail_memory(error, "link");
    if (status == TIDE_OK)
        status = take_options(&o->run, content, error);
    if (status == TIDE_OK)
        status = tide_link_write(content, &text, error); // refuses what no link may hold, before it runs
    if (status != TIDE_OK) {
        tide_free(content);
        return status;
    }
    TIDE_TRY(tide_opened_link_take(o->run.scene.path, content, &link, error));
    status = run_link(link, &o->run, error);
    tide_text_clear(&text);
    if (status == TIDE_OK)
        status = tide_link_write(content, &text, error);
    if (status == TIDE_OK)
        printf("%s#%s\n", o->base ? o->base : "", text.bytes);
    tide_free(link);
    return status;
}

// --- decoding --------------------------------------------------------------------------------------------------------

// Prints a text without control characters that a terminal would execute.
static tide_status print_text(const char *text, const char *before_lines, tide_error *error)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        TIDE_SCOPED char *shown = tide_allocate(4 * length + 1);
        if (!shown)
            return tide_fail_memory(error, "link");
        printf("%s%s\n", before_lines, tide_visible_text(text, length, shown, 4 * length + 1));
        text += length + (text[length] == '\n');
    }
    return TIDE_OK;
}

// Prints a link as a scene: its fields as comments, and the script.
static tide_status print_link(const tide_link *link, tide_error *error)
{
    printf("-- name: %s\n", link->name);
    for (uint32_t i = 0; i < link->parameter_count; i++)
        printf("-- parameter: %s=%s\n", link->parameters[i].name, link->parameters[i].text);
    if (link->solver)
        printf("-- solver: %s\n", link->solver);
    if (link->timestep > 0)
        printf("-- timestep: %.17g s\n", link->timestep);
    if (link->seed)
        printf("-- seed: %" PRIu64 "\n", link->seed);
    const double *p = link->position, *t = link->target;
    if (link->has_camera)
        printf("-- camera: at %g, %g, %g m, looks at %g, %g, %g m, field of view %g rad\n", p[0], p[1], p[2], t[0],
               t[1], t[2], link->field_of_view);
    printf("-- frame: %" PRIu64 "\n", link->frame);
    if (link->has_hash)
        printf("-- hash: %016" PRIx64 "\n", link->hash);
    for (uint32_t i = 0; i < link->module_count; i++) {
        printf("-- module: %s\n", link->modules[i].name);
        TIDE_TRY(print_text(link->modules[i].text, "--   ", error));
    }
    return print_text(link->script, "", error);
}

static tide_status decode(const char *word, tide_error *error)
{
    tide_opened_link *link;
    if (!tide_is_link(word)) { // the link itself
        tide_link *content;
        TIDE_TRY(tide_link_read(word, strlen(word), &content, error));
        tide_status status = print_link(content, error);
        tide_free(content);
        return status;
    }
    TIDE_TRY(tide_opened_link_read(word, &link, error));
    tide_status status = print_link(link->content, error);
    tide_free(link);
    return status;
}

// --- the command -----------------------------------------------------------------------------------------------------

static tide_exit run_command(const char *const *subjects, void *options)
{
    link_options *o = options;
    tide_error error;
    o->run.scene.path = subjects[0];
    tide_status status;
    if (o->decode)
        status = decode(subjects[0], &error);
    else if (tide_is_link(subjects[0]))
        status = tide_fail(&error, TIDE_ERROR_ARGUMENT, "command line", NULL, subjects[0],
                           "expected a scene's file (.lua); --decode shows what is in a link");
    else
        status = make(o, &error);
    if (status == TIDE_OK)
        return TIDE_EXIT_DONE;
    const tide_setting_list *settings = &o->run.scene.settings;
    bool wrong = tide_is_about_solver(&o->run.solvers, &error) ||
                 tide_is_about_setting(settings->items, settings->count, &error) ||
                 strcmp(error.object, "command line") == 0;
    tide_report_error(&error);
    return wrong ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
}

#define AT(member) .offset = offsetof(link_options, member)
static const tide_option options[] = {
    { "--frames", "N", "the frame that the link shows", tide_option_whole, AT(run.frames), "120",
      .maximum = TIDE_LINK_MOST_FRAMES },
    { "--solver", "NAME[,key=value...]", "use this solver, not the scene's", tide_option_solver, AT(run.solvers),
      .release = tide_solver_list_free },
    { "--base", "URL", "the address of the page, before the link's #", tide_option_text, AT(base),
      .expected = "the address of a page, like https://example.org/springtide/" },
    { "--decode", NULL, "show the script and all fields of a link, and run nothing", tide_option_switch, AT(decode) },
    { .more = tide_scene_option_table },
};

const tide_command tide_command_link = {
    "link",
    "SCENE.lua",
    "write a scene, its parameters and the hash of a frame as a link",

    "It runs the scene to the frame, in the portable mode and under the limits of untrusted scenes, and prints the\n"
    "link as one line. Save the line as NAME.springtide, and `springtide NAME.springtide` opens it, goes to the frame\n"
    "and tells whether the state is the same, to the bit; so does the page for browsers. `springtide run\n"
    "NAME.springtide --headless` tells it without a window: exit status 1 if the state differs.\n"
    "`springtide link --decode LINK` takes a link, an address with a link, or such a file.\n"
    "A link carries the script and its modules, and no other files (scenes/links.md).",
    .options = options,
    .size = sizeof(link_options),
    .run = run_command
};
