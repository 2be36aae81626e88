#define _POSIX_C_SOURCE 200809L
#include "app/bench.h"

#include "app/output.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "springtide.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// --- the machine -----------------------------------------------------------------------------------------------------

static void read_processor(char *name, size_t size)
{
    char line[256];
    snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (file)
        fclose(file);
}

static void name_compiler(char *name, size_t size)
{
#if defined __clang__
    snprintf(name, size, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined __GNUC__
    snprintf(name, size, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    snprintf(name, size, "unknown compiler");
#endif
}

// --- making a table --------------------------------------------------------------------------------------------------

void tide_bench_table_begin(tide_bench_table *table, const char *const *columns, uint32_t column_count)
{
    *table = (tide_bench_table) { .columns = columns, .column_count = column_count };
    read_processor(table->processor, sizeof table->processor);
    name_compiler(table->compiler, sizeof table->compiler);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(table->about[0], sizeof table->about[0], "%s, %d of %ld processors; springtide %s, %s", table->processor,
             tide_threads(), processors, TIDE_VERSION, table->compiler);
}

tide_bench_table *tide_bench_report_table(tide_bench_report *report, const char *about, const char *const *columns,
                                          uint32_t column_count)
{
    tide_bench_table *table = &report->tables[report->count++];
    tide_bench_table_begin(table, columns, column_count);
    if (about)
        snprintf(table->about[0], sizeof table->about[0], "\n%s", about);
    return table;
}

static tide_bench_cell *add(tide_bench_table *table, double value)
{
    if (table->failed || !tide_grow(&table->cells, &table->capacity, table->cell_count + 1, sizeof *table->cells)) {
        table->failed = true;
        return NULL;
    }
    tide_bench_cell *cell = &table->cells[table->cell_count++];
    *cell = (tide_bench_cell) { .value = value };
    return cell;
}

void tide_bench_text(tide_bench_table *table, const char *text)
{
    tide_bench_cell *cell = add(table, NAN);
    if (cell)
        snprintf(cell->text, sizeof cell->text, "%s", text);
}

void tide_bench_value(tide_bench_table *table, double value)
{
    tide_bench_cell *cell = add(table, value);
    double size = fabs(value);
    int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    if (cell && isfinite(value))
        snprintf(cell->text, sizeof cell->text, "%.*f", size > 0 && size < 0.1 ? 4 : digits, value);
}

void tide_bench_count(tide_bench_table *table, uint64_t value)
{
    tide_bench_cell *cell = add(table, (double)value);
    if (cell)
        snprintf(cell->text, sizeof cell->text, "%" PRIu64, value);
}

void tide_bench_seconds(tide_bench_table *table, double seconds)
{
    tide_bench_value(table, seconds * 1e3);
}

// --- writing it ------------------------------------------------------------------------------------------------------

static const char *shown(const tide_bench_cell *cell)
{
    return cell->text[0] ? cell->text : "-";
}

// A column of texts goes to the left, one of numbers to the right.
static bool is_text(const tide_bench_table *table, uint32_t column)
{
    for (size_t i = column; i < table->cell_count; i += table->column_count)
        if (isfinite(table->cells[i].value))
            return false;
    return true;
}

static int width_of(const tide_bench_table *table, uint32_t column)
{
    size_t width = strlen(table->columns[column]);
    for (size_t i = column; i < table->cell_count; i += table->column_count) {
        size_t length = strlen(shown(&table->cells[i]));
        width = length > width ? length : width;
    }
    return (int)width;
}

// `row` 0 is the heading. `gap` stands between columns and, with `closed`, at both ends.
static void add_aligned_row(const tide_bench_table *table, size_t row, const char *gap, bool closed, tide_text *to)
{
    for (uint32_t c = 0; c < table->column_count; c++) {
        int width = width_of(table, c);
        const char *text = row ? shown(&table->cells[(row - 1) * table->column_count + c]) : table->columns[c];
        bool last = c + 1 == table->column_count && !closed;
        if (c || closed)
            tide_text_format(to, "%s", c ? gap : gap + 1);
        if (is_text(table, c))
            tide_text_format(to, "%-*s", last ? 0 : width, text);
        else
            tide_text_format(to, "%*s", width, text);
    }
    tide_text_format(to, "%s\n", closed ? " |" : "");
}

static size_t row_count(const tide_bench_table *table)
{
    return table->cell_count / table->column_count;
}

static void add_plain(const tide_bench_table *table, tide_text *to)
{
    for (int i = 0; i < 2; i++)
        if (table->about[i][0])
            tide_text_format(to, "%s\n", table->about[i]);
    tide_text_format(to, "\n");
    for (size_t row = 0; row <= row_count(table); row++)
        add_aligned_row(table, row, "  ", false, to);
}

static void add_markdown_rows(const tide_bench_table *table, tide_text *to)
{
    add_aligned_row(table, 0, " | ", true, to);
    for (uint32_t c = 0; c < table->column_count; c++) {
        tide_text_format(to, "|%s", is_text(table, c) ? ":" : "-");
        for (int i = 0; i < width_of(table, c); i++)
            tide_text_format(to, "-");
        tide_text_format(to, "%s", is_text(table, c) ? "-" : ":");
    }
    tide_text_format(to, "|\n");
    for (size_t row = 1; row <= row_count(table); row++)
        add_aligned_row(table, row, " | ", true, to);
}

static void add_markdown(const tide_bench_table *table, tide_text *to)
{
    if (table->markdown)
        tide_text_format(to, "%s", table->markdown);
    else
        add_markdown_rows(table, to);
    for (int i = 0; i < 2; i++)
        if (table->about[i][0])
            tide_text_format(to, "\n%s\n", table->about[i]);
}

static void add_csv_text(tide_text *to, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        tide_text_format(to, "%s", text);
        return;
    }
    tide_text_format(to, "\"");
    for (; *text; text++)
        tide_text_format(to, *text == '"' ? "\"\"" : "%c", *text);
    tide_text_format(to, "\"");
}

static void add_csv(const tide_bench_table *table, tide_text *to)
{
    if (table->csv) {
        tide_text_format(to, "%s", table->csv);
        return;
    }
    for (uint32_t c = 0; c < table->column_count; c++)
        tide_text_format(to, "%s,", table->columns[c]);
    tide_text_format(to, "processor,threads,compiler\n");
    for (size_t i = 0; i < table->cell_count; i++) {
        if (isfinite(table->cells[i].value))
            tide_text_format(to, "%.9g", table->cells[i].value);
        else
            add_csv_text(to, table->cells[i].text);
        tide_text_format(to, ",");
        if ((i + 1) % table->column_count)
            continue;
        add_csv_text(to, table->processor);
        tide_text_format(to, ",%d,%s\n", tide_threads(), table->compiler);
    }
}

static tide_status save(const tide_text *text, const char *path, tide_error *error)
{
    tide_status status = tide_make_folders(path, error);
    return status == TIDE_OK ? tide_text_save(text, path, "table", error) : status;
}

static tide_status finish(const tide_bench_table *tables, size_t count, const tide_arguments *arguments,
                          tide_error *error)
{
    tide_text plain = { 0 }, csv = { 0 }, markdown = { 0 };
    bool failed = false, any = false;
    for (size_t i = 0; i < count; i++) {
        failed = failed || tables[i].failed;
        if (failed || !tables[i].cell_count)
            continue;
        add_plain(&tables[i], &plain);
        if (markdown.length)
            tide_text_format(&markdown, "\n");
        add_markdown(&tables[i], &markdown);
        if (!any)
            add_csv(&tables[i], &csv);
        any = true;
    }
    failed = failed || plain.failed;
    tide_status status = failed ? tide_fail_memory(error, "bench") : TIDE_OK;
    if (status == TIDE_OK && any)
        fputs(plain.bytes, stdout);
    if (status == TIDE_OK && any && arguments->csv)
        status = save(&csv, arguments->csv, error);
    if (status == TIDE_OK && any && arguments->markdown)
        status = save(&markdown, arguments->markdown, error);
    tide_text_free(&plain);
    tide_text_free(&csv);
    tide_text_free(&markdown);
    return status;
}

tide_exit tide_bench_tables_end(tide_bench_table *tables, size_t count, const tide_arguments *arguments,
                                tide_exit so_far)
{
    tide_error error;
    if (so_far != TIDE_EXIT_USAGE && finish(tables, count, arguments, &error) != TIDE_OK)
        so_far = tide_report_error(&error);
    for (size_t i = 0; i < count; i++)
        tide_free(tables[i].cells);
    return so_far;
}

tide_exit tide_bench_table_end(tide_bench_table *table, const tide_arguments *arguments, tide_exit so_far)
{
    return tide_bench_tables_end(table, 1, arguments, so_far);
}
