#include "session/opened_link.h"

#include "base/memory.h"
#include "session/file_copy.h"
#include "session/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool tide_is_link(const char *word)
{
    size_t length = strlen(word), ending = strlen(TIDE_LINK_ENDING);
    const char *host = strstr(word, "://");
    return (length > ending && strcmp(word + length - ending, TIDE_LINK_ENDING) == 0) || (host && strchr(host, '#'));
}

// --- reading ---------------------------------------------------------------------------------------------------------

tide_status tide_opened_link_read(const char *word, tide_opened_link **link, tide_error *error)
{
    TIDE_SCOPED char *bytes = NULL;
    size_t size = strlen(word);
    tide_link *content;
    if (!strstr(word, "://"))
        TIDE_TRY(tide_read_whole(word, &bytes, &size, error));
    tide_status status = tide_link_read(bytes ? bytes : word, size, &content, error);
    if (status != TIDE_OK && error && bytes)
        tide_error_locate(error, word, 0);
    return status == TIDE_OK ? tide_opened_link_take(word, content, link, error) : status;
}

// Writes the path that `require` finds a module under: "./parts/flags.lua".
static char *module_path(void *owner, const char *name)
{
    char *path = tide_own_array(owner, strlen(name) + 7, 1);
    if (!path)
        return NULL;
    snprintf(path, strlen(name) + 7, "./%s.lua", name);
    for (char *c = path + 2; c < path + 2 + strlen(name); c++)
        *c = *c == '.' ? '/' : *c;
    return path;
}

tide_status tide_opened_link_take(const char *word, tide_link *content, tide_opened_link **link, tide_error *error)
{
    tide_opened_link *opened = tide_allocate_zeroed(1, sizeof *opened);
    uint32_t count = content->module_count + 1;
    tide_own(opened, content);
    tide_input_file *files = tide_own_zeroed(opened, count, sizeof *files);
    char *path = files ? module_path(opened, content->name) : NULL;
    if (path)
        files[0] = (tide_input_file) { path + 2, content->script, strlen(content->script) };
    for (uint32_t i = 0; path && i + 1 < count; i++)
        files[i + 1] = (tide_input_file) { module_path(opened, content->modules[i].name), content->modules[i].text,
                                           strlen(content->modules[i].text) };
    if (!tide_owns_all(opened)) {
        tide_free(opened);
        return tide_fail_memory(error, "link");
    }
    opened->content = content;
    opened->word = word;
    opened->path = path + 2;
    opened->files = files;
    opened->file_count = count;
    *link = opened;
    return TIDE_OK;
}

// --- running ---------------------------------------------------------------------------------------------------------

tide_status tide_opened_link_options(tide_opened_link *link, const tide_run_options *given, tide_run_options *options,
                                     tide_error *error)
{
    const tide_link *content = link->content;
    const tide_setting_list *added = &given->scene.settings;
    uint32_t count = content->parameter_count + added->count;
    tide_setting *settings = tide_own_zeroed(link, count, sizeof *settings);
    tide_solver_choice *solver = tide_own_zeroed(link, 1, sizeof *solver);
    if (!tide_owns_all(link))
        return tide_fail_memory(error, "link");
    for (uint32_t i = 0; i < count; i++)
        settings[i] = i < content->parameter_count
                          ? (tide_setting) { content->parameters[i].name, content->parameters[i].text }
                          : added->items[i - content->parameter_count];
    *solver = (tide_solver_choice) { (char *)content->solver, 0 };
    *options = *given;
    options->link = link;
    options->untrusted = true;
    options->scene.path = link->path;
    options->scene.portable = true;
    options->scene.settings = (tide_setting_list) { settings, count, count };
    if (!given->solvers.count && content->solver)
        options->solvers = (tide_solver_list) { solver, 1, 1 };
    options->scene.timestep = given->scene.timestep != 0 ? given->scene.timestep : content->timestep;
    options->scene.seed = given->scene.seed ? given->scene.seed : content->seed;
    if (!given->frames_given && given->headless) {
        options->frames = content->frame;
        options->frames_given = true;
    }
    bool changed = added->count || given->solvers.count || given->scene.timestep != 0 || given->scene.seed ||
                   given->open_world || given->compare.wanted;
    link->outcome = changed || !content->has_hash ? TIDE_LINK_NOT_COMPARABLE : TIDE_LINK_NOT_COMPARED;
    return TIDE_OK;
}

bool tide_opened_link_compare(tide_opened_link *link, tide_live *live)
{
    const tide_link *content = link->content;
    uint64_t hash;
    tide_error error;
    if (link->outcome != TIDE_LINK_NOT_COMPARED || tide_live_frame(live) != content->frame)
        return false;
    if (tide_world_hash(tide_live_world(live), &hash, &error) != TIDE_OK)
        return false;
    link->outcome = hash == content->hash ? TIDE_LINK_SAME : TIDE_LINK_DIFFERS;
    if (hash == content->hash)
        snprintf(link->text, sizeof link->text, "link: the same bits at frame %" PRIu64 ": %016" PRIx64, content->frame,
                 hash);
    else
        snprintf(link->text, sizeof link->text,
                 "link: the state at frame %" PRIu64 " differs: %016" PRIx64 ", where the link has %016" PRIx64
                 "; to see the first frame, body and vertex that differ, make a record on one computer (springtide run "
                 "%s" TIDE_LINK_ENDING " --headless --record a.replay) and check it on the other (springtide verify "
                 "a.replay)",
                 content->frame, hash, content->hash, content->name);
    return true;
}

void tide_opened_link_run_to_frame(tide_opened_link *link, tide_live *live, bool (*stopped)(void))
{
    tide_progress progress;
    tide_status status = TIDE_OK;
    tide_progress_begin(&progress);
    while (status == TIDE_OK && tide_live_frame(live) < link->content->frame && !stopped()) {
        status = tide_live_step(live, NULL);
        tide_progress_show(&progress, "frames", tide_live_frame(live), link->content->frame);
    }
    tide_progress_end(&progress);
}

bool tide_opened_link_camera(const tide_opened_link *link, tide_draw_camera *camera)
{
    const tide_link *content = link->content;
    *camera = (tide_draw_camera) { .field_of_view = (float)content->field_of_view };
    for (int k = 0; k < 3; k++) {
        camera->position[k] = (float)content->position[k];
        camera->target[k] = (float)content->target[k];
        camera->up[k] = (float)content->up[k];
    }
    return content->has_camera;
}
