// The Log panel: warnings are kept until the window has shown them as a notice.
#include "gui/panels.h"

#include "base/log.h"
#include "gui/panels_state.h"
#include "tests.h"

static tide_error error;

static void test_warnings_are_taken_once(void **state)
{
    (void)state;
    tide_panels *panels;
    char warnings[100];
    assert_ok(tide_panels_create(&panels, &error), error);
    assert_false(tide_panels_take_warnings(panels, warnings, sizeof warnings));
    tide_panels_log_line(panels, TIDE_LOG_INFO, "a line of the script");
    assert_false(tide_panels_take_warnings(panels, warnings, sizeof warnings));
    tide_panels_log_line(panels, TIDE_LOG_WARNING, "it is odd");
    tide_panels_log_line(panels, TIDE_LOG_WARNING, "it is odd"); // counted, not repeated
    tide_panels_add_warnings(panels, "one\ntwo");
    assert_true(tide_panels_take_warnings(panels, warnings, sizeof warnings));
    assert_string_equal(warnings, "it is odd\none\ntwo");
    assert_false(tide_panels_take_warnings(panels, warnings, sizeof warnings));
    tide_panels_destroy(panels);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_warnings_are_taken_once),
};
TIDE_TEST_SUITE(panel_log, tests)
