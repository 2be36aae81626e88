#include "session/course_html.h"

#include "base/log.h"
#include "formats/formula.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
    const tide_course_page *page;
    tide_text *html;
    tide_text instead; // of the picture that is open
    bool in_picture, linked;
} writer;

static void add(tide_text *html, const char *markup)
{
    tide_text_add(html, markup, strlen(markup));
}

// --- links -----------------------------------------------------------------------------------------------------------

static const tide_course_lesson *lesson_at(const tide_course *course, const char *target)
{
    for (uint32_t i = 0; i < course->count; i++) {
        size_t length = strlen(course->lessons[i].name);
        if (strncmp(target, "../", 3) == 0 && strncmp(target + 3, course->lessons[i].name, length) == 0 &&
            (!target[3 + length] || target[3 + length] == '/'))
            return &course->lessons[i];
    }
    return NULL;
}

// Writes where a link leads from the page; false: the page cannot offer it.
static bool resolve(const tide_course_page *page, const char *target, char *link, size_t size)
{
    const tide_course_lesson *lesson = lesson_at(page->course, target);
    if (lesson)
        return snprintf(link, size, "%s.html", lesson->name) < (int)size;
    if (strncmp(target, "https://", 8) == 0 || strncmp(target, "http://", 7) == 0 || target[0] == '#')
        return snprintf(link, size, "%s", target) < (int)size;
    bool plain = target[0] && !strpbrk(target, "/\\:?#%") && target[0] != '.';
    return plain && page->offer && page->offer(page->context, target) &&
           snprintf(link, size, "%s/%s", page->course->lessons[page->lesson].name, target) < (int)size;
}

static void write_link(writer *w, const tide_mark *mark)
{
    char link[PATH_MAX];
    if (mark->closes) {
        add(w->html, w->linked ? "</a>" : "");
        return;
    }
    w->linked = resolve(w->page, mark->text, link, sizeof link);
    if (w->linked)
        tide_html_add_element(w->html, "<a href=\"", link, "\">");
}

static void write_picture(writer *w, const tide_mark *mark)
{
    char link[PATH_MAX];
    w->in_picture = !mark->closes;
    if (!mark->closes) {
        tide_text_clear(&w->instead);
        return;
    }
    const char *words = w->instead.length ? w->instead.bytes : "";
    if (!resolve(w->page, mark->text, link, sizeof link)) {
        tide_html_add_element(w->html, "<em>", words, "</em>");
        return;
    }
    tide_html_add_element(w->html, "<img src=\"", link, "\"");
    tide_html_add_element(w->html, " alt=\"", words, "\"/>");
}

// --- marks -----------------------------------------------------------------------------------------------------------

static void write_formula(writer *w, const tide_mark *mark)
{
    tide_formula *formula;
    tide_error error;
    char message[1200];
    if (tide_formula_read(mark->text, &formula, &error) == TIDE_OK) {
        tide_formula_write_mathml(formula, mark->level, w->html);
        tide_formula_free(formula);
        return;
    }
    tide_log(TIDE_LOG_WARNING, "%s/lesson.md: $%.80s$: %s", w->page->course->lessons[w->page->lesson].folder,
             mark->text, tide_error_text(&error, message, sizeof message));
    tide_html_add_element(w->html, "<code>", mark->text, "</code>");
}

static void write_list(writer *w, const tide_mark *mark)
{
    bool bullets = mark->level == UINT32_MAX;
    if (mark->closes)
        add(w->html, bullets ? "</ul>\n" : "</ol>\n");
    else if (bullets)
        add(w->html, "<ul>\n");
    else
        tide_text_format(w->html, "<ol start=\"%u\">\n", mark->level);
}

