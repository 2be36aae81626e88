// Records and words read from Lua and pushed back, with a table of the test's own.
#include "script/binding.h"

#include "tests.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

typedef struct damping {
    int model;
    double mass, limit;
} damping;

typedef struct options {
    double substep;
    damping damping;
    int after;
} options;

static const char *const models[] = { "none", "auto", "rayleigh", NULL };
static const tide_field damping_fields[] = {
    { "model", TIDE_FIELD_CHOICE, offsetof(damping, model), .initial = { 2 }, .choices = models, .help = "its kind" },
    { "mass", TIDE_FIELD_REAL, offsetof(damping, mass), .initial = { 0.5 }, .maximum = 9, .unit = "1/s", .help = "d0" },
    { "limit", TIDE_FIELD_REAL, offsetof(damping, limit), .positive = true, .word = "off", .help = "at most" },
    { 0 },
};
static const tide_field fields[] = {
    { "substep", TIDE_FIELD_REAL, offsetof(options, substep), .positive = true, .word = "auto", .help = "s" },
    { "damping", TIDE_FIELD_RECORD, offsetof(options, damping), .record = damping_fields, .help = "of velocities" },
    { 0 },
};

// read(table) gives what is pushed of the options that it makes: { substep =, damping = }.
static int read_options(lua_State *L)
{
    options made = { .after = 42 };
    tide_fields_default(fields, &made);
    tide_read_fields(L, 1, fields, "solver \"rk4\"", &made, 1);
    if (made.after != 42)
        return luaL_error(L, "something else was written");
    lua_newtable(L);
    for (const tide_field *field = fields; field->name; field++) {
        tide_push_field(L, field, &made);
        lua_setfield(L, -2, field->name);
    }
    return 1;
}

static int list_options(lua_State *L)
{
    tide_push_field_list(L, fields);
    return 1;
}

