// Links: what is written is read again, and nothing else is read.
#include "tests.h"

#include "base/memory.h"
#include "formats/base64.h"
#include "formats/deflate.h"
#include "formats/link.h"

#include <stdio.h>
#include <string.h>

static tide_link example(void)
{
    static tide_link_pair modules[] = { { "parts.flags", "return { \"f\" }\n" } };
    static tide_link_pair parameters[] = { { "stiffness", "80.5" }, { "colour", "gr\xc3\xbcn" } };
    return (tide_link) { .name = "curtain-2",
                         .script = "local tide = require \"springtide\"\r\n\t-- \x01 \x7f \xc2\x85 \xe2\x82\xac "
                                   "\xf0\x9f\x8c\x8a \\n\nreturn tide.scene {}\n",
                         .modules = modules,
                         .module_count = 1,
                         .parameters = parameters,
                         .parameter_count = 2,
                         .solver = "newton,iterations=5",
                         .timestep = 1.0 / 60,
                         .seed = TIDE_LINK_LARGEST_SEED,
                         .has_camera = true,
                         .position = { 1, 2.5, -3 },
                         .up = { 0, 1, 0 },
                         .field_of_view = 0.75,
                         .frame = 120,
                         .has_hash = true,
                         .hash = 0x0123456789abcdef };
}

static void test_round_trip(void **unused)
{
    (void)unused;
    tide_link link = example(), *read;
    tide_text text = { 0 }, again = { 0 }, address = { 0 };
    tide_error error;
    assert_ok(tide_link_write(&link, &text, &error), error);
    assert_null(strpbrk(text.bytes, "+/= \n"));
    tide_text_format(&address, " https://example.org/tide/?renderer=software#%s\n", text.bytes);
    assert_ok(tide_link_read(address.bytes, address.length, &read, &error), error);
    assert_string_equal(read->script, link.script);
    assert_string_equal(read->modules[0].name, "parts.flags");
    assert_string_equal(read->parameters[1].text, link.parameters[1].text);
    assert_true(read->timestep == link.timestep && read->seed == link.seed && read->hash == link.hash);
    assert_true(read->position[1] == 2.5 && read->field_of_view == 0.75 && read->frame == 120);
    assert_ok(tide_link_write(read, &again, &error), error);
    assert_string_equal(again.bytes, text.bytes);
    tide_free(read);
    tide_text_free(&text);
    tide_text_free(&again);
    tide_text_free(&address);
}

#define HEAD "{\"springtide\":1,\"name\":\"a\",\"script\":\"return 1\""

