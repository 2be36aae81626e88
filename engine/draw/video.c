#define _POSIX_C_SOURCE 200809L
#include "draw/video.h"

#include "base/decimal.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "base/text.h"
#include "draw/video_process.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

const char *const tide_video_advice =
    "ffmpeg is not installed (apt install ffmpeg), so PNG files are written and no video";

// --- kinds of files --------------------------------------------------------------------------------------------------

enum { CODEC_WORDS = 20 };

typedef struct kind {
    const char *ending, *muxer, *filter;
    double most;                    // pictures per second
    const char *codec[CODEC_WORDS]; // ends with NULL
} kind;

// Most players support only even sizes and 4:2:0 colour. The colour space is written to the file, since players would
// otherwise guess it from the size.
#define EVEN "pad=ceil(iw/2)*2:ceil(ih/2)*2"
#define HALVED EVEN ",scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
#define MEANING "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"
#define H264 "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", MEANING

static const kind kinds[] = {
    { ".mp4", "mp4", HALVED, 60, { H264, "-movflags", "+faststart", NULL } },
    { ".mkv", "matroska", HALVED, 60, { H264, NULL } },
    { ".mov", "mov", HALVED, 60, { H264, NULL } },
    { ".webm",
      "webm",
      HALVED,
      60,
      { "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "6", "-crf", "24", MEANING, NULL } },
    { ".avi", "avi", EVEN ",format=yuv420p", 60, { "-c:v", "mpeg4", "-q:v", "2", NULL } },
    // One palette per picture: a common palette would keep all pictures in memory.
    { ".gif",
      "gif",
      "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1",
      30,
      { "-c:v", "gif", "-loop", "0", NULL } },
    { ".apng", "apng", "format=rgb24", 30, { "-c:v", "apng", "-plays", "0", NULL } },
    { ".webp", "webp", "format=bgra", 30, { "-c:v", "libwebp_anim", "-q:v", "80", "-loop", "0", NULL } },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
static const char endings[] = ".mp4, .mkv, .mov, .webm, .avi, .gif, .apng or .webp";

static const kind *find_kind(const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; i < KINDS; i++) {
        size_t end = strlen(kinds[i].ending);
        if (length > end && strcmp(path + length - end, kinds[i].ending) == 0 && path[length - end - 1] != '/')
            return &kinds[i];
    }
    return NULL;
}

tide_status tide_video_check(const char *object, const char *field, const char *path, tide_error *error)
{
    return find_kind(path) ? TIDE_OK
                           : tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, path,
                                       "expected a name that ends in %s, like out/clip.mp4", endings);
}

double tide_video_rate(double timestep, double most)
{
    double steps = fmax(1, round(1 / (most * timestep)));
    return 1 / (steps * timestep);
}

double tide_video_most(const char *path)
{
    const kind *kind = find_kind(path);
    return kind ? kind->most : kinds[0].most;
}

// --- a video ---------------------------------------------------------------------------------------------------------

struct tide_video {
    const kind *kind;
    char *path;
    tide_output *output; // NULL: none, or PNG files replace it
    char *target;        // the name that ffmpeg writes to, preceded by "file:"
    char *first, *last;  // names of PNG files; room for "-00000000000000000001.png"
    size_t stem;         // length of these names without number and extension
    double rate;
    uint64_t pictures;
    uint32_t width, height;
    bool pngs, started, finished;
    tide_process process;
    tide_image fitted; // a picture of another size, fitted
};

enum { NUMBER_ROOM = 32 };

// Opens the file at the start, so that a failure is known before a long run.
static tide_status open_output(tide_video *video, tide_error *error)
{
    TIDE_TRY(tide_output_open(video->path, video->path, TIDE_OUTPUT_REGULAR, &video->output, error));
    tide_text name = { 0 };
    tide_text_format(&name, "file:%s", tide_output_name(video->output));
    video->target = name.failed ? NULL : name.bytes;
    return video->target ? TIDE_OK : tide_fail_memory(error, "video");
}

static void discard_output(tide_video *video)
{
    tide_output_discard(video->output);
    video->output = NULL;
}

tide_status tide_video_open(const char *path, double rate, tide_video **out, tide_error *error)
{
    tide_status status = tide_video_check("video", NULL, path, error);
    if (status == TIDE_OK && !(rate > 0 && isfinite(rate)))
        status =
            tide_fail(error, TIDE_ERROR_ARGUMENT, "video", "rate", NULL, "expected more than 0 pictures per second");
    if (status != TIDE_OK)
        return status;
    size_t length = strlen(path);
    tide_video *video = tide_allocate_zeroed(1, sizeof *video);
    if (!video)
        return tide_fail_memory(error, "video");
    *video = (tide_video) { .kind = find_kind(path), .rate = rate, .process = { .input = -1, .messages = -1 } };
    video->path = tide_own(video, tide_copy_string(path));
    video->first = tide_own_array(video, length + NUMBER_ROOM, 1);
    video->last = tide_own_array(video, length + NUMBER_ROOM, 1);
    if (tide_owns_all(video)) {
        video->stem = length - strlen(video->kind->ending);
        status = open_output(video, error);
    } else
        status = tide_fail_memory(error, "video");
    if (status != TIDE_OK) {
        tide_video_free(video);
        return status;
    }
    *out = video;
    return TIDE_OK;
}

void tide_video_free(tide_video *video)
{
    if (!video)
        return;
    tide_process_kill(&video->process);
    discard_output(video);
    tide_image_free(&video->fitted);
    tide_free(video->target);
    tide_free(video);
}

tide_video_facts tide_video_get_facts(const tide_video *video)
{
    return (tide_video_facts) {
        .pictures = video->pictures,
        .seconds = (double)video->pictures / video->rate,
        .pngs = video->pngs,
        .name = video->pngs ? video->first : video->path,
        .last = video->last,
        .width = video->width,
        .height = video->height,
    };
}

// --- pictures --------------------------------------------------------------------------------------------------------

// Writes the rate for ffmpeg, as a fraction if it is one.
static void rate_text(double rate, char *text, size_t size)
{
    for (int under = 1; under <= 1001; under++) {
        double over = round(rate * under);
        if (over >= 1 && over < 1e9 && fabs(rate * under - over) < 1e-9 * over) {
            tide_format(text, size, "%.0f/%d", over, under);
            return;
        }
    }
    tide_format(text, size, "%.9g", rate);
}

static tide_status start(tide_video *video, const tide_image *image, tide_error *error)
{
    char size[48], rate[48];
    bool absent;
    snprintf(size, sizeof size, "%" PRIu32 "x%" PRIu32, image->width, image->height);
    rate_text(video->rate, rate, sizeof rate);
    const char *words[64] = { "ffmpeg",   "-hide_banner",  "-nostats", "-loglevel",        "error", "-y",         "-f",
                              "rawvideo", "-pixel_format", "rgba",     "-video_size",      size,    "-framerate", rate,
                              "-i",       "pipe:0",        "-vf",      video->kind->filter };
    size_t count = 18;
    for (const char *const *word = video->kind->codec; *word; word++)
        words[count++] = *word;
    // No creation time in the file.
    const char *const end[] = {
        "-fflags", "+bitexact", "-flags:v", "+bitexact", "-f", video->kind->muxer, video->target
    };
    memcpy(words + count, end, sizeof end);
    TIDE_TRY(tide_process_start(&video->process, words, &absent, error));
    video->started = true;
    video->pngs = absent;
    video->width = image->width;
    video->height = image->height;
    if (absent)
        discard_output(video);
    return TIDE_OK;
}

static uint8_t mix(const uint8_t *at, size_t right, size_t down, float u, float v)
{
    float top = (float)at[0] + u * (float)(at[right] - at[0]);
    float bottom = (float)at[down] + u * (float)(at[down + right] - at[down]);
    return (uint8_t)lrintf(top + v * (bottom - top));
}

// Scales a picture to the video's size by bilinear interpolation, with black bars for another aspect ratio.
static tide_status fit(tide_video *video, const tide_image *image, tide_error *error)
{
    tide_image *to = &video->fitted;
    TIDE_TRY(tide_image_resize(to, video->width, video->height, error));
    float scale = fminf((float)to->width / (float)image->width, (float)to->height / (float)image->height);
    uint32_t width = (uint32_t)fminf(fmaxf(1, roundf(scale * (float)image->width)), (float)to->width);
    uint32_t height = (uint32_t)fminf(fmaxf(1, roundf(scale * (float)image->height)), (float)to->height);
    uint32_t left = (to->width - width) / 2, top = (to->height - height) / 2;
    for (size_t i = 0; i < (size_t)to->width * to->height; i++)
        memcpy(to->pixels + 4 * i, (const uint8_t[]) { 0, 0, 0, 255 }, 4);
    for (uint32_t y = 0; y < height; y++) {
        float v = fminf(fmaxf(((float)y + 0.5f) / scale - 0.5f, 0), (float)image->height - 1);
        uint32_t row = (uint32_t)v;
        size_t down = row + 1 < image->height ? 4 * (size_t)image->width : 0;
        for (uint32_t x = 0; x < width; x++) {
            float u = fminf(fmaxf(((float)x + 0.5f) / scale - 0.5f, 0), (float)image->width - 1);
            uint32_t column = (uint32_t)u;
            const uint8_t *at = image->pixels + 4 * ((size_t)image->width * row + column);
            uint8_t *pixel = to->pixels + 4 * ((size_t)to->width * (top + y) + left + x);
            size_t right = column + 1 < image->width ? 4 : 0;
            for (int c = 0; c < 3; c++)
                pixel[c] = mix(at + c, right, down, u - (float)column, v - (float)row);
        }
    }
    return TIDE_OK;
}

// Fails with ffmpeg's message, or with how it ended.
static tide_status fail_process(tide_video *video, int status, tide_error *error)
{
    char said[400], end[64];
    tide_process_last_words(&video->process, said, sizeof said);
    if (WIFSIGNALED(status))
        snprintf(end, sizeof end, "ended by signal %d", WTERMSIG(status));
    else
        snprintf(end, sizeof end, "ended with status %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return tide_fail(error, TIDE_ERROR_FILE, video->path, NULL, NULL, "ffmpeg %s%s%s", end, said[0] ? ": " : "", said);
}

static tide_status add_png(tide_video *video, const tide_image *image, tide_error *error)
{
    snprintf(video->last, strlen(video->path) + NUMBER_ROOM, "%.*s-%05" PRIu64 ".png", (int)video->stem, video->path,
             video->pictures + 1);
    if (!video->pictures)
        memcpy(video->first, video->last, strlen(video->last) + 1);
    return tide_image_write_png(image, video->last, error);
}

static tide_status add_once(tide_video *video, const tide_image *image, tide_error *error)
{
    int status = 0;
    if (video->pngs)
        return add_png(video, image, error);
    if (tide_process_write(&video->process, image->pixels, 4 * (size_t)image->width * image->height))
        return TIDE_OK;
    if (!tide_process_end(&video->process, 2, &status)) {
        tide_process_kill(&video->process);
        return tide_fail(error, TIDE_ERROR_FILE, video->path, NULL, NULL, "ffmpeg takes no more pictures");
    }
    return fail_process(video, status, error);
}

tide_status tide_video_add(tide_video *video, const tide_image *image, uint32_t times, tide_error *error)
{
    if (!image->width || !image->height || !image->pixels)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, video->path, NULL, NULL, "the picture is empty");
    tide_status status = video->started ? TIDE_OK : start(video, image, error);
    bool other = status == TIDE_OK && (image->width != video->width || image->height != video->height);
    if (other)
        status = fit(video, image, error);
    for (uint32_t i = 0; i < times && status == TIDE_OK; i++) {
        status = add_once(video, other ? &video->fitted : image, error);
        video->pictures += status == TIDE_OK;
    }
    return status;
}

// --- the end ---------------------------------------------------------------------------------------------------------

tide_status tide_video_finish(tide_video *video, double seconds, bool *done, tide_error *error)
{
    int status = 0;
    *done = true;
    if (video->finished || video->pngs || !video->started) {
        discard_output(video);
        video->finished = true;
        return TIDE_OK;
    }
    *done = tide_process_end(&video->process, seconds, &status);
    if (!*done)
        return TIDE_OK;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail_process(video, status, error);
    tide_output *output = video->output;
    video->output = NULL;
    video->finished = true;
    return tide_output_close(output, error);
}