static void write_mark(writer *w, const tide_mark *mark)
{
    static const char *const names[][2] = {
        [TIDE_MARK_PARAGRAPH] = { "<p>", "</p>\n" },
        [TIDE_MARK_QUOTE] = { "<blockquote>\n", "</blockquote>\n" },
        [TIDE_MARK_ITEM] = { "<li>", "</li>\n" },
        [TIDE_MARK_CODE] = { "<pre><code>", "</code></pre>\n" },
        [TIDE_MARK_TABLE] = { "<table>\n", "</table>\n" },
        [TIDE_MARK_ROW] = { "<tr>", "</tr>\n" },
        [TIDE_MARK_STRONG] = { "<strong>", "</strong>" },
        [TIDE_MARK_EMPHASIS] = { "<em>", "</em>" },
        [TIDE_MARK_LITERAL] = { "<code>", "</code>" },
        [TIDE_MARK_RULE] = { "<hr/>\n", "" },
        [TIDE_MARK_SOFT_BREAK] = { "\n", "" },
        [TIDE_MARK_HARD_BREAK] = { "<br/>\n", "" },
    };
    switch (mark->kind) {
    case TIDE_MARK_TEXT:
        tide_html_add_text(w->html, mark->text);
        break;
    case TIDE_MARK_FORMULA:
        write_formula(w, mark);
        break;
    case TIDE_MARK_HEADING:
        tide_text_format(w->html, mark->closes ? "</h%u>\n" : "<h%u>", mark->level);
        break;
    case TIDE_MARK_LIST:
        write_list(w, mark);
        break;
    case TIDE_MARK_CELL:
        tide_text_format(w->html, mark->closes ? "</t%s>" : "<t%s>", mark->level ? "h" : "d");
        break;
    case TIDE_MARK_LINK:
        write_link(w, mark);
        break;
    default:
        add(w->html, names[mark->kind][mark->closes]);
    }
}

static void write_document(writer *w, const tide_document *document)
{
    for (size_t i = 0; i < document->count; i++) {
        const tide_mark *mark = &document->marks[i];
        if (mark->kind == TIDE_MARK_PICTURE)
            write_picture(w, mark);
        else if (!w->in_picture)
            write_mark(w, mark);
        else if (mark->kind == TIDE_MARK_TEXT || mark->kind == TIDE_MARK_FORMULA)
            add(&w->instead, mark->text);
    }
}

// --- pages -----------------------------------------------------------------------------------------------------------