static void test_content(void **unused)
{
    (void)unused;
    static const struct {
        const char *json, *message;
    } refused[] = {
        { "", "its content is not what a link" },
        { "[]", "its content is not what a link" },
        { "{}", "its content is not what a link" },
        { "{\"name\":\"a\",\"springtide\":1}", "its content is not what a link" },
        { "{\"springtide\":0}", "its content is not what a link" },
        { "{\"springtide\":2,\"new\":true}", "made by a newer version of Springtide, in format 2" },
        { "{\"springtide\":1.5}", "link: springtide = 1.5: expected a whole number" },
        { HEAD "}", "link: frame: missing" },
        { HEAD ",\"frame\":1} ", NULL },
        { HEAD ",\"frame\":1e2}", NULL },
        { HEAD ",\"frame\":1}x", "its content is not" },
        { HEAD ",\"frame\":1,}", "its content is not" },
        { HEAD ",\"frame\":01}", "its content is not" },
        { HEAD ",\"frame\":+1}", "its content is not" },
        { HEAD ",\"frame\":.5}", "its content is not" },
        { HEAD ",\"frame\":\"1\"}", "its content is not" },
        { HEAD ",\"frame\":-1}", "link: frame = -1: expected a whole number from 0 to 1000000" },
        { HEAD ",\"frame\":1e999}", "link: frame = inf: expected" },
        { HEAD ",\"frame\":1000001}", "link: frame = 1000001: expected" },
        { HEAD ",\"frame\":1,\"frame\":1}", "link: frame: it is given twice" },
        { HEAD ",\"frame\":1,\"extra\":1}", "link: \"extra\": unknown" },
        { HEAD ",\"frame\":1,\"hash\":\"0123456789ABCDEF\"}", "expected 16 hexadecimal digits" },
        { HEAD ",\"frame\":1,\"hash\":\"123\"}", "expected 16 hexadecimal digits" },
        { HEAD ",\"frame\":1,\"timestep\":0}", "link: timestep = 0: expected a number" },
        { HEAD ",\"frame\":1,\"timestep\":-1e999}", "link: timestep = -inf: expected" },
        { HEAD ",\"frame\":1,\"seed\":9007199254740993}", "link: seed = 9007199254740992: expected" },
        { HEAD ",\"frame\":1,\"solver\":\"\"}", "link: solver = \"\": expected a text" },
        { HEAD ",\"frame\":1,\"solver\":\"a\\u001bb\"}", "without control characters" },
        { HEAD ",\"frame\":1,\"modules\":{\"../a\":\"\"}}", "link: modules = \"../a\": expected a module's name" },
        { HEAD ",\"frame\":1,\"modules\":{\"springtide.wind\":\"\"}}", "not one of the library" },
        { HEAD ",\"frame\":1,\"modules\":{\"a\":\"\",\"a\":\"\"}}", "it is given twice" },
        { HEAD ",\"frame\":1,\"modules\":{}}", NULL },
        { HEAD ",\"frame\":1,\"modules\":[]}", "its content is not" },
        { HEAD ",\"frame\":1,\"parameters\":{\"k\":5}}", "its content is not" },
        { HEAD ",\"frame\":1,\"parameters\":{\"k\":{\"k\":{}}}}", "its content is not" },
        { HEAD ",\"frame\":1,\"camera\":[1,2,3,4,5,6,0,1,0,0.7]}", NULL },
        { HEAD ",\"frame\":1,\"camera\":[1,2,3,1,2,3,0,1,0,0.7]}", "expected a target apart from its position" },
        { HEAD ",\"frame\":1,\"camera\":[1,2,3,4,5,6,0,1,0]}", "its content is not" },
        { HEAD ",\"frame\":1,\"camera\":[1,2,3,4,5,6,0,1,0,9]}", "link: camera = 9: expected" },
        { HEAD ",\"frame\":1,\"camera\":[1e10,2,3,4,5,6,0,1,0,1]}", "link: camera = 10000000000: expected" },
        { "{\"springtide\":1,\"name\":\"../a\"}", "link: name = \"../a\": expected a name" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"\"}", "expected the text of a scene" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"\\u0000\"}", "its content is not" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"\\ud800\"}", "its content is not" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"\\ud800\\u0041\"}", "its content is not" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"\\x41\"}", "its content is not" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"\xff\"}", "its content is not" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"\xc0\x80\"}", "its content is not" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"\xed\xa0\x80\"}", "its content is not" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"a\nb\"}", "its content is not" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"a\\", "its content is not" },
        { "{\"springtide\":1,\"name\":\"a\",\"script\":\"\\ud83c\\udf0a\",\"frame\":0}", NULL },
        { "\xef\xbb\xbf" HEAD ",\"frame\":1}", "its content is not" },
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        tide_link *link = NULL;
        tide_error error;
        tide_status status = tide_link_read_json(refused[i].json, strlen(refused[i].json), &link, &error);
        if (refused[i].message)
            tide_test_fails(status, &error, refused[i].message, refused[i].json, __FILE__, __LINE__);
        else
            tide_test_ok(status, &error, refused[i].json, __FILE__, __LINE__);
        tide_free(link);
    }
}

static void test_many_pairs(void **unused)
{
    (void)unused;
    tide_text json = { 0 };
    tide_link *link;
    tide_error error;
    tide_text_format(&json, HEAD ",\"parameters\":{");
    for (int i = 0; i <= TIDE_LINK_MOST_PAIRS; i++)
        tide_text_format(&json, "%s\"p%d\":\"1\"", i ? "," : "", i);
    tide_text_format(&json, "},\"frame\":1}");
    assert_fails(tide_link_read_json(json.bytes, json.length, &link, &error), error, "parameters: expected at most 64");
    tide_text_free(&json);
}

// Some bits of deflate carry nothing: those that fill the last byte.
static void check_same_or_refused(const tide_text *text, const tide_link *link)
{
    tide_link *read;
    tide_error error;
    tide_text content = { 0 }, expected = { 0 };
    if (tide_link_read(text->bytes, text->length, &read, &error) == TIDE_OK) {
        tide_link_write_json(read, &content);
        tide_link_write_json(link, &expected);
        assert_string_equal(content.bytes, expected.bytes);
        tide_free(read);
    }
    tide_text_free(&content);
    tide_text_free(&expected);
}

