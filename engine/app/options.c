#include "app/options.h"

#include "base/memory.h"
#include "draw/image.h"
#include "solver/solver_text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- tables ----------------------------------------------------------------------------------------------------------

const tide_option *tide_option_first(const tide_option *table)
{
    return !table || table->name ? table : tide_option_first(table->more);
}

const tide_option *tide_option_next(const tide_option *option)
{
    return tide_option_first(option + 1);
}

static void *value_of(const tide_option *option, void *options)
{
    return (char *)options + option->offset;
}

tide_status tide_options_default(const tide_option *table, void *options, tide_error *error)
{
    tide_status status = TIDE_OK;
    for (const tide_option *o = tide_option_first(table); o && status == TIDE_OK; o = tide_option_next(o)) {
        if (o->initial)
            status = o->read(o, o->initial, value_of(o, options), error);
        else if (o->read == tide_option_number)
            *(double *)value_of(o, options) = TIDE_NOT_GIVEN;
        else if (o->fields)
            tide_fields_default(o->fields, value_of(o, options));
    }
    return status;
}

void tide_options_free(const tide_option *table, void *options)
{
    for (const tide_option *o = tide_option_first(table); o; o = tide_option_next(o))
        if (o->release)
            o->release(value_of(o, options));
}

void tide_options_print(const tide_option *table)
{
    for (const tide_option *o = tide_option_first(table); o; o = tide_option_next(o)) {
        char left[64], initial[32] = "";
        snprintf(left, sizeof left, "%s %s", o->name, o->argument ? o->argument : "");
        if (strlen(left) > 29) {
            printf("  %s\n", left);
            left[0] = '\0';
        }
        if (o->initial)
            snprintf(initial, sizeof initial, " (%s)", o->initial);
        printf("  %-29s  %s%s\n", left, o->help, initial);
    }
}

// --- readers ---------------------------------------------------------------------------------------------------------

tide_status tide_option_switch(const tide_option *option, const char *text, void *value, tide_error *error)
{
    (void)option, (void)text, (void)error;
    *(bool *)value = true;
    return TIDE_OK;
}

// Reads digits; moves *text behind them. A maximum of 0 is none.
static bool read_digits(const char **text, double maximum, uint64_t *value)
{
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    errno = 0;
    *value = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0 && (maximum == 0 || (double)*value <= maximum);
}

tide_status tide_option_whole(const tide_option *option, const char *text, void *value, tide_error *error)
{
    const char *rest = text;
    if (read_digits(&rest, option->maximum, value) && *rest == '\0' && (double)*(uint64_t *)value >= option->minimum)
        return TIDE_OK;
    if (option->maximum == 0)
        return TIDE_REFUSE_OPTION("expected a whole number of at least %.0f", option->minimum);
    return TIDE_REFUSE_OPTION("expected %s%sa whole number from %.0f to %.0f", option->expected ? option->expected : "",
                              option->expected ? ", " : "", option->minimum, option->maximum);
}

tide_status tide_option_number(const tide_option *option, const char *text, void *value, tide_error *error)
{
    const tide_field field = {
        .name = "value", .type = TIDE_FIELD_REAL, .minimum = option->minimum, .maximum = option->maximum
    };
    return tide_field_parse(&field, "command line", value, text, NULL) == TIDE_OK
               ? TIDE_OK
               : TIDE_REFUSE_OPTION("expected %s", option->expected);
}

tide_status tide_option_text(const tide_option *option, const char *text, void *value, tide_error *error)
{
    *(const char **)value = text;
    return *text
               ? TIDE_OK
               : TIDE_REFUSE_OPTION("expected %s", option->expected ? option->expected : "the name of a file to write");
}

tide_status tide_option_choice(const tide_option *option, const char *text, void *value, tide_error *error)
{
    for (int i = 0; option->choices[i]; i++)
        if (strcmp(text, option->choices[i]) == 0) {
            *(int *)value = i + 1;
            return TIDE_OK;
        }
    return TIDE_REFUSE_OPTION("expected %s", option->expected);
}

tide_status tide_option_field(const tide_option *option, const char *text, void *value, tide_error *error)
{
    return tide_fields_parse(option->fields, "command line", value, option->name + 2, text ? text : "true", error);
}

tide_status tide_option_size(const tide_option *option, const char *text, void *value, tide_error *error)
{
    const char *rest = text;
    uint64_t width = 0, height = 0;
    bool good = read_digits(&rest, TIDE_IMAGE_MAX_SIDE, &width) && (*rest == 'x' || *rest == 'X');
    rest += good;
    if (!good || !read_digits(&rest, TIDE_IMAGE_MAX_SIDE, &height) || *rest || !width || !height)
        return TIDE_REFUSE_OPTION("expected WIDTHxHEIGHT in pixels, each from 1 to %d, like 1280x720",
                                  TIDE_IMAGE_MAX_SIDE);
    *(tide_picture_size *)value = (tide_picture_size) { (uint32_t)width, (uint32_t)height };
    return TIDE_OK;
}

// --- solvers ---------------------------------------------------------------------------------------------------------

