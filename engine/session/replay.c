// Reads and repeats a replay. The file is untrusted: each statement is read completely and checked.
#include "session/replay_parts.h"

#include "base/hash.h"
#include "base/input_file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/processor.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LINE = 1 << 30 };
static const char first_line[] = "springtide replay 1";

struct tide_replay { // owns its texts and lists
    char *path;
    FILE *file;
    tide_text line;         // the last statement read
    int number;             // its line number
    bool verify, over, cut; // cut: the file ended within a line or before its `end`
    uint64_t checked;
    uint64_t digest, before; // of all lines read, and of those before the last
    bool digested;           // the digest of the file was read, and it is this one
    // the head
    char *scene, *start_marks; // "" without marks
    uint64_t seed, history, start, portable;
    double timestep;
    tide_setting *settings;
    size_t setting_count, setting_capacity;
    tide_solver_choice *choices;
    size_t choice_count, choice_capacity;
    tide_input_file *files;
    size_t file_count, file_capacity;
};

// --- lines -----------------------------------------------------------------------------------------------------------

static tide_status fail_line(const tide_replay *replay, tide_error *error)
{
    if (error) {
        error->where[0] = '\0'; // the error is not in a script
        tide_error_locate(error, replay->path, replay->number);
    }
    return error ? error->status : TIDE_ERROR_FORMAT;
}

__attribute__((format(printf, 3, 4))) static tide_status refuse_line(const tide_replay *replay, tide_error *error,
                                                                     const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tide_error_set(error, TIDE_ERROR_FORMAT, "replay", NULL, NULL, "%s", text);
    fail_line(replay, error);
    return TIDE_ERROR_FORMAT;
}

static tide_status next_line(tide_replay *replay, tide_error *error)
{
    char part[1 << 12];
    tide_text *line = &replay->line;
    tide_text_clear(line);
    replay->number++;
    bool ended = false;
    while (!ended && line->length < MAX_LINE && !line->failed && fgets(part, sizeof part, replay->file)) {
        size_t length = strlen(part);
        ended = length && part[length - 1] == '\n';
        tide_text_add(line, part, length - ended);
        if (!ended && length < sizeof part - 1) // a zero byte, or the end of the file without a line end
            break;
    }
    if (line->failed)
        return tide_fail_memory(error, "replay");
    if (ferror(replay->file))
        return tide_fail(error, TIDE_ERROR_FILE, replay->path, NULL, NULL, "cannot be read: %s", strerror(errno));
    replay->before = replay->digest;
    if (ended) {
        // The line with its end, for which there is room: the text ends with a zero byte.
        line->bytes[line->length] = '\n';
        replay->digest = tide_replay_digest(replay->digest, line->bytes, line->length + 1);
        line->bytes[line->length] = '\0';
        return TIDE_OK;
    }
    replay->cut = line->length < MAX_LINE && feof(replay->file);
    return refuse_line(replay, error,
                       line->length >= MAX_LINE ? "the line is too long; this is no replay"
                       : replay->cut ? "the file ends here, before its `start`: it was cut short; record it again"
                                     : "there is a zero byte in the line; this is no replay");
}

// --- the head --------------------------------------------------------------------------------------------------------

static bool read_hash(const char **at, uint64_t *hash)
{
    char word[20];
    if (!tide_input_read_word(at, word, sizeof word) || strlen(word) != 16 || strspn(word, "0123456789abcdef") != 16)
        return false;
    return sscanf(word, "%" SCNx64, hash) == 1;
}

// Reads a string that the replay owns.
static tide_status read_string(tide_replay *replay, const char **at, char **text, tide_error *error)
{
    TIDE_TRY(tide_input_read_string(at, text, error));
    tide_own(replay, *text);
    return TIDE_OK;
}

static tide_status read_setting(tide_replay *replay, const char **at, tide_error *error)
{
    char *name, *value;
    TIDE_TRY(read_string(replay, at, &name, error));
    TIDE_TRY(read_string(replay, at, &value, error));
    if (!tide_grow_owned(replay, &replay->settings, &replay->setting_capacity, replay->setting_count + 1,
                         sizeof *replay->settings))
        return tide_fail_memory(error, "replay");
    replay->settings[replay->setting_count++] = (tide_setting) { name, value };
    return TIDE_OK;
}

