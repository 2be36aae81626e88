// `new`: writes a scene to start from.
#include "app/commands.h"
#include "session/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char template[] =
    "-- %s: a cloth that hangs from two corners.\n"
    "-- Run it:    springtide %s\n"
    "-- Change it: springtide %s --set stiffness=400, or edit this file. Units are m, kg, s, N; y is up.\n"
    "local tide = require \"springtide\"\n"
    "\n"
    "-- a parameter: its default, and what it may be\n"
    "local stiffness = tide.param(\"stiffness\", 100, { min = 1, max = 1e4, scale = \"log\", unit = \"N/m\" })\n"
    "\n"
    "local scene = tide.scene {\n"
    "  title = \"%s\",\n"
    "  timestep = 1 / 30,                                 -- s\n"
    "  gravity = { 0, -9.81, 0 },                         -- m/s^2\n"
    "  solver = { \"local_global\", iterations = 20 },      -- `springtide solvers` lists them all\n"
    "  ground = true,                                     -- solid, just below the scene; or its height\n"
    "}\n"
    "\n"
    "-- a body: a mesh (`springtide meshes` lists the builders) and what it is made of\n"
    "local columns, rows = 31, 31\n"
    "local cloth = scene:body(\"cloth\", {\n"
    "  mesh = tide.mesh.grid { columns = columns, rows = rows, width = 1, height = 1 },\n"
    "  mass = 0.3, stiffness = stiffness, bend = stiffness / 10,\n"
    "})\n"
    "cloth:pin { 1, columns }                             -- hold the two corners of the first row\n"
    "\n"
    "-- called before each step\n"
    "function scene.update()\n"
    "  local gust = 0.1 * math.sin(3 * scene.time)        -- N, to and fro, on the corner that hangs free\n"
    "  cloth:force(columns * rows, gust, 0, 0)\n"
    "end\n"
    "\n"
    "return scene\n";

// Copies the file's name, without folders and extension, to `title`.
static void title_of(const char *path, char *title, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(title, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(title, '.');
    if (dot)
        *dot = '\0';
}

static tide_status check_name(const char *path, const char *title, tide_error *error)
{
    if (title[0] == '\0' || strpbrk(title, "\"\\\n\r%"))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "new scene", "NAME", path,
                         "expected a file name without quotes, backslashes and percent signs");
    return tide_make_folders(path, error);
}

static tide_exit run_command(const char *const *subjects, void *unused)
{
    (void)unused;
    const char *name = subjects[0];
    size_t length = strlen(name);
    bool ended = length > 4 && strcmp(name + length - 4, ".lua") == 0;
    char path[1024], title[1024];
    tide_error error;
    if (length + 5 > sizeof path) {
        tide_fail(&error, TIDE_ERROR_ARGUMENT, "new scene", "NAME", NULL, "the name is too long");
        return tide_report_error(&error);
    }
    snprintf(path, sizeof path, "%s%s", name, ended ? "" : ".lua");
    title_of(path, title, sizeof title);
    if (check_name(path, title, &error) != TIDE_OK)
        return tide_report_error(&error);
    FILE *file = fopen(path, "wx"); // fails if the file exists
    bool good = file != NULL;
    if (good)
        good = fprintf(file, template, title, path, path, title) > 0;
    if (file && fclose(file) != 0)
        good = false;
    if (!good) {
        tide_fail(&error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot be written: %s",
                  errno == EEXIST ? "there is such a file already; choose another name" : strerror(errno));
        return tide_report_error(&error);
    }
    printf("%s\nRun it with: springtide %s\n", path, path);
    return TIDE_EXIT_DONE;
}

const tide_command tide_command_new = { "new", "NAME", "write NAME.lua, a short scene to start from",
                                        "A file that exists is left alone.", .run = run_command };