// Each prefix and each changed character of a link is refused as damaged, or holds the same.
static void test_damage(void **unused)
{
    (void)unused;
    tide_link link = example(), *read;
    tide_text text = { 0 };
    tide_error error;
    assert_ok(tide_link_write(&link, &text, &error), error);
    assert_fails(tide_link_read(text.bytes, 0, &read, &error), error, "link: empty");
    for (size_t size = 1; size < text.length; size++)
        assert_fails(tide_link_read(text.bytes, size, &read, &error), error, "link: damaged");
    for (size_t at = 0; at < text.length; at++)
        for (int bit = 0; bit < 7; bit++) {
            char before = text.bytes[at];
            text.bytes[at] = (char)(before ^ 1 << bit);
            if (text.bytes[at] != '#') // it begins the link anew
                check_same_or_refused(&text, &link);
            text.bytes[at] = before;
        }
    tide_text_add(&text, "AAAA", 4);
    assert_fails(tide_link_read(text.bytes, text.length, &read, &error), error, "link: damaged");
    assert_fails(tide_link_read("\0\0\0\0", 4, &read, &error), error, "link: damaged");
    tide_text_free(&text);
}

static void pack(const void *bytes, size_t size, tide_text *out)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text packed = { 0 };
    tide_error error;
    assert_ok(tide_deflate(bytes, size, &packed, &error), error);
    tide_base64url_add(out, packed.bytes, packed.length);
}

static void test_limits(void **unused)
{
    (void)unused;
    enum { SIZE = 100 << 20 };
    char *zeros = tide_allocate_zeroed(1, SIZE);
    tide_text text = { 0 };
    tide_link *read;
    tide_error error;
    assert_non_null(zeros);
    pack(zeros, SIZE, &text);
    assert_true(text.length < 200000);
    size_t before = tide_memory_count().peak_bytes;
    assert_fails(tide_link_read(text.bytes, text.length, &read, &error), error, "larger than 4000000 bytes");
    assert_true(tide_memory_count().peak_bytes - before < 20 << 20);
    tide_text_clear(&text);
    memset(zeros, '[', 1000000);
    pack(zeros, 1000000, &text);
    assert_fails(tide_link_read(text.bytes, text.length, &read, &error), error, "its content is not");
    memset(zeros, 'A', TIDE_LINK_LARGEST + 1);
    assert_fails(tide_link_read(zeros, TIDE_LINK_LARGEST + 1, &read, &error), error, "longer than 1000000 characters");
    memset(zeros, 'x', TIDE_LINK_LARGEST_CONTENT);
    const tide_link large = { .name = "a", .script = zeros };
    assert_fails(tide_link_write(&large, &text, &error), error, "script: it and its modules are larger");
    tide_text_free(&text);
    tide_free(zeros);
}

static void test_base64(void **unused)
{
    (void)unused;
    static const char *const pairs[][2] = { { "f", "Zg" }, { "fo", "Zm8" }, { "foo", "Zm9v" }, { "\xfb\xff", "-_8" } };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        tide_text out = { 0 }, back = { 0 };
        tide_base64url_add(&out, pairs[i][0], strlen(pairs[i][0]));
        assert_string_equal(out.bytes, pairs[i][1]);
        assert_true(tide_base64url_read(out.bytes, out.length, &back));
        assert_string_equal(back.bytes, pairs[i][0]);
        tide_text_free(&out);
        tide_text_free(&back);
    }
    static const char *const wrong[] = { "Z", "Zh", "Zm9", "Zg==", "Zm9vZ", "Z g", "-+", "Zm\x80v" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tide_text back = { 0 };
        assert_false(tide_base64url_read(wrong[i], strlen(wrong[i]), &back));
        tide_text_free(&back);
    }
}

static uint32_t countdown;

static bool fail_at(size_t size, void *unused)
{
    (void)size;
    (void)unused;
    return countdown-- == 0;
}

static void test_every_allocation_may_fail(void **unused)
{
    (void)unused;
    const tide_link link = example();
    size_t before = tide_memory_count().blocks;
    tide_status status = TIDE_ERROR_MEMORY;
    for (uint32_t n = 0; status != TIDE_OK; n++) {
        tide_link *read = NULL;
        tide_text text = { 0 };
        tide_error error;
        countdown = n;
        tide_memory_set_failure_hook(fail_at, NULL);
        status = tide_link_write(&link, &text, &error);
        if (status == TIDE_OK)
            status = tide_link_read(text.bytes, text.length, &read, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
        tide_free(read);
        tide_text_free(&text);
        assert_int_equal(tide_memory_count().blocks, before);
        assert_true(n < 1000);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_allocation_may_fail),
    cmocka_unit_test(test_round_trip),
    cmocka_unit_test(test_content),
    cmocka_unit_test(test_many_pairs),
    cmocka_unit_test(test_damage),
    cmocka_unit_test(test_limits),
    cmocka_unit_test(test_base64),
};

TIDE_TEST_SUITE(link, tests)