static tide_status read_choice(tide_replay *replay, const char **at, tide_error *error)
{
    uint64_t frame;
    char *text;
    if (!tide_input_read_count(at, UINT64_MAX, &frame) ||
        (replay->choice_count && frame <= replay->choices[replay->choice_count - 1].frame))
        return tide_fail(error, TIDE_ERROR_FORMAT, "replay", "solver", NULL,
                         "expected a later frame than the one before");
    TIDE_TRY(read_string(replay, at, &text, error));
    if (!tide_grow_owned(replay, &replay->choices, &replay->choice_capacity, replay->choice_count + 1,
                         sizeof *replay->choices))
        return tide_fail_memory(error, "replay");
    replay->choices[replay->choice_count++] = (tide_solver_choice) { text, frame };
    return TIDE_OK;
}

static tide_status read_file(tide_replay *replay, const char **at, tide_error *error)
{
    char *path, *text;
    size_t size;
    TIDE_TRY(read_string(replay, at, &path, error));
    TIDE_TRY(tide_input_read_text(at, &text, &size, error));
    tide_own(replay, text);
    if (!tide_grow_owned(replay, &replay->files, &replay->file_capacity, replay->file_count + 1, sizeof *replay->files))
        return tide_fail_memory(error, "replay");
    replay->files[replay->file_count++] = (tide_input_file) { path, text, size };
    return TIDE_OK;
}

static tide_status check_mesh(const char **at, tide_error *error)
{
    TIDE_SCOPED char *path = NULL;
    uint64_t wanted, found;
    TIDE_TRY(tide_input_read_string(at, &path, error));
    if (!read_hash(at, &wanted))
        return tide_fail(error, TIDE_ERROR_FORMAT, "replay", "mesh", NULL, "expected 16 hexadecimal digits");
    TIDE_TRY(tide_replay_hash_file(path, &found, error));
    return found == wanted ? TIDE_OK
                           : tide_fail(error, TIDE_ERROR_FORMAT, path, NULL, NULL,
                                       "it differs from the recorded mesh; restore that one");
}

static tide_status read_real(const char **at, double least, double most, double *value, tide_error *error)
{
    if (tide_input_read_real(at, value) && *value >= least && *value <= most)
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_FORMAT, "replay", NULL, NULL, "expected a number from %g to %g", least, most);
}

static tide_status read_whole(const char **at, uint64_t most, uint64_t *value, tide_error *error)
{
    if (tide_input_read_count(at, most, value))
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_FORMAT, "replay", NULL, NULL, "expected a whole number up to %" PRIu64, most);
}

static tide_status read_scene(tide_replay *replay, const char **at, tide_error *error)
{
    if (replay->scene)
        return tide_fail(error, TIDE_ERROR_FORMAT, "replay", "scene", NULL, "there is one already");
    return read_string(replay, at, &replay->scene, error);
}

// States depend on the vector width, so the replay uses the recorded one.
static tide_status read_vectors(const tide_replay *replay, const char **at, tide_error *error)
{
    uint64_t bits;
    if (!tide_input_read_count(at, 512, &bits) || (bits != 128 && bits != 256 && bits != 512))
        return tide_fail(error, TIDE_ERROR_FORMAT, "replay", "vectors", NULL, "expected 128, 256 or 512");
    tide_vector_bits_limit((int)bits);
    int found = tide_vector_bits(0);
    if (found == (int)bits)
        return TIDE_OK;
    if (replay->verify)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "replay", "vectors", NULL,
                         "recorded with vectors of %d bits, and this processor has %d: states differ in the last bits; "
                         "verify it on a processor that has them, or record with --vectors %d",
                         (int)bits, found, found);
    tide_log(TIDE_LOG_WARNING, "%s: recorded with vectors of %d bits, and this processor has %d: states differ",
             replay->path, (int)bits, found);
    return TIDE_OK;
}

