#define _GNU_SOURCE // posix_spawn_file_actions_addchdir_np
#include "draw/plot.h"

#include "base/characters.h"
#include "base/output_file.h"
#include "base/signals.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// --- the script ------------------------------------------------------------------------------------------------------

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// In single quotes gnuplot reads every byte literally, except a newline, which ends the command, and a quote. In double
// quotes it reads \ooo as a byte, and following digits as part of it, so digits are written that way too.
void tide_plot_add_quoted(tide_text *text, const char *content)
{
    bool single = !tide_find_control(content) && !strchr(content, '\'');
    tide_text_add(text, single ? "'" : "\"", 1);
    for (; *content; content++) {
        if (single || is_letter(*content) || *content == ' ')
            tide_text_add(text, content, 1);
        else
            tide_text_format(text, "\\%03o", (unsigned)(unsigned char)*content);
    }
    tide_text_add(text, single ? "'" : "\"", 1);
}

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool is_name(const char *expression)
{
    bool all = isalpha((unsigned char)*expression) || *expression == '_';
    for (; *expression; expression++)
        all = all && is_part_of_name(*expression);
    return all;
}

static void add_column(tide_text *text, const char *name, size_t length)
{
    tide_text_format(text, "column('%.*s')", (int)length, name);
}

static void add_expression(tide_text *text, const char *expression)
{
    if (is_name(expression)) {
        add_column(text, expression, strlen(expression));
        return;
    }
    while (*expression) {
        if (*expression != '$') {
            tide_text_format(text, "%c", *expression++);
            continue;
        }
        const char *name = ++expression;
        while (is_part_of_name(*expression))
            expression++;
        add_column(text, name, (size_t)(expression - name));
    }
}

// Adds tics of a logarithmic axis that is too short for decades alone: 1, 2 and 5 of every decade.
static void add_short_tics(tide_text *text, char axis, double minimum, double maximum)
{
    static const int parts[] = { 1, 2, 5 };
    const char *comma = "";
    tide_text_format(text, "set format %c '%%g'\nset %ctics (", axis, axis);
    for (int decade = (int)floor(log10(minimum)); decade <= (int)floor(log10(maximum)); decade++)
        for (int i = 0; i < 3; i++) {
            double tic = parts[i] * pow(10, decade);
            if (tic < minimum || tic > maximum)
                continue;
            tide_text_format(text, "%s%.9g", comma, tic);
            comma = ", ";
        }
    tide_text_format(text, ")\n");
}

static void add_axis(tide_text *text, char axis, bool logarithmic, double minimum, double maximum)
{
    if (logarithmic)
        tide_text_format(text, "set logscale %c\nset format %c '%s'\n", axis, axis, axis == 'x' ? "%g" : "10^{%T}");
    if (!(minimum < maximum))
        return;
    tide_text_format(text, "set %crange [%.9g:%.9g]\n", axis, minimum, maximum);
    if (logarithmic && minimum > 0 && maximum / minimum < 1000)
        add_short_tics(text, axis, minimum, maximum);
}

static void add_curve(tide_text *text, const tide_plot_curve *curve, const char *csv)
{
    tide_plot_add_quoted(text, curve->csv ? curve->csv : csv);
    tide_text_format(text, " using (");
    if (curve->filter) {
        tide_text_format(text, "strcol(");
        tide_plot_add_quoted(text, curve->filter_column);
        tide_text_format(text, ") eq ");
        tide_plot_add_quoted(text, curve->filter);
        tide_text_format(text, " ? ");
    }
    add_expression(text, curve->x);
    tide_text_format(text, "%s):(", curve->filter ? " : NaN" : "");
    add_expression(text, curve->y);
    for (int i = 0; i < TIDE_PLOT_MORE_COLUMNS && curve->more[i]; i++) {
        tide_text_format(text, "):(");
        add_expression(text, curve->more[i]);
    }
    tide_text_format(text, ") with %s ", curve->style ? curve->style : "linespoints");
    if (curve->title) {
        tide_text_format(text, "title ");
        tide_plot_add_quoted(text, curve->title);
    } else
        tide_text_format(text, "notitle");
}

static void add_label(tide_text *text, const char *what, const char *label)
{
    if (!label)
        return;
    tide_text_format(text, "set %s ", what);
    tide_plot_add_quoted(text, label);
    tide_text_format(text, " noenhanced\n");
}

// Colours for colour-blind readers (Okabe and Ito 2008), each with its own mark.
static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#000000", "#8c564b" };
enum { COLOUR_COUNT = sizeof colours / sizeof colours[0] };