// Inserts a solver in the order of frames; a later one replaces one of the same frame.
static tide_status add_solver(tide_solver_list *to, const char *text, size_t length, uint64_t frame, const char **added,
                              tide_error *error)
{
    uint32_t at = 0;
    if (!tide_grow(&to->items, &to->capacity, to->count + 1, sizeof *to->items))
        return tide_fail_memory(error, "command line");
    char *copy = tide_own(to->items, tide_copy_string(text));
    if (!copy)
        return tide_fail_memory(error, "command line");
    copy[length] = '\0';
    while (at < to->count && to->items[at].frame < frame)
        at++;
    if (at < to->count && to->items[at].frame == frame)
        tide_free(to->items[at].text);
    else
        memmove(to->items + at + 1, to->items + at, (to->count++ - at) * sizeof *to->items);
    to->items[at] = (tide_solver_choice) { copy, frame };
    *added = copy;
    return TIDE_OK;
}

// An unknown name may be one of the script's methods: it is checked after the script has run.
tide_status tide_option_solver(const tide_option *option, const char *text, void *value, tide_error *error)
{
    const char *at = strrchr(text, '@'), *rest = at ? at + 1 : NULL, *added;
    uint64_t frame = 0;
    if (at && !strchr(option->argument, '@'))
        return TIDE_REFUSE_OPTION("expected NAME[,key=value...]; this command takes one solver, without @");
    if (at && (!read_digits(&rest, 1e9, &frame) || *rest))
        return TIDE_REFUSE_OPTION("expected the frame after @, a whole number, like newton@60");
    size_t length = at ? (size_t)(at - text) : strlen(text);
    if (length == 0)
        return TIDE_REFUSE_OPTION("expected NAME[,key=value...][@FRAME], like newton,iterations=5@60");
    tide_status status = add_solver(value, text, length, frame, &added, error);
    return status == TIDE_OK ? tide_solver_text_check(added, error) : status;
}

void tide_solver_list_free(void *list)
{
    tide_free(((tide_solver_list *)list)->items); // owns the texts
}

// --- options of all commands that open a scene -----------------------------------------------------------------------

static tide_status read_setting(const tide_option *option, const char *text, void *value, tide_error *error)
{
    tide_setting_list *to = value;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return TIDE_REFUSE_OPTION("expected NAME=VALUE, like stiffness=200");
    if (!tide_grow(&to->items, &to->capacity, to->count + 1, sizeof *to->items))
        return tide_fail_memory(error, "command line");
    char *key = tide_own(to->items, tide_copy_string(text));
    if (!key)
        return tide_fail_memory(error, "command line");
    key[equals - text] = '\0';
    to->items[to->count++] = (tide_setting) { key, equals + 1 };
    return TIDE_OK;
}

static void free_settings(void *list)
{
    tide_free(((tide_setting_list *)list)->items); // owns the names
}

static tide_status read_timestep(const tide_option *option, const char *text, void *value, tide_error *error)
{
    tide_world_settings settings;
    tide_fields_default(tide_world_fields, &settings);
    const tide_field *field = tide_field_find(tide_world_fields, "command line", "timestep", error);
    char range[128];
    if (!field || tide_field_parse(field, "command line", &settings, text, NULL) != TIDE_OK)
        return TIDE_REFUSE_OPTION("expected seconds, %s, like 0.01",
                                  field ? tide_field_range_text(field, range, sizeof range) : "above 0");
    *(double *)value = settings.timestep;
    return TIDE_OK;
}

#define AT(member) .offset = offsetof(tide_scene_options, member)
const tide_option tide_scene_option_table[] = {
    { "--set", "NAME=VALUE", "set a parameter of the scene (tide.param); may be repeated", read_setting, AT(settings),
      .release = free_settings },
    { "--timestep", "S", "use this timestep instead of the scene's, in seconds", read_timestep, AT(timestep) },
    { "--seed", "N", "seed the scene's random numbers", tide_option_whole, AT(seed), "0" },
    { "--portable", NULL, "compute the same states, to the bit, on every platform; slower than with wide vectors",
      tide_option_switch, AT(portable) },
    { "--memory-limit", "MB",
      "memory limit of a script and its scene; 0: no limit (4096, or 3/4 of the memory if that is less)",
      tide_option_number, AT(memory_limit), .maximum = 1e6, .expected = "megabytes from 0 (no limit) to 1e6" },
    { 0 },
};
#undef AT

#define AT(member) .offset = offsetof(tide_run_options, member)
static const char *const widths[] = { "128", "256", "512", NULL };
const tide_option tide_live_option_table[] = {
    { "--threads", "N", "use N threads (all processors); results are the same for any number", tide_option_whole,
      AT(threads), .minimum = 1, .maximum = 256 },
    { "--vectors", "BITS", "use the processor's vectors of at most 128, 256 or 512 bits; hashes depend on the width",
      tide_option_choice, AT(vectors), .choices = widths, .expected = "128, 256 or 512" },
    { "--hash", NULL, "print a hash of the final state, 16 hexadecimal digits, as the last line (see --vectors)",
      tide_option_switch, AT(hash) },
    { "--record", "FILE", "record the run: all inputs and the state of every frame", tide_option_text, AT(record) },
    { "--save-world", "FILE", "save the state at the end", tide_option_text, AT(save_world) },
    { "--open-world", "FILE", "begin with a saved state of a scene with the same bodies", tide_option_text,
      AT(open_world), .expected = "a file that --save-world wrote" },
    { "--time-limit", "S",
      "time limit of each call of the script; a run of its file may take 10 S; 0: no limit (2 in a window, else 0)",
      tide_option_number, AT(time_limit), .maximum = 1e6, .expected = "seconds from 0 (no limit) to 1e6" },
    { .more = tide_scene_option_table },
};
