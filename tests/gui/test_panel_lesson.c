// The panel of a lesson: its text, its marks, and what it asks for.
#include "panel_stand.h"

static const char scene[] =
    "local tide = require 'springtide'\n"
    "local scene = tide.scene {}\n"
    "scene:body('cloth', { mesh = tide.mesh.grid { columns = 3, rows = 3 }, mass = 1, stiffness = 10 })\n"
    "return scene\n";

static const char text[] = "# Springs\n\nThe energy of a spring is $E = \\frac{k}{2} s^2$.\n";

// A lesson that is marked by nobody.
static void open_lesson(stand *s, tide_lesson *lesson, const char *markdown)
{
    *lesson = (tide_lesson) { .scene = "scene.lua", .exercise = "mine/exercise.lua" };
    assert_ok(tide_markdown_read(markdown, strlen(markdown), &lesson->document, &error), error);
    set_up(s, scene);
    tide_panels_set_lesson(s->panels, lesson);
    turns(s, 3);
}

static void close_lesson(stand *s, tide_lesson *lesson)
{
    tear_down(s);
    tide_document_free(lesson->document);
}

static void assert_said(stand *s, const char *part, bool expected)
{
    if ((strstr(tide_panels_said(s->panels), part) != NULL) != expected) {
        print_error("%s \"%s\" in:\n%s", expected ? "there is no" : "there is", part, tide_panels_said(s->panels));
        fail();
    }
}

static void test_its_text_takes_the_right_side(void **state)
{
    (void)state;
    stand s;
    tide_lesson lesson;
    uint32_t from, to, to_without;
    open_lesson(&s, &lesson, text);
    assert_said(&s, "The energy of a spring is E = \\frac{k}{2} s^2.", true);
    assert_said(&s, "Statistics", false);
    tide_panels_free_width(s.panels, &from, &to);
    click(&s, "Results");
    assert_said(&s, "Statistics", true);
    assert_said(&s, "The energy", false);
    tide_panels_free_width(s.panels, &from, &to_without);
    assert_true(to_without > to + 100); // the lesson is wider
    click(&s, "Text");
    assert_said(&s, "The energy", true);
    close_lesson(&s, &lesson);
}

// The page is drawn: ink in the region, on the ground of pages.
static void test_its_page_is_in_the_picture(void **state)
{
    (void)state;
    stand s;
    tide_lesson lesson;
    float box[4];
    open_lesson(&s, &lesson, text);
    assert_true(tide_panels_find(s.panels, "lesson", box));
    size_t ground = 0, ink = 0;
    for (uint32_t y = (uint32_t)box[1] + 2; y < (uint32_t)box[1] + 80; y++)
        for (uint32_t x = (uint32_t)box[0] + 2; x < (uint32_t)box[2] - 20; x++) {
            const uint8_t *pixel = s.picture.image.pixels + 4 * ((size_t)y * 1280 + x);
            ground += pixel[0] == 0x17 && pixel[1] == 0x1b;
            ink += pixel[0] > 0x80;
        }
    assert_true(ground > 10000 && ink > 300);
    close_lesson(&s, &lesson);
}

static void test_it_scrolls(void **state)
{
    (void)state;
    stand s;
    tide_lesson lesson;
    tide_text long_text = { 0 };
    for (int i = 0; i < 100; i++)
        tide_text_format(&long_text, "Paragraph %d.\n\n", i);
    open_lesson(&s, &lesson, long_text.bytes);
    SDL_Event key = { .key = { .type = SDL_KEYDOWN, .keysym = { .sym = SDLK_PAGEDOWN, .mod = KMOD_LSHIFT } } };
    assert_true(tide_panels_event(s.panels, &key, 1));
    turns(&s, 3);
    float once = lesson.scroll;
    assert_true(once > 100);
    tide_panels_event(s.panels, &key, 1);
    turns(&s, 3);
    assert_near(lesson.scroll, 2 * once, 2);
    // Another window goes on there.
    tide_panels_destroy(s.panels);
    assert_ok(tide_panels_create(&s.panels, &error), error);
    tide_panels_set_lesson(s.panels, &lesson);
    turns(&s, 8);
    assert_near(lesson.scroll, 2 * once, 2);
    key.key.keysym.sym = SDLK_PAGEUP;
    for (int i = 0; i < 5; i++)
        tide_panels_event(s.panels, &key, 1);
    turns(&s, 3);
    assert_near(lesson.scroll, 0, 0.5);
    key.key.keysym.mod = KMOD_NONE; // is of the window: frames back
    assert_false(tide_panels_event(s.panels, &key, 1));
    close_lesson(&s, &lesson);
    tide_text_free(&long_text);
}

static void test_marks_and_hints(void **state)
{
    (void)state;
    stand s;
    tide_lesson lesson;
    tide_lesson_check checks[] = { { "the energy", "expected 2, got 1", "look at k", 0, 3 },
                                   { "the force", "", "never shown", 2, 2 } };
    open_lesson(&s, &lesson, text);
    lesson.state = TIDE_LESSON_MARKING;
    turn(&s);
    assert_said(&s, "being marked", true);
    // The marks at the opening are told in a line, and the text stays.
    lesson.checks = checks;
    lesson.check_count = 2;
    lesson.points = 2;
    lesson.of = 5;
    lesson.state = TIDE_LESSON_MARKED;
    lesson.marked = 1;
    turns(&s, 2);
    assert_said(&s, "2 of 5 points: see Marks", true);
    assert_said(&s, "The energy of a spring", true);
    // Those after a save are shown.
    lesson.marked = 2;
    turns(&s, 2);
    assert_said(&s, "the energy: 0 of 3", true);
    assert_said(&s, "expected 2, got 1", true);
    assert_said(&s, "Hint: look at k", true);
    assert_said(&s, "the force: 2 of 2", true);
    assert_said(&s, "never shown", false);
    assert_said(&s, "mine/exercise.lua", true);
    checks[0].points = 3;
    lesson.points = 5;
    turns(&s, 2);
    assert_said(&s, "5 of 5 points: done", true);
    assert_said(&s, "Hint", false);
    lesson.state = TIDE_LESSON_FAILED;
    snprintf(lesson.failure, sizeof lesson.failure, "exercise.lua:3: unexpected symbol");
    turns(&s, 2);
    assert_said(&s, "unexpected symbol", true);
    close_lesson(&s, &lesson);
}

static void test_the_other_scene(void **state)
{
    (void)state;
    stand s;
    tide_lesson lesson;
    open_lesson(&s, &lesson, text);
    assert_false(tide_panels_take_switch(s.panels));
    click(&s, "Show my exercise");
    assert_true(tide_panels_take_switch(s.panels));
    assert_false(tide_panels_take_switch(s.panels));
    lesson.on_exercise = true;
    turns(&s, 2);
    click(&s, "Show the demonstration");
    assert_true(tide_panels_take_switch(s.panels));
    tide_panels_set_lesson(s.panels, NULL);
    turns(&s, 2);
    assert_said(&s, "Statistics", true);
    assert_false(tide_panels_take_switch(s.panels));
    close_lesson(&s, &lesson);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_its_text_takes_the_right_side),
    cmocka_unit_test(test_its_page_is_in_the_picture),
    cmocka_unit_test(test_it_scrolls),
    cmocka_unit_test(test_marks_and_hints),
    cmocka_unit_test(test_the_other_scene),
};
TIDE_TEST_SUITE(panel_lesson, tests)