static void run(const char *chunk)
{
    static const char before[] =
        "local function same(damping, model, mass, limit)\n"
        "  assert(type(damping) == 'table', tostring(damping))\n"
        "  assert(damping.model == model and damping.mass == mass and damping.limit == limit)\n"
        "  local count = 0 for _ in pairs(damping) do count = count + 1 end assert(count == 3)\n"
        "end\n"
        "local function refused(given, expected)\n"
        "  local ok, message = pcall(read, given)\n"
        "  assert(not ok, 'taken')\n"
        "  local whole = 'solver \"rk4\": ' .. expected\n"
        "  assert(message:sub(-#whole) == whole, message .. ' does not end in ' .. whole)\n"
        "end\n";
    lua_State *L = luaL_newstate();
    assert_non_null(L);
    luaL_openlibs(L);
    tide_context_open(L);
    lua_register(L, "read", read_options);
    lua_register(L, "list", list_options);
    luaL_Buffer whole;
    luaL_buffinit(L, &whole);
    luaL_addstring(&whole, before);
    luaL_addstring(&whole, chunk);
    luaL_pushresult(&whole);
    int top = lua_gettop(L);
    if (luaL_dostring(L, lua_tostring(L, -1)) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
    assert_int_equal(lua_gettop(L), top);
    lua_close(L);
}

static void test_records_are_read(void **state)
{
    (void)state;
    run("assert(read({}).damping == 'none')\n"
        "assert(read({ damping = 'none' }).damping == 'none')\n"
        "same(read({ damping = {} }).damping, 'rayleigh', 0.5, 'off')\n"
        "same(read({ damping = { mass = 1 } }).damping, 'rayleigh', 1, 'off')\n"
        "same(read({ damping = { limit = 2 } }).damping, 'rayleigh', 0.5, 2)\n"
        "same(read({ damping = { limit = 'off' } }).damping, 'rayleigh', 0.5, 'off')\n"
        "same(read({ damping = 'auto' }).damping, 'auto', 0.5, 'off')\n"
        "same(read({ damping = { 'auto', mass = 3 } }).damping, 'auto', 3, 'off')\n"
        "same(read({ damping = { model = 'auto', mass = 3 } }).damping, 'auto', 3, 'off')\n"
        "assert(read({ damping = { 'none' } }).damping == 'none')\n"
        "same(read({ damping = { 'none', mass = 3 } }).damping, 'none', 3, 'off')\n"
        "assert(read({ 'rk4', substep = 0.5, damping = 'none' }).substep == 0.5)\n");
}

static void test_what_is_pushed_is_read_again(void **state)
{
    (void)state;
    run("local function text(t)\n"
        "  local d = t.damping\n"
        "  return t.substep .. ':' .. (type(d) == 'table' and d.model .. d.mass .. d.limit or d)\n"
        "end\n"
        "for _, damping in ipairs { 'none', 'auto', 'rayleigh', {}, { mass = 0 }, { 'none', limit = 3 } } do\n"
        "  for _, substep in ipairs { 'auto', 0.25 } do\n"
        "    local once = read { substep = substep, damping = damping }\n"
        "    assert(once.substep == substep)\n"
        "    assert(text(read(once)) == text(once))\n"
        "  end\n"
        "end\n");
}

static void test_records_are_refused(void **state)
{
    (void)state;
    run("local choices = 'expected one of \"none\", \"auto\", \"rayleigh\"'\n"
        "refused({ damping = 'foo' }, 'damping = \"foo\": ' .. choices)\n"
        "refused({ damping = 'raylegh' }, 'damping = \"raylegh\": ' .. choices .. '; did you mean \"rayleigh\"?')\n"
        "refused({ damping = 3 }, 'damping = 3: ' .. choices .. ', or a table')\n"
        "refused({ damping = true }, 'damping = true: ' .. choices .. ', or a table')\n"
        "refused({ damping = { 3 } }, 'damping[1] = 3: ' .. choices)\n"
        "refused({ damping = { 1, 2, 3 } }, 'damping[2]: unexpected; give every field by its name')\n"
        "refused({ damping = { model = 'foo' } }, 'damping.model = \"foo\": ' .. choices)\n"
        "refused({ damping = { mass = -1 } }, 'damping.mass = -1: expected a number from 0 to 9 1/s')\n"
        "refused({ damping = { mass = 0/0 } }, 'damping.mass = nan: expected a finite number, not NaN')\n"
        "refused({ damping = { mass = 'auto' } }, 'damping.mass = \"auto\": expected a number from 0 to 9 1/s')\n"
        "refused({ damping = { mass = {} } }, 'damping.mass = a table: expected a number from 0 to 9 1/s')\n"
        "refused({ damping = { mas = 1 } }, 'damping.mas: unknown field; did you mean \"mass\"?')\n"
        "refused({ damping = { zz = 1, yy = 2 } }, 'damping.yy: unknown field; known are model, mass, limit')\n"
        "refused({ damping = { 'auto', model = 'auto' } },\n"
        "  'damping.model: given twice: as damping[1] too; leave one of them out')\n"
        "refused({ dampin = 'auto' }, 'dampin: unknown field; did you mean \"damping\"?')\n"
        "refused({ ['damping.mass'] = 1 }, 'damping.mass: unknown field; known are substep, damping')\n"
        "refused({ substep = 'atuo' }, "
        "'substep = \"atuo\": expected \"auto\" or a number greater than 0; did you mean \"auto\"?')\n"
        "refused({ substep = 0/0 }, 'substep = nan: expected a finite number, not NaN')\n"
        "refused({ substep = 1/0 }, 'substep = inf: expected a finite number, not infinity')\n"
        "refused({ substep = 0 }, 'substep = 0: expected \"auto\" or a number greater than 0')\n"
        "refused({ substep = {} }, 'substep = a table: expected \"auto\" or a number greater than 0')\n");
}

static void test_lists_show_a_records_fields(void **state)
{
    (void)state;
    run("local names = {}\n"
        "for i, option in ipairs(list()) do names[i] = option.name .. '=' .. option.default end\n"
        "names = table.concat(names, ' ')\n"
        "assert(names == 'substep=\"auto\" damping=\"none\" damping.model=\"rayleigh\" damping.mass=0.5 '\n"
        "  .. 'damping.limit=\"off\"', names)\n"
        "assert(list()[4].unit == '1/s' and list()[4].help == 'd0' and list()[4].range == '0 to 9 1/s')\n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_records_are_read),
    cmocka_unit_test(test_what_is_pushed_is_read_again),
    cmocka_unit_test(test_records_are_refused),
    cmocka_unit_test(test_lists_show_a_records_fields),
};
TIDE_TEST_SUITE(script_fields, tests)
