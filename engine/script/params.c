// tide.param: parameters that a script declares, and their values from --set and tide.load.
#include "script/binding.h"

#include "base/decimal.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct param_options {
    double minimum, maximum;
    int scale;
    char unit[TIDE_FIELD_TEXT_SIZE], help[TIDE_FIELD_TEXT_SIZE];
} param_options;

static const char *const scales[] = { "linear", "log", NULL };

#define AT(member) offsetof(param_options, member)
const tide_field tide_param_fields[] = {
    { "min", TIDE_FIELD_REAL, AT(minimum), { TIDE_NOT_GIVEN }, .initial_text = "none", .help = "smallest value" },
    { "max", TIDE_FIELD_REAL, AT(maximum), { TIDE_NOT_GIVEN }, .initial_text = "none", .help = "largest value" },
    { "scale", TIDE_FIELD_CHOICE, AT(scale), .choices = scales, .help = "scale of the slider" },
    { "unit", TIDE_FIELD_TEXT, AT(unit), .initial_text = "", .help = "unit, shown after the value" },
    { "help", TIDE_FIELD_TEXT, AT(help), .initial_text = "", .help = "one line of explanation" },
    { "choices", TIDE_FIELD_OTHER, .initial_text = "none", .lua_type = "string[]", .help = "choices" },
    { 0 },
};

// The name owns the other texts.
static void free_param(tide_param *param)
{
    tide_free((void *)param->name);
    *param = (tide_param) { 0 };
}

void tide_params_free(tide_run *run)
{
    for (size_t i = 0; i < run->param_count; i++)
        free_param(&run->params[i]);
    tide_free(run->params);
    run->params = NULL;
    run->param_count = run->param_capacity = 0;
}

static const char *setting_of(const tide_run *run, const char *name)
{
    for (uint32_t i = run->setting_count; i-- > 0;) // the last setting of a name wins
        if (strcmp(run->settings[i].name, name) == 0)
            return run->settings[i].value;
    return NULL;
}

static bool is_choice(lua_State *L, int list, const char *text)
{
    bool found = false;
    for (lua_Integer i = 1; !found && lua_rawgeti(L, list, i) == LUA_TSTRING; i++) {
        found = strcmp(lua_tostring(L, -1), text) == 0;
        lua_pop(L, 1);
    }
    if (!found)
        lua_pop(L, 1);
    return found;
}

static void check_choices(lua_State *L, int list, const char *owner)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!lua_istable(L, list) || lua_rawlen(L, list) == 0)
        tide_raise_bad(L, owner, "choices", tide_show(L, list, shown), "expected a list of strings");
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
        lua_rawgeti(L, list, i);
        tide_check_text(L, -1, owner, "choices");
        lua_pop(L, 1);
    }
}

static void check_text_choice(lua_State *L, int list, const char *owner, const char *value)
{
    enum { MAX_CHOICES = 64 };
    const char *names[MAX_CHOICES];
    char shown[TIDE_VALUE_TEXT_SIZE];
    size_t count = 0;
    if (is_choice(L, list, value))
        return;
    tide_text known = { 0 };
    for (lua_Integer i = 1; count < MAX_CHOICES && lua_rawgeti(L, list, i) == LUA_TSTRING; i++) {
        names[count] = lua_tostring(L, -1);
        tide_text_format(&known, "%s\"%.40s\"", count ? ", " : "", names[count]);
        count++;
        lua_pop(L, 1);
    }
    tide_error error;
    const char *nearest = tide_nearest_name(value, names, count);
    snprintf(shown, sizeof shown, "\"%.80s\"", value);
    tide_fail(&error, TIDE_ERROR_ARGUMENT, owner, NULL, shown, "expected one of %s%s%s%s",
              known.bytes ? known.bytes : "", nearest ? "; did you mean \"" : "", nearest ? nearest : "",
              nearest ? "\"?" : "");
    tide_text_free(&known);
    tide_raise(L, &error);
}

static void check_range(lua_State *L, const char *owner, const tide_param *param)
{
    char shown[64];
    if (isnan(param->number))
        snprintf(shown, sizeof shown, "nan"); // drops the sign bit of NaN
    else
        tide_format(shown, sizeof shown, "%.10g", param->number);
    if (!isfinite(param->number))
        tide_raise_bad(L, owner, NULL, shown, "expected a finite number");
    if (param->minimum > param->maximum || (param->number >= param->minimum && param->number <= param->maximum))
        return;
    if (isfinite(param->minimum) && isfinite(param->maximum))
        tide_raise_bad(L, owner, NULL, shown, "expected a number from %.10g to %.10g", param->minimum, param->maximum);
    bool below = param->number < param->minimum;
    tide_raise_bad(L, owner, NULL, shown, "expected a number of at %s %.10g", below ? "least" : "most",
                   below ? param->minimum : param->maximum);
}

