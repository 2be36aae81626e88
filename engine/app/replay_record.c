// Writing a replay while it happens.
#include "app/replay_parts.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MARKED = 20000 }; // particles that are marked at every step; twice as many at every other

struct tide_recorder {
    tide_live *live;
    char *path, *part;
    FILE *file;
    tide_text line;
    struct known_mesh {
        uint64_t path, content; // hashes
    } * meshes;
    size_t mesh_count, mesh_capacity;
    int failed; // the errno of the first failure to write; -1: no memory
};

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void tide_replay_add_marks(tide_world *world, tide_text *text)
{
    const double *x = tide_world_all_positions(world), *v = tide_world_all_velocities(world);
    for (size_t i = 0; i < 3 * (size_t)tide_world_particle_count(world); i += 3) {
        uint64_t hash = tide_hash_bytes(TIDE_HASH_START, x + i, 3 * sizeof *x);
        hash = tide_hash_bytes(hash, v + i, 3 * sizeof *v);
        hash ^= hash >> 32;
        const char mark[] = { digits[hash & 63], digits[hash >> 6 & 63] };
        tide_text_add(text, mark, 2);
    }
}

static void write_line(tide_recorder *recorder)
{
    tide_text *line = &recorder->line;
    tide_text_add(line, "\n", 1);
    if (!recorder->failed && line->failed)
        recorder->failed = -1;
    errno = 0;
    if (!recorder->failed && fwrite(line->bytes, 1, line->length, recorder->file) != line->length)
        recorder->failed = errno ? errno : EIO;
    tide_text_clear(line);
}

static bool hash_now(tide_live *live, uint64_t *hash)
{
    return tide_world_hash(tide_live_world(live), hash, NULL) == TIDE_OK;
}

// The state now, as the end of a line.
static void write_state(tide_recorder *recorder, bool marked)
{
    uint64_t hash = 0;
    if (!hash_now(recorder->live, &hash))
        recorder->failed = recorder->failed ? recorder->failed : -1;
    tide_text_format(&recorder->line, " %016" PRIx64, hash);
    if (marked) {
        tide_text_add(&recorder->line, " ", 1);
        tide_replay_add_marks(tide_live_world(recorder->live), &recorder->line);
    }
    write_line(recorder);
}

static void note_step(void *context, uint64_t steps)
{
    tide_recorder *recorder = context;
    uint32_t count = tide_world_particle_count(tide_live_world(recorder->live));
    tide_text_format(&recorder->line, "step %" PRIu64, steps);
    write_state(recorder, steps % (1 + count / MARKED) == 0);
}

// --- files -----------------------------------------------------------------------------------------------------------

// Whether the text called "@library/springtide/wind.lua" is that of the file, wherever the library is.
static bool is_module(const char *name, const char *path)
{
    static const char library[] = "@library";
    size_t skipped = sizeof library - 1, length = strlen(name), size = strlen(path);
    return strncmp(name, library, skipped) == 0 && size >= length - skipped &&
           strcmp(name + skipped, path + size - (length - skipped)) == 0;
}

static bool is_text(tide_script *script, const char *path)
{
    uint32_t count;
    const tide_script_text *texts = tide_script_texts(script, &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(texts[i].path, path) == 0 || is_module(texts[i].path, path))
            return true;
    return false;
}

bool tide_replay_hash_file(const char *path, uint64_t *hash)
{
    char bytes[1 << 14];
    FILE *file = fopen(path, "rb");
    size_t got = file ? 1 : 0;
    *hash = TIDE_HASH_START;
    while (got) {
        got = fread(bytes, 1, sizeof bytes, file);
        *hash = tide_hash_bytes(*hash, bytes, got);
    }
    bool read = file && !ferror(file);
    if (file)
        fclose(file);
    return read;
}

// Notes a mesh; whether it is another one than before. All are looked into where `again`, else those that are new.
static bool note_mesh(tide_recorder *recorder, const char *path, bool again, uint64_t *hash)
{
    uint64_t name = tide_hash_string(TIDE_HASH_START, path);
    size_t at = 0;
    while (at < recorder->mesh_count && recorder->meshes[at].path != name)
        at++;
    bool known = at < recorder->mesh_count;
    if ((known && !again) || !tide_replay_hash_file(path, hash)) // or one that was looked for only
        return false;
    if (known && recorder->meshes[at].content == *hash)
        return false;
    if (!tide_grow(&recorder->meshes, &recorder->mesh_capacity, at + 1, sizeof *recorder->meshes)) {
        recorder->failed = -1;
        return false;
    }
    recorder->meshes[at] = (struct known_mesh) { name, *hash };
    recorder->mesh_count += !known;
    return true;
}

static void write_meshes(tide_recorder *recorder, bool again)
{
    uint32_t count;
    tide_script *script = tide_live_script(recorder->live);
    const char *const *files = tide_script_files(script, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hash;
        if (is_text(script, files[i]) || !note_mesh(recorder, files[i], again, &hash))
            continue;
        tide_text_format(&recorder->line, "mesh");
        tide_input_write_text(files[i], strlen(files[i]), &recorder->line);
        tide_text_format(&recorder->line, " %016" PRIx64, hash);
        write_line(recorder);
    }
}

