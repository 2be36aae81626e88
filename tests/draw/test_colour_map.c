#include "tests.h"

#include "draw/colour_map.h"

#include <math.h>

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void test_oklab(void **state)
{
    (void)state;
    // as Ottosson's definition has it, computed apart from the code
    static const struct {
        tide_colour colour;
        double lab[3];
    } known[] = { { { 1, 1, 1, 1 }, { 1, 0, 0 } },
                  { { 0, 0, 0, 1 }, { 0, 0, 0 } },
                  { { 1, 0, 0, 1 }, { 0.62796, 0.22486, 0.12585 } },
                  { { 0, 1, 0, 1 }, { 0.86644, -0.23389, 0.17950 } },
                  { { 0, 0, 1, 1 }, { 0.45201, -0.03246, -0.31153 } } };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double lab[3];
        tide_colour_to_oklab(known[i].colour, lab);
        for (int k = 0; k < 3; k++)
            assert_near(lab[k], known[i].lab[k], 2e-5);
    }
}

static void check_even(tide_colour_map map, double least)
{
    tide_colour colours[TIDE_MAP_COLOURS];
    double lab[TIDE_MAP_COLOURS][3], length = 0;
    tide_colour_map_fill(map, colours);
    for (int i = 0; i < TIDE_MAP_COLOURS; i++) {
        const tide_colour *c = &colours[i];
        assert_true(c->r >= 0 && c->r <= 1 && c->g >= 0 && c->g <= 1 && c->b >= 0 && c->b <= 1 && c->a == 1);
        tide_colour_to_oklab(*c, lab[i]);
        length += i ? apart(lab[i], lab[i - 1]) : 0;
    }
    assert_true(length > least);
    double step = length / (TIDE_MAP_COLOURS - 1);
    for (int i = 1; i < TIDE_MAP_COLOURS; i++)
        assert_near(apart(lab[i], lab[i - 1]), step, 0.02 * step);
    for (int i = 1; i < TIDE_MAP_COLOURS && map != TIDE_MAP_SIGNED; i++)
        assert_true(lab[i][0] > lab[i - 1][0] + 0.2 * step);
    for (int i = 0; i < TIDE_MAP_COLOURS / 2 && map == TIDE_MAP_SIGNED; i++) {
        assert_near(lab[i][0], lab[TIDE_MAP_COLOURS - 1 - i][0], 1e-5);
        assert_true(lab[i + 1][0] > lab[i][0] || i + 1 == TIDE_MAP_COLOURS / 2);
    }
}

static void test_steps_look_equal(void **state)
{
    (void)state;
    check_even(TIDE_MAP_RISING, 0.6);
    check_even(TIDE_MAP_SIGNED, 0.6);
    check_even(TIDE_MAP_EMBER, 0.6);
    check_even(TIDE_MAP_GREY, 0.6);
}

static double linear(float c)
{
    return c <= 0.04045f ? (double)c / 12.92 : pow(((double)c + 0.055) / 1.055, 2.4);
}

static float srgb(double c)
{
    c = fmin(fmax(c, 0), 1);
    return (float)(c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055);
}

// As one who lacks the first, second or third cone sees them (Machado, Oliveira and Fernandes 2009, severity 1).
static tide_colour as_seen(tide_colour c, int lacking)
{
    static const double matrices[3][9] = {
        { 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998 },
        { 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881 },
        { 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900 }
    };
    const double *m = matrices[lacking], rgb[3] = { linear(c.r), linear(c.g), linear(c.b) };
    float out[3];
    for (int i = 0; i < 3; i++)
        out[i] = srgb(m[3 * i] * rgb[0] + m[3 * i + 1] * rgb[1] + m[3 * i + 2] * rgb[2]);
    return (tide_colour) { out[0], out[1], out[2], 1 };
}

// Colours a quarter of the map apart stay well apart (0.02 is about what can be told side by side), for everyone.
static void test_the_colour_blind_tell_them_apart(void **state)
{
    (void)state;
    for (int map = TIDE_MAP_RISING; map < TIDE_MAP_COUNT; map++)
        for (int lacking = 0; lacking < 3; lacking++) {
            tide_colour colours[TIDE_MAP_COLOURS];
            double lab[TIDE_MAP_COLOURS][3];
            tide_colour_map_fill((tide_colour_map)map, colours);
            for (int i = 0; i < TIDE_MAP_COLOURS; i++)
                tide_colour_to_oklab(as_seen(colours[i], lacking), lab[i]);
            for (int i = 0; i < TIDE_MAP_COLOURS; i++)
                for (int j = i + TIDE_MAP_COLOURS / 4; j < TIDE_MAP_COLOURS; j++)
                    assert_true(apart(lab[i], lab[j]) > 0.05);
            for (int i = 1; i < TIDE_MAP_COLOURS && map != TIDE_MAP_SIGNED; i++)
                assert_true(lab[i][0] > lab[i - 1][0]);
        }
}

static void test_between_and_beyond(void **state)
{
    (void)state;
    tide_colour colours[TIDE_MAP_COLOURS];
    tide_colour_map_fill(TIDE_MAP_RISING, colours);
    const double last = TIDE_MAP_COLOURS - 1;
    assert_near(tide_colour_map_at(colours, 10 / last).g, colours[10].g, 1e-6);
    assert_near(tide_colour_map_at(colours, 10.5 / last).g, 0.5 * ((double)colours[10].g + (double)colours[11].g),
                1e-6);
    assert_near(tide_colour_map_at(colours, 1).r, colours[TIDE_MAP_COLOURS - 1].r, 1e-6);
    assert_near(tide_colour_map_at(colours, 7).r, colours[TIDE_MAP_COLOURS - 1].r, 1e-6);
    assert_near(tide_colour_map_at(colours, -INFINITY).b, colours[0].b, 1e-6);
    tide_colour none = tide_colour_map_at(colours, NAN);
    assert_true(none.r == none.g && none.g == none.b);
}

static void test_names(void **state)
{
    (void)state;
    tide_error error;
    tide_colour_map found;
    const char *help;
    for (int map = 0; map < TIDE_MAP_COUNT; map++) {
        assert_ok(tide_colour_map_find(tide_colour_map_name((tide_colour_map)map, &help), "x", "y", &found, &error),
                  error);
        assert_int_equal(found, map);
        assert_true(help[0] != '\0');
    }
    assert_null(tide_colour_map_name(TIDE_MAP_COUNT, NULL));
    assert_fails(tide_colour_map_find("embers", "x", "y", &found, &error), error, "did you mean the map \"ember\"?");
    assert_fails(tide_colour_map_find("", "x", "y", &found, &error), error, "automatic, rising, signed, ember, grey");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_oklab),
    cmocka_unit_test(test_steps_look_equal),
    cmocka_unit_test(test_the_colour_blind_tell_them_apart),
    cmocka_unit_test(test_between_and_beyond),
    cmocka_unit_test(test_names),
};
TIDE_TEST_SUITE(draw_colour_map, tests)