static bool number_of_text(const char *text, double *number)
{
    static const tide_field field = { "value", TIDE_FIELD_REAL, 0, .help = "" };
    return tide_field_parse(&field, "param", number, text, NULL) == TIDE_OK;
}

// Replaces the default at index 2 by the setting and fills the parameter's type and numbers.
static void read_value(lua_State *L, const char *owner, const char *setting, int choices, tide_param *param)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    snprintf(shown, sizeof shown, "\"%.80s\"", setting ? setting : "");
    switch (lua_type(L, 2)) {
    case LUA_TNUMBER:
        param->type = TIDE_PARAM_NUMBER;
        param->number = param->initial = lua_tonumber(L, 2);
        check_range(L, owner, param);
        if (!setting)
            break;
        if (!number_of_text(setting, &param->number))
            tide_raise_bad(L, owner, NULL, shown, "expected a number");
        check_range(L, owner, param);
        // An integer default keeps the value an integer, so that it can serve as an index.
        if (lua_isinteger(L, 2) && param->number == floor(param->number) && fabs(param->number) < 0x1p53)
            lua_pushinteger(L, (lua_Integer)param->number);
        else
            lua_pushnumber(L, param->number);
        lua_replace(L, 2);
        break;
    case LUA_TBOOLEAN:
        param->type = TIDE_PARAM_BOOLEAN;
        param->initial = lua_toboolean(L, 2);
        if (setting && strcmp(setting, "true") != 0 && strcmp(setting, "false") != 0)
            tide_raise_bad(L, owner, NULL, shown, "expected true or false");
        param->number = setting ? strcmp(setting, "true") == 0 : param->initial;
        lua_pushboolean(L, param->number != 0);
        lua_replace(L, 2);
        break;
    case LUA_TSTRING:
        param->type = choices ? TIDE_PARAM_CHOICE : TIDE_PARAM_TEXT;
        tide_check_text(L, 2, owner, NULL);
        if (choices)
            check_text_choice(L, choices, owner, lua_tostring(L, 2));
        if (!setting)
            break;
        if (choices)
            check_text_choice(L, choices, owner, setting);
        lua_pushstring(L, setting);
        tide_check_text(L, -1, owner, NULL);
        lua_replace(L, 2);
        break;
    default:
        tide_raise_bad(L, owner, NULL, tide_show(L, 2, shown), "expected a default: a number, true, false or a string");
    }
}

static const char *const *copy_choices(lua_State *L, int list, void *owner)
{
    size_t count = lua_rawlen(L, list);
    const char **copies = tide_own_zeroed(owner, count + 1, sizeof *copies);
    for (size_t i = 0; copies && i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        copies[i] = tide_own(owner, tide_copy_string(lua_tostring(L, -1)));
        lua_pop(L, 1);
    }
    return copies;
}

// Stores the checked parameter. Raises nothing; returns false if out of memory.
static bool record(lua_State *L, tide_run *run, const tide_param *param, const param_options *options, int choices)
{
    char text[64];
    const char *value = text;
    if (param->type == TIDE_PARAM_BOOLEAN)
        value = param->number != 0 ? "true" : "false";
    else if (param->type == TIDE_PARAM_NUMBER)
        tide_format(text, sizeof text, "%.17g", param->number);
    else
        value = lua_tostring(L, 2);
    if (!tide_grow(&run->params, &run->param_capacity, run->param_count + 1, sizeof *run->params))
        return false;
    tide_param copy = *param;
    char *name = tide_copy_string(param->name);
    if (!name)
        return false;
    copy.name = name;
    copy.unit = tide_own(name, tide_copy_string(options->unit));
    copy.help = tide_own(name, tide_copy_string(options->help));
    copy.text = tide_own(name, tide_copy_string(value));
    copy.choices = choices ? copy_choices(L, choices, name) : NULL;
    if (!tide_owns_all(name)) {
        tide_free(name);
        return false;
    }
    run->params[run->param_count++] = copy;
    return true;
}

static void refuse_twice(lua_State *L, tide_run *run, const char *owner, const char *name)
{
    for (size_t i = 0; i < run->param_count; i++) {
        if (strcmp(run->params[i].name, name) != 0)
            continue;
        if (run->path)
            tide_raise_bad(L, owner, NULL, NULL, "declared twice; give each parameter a name of its own");
        free_param(&run->params[i]); // plain Lua may declare a name again
        memmove(&run->params[i], &run->params[i + 1], (--run->param_count - i) * sizeof *run->params);
        return;
    }
}