static void note_input(void *context, uint64_t steps, const tide_input *input)
{
    tide_recorder *recorder = context;
    write_meshes(recorder, input->kind == TIDE_INPUT_RELOAD);
    tide_text_format(&recorder->line, "at %" PRIu64 " ", steps);
    tide_input_write(input, &recorder->line);
    write_line(recorder);
    if (input->kind == TIDE_INPUT_CONSOLE) { // which may do anything, and may be all that is done
        tide_text_format(&recorder->line, "state %" PRIu64, steps);
        write_state(recorder, false);
    }
}

// --- the head --------------------------------------------------------------------------------------------------------

static void write_files(tide_recorder *recorder, tide_script *script)
{
    uint32_t count;
    const tide_script_text *texts = tide_script_texts(script, &count);
    for (uint32_t i = 0; i < count; i++) {
        tide_text_format(&recorder->line, "file");
        tide_input_write_text(texts[i].path, strlen(texts[i].path), &recorder->line);
        tide_input_write_text(texts[i].text, texts[i].size, &recorder->line);
        write_line(recorder);
    }
    write_meshes(recorder, true);
}

static void write_head(tide_recorder *recorder)
{
    tide_live *live = recorder->live;
    tide_text *line = &recorder->line;
    uint64_t hash = 0;
    tide_text_format(line, "springtide replay 1\nscene");
    tide_input_write_text(tide_live_path(live), strlen(tide_live_path(live)), line);
    tide_text_format(line, "\nseed %" PRIu64 "\ntimestep %.17g\nhistory %zu", tide_live_seed(live),
                     tide_live_timestep(live), tide_live_history(live).limit);
    write_line(recorder);
    for (size_t i = 0; i < tide_live_setting_count(live); i++) {
        const tide_setting *setting = &tide_live_settings(live)[i];
        tide_text_format(line, "set");
        tide_input_write_text(setting->name, strlen(setting->name), line);
        tide_input_write_text(setting->value, strlen(setting->value), line);
        write_line(recorder);
    }
    uint32_t count;
    const tide_solver_choice *choices = tide_live_choices(live, &count);
    for (uint32_t i = 0; i < count; i++) {
        tide_text_format(line, "solver %" PRIu64, choices[i].frame);
        tide_input_write_text(choices[i].text, strlen(choices[i].text), line);
        write_line(recorder);
    }
    write_files(recorder, tide_live_script(live));
    if (!hash_now(live, &hash))
        recorder->failed = -1;
    tide_text_format(line, "start %016" PRIx64, hash);
    write_line(recorder);
}

// --- opening and closing ---------------------------------------------------------------------------------------------

static void free_recorder(tide_recorder *recorder)
{
    tide_text_free(&recorder->line);
    tide_free(recorder->meshes);
    tide_free(recorder->path);
    tide_free(recorder->part);
    tide_free(recorder);
}

static tide_status fail_write(const char *path, int reason, tide_error *error)
{
    if (reason < 0)
        return tide_fail_memory(error, "replay");
    return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL,
                     "cannot be written: %s; check the path, its permissions and the space left", strerror(reason));
}

tide_status tide_recorder_open(const char *path, tide_live *live, tide_recorder **out, tide_error *error)
{
    if (tide_live_steps(live))
        return tide_fail(error, TIDE_ERROR_STATE, "replay", NULL, NULL,
                         "steps were taken already; record from the start");
    tide_recorder *recorder = tide_allocate_zeroed(1, sizeof *recorder);
    tide_text part = { 0 };
    tide_text_format(&part, "%s.part", path);
    if (recorder && !part.failed)
        recorder->path = tide_copy_string(path);
    if (!recorder || !recorder->path) {
        tide_free(recorder);
        tide_text_free(&part);
        return tide_fail_memory(error, "replay");
    }
    recorder->live = live;
    recorder->part = part.bytes;
    recorder->file = fopen(recorder->part, "wb");
    const tide_live_observer observer = { note_input, note_step, recorder };
    tide_status status = recorder->file ? tide_live_observe(live, &observer, error) : fail_write(path, errno, error);
    if (status != TIDE_OK) {
        if (recorder->file) {
            fclose(recorder->file);
            remove(recorder->part);
        }
        free_recorder(recorder);
        return status;
    }
    write_head(recorder);
    *out = recorder;
    return TIDE_OK;
}

tide_status tide_recorder_close(tide_recorder *recorder, tide_error *error)
{
    if (!recorder)
        return TIDE_OK;
    tide_live_ignore(recorder->live, recorder);
    tide_text_format(&recorder->line, "end %" PRIu64, tide_live_steps(recorder->live));
    write_line(recorder);
    errno = 0;
    if (fclose(recorder->file) != 0 && !recorder->failed)
        recorder->failed = errno ? errno : EIO;
    if (!recorder->failed && rename(recorder->part, recorder->path) != 0)
        recorder->failed = errno;
    tide_status status = TIDE_OK;
    if (recorder->failed) {
        remove(recorder->part);
        status = fail_write(recorder->path, recorder->failed, error);
    }
    free_recorder(recorder);
    return status;
}
