// Figures of `bench`: a row each of the file that --csv writes, and what changed since an earlier one.
#include "app/bench.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void tide_bench_figure(tide_bench_figures *f, const char *scene, const char *name, double value, const char *unit)
{
    if (!isfinite(value))
        return;
    if (f->failed || !tide_grow(&f->list, &f->capacity, f->count + 1, sizeof *f->list)) {
        f->failed = true;
        return;
    }
    tide_bench_one_figure *added = &f->list[f->count++];
    *added = (tide_bench_one_figure) { .threads = tide_threads(), .value = value };
    snprintf(added->scene, sizeof added->scene, "%s", scene);
    snprintf(added->name, sizeof added->name, "%s", name);
    snprintf(added->unit, sizeof added->unit, "%s", unit);
}

double tide_bench_figure_find(const tide_bench_figures *f, const char *scene, int threads, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->list[i].scene, scene) == 0 && f->list[i].threads == threads && strcmp(f->list[i].name, name) == 0)
            return f->list[i].value;
    return NAN;
}

static void write_csv(const tide_bench_figures *f, tide_text *to)
{
    tide_text_format(to, "scene,threads,figure,value,unit\n");
    for (size_t i = 0; i < f->count; i++)
        tide_text_format(to, "%s,%d,%s,%.9g,%s\n", f->list[i].scene, f->list[i].threads, f->list[i].name,
                         f->list[i].value, f->list[i].unit);
}

static tide_status read_figures(const char *path, tide_bench_figures *before, tide_error *error)
{
    char line[256];
    FILE *file = fopen(path, "r");
    if (!file)
        return tide_fail(error, TIDE_ERROR_FILE, "command line", "--compare", path, "cannot be read: %s",
                         strerror(errno));
    tide_status status = TIDE_OK;
    for (int number = 1; status == TIDE_OK && fgets(line, sizeof line, file); number++) {
        tide_bench_one_figure one = { 0 };
        bool heading = number == 1 && strcmp(line, "scene,threads,figure,value,unit\n") == 0;
        int read = sscanf(line, "%63[^,\n],%d,%47[^,\n],%lf,%7[^,\n]", one.scene, &one.threads, one.name, &one.value,
                          one.unit);
        if ((number == 1) != heading || (!heading && (read != 5 || !isfinite(one.value))))
            status = tide_fail(error, TIDE_ERROR_FILE, "command line", "--compare", path,
                               "line %d is not one of a table of figures that `bench --csv` wrote", number);
        else if (!heading && !tide_grow(&before->list, &before->capacity, before->count + 1, sizeof *before->list))
            status = tide_fail_memory(error, "bench");
        else if (!heading)
            before->list[before->count++] = one;
    }
    if (status == TIDE_OK && before->count == 0)
        status = tide_fail(error, TIDE_ERROR_FILE, "command line", "--compare", path, "there are no figures in it");
    fclose(file);
    return status;
}

static void compare(const char *path, const tide_bench_figures *before, const tide_bench_figures *found,
                    tide_bench_table *table)
{
    static const char *const heads[] = { "scene", "threads", "figure", "unit", "before", "now", "change_%" };
    tide_bench_table_begin(table, heads, sizeof heads / sizeof *heads);
    snprintf(table->about[0], sizeof table->about[0], "\nagainst %s:", path);
    for (size_t i = 0; i < found->count; i++) {
        const tide_bench_one_figure *f = &found->list[i];
        double old = tide_bench_figure_find(before, f->scene, f->threads, f->name);
        if (isnan(old))
            continue;
        tide_bench_text(table, f->scene);
        tide_bench_count(table, (uint64_t)f->threads);
        tide_bench_text(table, f->name);
        tide_bench_text(table, f->unit);
        tide_bench_value(table, old);
        tide_bench_value(table, f->value);
        tide_bench_value(table, old == 0 ? NAN : 100 * (f->value / old - 1));
    }
}

tide_exit tide_bench_with_figures(const tide_arguments *arguments,
                                  tide_exit (*measure)(const tide_arguments *arguments, tide_bench_report *report))
{
    tide_bench_figures before = { 0 };
    tide_bench_report report = { 0 };
    tide_bench_table change = { 0 };
    tide_text csv = { 0 };
    tide_error error;
    if (arguments->compared_with && read_figures(arguments->compared_with, &before, &error) != TIDE_OK) {
        tide_report_error(&error);
        tide_free(before.list);
        return TIDE_EXIT_USAGE;
    }
    tide_exit exit = measure(arguments, &report);
    if (arguments->csv)
        write_csv(&report.figures, &csv);
    tide_bench_table *first = &report.tables[0];
    first->failed = first->failed || report.figures.failed || csv.failed;
    first->csv = csv.bytes;
    exit = tide_bench_tables_end(report.tables, report.count, arguments, exit);
    if (exit != TIDE_EXIT_USAGE && arguments->compared_with) {
        tide_arguments plain = *arguments;
        plain.csv = plain.markdown = NULL;
        compare(arguments->compared_with, &before, &report.figures, &change);
        exit = tide_bench_table_end(&change, &plain, exit);
    }
    tide_text_free(&csv);
    tide_free(before.list);
    tide_free(report.figures.list);
    return exit;
}