int tide_param_call(lua_State *L)
{
    tide_run *run = tide_run_of_upvalue(L);
    lua_settop(L, 3);
    char owner[TIDE_OBJECT_TEXT];
    const char *name = tide_check_text(L, 1, "param", "name");
    snprintf(owner, sizeof owner, "param \"%.80s\"", name);
    refuse_twice(L, run, owner, name);
    param_options options;
    tide_fields_default(tide_param_fields, &options);
    int choices = 0;
    if (!lua_isnil(L, 3)) {
        tide_read_fields(L, 3, tide_param_fields, owner, &options, 0);
        lua_pushstring(L, "choices");
        if (lua_rawget(L, 3) != LUA_TNIL) {
            choices = lua_gettop(L);
            check_choices(L, choices, owner);
        }
    }
    tide_param param = { .name = name, .minimum = 1, .maximum = 0, .logarithmic = options.scale == 1 };
    if (tide_given(options.minimum) != tide_given(options.maximum))
        tide_raise_bad(L, owner, tide_given(options.minimum) ? "max" : "min", NULL, "missing; give both or neither");
    if (tide_given(options.minimum)) {
        param.minimum = options.minimum;
        param.maximum = options.maximum;
        if (param.minimum > param.maximum)
            tide_raise_bad(L, owner, "min", NULL, "expected no more than max");
        if (param.logarithmic && param.minimum <= 0)
            tide_raise_bad(L, owner, "min", NULL, "expected more than 0 for a logarithmic scale");
    }
    read_value(L, owner, setting_of(run, name), choices, &param);
    if (!record(L, run, &param, &options, choices))
        tide_raise_memory(L, owner);
    lua_settop(L, 2);
    return 1;
}

bool tide_param_of_element(lua_State *L, tide_run *run, const char *name, const tide_field *field, double *number)
{
    char owner[TIDE_OBJECT_TEXT], shown[64];
    param_options options;
    tide_fields_default(tide_param_fields, &options);
    snprintf(options.unit, sizeof options.unit, "%s", field->unit ? field->unit : "");
    snprintf(options.help, sizeof options.help, "%s", field->help ? field->help : "");
    snprintf(owner, sizeof owner, "param \"%.80s\"", name);
    tide_param param = { .name = name, .number = *number, .initial = *number, .of_element = true };
    param.minimum = isfinite(field->minimum) || isfinite(field->maximum) ? field->minimum : 1;
    param.maximum = isfinite(field->minimum) || isfinite(field->maximum) ? field->maximum : 0;
    for (size_t i = 0; i < run->param_count; i++) {
        const tide_param *other = &run->params[i];
        if (strcmp(other->name, name) != 0)
            continue;
        if (!other->of_element || other->initial != param.initial || other->minimum != param.minimum ||
            other->maximum != param.maximum || strcmp(other->unit, options.unit) != 0)
            return false;
        *number = other->number;
        return true;
    }
    const char *setting = setting_of(run, name);
    snprintf(shown, sizeof shown, "\"%.50s\"", setting ? setting : "");
    if (setting && !number_of_text(setting, &param.number))
        tide_raise_bad(L, owner, NULL, shown, "expected a number");
    check_range(L, owner, &param);
    if (!record(L, run, &param, &options, 0))
        tide_raise_memory(L, owner);
    *number = param.number;
    return true;
}

void tide_params_check_settings(lua_State *L, const tide_run *run)
{
    enum { MAX_NAMES = 64 };
    const char *names[MAX_NAMES];
    size_t count = 0;
    for (; count < run->param_count && count < MAX_NAMES; count++)
        names[count] = run->params[count].name;
    for (uint32_t i = 0; i < run->setting_count; i++) {
        const char *name = run->settings[i].name;
        bool known = false;
        for (size_t k = 0; k < run->param_count && !known; k++)
            known = strcmp(run->params[k].name, name) == 0;
        if (known)
            continue;
        tide_error error;
        const char *nearest = tide_nearest_name(name, names, count);
        tide_fail(&error, TIDE_ERROR_ARGUMENT, "set", name, run->settings[i].value,
                  "the script has no such parameter%s%s%s", nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                  nearest ? "\"?" : "");
        tide_error_locate(&error, run->path, 0);
        tide_raise(L, &error);
    }
}

bool tide_is_about_setting(const tide_setting *settings, uint32_t count, const tide_error *error)
{
    char object[sizeof error->object];
    if (count && strcmp(error->object, "set") == 0)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        snprintf(object, sizeof object, "param \"%s\"", settings[i].name);
        if (strcmp(error->object, object) == 0)
            return true;
    }
    return false;
}