// Reads a statement of the head, after its first word.
static tide_status read_head_line(tide_replay *replay, const char *word, const char **at, bool *started,
                                  tide_error *error)
{
    if (strcmp(word, "scene") == 0)
        return read_scene(replay, at, error);
    if (strcmp(word, "seed") == 0)
        return read_whole(at, UINT64_MAX, &replay->seed, error);
    if (strcmp(word, "timestep") == 0)
        return read_real(at, 0, 10, &replay->timestep, error);
    if (strcmp(word, "history") == 0)
        return read_whole(at, UINT64_C(1) << 40, &replay->history, error);
    if (strcmp(word, "portable") == 0)
        return read_whole(at, 1, &replay->portable, error);
    if (strcmp(word, "vectors") == 0)
        return read_vectors(replay, at, error);
    if (strcmp(word, "set") == 0)
        return read_setting(replay, at, error);
    if (strcmp(word, "solver") == 0)
        return read_choice(replay, at, error);
    if (strcmp(word, "file") == 0)
        return read_file(replay, at, error);
    if (strcmp(word, "mesh") == 0)
        return check_mesh(at, error);
    *started = strcmp(word, "start") == 0;
    if (!*started)
        return tide_fail(
            error, TIDE_ERROR_FORMAT, "replay", NULL, NULL,
            "expected scene, seed, timestep, history, portable, vectors, set, solver, file, mesh or start");
    if (!replay->scene)
        return tide_fail(error, TIDE_ERROR_FORMAT, "replay", "scene", NULL, "missing: a scene comes before the start");
    if (!read_hash(at, &replay->start))
        return tide_fail(error, TIDE_ERROR_FORMAT, "replay", "start", NULL, "expected 16 hexadecimal digits");
    *at += strspn(*at, " ");
    replay->start_marks = tide_own(replay, tide_copy_string(*at));
    *at += strcspn(*at, " ");
    return replay->start_marks ? TIDE_OK : tide_fail_memory(error, "replay");
}

static bool is_empty(const char *at)
{
    return at[strspn(at, " ")] == '\0';
}

static tide_status read_head(tide_replay *replay, tide_error *error)
{
    bool started = false;
    TIDE_TRY(next_line(replay, error));
    if (strcmp(replay->line.bytes ? replay->line.bytes : "", first_line) != 0)
        TIDE_TRY(
            refuse_line(replay, error, "expected \"%s\": this is no replay, or one of another version", first_line));
    while (!started) {
        char word[20] = "";
        TIDE_TRY(next_line(replay, error));
        const char *at = replay->line.bytes;
        tide_input_read_word(&at, word, sizeof word);
        if (read_head_line(replay, word, &at, &started, error) != TIDE_OK)
            return fail_line(replay, error);
        if (!is_empty(at))
            TIDE_TRY(refuse_line(replay, error, "expected the end of the line"));
    }
    return TIDE_OK;
}

// --- comparing -------------------------------------------------------------------------------------------------------

// Returns the first particle whose marks differ, or the count.
static uint32_t first_difference(tide_world *world, const char *marks, tide_status *status, tide_error *error)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text now = { 0 };
    tide_replay_add_marks(world, &now);
    uint32_t count = tide_world_particle_count(world), particle = 0;
    *status = now.failed ? tide_fail_memory(error, "replay") : TIDE_OK;
    while (!now.failed && particle < count &&
           memcmp(now.bytes + 2 * (size_t)particle, marks + 2 * (size_t)particle, 2) == 0)
        particle++;
    return particle;
}

