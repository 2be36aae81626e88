// The texts and settings of script runs, kept with the frames of their bodies.
#include "session/history.h"

#include "base/memory.h"

#include <string.h>

struct tide_frame_history_texts { // owns its items
    uint32_t references, count;
    size_t frames, bytes;
    tide_script_text *items; // (count)
};

static void release_texts(tide_frame_history_texts *texts)
{
    if (texts && !--texts->references)
        tide_free(texts);
}

static bool are_same(const tide_frame_history_texts *texts, const tide_script_text *items, uint32_t count)
{
    bool same = texts->count == count;
    for (uint32_t i = 0; i < count && same; i++)
        same = strcmp(texts->items[i].path, items[i].path) == 0 && texts->items[i].size == items[i].size &&
               memcmp(texts->items[i].text, items[i].text, items[i].size) == 0;
    return same;
}

static tide_frame_history_texts *copy_texts(const tide_script_text *items, uint32_t count)
{
    tide_frame_history_texts *texts = tide_allocate_zeroed(1, sizeof *texts);
    if (!texts)
        return NULL;
    texts->references = 1;
    texts->bytes = sizeof *texts + count * sizeof *items;
    texts->items = tide_own_zeroed(texts, count, sizeof *items);
    for (; texts->items && texts->count < count; texts->count++) {
        const tide_script_text *from = &items[texts->count];
        texts->items[texts->count] =
            (tide_script_text) { tide_own(texts, tide_copy_string(from->path)),
                                 tide_own(texts, tide_copy_bytes(from->text, from->size)), from->size };
        texts->bytes += strlen(from->path) + from->size;
    }
    if (tide_owns_all(texts))
        return texts;
    tide_free(texts);
    return NULL;
}

static bool copy_settings(tide_frame_history_run *run, const tide_setting *settings, size_t count)
{
    run->settings = tide_own_zeroed(run, count, sizeof *settings);
    for (; run->settings && run->setting_count < count; run->setting_count++) {
        const tide_setting *from = &settings[run->setting_count];
        run->settings[run->setting_count] = (tide_setting) { tide_own(run, tide_copy_string(from->name)),
                                                             tide_own(run, tide_copy_string(from->value)) };
        run->bytes += sizeof *from + strlen(from->name) + strlen(from->value);
    }
    return tide_owns_all(run);
}

tide_status tide_frame_history_run_create(const tide_script_text *texts, uint32_t text_count,
                                          const tide_setting *settings, size_t setting_count, double timestep,
                                          const tide_frame_history_run *before, tide_frame_history_run **out,
                                          tide_error *error)
{
    tide_frame_history_run *run = tide_allocate_zeroed(1, sizeof *run);
    if (!run)
        return tide_fail_memory(error, "history");
    run->references = 1;
    run->timestep = timestep;
    run->bytes = sizeof *run;
    if (before && are_same(before->texts, texts, text_count)) {
        run->texts = before->texts;
        run->texts->references++;
    } else
        run->texts = copy_texts(texts, text_count);
    if (!run->texts || !copy_settings(run, settings, setting_count)) {
        tide_frame_history_run_release(run);
        return tide_fail_memory(error, "history");
    }
    *out = run;
    return TIDE_OK;
}

tide_frame_history_run *tide_frame_history_run_share(tide_frame_history_run *run)
{
    if (run)
        run->references++;
    return run;
}

void tide_frame_history_run_release(tide_frame_history_run *run)
{
    if (!run || --run->references)
        return;
    release_texts(run->texts);
    tide_free(run); // owns its settings
}

const tide_script_text *tide_frame_history_run_texts(const tide_frame_history_run *run, uint32_t *count)
{
    *count = run->texts->count;
    return run->texts->items;
}

size_t tide_frame_history_run_enter(tide_frame_history_run *run)
{
    return run ? (run->frames++ ? 0 : run->bytes) + (run->texts->frames++ ? 0 : run->texts->bytes) : 0;
}

size_t tide_frame_history_run_leave(tide_frame_history_run *run)
{
    return run ? (--run->frames ? 0 : run->bytes) + (--run->texts->frames ? 0 : run->texts->bytes) : 0;
}
