// Writes a replay during the run.
#include "session/replay_parts.h"

#include "base/hash.h"
#include "base/input_file.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "base/processor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MARKED = 20000 }; // particles up to which every step is marked; with more, every (1 + count / MARKED)-th step

struct tide_recorder {
    tide_live *live;
    tide_output *output;
    tide_text line;
    uint64_t digest; // of all lines so far
    struct known_mesh {
        uint64_t path, content; // hashes
    } * meshes;
    size_t mesh_count, mesh_capacity;
    bool failed; // the first failure is in `error`
    tide_error error;
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

static void fail(tide_recorder *recorder)
{
    if (!recorder->failed)
        tide_fail_memory(&recorder->error, "replay");
    recorder->failed = true;
}

uint64_t tide_replay_digest(uint64_t digest, const char *lines, size_t length)
{
    while (length > 0) {
        const char *end = memchr(lines, '\n', length);
        size_t size = end ? (size_t)(end + 1 - lines) : length;
        digest = tide_hash_bytes(digest, lines, size);
        lines += size;
        length -= size;
    }
    return digest;
}

static void write_line(tide_recorder *recorder)
{
    tide_text *line = &recorder->line;
    tide_text_add(line, "\n", 1);
    if (!line->failed)
        recorder->digest = tide_replay_digest(recorder->digest, line->bytes, line->length);
    if (line->failed)
        fail(recorder);
    else if (!recorder->failed)
        fwrite(line->bytes, 1, line->length, tide_output_stream(recorder->output));
    tide_text_clear(line);
}

// Flushes the file, in case the run is interrupted.
static void flush(tide_recorder *recorder)
{
    if (!recorder->failed)
        recorder->failed = tide_output_flush(recorder->output, &recorder->error) != TIDE_OK;
}

static bool hash_now(tide_live *live, uint64_t *hash)
{
    return tide_world_hash(tide_live_world(live), hash, NULL) == TIDE_OK;
}

// Writes the current state at the end of a line.
static void write_state(tide_recorder *recorder, bool marked)
{
    uint64_t hash = 0;
    if (!hash_now(recorder->live, &hash))
        fail(recorder);
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
    const tide_live_certificates *certificates = tide_live_get_certificates(recorder->live);
    if (certificates->on) {
        tide_text_format(&recorder->line, "crossings %" PRIu64 " %" PRIu64, steps, certificates->last.count);
        tide_input_write_text(certificates->text, strlen(certificates->text), &recorder->line);
        write_line(recorder);
    }
    flush(recorder);
}

// --- files -----------------------------------------------------------------------------------------------------------

// Returns whether the text called "@library/springtide/wind.lua" is that of the file, wherever the library is.
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

tide_status tide_replay_hash_file(const char *path, uint64_t *hash, tide_error *error)
{
    char bytes[1 << 14];
    tide_status status = tide_input_file_check(path, path, error); // a device or a FIFO might have no end
    if (status != TIDE_OK)
        return status;
    FILE *file = fopen(path, "rb");
    size_t got = file ? 1 : 0;
    *hash = TIDE_HASH_START;
    while (got) {
        got = fread(bytes, 1, sizeof bytes, file);
        *hash = tide_hash_bytes(*hash, bytes, got);
    }
    if (!file || ferror(file))
        status = tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL,
                           "cannot be read: %s; the replay needs the mesh that it was recorded with", strerror(errno));
    if (file)
        fclose(file);
    return status;
}

// Notes a mesh and returns whether it has changed. With `again` hashes it even if it is known.
static bool note_mesh(tide_recorder *recorder, const char *path, bool again, uint64_t *hash)
{
    uint64_t name = tide_hash_string(TIDE_HASH_START, path);
    size_t at = 0;
    while (at < recorder->mesh_count && recorder->meshes[at].path != name)
        at++;
    bool known = at < recorder->mesh_count;
    if ((known && !again) || tide_replay_hash_file(path, hash, NULL) != TIDE_OK) // or it was only searched for
        return false;
    if (known && recorder->meshes[at].content == *hash)
        return false;
    if (!tide_grow(&recorder->meshes, &recorder->mesh_capacity, at + 1, sizeof *recorder->meshes)) {
        fail(recorder);
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
    if (input->kind == TIDE_INPUT_CONSOLE) { // it may do anything, and may have no step after it
        tide_text_format(&recorder->line, "state %" PRIu64, steps);
        write_state(recorder, false);
    }
    flush(recorder);
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
    tide_text_format(line, "springtide replay 1\nscene");
    tide_input_write_text(tide_live_path(live), strlen(tide_live_path(live)), line);
    tide_text_format(line, "\nseed %" PRIu64 "\ntimestep %.17g\nhistory %zu\n", tide_live_seed(live),
                     tide_live_timestep(live), tide_live_history(live).limit);
    if (tide_script_portable(tide_live_script(live)))
        tide_text_format(line, "portable 1");
    else
        tide_text_format(line, "vectors %d", tide_vector_bits(0));
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
    tide_text_format(line, "start");
    write_state(recorder, tide_script_portable(tide_live_script(live))); // another platform may build other meshes
}

// --- opening and closing ---------------------------------------------------------------------------------------------

static void free_recorder(tide_recorder *recorder)
{
    tide_text_free(&recorder->line);
    tide_free(recorder->meshes);
    tide_free(recorder);
}

static tide_status begin(tide_recorder *recorder, tide_error *error)
{
    const tide_live_observer observer = { note_input, note_step, recorder };
    TIDE_TRY(tide_live_observe(recorder->live, &observer, error));
    write_head(recorder);
    if (recorder->failed && error)
        *error = recorder->error;
    tide_status status = recorder->failed ? recorder->error.status : tide_output_publish(recorder->output, error);
    if (status != TIDE_OK)
        tide_live_ignore(recorder->live, recorder);
    return status;
}

tide_status tide_recorder_open(const char *path, tide_live *live, tide_recorder **out, tide_error *error)
{
    if (tide_live_steps(live))
        return tide_fail(error, TIDE_ERROR_STATE, "replay", NULL, NULL,
                         "steps were taken already; record from the start");
    tide_recorder *recorder = tide_allocate_zeroed(1, sizeof *recorder);
    if (!recorder)
        return tide_fail_memory(error, "replay");
    recorder->live = live;
    recorder->digest = TIDE_HASH_START;
    tide_status status = tide_output_open(path, path, TIDE_OUTPUT_ANY, &recorder->output, error);
    if (status == TIDE_OK)
        status = begin(recorder, error);
    if (status != TIDE_OK) {
        tide_output_discard(recorder->output);
        free_recorder(recorder);
        return status;
    }
    *out = recorder;
    return TIDE_OK;
}

tide_status tide_recorder_close(tide_recorder *recorder, tide_error *error)
{
    if (!recorder)
        return TIDE_OK;
    tide_live_ignore(recorder->live, recorder);
    tide_text_format(&recorder->line, "digest %016" PRIx64, recorder->digest);
    write_line(recorder);
    tide_text_format(&recorder->line, "end %" PRIu64, tide_live_steps(recorder->live));
    write_line(recorder);
    tide_error unread, *about = error ? error : &unread;
    tide_status status = tide_output_close(recorder->output, about);
    if (recorder->failed) {
        *about = recorder->error;
        status = about->status;
    }
    free_recorder(recorder);
    return status;
}