static tide_status tell_difference(const tide_replay *replay, tide_live *live, const char *marks, tide_error *error)
{
    tide_world *world = tide_live_world(live);
    uint64_t frame = tide_live_frame(live);
    size_t length = strlen(marks);
    tide_status status = TIDE_OK;
    if (length && length != 2 * (size_t)tide_world_particle_count(world))
        return refuse_line(replay, error, "frame %" PRIu64 " differs: the world had %zu vertices and has %" PRIu32,
                           frame, length / 2, tide_world_particle_count(world));
    uint32_t particle = length ? first_difference(world, marks, &status, error) : 0;
    if (status != TIDE_OK)
        return status;
    if (!length)
        return refuse_line(replay, error, "frame %" PRIu64 " differs; of this frame vertices were not recorded", frame);
    for (uint32_t b = 0; b < tide_world_body_count(world); b++) {
        tide_body_info body;
        if (tide_world_body_info(world, tide_world_body_at(world, b), &body) && particle >= body.first_particle &&
            particle - body.first_particle < body.vertex_count)
            return refuse_line(replay, error, "frame %" PRIu64 " differs, first at body \"%.80s\", vertex %" PRIu32,
                               frame, body.name, particle - body.first_particle + 1);
    }
    return refuse_line(replay, error,
                       "frame %" PRIu64 " differs, though all vertices are the same: in pins, forces, colliders, the "
                       "history of the solver or of contacts, or scene.state",
                       frame);
}

static tide_status compare(tide_replay *replay, tide_live *live, uint64_t wanted, const char *marks, tide_error *error)
{
    uint64_t hash;
    TIDE_TRY(tide_world_hash(tide_live_world(live), &hash, error));
    replay->checked += hash == wanted;
    if (hash == wanted)
        return TIDE_OK;
    tide_status status = tell_difference(replay, live, marks, error);
    size_t length = error ? strlen(error->remedy) : 0;
    if (replay->portable && error && status == TIDE_ERROR_FORMAT)
        snprintf(
            error->remedy + length, sizeof error->remedy - length,
            "; the record is portable, so its states depend on the version of the program, but not on the machine");
    return status;
}

// --- repeating -------------------------------------------------------------------------------------------------------

static tide_status apply_line(tide_replay *replay, tide_live *live, const char *at, tide_error *error)
{
    uint64_t steps;
    tide_input input;
    if (!tide_input_read_count(&at, UINT64_MAX, &steps) || steps != tide_live_steps(live))
        return refuse_line(replay, error, "expected `at %" PRIu64 "`, the steps taken so far", tide_live_steps(live));
    if (tide_input_read(at + strspn(at, " "), &input, error) != TIDE_OK)
        return fail_line(replay, error);
    tide_status status = tide_live_apply(live, &input, error);
    tide_input_free(&input);
    return status == TIDE_OK ? TIDE_OK : fail_line(replay, error);
}

// Checks the state at the end of a line, if `verify` is set.
static tide_status check_state(tide_replay *replay, tide_live *live, uint64_t hash, const char *marks,
                               tide_error *error)
{
    return replay->verify ? compare(replay, live, hash, marks, error) : TIDE_OK;
}

static tide_status read_state(const tide_replay *replay, const char *at, uint64_t *hash, const char **marks,
                              tide_error *error)
{
    if (!read_hash(&at, hash))
        return refuse_line(replay, error, "expected the hash of the state, 16 hexadecimal digits");
    *marks = at + strspn(at, " ");
    if ((*marks)[strcspn(*marks, " ")])
        return refuse_line(replay, error, "expected the end of the line after the vertices' marks");
    return TIDE_OK;
}

static tide_status step_line(tide_replay *replay, tide_live *live, const char *at, tide_error *error)
{
    uint64_t steps, hash;
    const char *marks;
    if (!tide_input_read_count(&at, UINT64_MAX, &steps) || steps != tide_live_steps(live) + 1)
        return refuse_line(replay, error, "expected `step %" PRIu64 "`", tide_live_steps(live) + 1);
    TIDE_TRY(read_state(replay, at, &hash, &marks, error));
    tide_status status = tide_live_step(live, error);
    return status == TIDE_OK ? check_state(replay, live, hash, marks, error) : fail_line(replay, error);
}

static tide_status state_line(tide_replay *replay, tide_live *live, const char *at, tide_error *error)
{
    uint64_t steps, hash;
    const char *marks;
    if (!tide_input_read_count(&at, UINT64_MAX, &steps) || steps != tide_live_steps(live))
        return refuse_line(replay, error, "expected `state %" PRIu64 "`", tide_live_steps(live));
    tide_status status = read_state(replay, at, &hash, &marks, error);
    return status == TIDE_OK ? check_state(replay, live, hash, marks, error) : status;
}

