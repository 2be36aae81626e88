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
    tide_status status = tide_make_folders(path, error);
    if (status != TIDE_OK)
        return status;
    tide_video_recorder *film = tide_allocate_zeroed(1, sizeof *film);
    if (!film)
        return tide_fail_memory(error, "video");
    film->rate = rate > 0 ? rate : tide_video_rate(timestep, tide_video_most(path));
    status = tide_video_open(path, film->rate, &film->video, error);
    if (status != TIDE_OK) {
        tide_video_recorder_free(film);
        return status;
    }
    *out = film;
    return TIDE_OK;
}

void tide_video_recorder_free(tide_video_recorder *film)
{
    if (!film)
        return;
    tide_video_free(film->video);
    tide_free(film);
}

void tide_video_recorder_step(tide_video_recorder *film, double timestep)
{
    film->elapsed += timestep;
    double due = floor(film->elapsed * film->rate + 1e-6) - (double)film->given;
    film->due = due > 0 ? (uint32_t)fmin(due, 1000) : 0;
}

bool tide_video_recorder_is_due(const tide_video_recorder *film)
{
    return film && film->due > 0;
}

tide_status tide_video_recorder_add(tide_video_recorder *film, const tide_image *image, tide_error *error)
{
    tide_status status = tide_video_add(film->video, image, film->due, error);
    film->failed = status != TIDE_OK;
    if (status != TIDE_OK)
        return status;
    film->given += film->due;
    film->due = 0;
    tide_video_facts facts = tide_video_get_facts(film->video);
    if (facts.pngs && !film->told)
        tide_log(TIDE_LOG_WARNING, "%s: %s, ...", tide_video_advice, facts.name);
    film->told = facts.pngs;
    return TIDE_OK;
}

tide_status tide_video_recorder_finish(tide_video_recorder *film, double seconds, bool *done, tide_error *error)
{
    return tide_video_finish(film->video, seconds, done, error);
}

bool tide_video_recorder_has_failed(const tide_video_recorder *film)
{
    return film && film->failed;
}

tide_video_facts tide_video_recorder_facts(const tide_video_recorder *film)
{
    return tide_video_get_facts(film->video);
}

tide_status tide_video_recorder_close(tide_video_recorder *film, tide_error *error)
{
    bool done;
    tide_status status = film && !film->failed ? tide_video_recorder_finish(film, INFINITY, &done, error) : TIDE_OK;
    tide_video_recorder_free(film);
    return status;
}
