// Files of the present state, and the state as a text.
#include "app/web_state.h"

#include "base/memory.h"
#include "session/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void tell(tide_status status, const tide_error *error)
{
    if (status != TIDE_OK)
        tide_web_tell_error("engine", error, "");
}

TIDE_WEB_CALL void tide_web_snapshot(void)
{
    char hash[24];
    uint64_t number;
    tide_error error;
    tide_job *job = tide_web_job();
    TIDE_SCOPED_BY(tide_text_free) tide_text world = { 0 };
    if (!job)
        return;
    tide_status status = tide_world_hash(tide_live_world(job->live), &number, &error);
    if (status == TIDE_OK)
        status = tide_live_write_world(job->live, &world, &error);
    if (status == TIDE_OK && world.failed)
        status = tide_fail_memory(&error, "snapshot");
    tell(status, &error);
    if (status != TIDE_OK)
        return;
    snprintf(hash, sizeof hash, "%016" PRIx64, number);
    tide_text *text = tide_web_tell("snapshot");
    tide_json_count(text, "frame", tide_live_frame(job->live));
    tide_json_string(text, "hash", hash);
    tide_json_string(text, "world", world.bytes);
    tide_web_told();
}

TIDE_WEB_CALL int tide_web_restore(const char *world)
{
    const tide_job *job = tide_web_job();
    return job && tide_web_apply(job->live,
                                 &(tide_input) { .kind = TIDE_INPUT_RESTORE, .text = world, .size = strlen(world) });
}

TIDE_WEB_CALL int tide_web_export(const char *path)
{
    tide_job *job = tide_web_job();
    tide_error error;
    const char *ending = strrchr(path, '.');
    if (!job)
        return 0;
    tide_status status = TIDE_OK;
    if (ending && strcmp(ending, ".png") == 0) {
        bool opengl = job->picture.opengl;
        job->picture.opengl = false; // the software renderer has the image in memory
        status = tide_job_draw(job, !tide_web_page.draw_failed, &error);
        job->picture.opengl = opengl;
        if (status == TIDE_OK)
            status = tide_image_write_png(&job->picture.image, path, &error);
    } else if (ending && strcmp(ending, ".world") == 0)
        status = tide_live_save_world(job->live, path, &error);
    else {
        status = tide_export_check("export", path, &error);
        if (status == TIDE_OK)
            status = tide_export(tide_live_world(job->live), path, tide_live_steps(job->live), &error);
    }
    tell(status, &error);
    return status == TIDE_OK;
}