static tide_status crossings_line(tide_replay *replay, tide_live *live, const char *at, tide_error *error)
{
    uint64_t steps, count;
    TIDE_SCOPED char *text = NULL;
    if (!tide_input_read_count(&at, UINT64_MAX, &steps) || steps != tide_live_steps(live))
        return refuse_line(replay, error, "expected `crossings %" PRIu64 "`", tide_live_steps(live));
    if (!tide_input_read_count(&at, UINT64_MAX, &count))
        return refuse_line(replay, error, "expected the number of crossings");
    if (tide_input_read_string(&at, &text, error) != TIDE_OK)
        return fail_line(replay, error);
    if (!is_empty(at))
        return refuse_line(replay, error, "expected the end of the line");
    if (!replay->verify)
        return TIDE_OK;
    TIDE_TRY(tide_live_certify_now(live, error));
    const tide_live_certificates *now = tide_live_get_certificates(live);
    return count == now->last.count && strcmp(text, now->text) == 0
               ? TIDE_OK
               : refuse_line(replay, error, "the certificate differs: recorded \"%.150s\", and found \"%.150s\"", text,
                             now->text);
}

static tide_status digest_line(tide_replay *replay, const char *at, tide_error *error)
{
    uint64_t wanted, found = replay->before;
    if (!read_hash(&at, &wanted) || !is_empty(at))
        return refuse_line(replay, error, "expected 16 hexadecimal digits");
    replay->digested = wanted == found;
    return replay->digested || !replay->verify
               ? TIDE_OK
               : refuse_line(replay, error,
                             "bytes of the file were changed after the recording: they have the digest %016" PRIx64
                             "; the %" PRIu64 " states and their certificates do not depend on them",
                             found, replay->checked);
}

static tide_status end_line(tide_replay *replay, tide_live *live, const char *at, tide_error *error)
{
    uint64_t steps;
    if (!tide_input_read_count(&at, UINT64_MAX, &steps) || steps != tide_live_steps(live) || !is_empty(at))
        return refuse_line(replay, error, "expected `end %" PRIu64 "`", tide_live_steps(live));
    if (fgetc(replay->file) != EOF)
        return refuse_line(replay, error, "expected nothing after the end");
    replay->over = true;
    return TIDE_OK;
}

// Ends an interrupted recording: everything in it was repeated.
static void end_early(tide_replay *replay, const tide_live *live)
{
    replay->over = true;
    tide_log(TIDE_LOG_WARNING, "%s:%d: the recording was cut short here, after step %" PRIu64 ", before its `end`",
             replay->path, replay->number, tide_live_steps(live));
}

tide_status tide_replay_step(tide_replay *replay, tide_live *live, tide_error *error)
{
    uint64_t before = tide_live_steps(live);
    tide_status status = TIDE_OK;
    while (status == TIDE_OK && !replay->over && tide_live_steps(live) == before) {
        char word[20] = "";
        status = next_line(replay, error);
        if (replay->cut) {
            end_early(replay, live);
            return TIDE_OK;
        }
        if (status != TIDE_OK)
            return status;
        const char *at = replay->line.bytes;
        tide_input_read_word(&at, word, sizeof word);
        if (strcmp(word, "at") == 0)
            status = apply_line(replay, live, at, error);
        else if (strcmp(word, "step") == 0)
            status = step_line(replay, live, at, error);
        else if (strcmp(word, "state") == 0)
            status = state_line(replay, live, at, error);
        else if (strcmp(word, "crossings") == 0)
            status = crossings_line(replay, live, at, error);
        else if (strcmp(word, "digest") == 0)
            status = digest_line(replay, at, error);
        else if (strcmp(word, "end") == 0)
            status = end_line(replay, live, at, error);
        else if (strcmp(word, "mesh") == 0)
            status = check_mesh(&at, error) == TIDE_OK ? TIDE_OK : fail_line(replay, error);
        else
            status = refuse_line(replay, error, "expected at, step, state, crossings, mesh, digest or end");
    }
    return status;
}

bool tide_replay_is_over(const tide_replay *replay)
{
    return replay->over;
}