static void write_look(tide_text *text)
{
    static const int marks[] = { 7, 5, 9, 11, 13, 4, 6, 8 };
    for (int i = 0; i < 3 * COLOUR_COUNT; i++)
        tide_text_format(text, "set linetype %d linecolor rgb '%s' pointtype %d dashtype %d linewidth 1.5\n", i + 1,
                         colours[i % COLOUR_COUNT], marks[(i + i / COLOUR_COUNT) % COLOUR_COUNT], i / COLOUR_COUNT + 1);
    tide_text_format(text, "set border linecolor rgb '#404040'\n"
                           "set grid linecolor rgb '#dddddd' linewidth 0.7\n"
                           "set tics nomirror\n"
                           "set key outside right top Left reverse noenhanced samplen 2 spacing 1.3\n");
}

// Writes the script. `picture` can be set as a variable: gnuplot -e "picture = 'other.png'" NAME.gnuplot.
static void write_script(const tide_plot *plot, const char *name, const char *csv, tide_text *text)
{
    char picture[300];
    snprintf(picture, sizeof picture, "%s.png", name);
    tide_text_format(text, "set terminal pngcairo size 1100,640 font ',11' linewidth 1.2 background rgb 'white'\n"
                           "if (!exists('picture')) picture = ");
    tide_plot_add_quoted(text, picture);
    tide_text_format(text, "\nset output picture\n"
                           "set datafile separator ','\n"
                           "set datafile missing NaN\n");
    write_look(text);
    add_label(text, "title", plot->title);
    add_label(text, "xlabel", plot->x_label);
    add_label(text, "ylabel", plot->y_label);
    add_axis(text, 'x', plot->x_logarithmic, plot->x_minimum, plot->x_maximum);
    add_axis(text, 'y', plot->y_logarithmic, plot->y_minimum, plot->y_maximum);
    if (plot->more)
        tide_text_format(text, "%s\n", plot->more);
    for (uint32_t i = 0; i < plot->curve_count; i++) {
        tide_text_format(text, i ? ", \\\n     " : "plot ");
        add_curve(text, &plot->curves[i], csv);
    }
    tide_text_format(text, "\n");
}

// --- gnuplot ---------------------------------------------------------------------------------------------------------

static bool run_gnuplot(const char *folder, char *const *words, bool quiet)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (quiet) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    pid_t child;
    int state = 0;
    bool ran = posix_spawnp(&child, words[0], &actions, NULL, words, environ) == 0 &&
               waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ran;
}

bool tide_plot_available(void)
{
    static int known = -1;
    char program[] = "gnuplot", version[] = "--version", *words[] = { program, version, NULL };
    if (known < 0)
        known = run_gnuplot(".", words, true);
    return known;
}

static tide_status run_script(const char *folder, const char *path, const char *script, const tide_output *picture,
                              tide_error *error)
{
    tide_text command = { 0 };
    const char *name = tide_output_name(picture), *slash = strrchr(name, '/'); // gnuplot runs in the folder
    tide_text_format(&command, "picture = ");
    tide_plot_add_quoted(&command, slash ? slash + 1 : name);
    char program[] = "gnuplot", option[] = "-e";
    char *words[] = { program, option, command.bytes, (char *)(uintptr_t)script, NULL };
    tide_status status = TIDE_OK;
    if (command.failed)
        status = tide_fail_memory(error, "plot");
    else if (!run_gnuplot(folder, words, true) && !run_gnuplot(folder, words, false))
        status =
            tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL,
                      "gnuplot could not draw it; its message is above, what it was to do in %s beside it", script);
    tide_text_free(&command);
    return status;
}

// Draws the picture. An interrupt from the terminal waits until it is complete, for gnuplot too.
static tide_status draw(const char *folder, const char *path, const char *script, tide_error *error)
{
    tide_output *picture;
    tide_signals_hold();
    tide_status status = tide_output_open(path, path, TIDE_OUTPUT_REGULAR, &picture, error);
    if (status == TIDE_OK) {
        status = run_script(folder, path, script, picture, error);
        if (status == TIDE_OK)
            status = tide_output_close(picture, error);
        else
            tide_output_discard(picture);
    }
    tide_signals_release();
    return status;
}

tide_status tide_plot_write(const tide_plot *plot, const char *folder, const char *name, const char *csv, bool *drawn,
                            tide_error *error)
{
    char path[1024], picture[1024], script[300];
    *drawn = false;
    snprintf(script, sizeof script, "%s.gnuplot", name);
    snprintf(picture, sizeof picture, "%s/%s.png", folder, name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, script) >= sizeof path)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "plot", "folder", folder, "expected a shorter name");
    tide_text text = { 0 };
    write_script(plot, name, csv, &text);
    tide_status status = tide_text_save(&text, path, path, error);
    tide_text_free(&text);
    if (status != TIDE_OK || !tide_plot_available())
        return status;
    status = draw(folder, picture, script, error);
    *drawn = status == TIDE_OK;
    return status;
}