static void begin_page(tide_text *html, const char *title)
{
    add(html, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
              "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    tide_html_add_element(html, "<title>", title, "</title>\n");
    add(html, "<link rel=\"stylesheet\" href=\"style.css\"/>\n</head>\n<body>\n");
}

static void write_step(tide_text *html, const char *name, const tide_course_lesson *lesson)
{
    tide_html_add_element(html, "<a href=\"", lesson->name, ".html\"");
    tide_text_format(html, " rel=\"%s\">%u. ", name, lesson->number);
    tide_html_add_element(html, "", lesson->title, "</a>\n");
}

static void write_navigation(const tide_course_page *page, tide_text *html)
{
    const tide_course_lesson *lessons = page->course->lessons;
    add(html, "<nav>\n<span>");
    if (page->lesson > 0)
        write_step(html, "prev", &lessons[page->lesson - 1]);
    add(html, "</span>\n<a href=\"index.html\">All lessons</a>\n<span>");
    if (page->lesson + 1 < page->course->count)
        write_step(html, "next", &lessons[page->lesson + 1]);
    add(html, "</span>\n</nav>\n");
}

tide_status tide_course_write_text(const tide_course_page *page, tide_text *html, tide_error *error)
{
    tide_document *document;
    TIDE_TRY(tide_course_read(&page->course->lessons[page->lesson], &document, error));
    writer w = { .page = page, .html = html };
    write_document(&w, document);
    tide_text_free(&w.instead);
    tide_document_free(document);
    return html->failed ? tide_fail_memory(error, "course") : TIDE_OK;
}

tide_status tide_course_write_page(const tide_course_page *page, tide_text *html, tide_error *error)
{
    const tide_course_lesson *lesson = &page->course->lessons[page->lesson];
    begin_page(html, lesson->title);
    write_navigation(page, html);
    add(html, "<main>\n");
    if (page->picture) {
        tide_html_add_element(html, "<figure><img src=\"", page->picture, "\" alt=\"The scene of the lesson\"/>");
        tide_text_format(html, "<figcaption>The scene: <code>springtide course %u</code></figcaption></figure>\n",
                         lesson->number);
    }
    TIDE_TRY(tide_course_write_text(page, html, error));
    if (page->exercise)
        tide_html_add_element(html, "<h2>exercise.lua</h2>\n<pre><code>", page->exercise, "</code></pre>\n");
    add(html, "</main>\n");
    write_navigation(page, html);
    add(html, "</body>\n</html>\n");
    return html->failed ? tide_fail_memory(error, "course") : TIDE_OK;
}

void tide_course_write_index(const tide_course *course, const char *(*picture)(void *context, uint32_t lesson),
                             void *context, tide_text *html)
{
    begin_page(html, "Springtide: the course");
    add(html, "<main>\n<h1>Springtide: the course</h1>\n<ol class=\"lessons\">\n");
    for (uint32_t i = 0; i < course->count; i++) {
        const tide_course_lesson *lesson = &course->lessons[i];
        const char *file = picture(context, i);
        add(html, "<li>");
        tide_html_add_element(html, "<a href=\"", lesson->name, ".html\">");
        if (file)
            tide_html_add_element(html, "<img src=\"", file, "\" alt=\"\"/>");
        tide_text_format(html, "%u. ", lesson->number);
        tide_html_add_element(html, "", lesson->title, "</a></li>\n");
    }
    add(html, "</ol>\n</main>\n</body>\n</html>\n");
}

const char *tide_course_style(void)
{
    return ":root { color-scheme: light dark; --ink: #1d2430; --quiet: #5a6577; --ground: #fdfdfc; --plate: #f0f2f4;"
           " --line: #d4d9df; --link: #17608f; }\n"
           "@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --quiet: #9aa6b6; --ground: #14181e;"
           " --plate: #1e242d; --line: #343d49; --link: #7cc4f0; } }\n"
           "body { margin: 0; background: var(--ground); color: var(--ink);"
           " font: 1.05rem/1.55 \"Source Serif 4\", Georgia, \"DejaVu Serif\", serif; }\n"
           "main { max-width: 44rem; margin: 0 auto; padding: 1rem 1.2rem 2rem; }\n"
           "nav { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.3rem 1.5rem;"
           " padding: 0.7rem 1.2rem; background: var(--plate); font-family: system-ui, sans-serif;"
           " font-size: 0.9rem; }\n"
           "a { color: var(--link); }\n"
           "h1, h2, h3, h4 { font-family: system-ui, sans-serif; line-height: 1.25; margin: 1.8em 0 0.5em; }\n"
           "h1 { font-size: 1.8rem; margin-top: 0.8em; }\nh2 { font-size: 1.3rem; }\nh3 { font-size: 1.1rem; }\n"
           "pre { background: var(--plate); padding: 0.8rem 1rem; overflow-x: auto; line-height: 1.4; }\n"
           "code { font: 0.88em/1.4 ui-monospace, \"DejaVu Sans Mono\", monospace; }\n"
           "blockquote { margin: 1em 0; padding: 0 1rem; border-left: 3px solid var(--line); color: var(--quiet); }\n"
           "table { border-collapse: collapse; display: block; overflow-x: auto; }\n"
           "th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; }\n"
           "math { font-family: \"STIX Two Math\", \"Latin Modern Math\", \"Cambria Math\", math, serif;"
           " font-size: 1.05em; }\nmath[display=\"block\"] { margin: 0.9em 0; padding: 0.3em 0; overflow-x: "
           "auto; overflow-y: hidden; }\n"
           "img { max-width: 100%; height: auto; }\nfigure { margin: 1rem 0; }\n"
           "figcaption { color: var(--quiet); font-size: 0.9rem; }\n"
           "hr { border: 0; border-top: 1px solid var(--line); margin: 2em 0; }\n"
           ".lessons { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1.4rem;"
           " padding: 0; list-style: none; }\n.lessons img { display: block; margin-bottom: 0.3rem; }\n";
}