bool tide_replay_is_whole(const tide_replay *replay)
{
    return replay->over && !replay->cut && replay->digested;
}

uint64_t tide_replay_checked(const tide_replay *replay)
{
    return replay->checked;
}

// --- opening and closing ---------------------------------------------------------------------------------------------

void tide_replay_close(tide_replay *replay)
{
    if (!replay)
        return;
    tide_text_free(&replay->line);
    if (replay->file)
        fclose(replay->file);
    tide_free(replay);
}

// Returns the resolved folder of the file.
static bool folder_of(const char *path, char folder[PATH_MAX])
{
    char *text = tide_copy_string(path), *slash = text ? strrchr(text, '/') : NULL;
    if (slash)
        slash[slash == text] = '\0';
    bool found = text && tide_path_resolve(slash ? text : ".", folder, PATH_MAX);
    tide_free(text);
    return found;
}

// Returns whether the file at `path` contains this text.
static bool holds(const char *path, const tide_input_file *recorded)
{
    char bytes[1 << 12];
    size_t at = 0, got = 1;
    tide_error error;
    FILE *file = tide_input_file_check(path, path, &error) == TIDE_OK ? fopen(path, "rb") : NULL;
    bool same = file != NULL;
    while (same && got > 0) {
        got = fread(bytes, 1, sizeof bytes, file);
        same = got <= recorded->size - at && memcmp(bytes, recorded->text + at, got) == 0;
        at += same ? got : 0;
    }
    same = same && !ferror(file) && at == recorded->size;
    if (file)
        fclose(file);
    return same;
}

// Returns whether the scene may read its folder. The recording chooses the scene's path, so a replay of unknown origin
// could choose which folder is read. It is allowed if the user has the same scene there, or keeps the replay in that
// folder or above it.
static bool may_read_folder(const tide_replay *replay)
{
    char own[PATH_MAX], scene[PATH_MAX];
    for (size_t i = 0; i < replay->file_count; i++)
        if (strcmp(replay->files[i].path, replay->scene) == 0 && holds(replay->scene, &replay->files[i]))
            return true;
    return folder_of(replay->path, own) && folder_of(replay->scene, scene) && tide_path_is_within(scene, own);
}

static tide_status open_live(tide_replay *replay, double time_limit, tide_live **live, tide_error *error)
{
    const tide_live_options options = {
        .scene = replay->scene,
        .settings = replay->settings,
        .setting_count = (uint32_t)replay->setting_count,
        .solvers = replay->choices,
        .solver_count = (uint32_t)replay->choice_count,
        .timestep = replay->timestep,
        .seed = replay->seed,
        .portable = replay->portable,
        .folder_barred = !may_read_folder(replay),
        .time_limit = time_limit,
        .history_limit = (size_t)replay->history,
        .files = replay->files,
        .file_count = (uint32_t)replay->file_count,
    };
    tide_status status = tide_live_open(&options, live, error);
    if (status != TIDE_OK)
        return status;
    if (replay->verify)
        status = compare(replay, *live, replay->start, replay->start_marks, error);
    if (status != TIDE_OK) {
        tide_live_close(*live);
        *live = NULL;
    }
    return status;
}

tide_status tide_replay_open(const char *path, bool verify, double time_limit, tide_replay **out, tide_live **live,
                             tide_error *error)
{
    tide_replay *replay = tide_allocate_zeroed(1, sizeof *replay);
    if (replay)
        replay->path = tide_own(replay, tide_copy_string(path));
    if (!tide_owns_all(replay)) {
        tide_free(replay);
        return tide_fail_memory(error, "replay");
    }
    replay->verify = verify;
    replay->digest = TIDE_HASH_START;
    tide_status status = tide_input_file_check(path, path, error);
    replay->file = status == TIDE_OK ? fopen(path, "rb") : NULL;
    if (status == TIDE_OK)
        status = replay->file
                     ? read_head(replay, error)
                     : tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot be read: %s", strerror(errno));
    if (status == TIDE_OK)
        status = open_live(replay, time_limit, live, error);
    if (status != TIDE_OK) {
        tide_replay_close(replay);
        return status;
    }
    *out = replay;
    return TIDE_OK;
}
