#include "session/video_recorder.h"

#include "base/log.h"
#include "base/memory.h"
#include "session/output.h"

#include <math.h>

struct tide_video_recorder {
    tide_video *video;
    double rate, elapsed; // `elapsed`: simulated time since the beginning, s
    uint64_t given;       // pictures added
    uint32_t due;         // how many times the next picture is shown
    bool told;            // the user was told that there is no ffmpeg
    bool failed;
};

tide_status tide_video_recorder_open(const char *path, double rate, double timestep, tide_video_recorder **out,
                                     tide_error *error)
{
    TIDE_TRY(tide_make_folders(path, error));
    tide_video_recorder *recorder = tide_allocate_zeroed(1, sizeof *recorder);
    if (!recorder)
        return tide_fail_memory(error, "video");
    recorder->rate = rate > 0 ? rate : tide_video_rate(timestep, tide_video_most(path));
    tide_status status = tide_video_open(path, recorder->rate, &recorder->video, error);
    if (status != TIDE_OK) {
        tide_video_recorder_free(recorder);
        return status;
    }
    *out = recorder;
    return TIDE_OK;
}

void tide_video_recorder_free(tide_video_recorder *recorder)
{
    if (!recorder)
        return;
    tide_video_free(recorder->video);
    tide_free(recorder);
}

void tide_video_recorder_step(tide_video_recorder *recorder, double timestep)
{
    recorder->elapsed += timestep;
    double due = floor(recorder->elapsed * recorder->rate + 1e-6) - (double)recorder->given;
    recorder->due = due > 0 ? (uint32_t)fmin(due, 1000) : 0;
}

bool tide_video_recorder_is_due(const tide_video_recorder *recorder)
{
    return recorder && recorder->due > 0;
}

tide_status tide_video_recorder_add(tide_video_recorder *recorder, const tide_image *image, tide_error *error)
{
    tide_status status = tide_video_add(recorder->video, image, recorder->due, error);
    recorder->failed = status != TIDE_OK;
    if (status != TIDE_OK)
        return status;
    recorder->given += recorder->due;
    recorder->due = 0;
    tide_video_facts facts = tide_video_get_facts(recorder->video);
    if (facts.pngs && !recorder->told)
        tide_log(TIDE_LOG_WARNING, "%s: %s, ...", tide_video_advice, facts.name);
    recorder->told = facts.pngs;
    return TIDE_OK;
}

tide_status tide_video_recorder_finish(tide_video_recorder *recorder, double seconds, bool *done, tide_error *error)
{
    return tide_video_finish(recorder->video, seconds, done, error);
}

bool tide_video_recorder_has_failed(const tide_video_recorder *recorder)
{
    return recorder && recorder->failed;
}

tide_video_facts tide_video_recorder_facts(const tide_video_recorder *recorder)
{
    return tide_video_get_facts(recorder->video);
}

tide_status tide_video_recorder_close(tide_video_recorder *recorder, tide_error *error)
{
    bool done;
    tide_status status =
        recorder && !recorder->failed ? tide_video_recorder_finish(recorder, INFINITY, &done, error) : TIDE_OK;
    tide_video_recorder_free(recorder);
    return status;
}
