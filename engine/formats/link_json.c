// The content of a link as JSON (RFC 8259). The reader knows the shape of the object, so nothing nests deeper than that
// shape, and it refuses what it does not know. scripts/web/page/link_content.js has the same rules and messages.
#include "formats/link.h"

#include "base/characters.h"
#include "base/decimal.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- words of JSON ---------------------------------------------------------------------------------------------------

typedef struct reader {
    const char *at, *end;
    tide_link *link; // owns what is read
    unsigned seen;   // a bit for each field of the object
    tide_error *error;
} reader;

static tide_status fail_json(reader *r)
{
    return tide_link_fail(r->error, NULL, NULL,
                          "its content is not what a link of format %d holds; it was not made by Springtide",
                          TIDE_LINK_VERSION);
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

static bool take(reader *r, char c)
{
    skip_blanks(r);
    bool there = r->at < r->end && *r->at == c;
    r->at += there;
    return there;
}

static bool read_unit(reader *r, unsigned *unit) // four hexadecimal digits
{
    *unit = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = r->at < r->end && *r->at ? strchr(digits, *r->at) : NULL;
        if (!digit)
            return false;
        *unit = *unit << 4 | (unsigned)((digit - digits) & 15);
    }
    return true;
}

static char *put_point(char *to, uint32_t point)
{
    if (point < 0x80) {
        *to++ = (char)point;
        return to;
    }
    int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = { 0, 0xc0, 0xe0, 0xf0 };
    *to++ = (char)(lead[more] | point >> (6 * more));
    while (more-- > 0)
        *to++ = (char)(0x80 | (point >> (6 * more) & 63));
    return to;
}

// Reads what follows a backslash. Refuses zeros and halves of surrogate pairs.
static bool read_escape(reader *r, char **to)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end || !*r->at)
        return false;
    char c = *r->at++;
    const char *name = strchr(names, c);
    if (name) {
        *(*to)++ = values[name - names];
        return true;
    }
    unsigned unit, low;
    if (c != 'u' || !read_unit(r, &unit) || unit == 0 || (unit >= 0xdc00 && unit < 0xe000))
        return false;
    if (unit >= 0xd800 && unit < 0xdc00) {
        if (r->end - r->at < 2 || *r->at++ != '\\' || *r->at++ != 'u' || !read_unit(r, &low) || low < 0xdc00 ||
            low >= 0xe000)
            return false;
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
    *to = put_point(*to, unit);
    return true;
}

// Returns the bytes of a character that a string may hold as it is; 0: none begins here.
static size_t character_length(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (bytes[0] == 0x7f)
        return 1;
    bool late_control = bytes[0] == 0xc2 && length > 1 && bytes[1] >= 0x80 && bytes[1] < 0xa0; // U+0080 to U+009F
    return late_control ? 2 : tide_printable_length(text, length);
}

// Reads a string; the link owns the text.
static tide_status read_string(reader *r, const char **text)
{
    if (!take(r, '"'))
        return fail_json(r);
    const char *close = r->at;
    while (close < r->end && *close != '"')
        close += *close == '\\' ? 2 : 1;
    if (close >= r->end)
        return fail_json(r);
    char *out = tide_own_array(r->link, (size_t)(close - r->at) + 1, 1), *to = out; // an escape is longer than its text
    if (!out)
        return tide_fail_memory(r->error, "link");
    while (r->at < close) {
        size_t size = character_length(r->at, (size_t)(close - r->at));
        if (*r->at == '\\') {
            r->at++;
            if (!read_escape(r, &to) || r->at > close)
                return fail_json(r);
            continue;
        }
        if (!size)
            return fail_json(r);
        memcpy(to, r->at, size);
        to += size;
        r->at += size;
    }
    r->at = close + 1;
    *to = '\0';
    *text = out;
    return TIDE_OK;
}

static bool take_digits(reader *r)
{
    const char *from = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return r->at > from;
}

static tide_status read_number(reader *r, double *number)
{
    char copy[64];
    skip_blanks(r);
    const char *from = r->at;
    r->at += r->at < r->end && *r->at == '-';
    bool zero = r->at < r->end && *r->at == '0', valid = true;
    if (zero)
        r->at++;
    else
        valid = take_digits(r);
    if (valid && r->at < r->end && *r->at == '.') {
        r->at++;
        valid = take_digits(r);
    }
    if (valid && r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        r->at += r->at < r->end && (*r->at == '+' || *r->at == '-');
        valid = take_digits(r);
    }
    size_t length = (size_t)(r->at - from);
    if (!valid || length >= sizeof copy)
        return fail_json(r);
    memcpy(copy, from, length);
    copy[length] = '\0';
    *number = tide_parse_decimal(copy, NULL);
    return TIDE_OK;
}

// --- fields ----------------------------------------------------------------------------------------------------------

static tide_status fail_value(reader *r, const char *field, const char *value, const char *expected)
{
    return tide_link_fail(r->error, field, value, "expected %s", expected);
}

// Copies the start of a text as a value for messages of one line.
static const char *show(const char *text, char shown[64])
{
    tide_format(shown, 64, "\"%.40s\"", text);
    for (char *c = shown; *c; c++)
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
    return shown;
}

static tide_status read_whole(reader *r, const char *field, double largest, uint64_t *whole)
{
    double number;
    char shown[64];
    TIDE_TRY(read_number(r, &number));
    tide_format(shown, sizeof shown, "%.16g", number);
    if (!(number >= 0 && number <= largest && number == floor(number)))
        return tide_link_fail(r->error, field, shown, "expected a whole number from 0 to %.0f", largest);
    *whole = (uint64_t)number;
    return TIDE_OK;
}

static tide_status read_limited(reader *r, const char *field, size_t largest, const char **text)
{
    char shown[64];
    TIDE_TRY(read_string(r, text));
    if (!(*text)[0] || strlen(*text) > largest || tide_find_unprintable(*text))
        return tide_link_fail(r->error, field, show(*text, shown),
                              "expected a text of 1 to %zu bytes without control characters", largest);
    return TIDE_OK;
}

static bool is_name_of(const char *name, const char *also)
{
    size_t length = strlen(name);
    for (const char *c = name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr(also, *c)))
            return false;
    return length > 0 && length <= TIDE_LINK_NAME_SIZE;
}

bool tide_link_is_name(const char *name)
{
    return is_name_of(name, "-_");
}

bool tide_link_is_module(const char *name)
{
    return is_name_of(name, "-_.") && name[0] != '.' && name[strlen(name) - 1] != '.' && !strstr(name, "..") &&
           strcmp(name, "springtide") != 0 && strncmp(name, "springtide.", 11) != 0;
}

bool tide_link_is_text(const char *bytes, size_t size)
{
    size_t at = 0, length = 1;
    for (; at < size && length; at += length) {
        bool control = bytes[at] > 0 && (unsigned char)bytes[at] < 0x20;
        length = control ? 1 : character_length(bytes + at, size - at);
    }
    return length > 0;
}

static tide_status read_name(reader *r)
{
    char shown[64];
    TIDE_TRY(read_string(r, &r->link->name));
    return tide_link_is_name(r->link->name) ? TIDE_OK
                                            : fail_value(r, "name", show(r->link->name, shown),
                                                         "a name of 1 to 64 letters, digits, hyphens and underscores");
}

static tide_status read_script(reader *r)
{
    TIDE_TRY(read_string(r, &r->link->script));
    return r->link->script[0] ? TIDE_OK : fail_value(r, "script", "\"\"", "the text of a scene");
}

static tide_status read_pair(reader *r, bool module, tide_link_pair *pair)
{
    char shown[64];
    if (module) {
        TIDE_TRY(read_string(r, &pair->name));
        if (!tide_link_is_module(pair->name))
            return fail_value(r, "modules", show(pair->name, shown),
                              "a module's name like \"flags\" or \"parts.flags\", not one of the library");
    } else
        TIDE_TRY(read_limited(r, "parameters", TIDE_LINK_NAME_SIZE, &pair->name));
    if (!take(r, ':'))
        return fail_json(r);
    return module ? read_string(r, &pair->text) : read_limited(r, pair->name, TIDE_LINK_VALUE_SIZE, &pair->text);
}

// Reads an object of texts.
static tide_status read_pairs(reader *r, const char *field, tide_link_pair **pairs, uint32_t *count)
{
    bool module = strcmp(field, "modules") == 0;
    char shown[64];
    if (!take(r, '{'))
        return fail_json(r);
    *pairs = tide_own_zeroed(r->link, TIDE_LINK_MOST_PAIRS, sizeof **pairs);
    if (!*pairs)
        return tide_fail_memory(r->error, "link");
    if (take(r, '}'))
        return TIDE_OK;
    do {
        if (*count == TIDE_LINK_MOST_PAIRS)
            return tide_link_fail(r->error, field, NULL, "expected at most %d", TIDE_LINK_MOST_PAIRS);
        tide_link_pair *pair = &(*pairs)[*count];
        TIDE_TRY(read_pair(r, module, pair));
        for (uint32_t i = 0; i < *count; i++)
            if (strcmp((*pairs)[i].name, pair->name) == 0)
                return tide_link_fail(r->error, field, show(pair->name, shown), "it is given twice");
        ++*count;
    } while (take(r, ','));
    return take(r, '}') ? TIDE_OK : fail_json(r);
}

static tide_status read_solver(reader *r)
{
    return read_limited(r, "solver", TIDE_LINK_VALUE_SIZE, &r->link->solver);
}

static tide_status read_bounded(reader *r, const char *field, double least, double largest, double *number)
{
    char shown[64];
    TIDE_TRY(read_number(r, number));
    tide_format(shown, sizeof shown, "%.16g", *number);
    return *number >= least && *number <= largest
               ? TIDE_OK
               : tide_link_fail(r->error, field, shown, "expected a number from %.10g to %.10g", least, largest);
}

// The camera is the list of 3 numbers each of position, target and up, and the field of view.
static tide_status read_camera(reader *r)
{
    tide_link *link = r->link;
    double numbers[10], apart = 0, up = 0;
    if (!take(r, '['))
        return fail_json(r);
    for (int i = 0; i < 10; i++) {
        if (i > 0 && !take(r, ','))
            return fail_json(r);
        TIDE_TRY(read_bounded(r, "camera", i < 9 ? -1e9 : 0.001, i < 9 ? 1e9 : 3, &numbers[i]));
    }
    if (!take(r, ']'))
        return fail_json(r);
    for (int k = 0; k < 3; k++) {
        link->position[k] = numbers[k];
        link->target[k] = numbers[3 + k];
        link->up[k] = numbers[6 + k];
        apart += fabs(numbers[k] - numbers[3 + k]);
        up += fabs(numbers[6 + k]);
    }
    link->field_of_view = numbers[9];
    link->has_camera = true;
    return apart > 1e-9 && up > 1e-9 ? TIDE_OK
                                     : tide_link_fail(r->error, "camera", NULL,
                                                      "expected a target apart from its position, and a direction up");
}

static tide_status read_hash(reader *r)
{
    const char *text;
    char shown[64];
    TIDE_TRY(read_string(r, &text));
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return fail_value(r, "hash", show(text, shown), "16 hexadecimal digits");
    r->link->hash = strtoull(text, NULL, 16);
    r->link->has_hash = true;
    return TIDE_OK;
}

static const char *const fields[] = { "springtide", "name", "script", "modules", "parameters", "solver",
                                      "timestep",   "seed", "camera", "frame",   "hash" };
enum { VERSION, NAME, SCRIPT, MODULES, PARAMETERS, SOLVER, TIMESTEP, SEED, CAMERA, FRAME, HASH, FIELDS };

static tide_status read_version(reader *r)
{
    uint64_t version;
    TIDE_TRY(read_whole(r, "springtide", 1e9, &version));
    if (version > TIDE_LINK_VERSION)
        return tide_link_fail(r->error, NULL, NULL,
                              "made by a newer version of Springtide, in format %" PRIu64
                              " where this one reads %d; open it with a newer one",
                              version, TIDE_LINK_VERSION);
    return version == TIDE_LINK_VERSION ? TIDE_OK : fail_json(r);
}

static tide_status read_value(reader *r, int field)
{
    tide_link *link = r->link;
    switch (field) {
    case VERSION:
        return read_version(r);
    case NAME:
        return read_name(r);
    case SCRIPT:
        return read_script(r);
    case MODULES:
        return read_pairs(r, fields[field], &link->modules, &link->module_count);
    case PARAMETERS:
        return read_pairs(r, fields[field], &link->parameters, &link->parameter_count);
    case SOLVER:
        return read_solver(r);
    case TIMESTEP:
        return read_bounded(r, fields[field], 1e-9, 1000, &link->timestep);
    case SEED:
        return read_whole(r, fields[field], TIDE_LINK_LARGEST_SEED, &link->seed);
    case CAMERA:
        return read_camera(r);
    case FRAME:
        return read_whole(r, fields[field], TIDE_LINK_MOST_FRAMES, &link->frame);
    default:
        return read_hash(r);
    }
}

static tide_status read_field(reader *r)
{
    const char *name;
    char shown[64];
    int field = 0;
    TIDE_TRY(read_string(r, &name));
    while (field < FIELDS && strcmp(fields[field], name) != 0)
        field++;
    if (!r->seen && field != VERSION)
        return fail_json(r);
    if (field == FIELDS)
        return tide_link_fail(r->error, show(name, shown), NULL,
                              "unknown: a link of format %d has no such field; it was not made by Springtide",
                              TIDE_LINK_VERSION);
    if (r->seen & 1u << field)
        return tide_link_fail(r->error, fields[field], NULL, "it is given twice");
    r->seen |= 1u << field;
    return take(r, ':') ? read_value(r, field) : fail_json(r);
}

static tide_status read_object(reader *r)
{
    if (!take(r, '{'))
        return fail_json(r);
    do
        TIDE_TRY(read_field(r));
    while (take(r, ','));
    if (!take(r, '}'))
        return fail_json(r);
    skip_blanks(r);
    if (r->at != r->end)
        return fail_json(r);
    for (int field = NAME; field <= FRAME; field++)
        if ((field == NAME || field == SCRIPT || field == FRAME) && !(r->seen & 1u << field))
            return tide_link_fail(r->error, fields[field], NULL, "missing; each link has it");
    return TIDE_OK;
}

tide_status tide_link_read_json(const char *json, size_t size, tide_link **link, tide_error *error)
{
    tide_link *read = tide_allocate_zeroed(1, sizeof *read);
    reader r = { json, json + size, read, 0, error };
    tide_status status = !read ? tide_fail_memory(error, "link") : size ? read_object(&r) : fail_json(&r);
    if (status == TIDE_OK)
        *link = read;
    else
        tide_free(read);
    return status;
}

// --- writing ---------------------------------------------------------------------------------------------------------

// Writes a string as JSON.stringify does.
static void add_string(tide_text *json, const char *text)
{
    static const char names[] = "\"\\bfnrt", values[] = "\"\\\b\f\n\r\t";
    tide_text_add(json, "\"", 1);
    for (const char *c = text; *c; c++) {
        const char *value = strchr(values, *c);
        if (value)
            tide_text_format(json, "\\%c", names[value - values]);
        else if ((unsigned char)*c < 0x20)
            tide_text_format(json, "\\u%04x", *c);
        else
            tide_text_add(json, c, 1);
    }
    tide_text_add(json, "\"", 1);
}

static void add_pairs(tide_text *json, const char *field, const tide_link_pair *pairs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tide_text_format(json, i ? "," : ",\"%s\":{", field);
        add_string(json, pairs[i].name);
        tide_text_add(json, ":", 1);
        add_string(json, pairs[i].text);
    }
    if (count)
        tide_text_add(json, "}", 1);
}

void tide_link_write_json(const tide_link *link, tide_text *json)
{
    tide_text_format(json, "{\"springtide\":%d,\"name\":", TIDE_LINK_VERSION);
    add_string(json, link->name);
    tide_text_format(json, ",\"script\":");
    add_string(json, link->script);
    add_pairs(json, "modules", link->modules, link->module_count);
    add_pairs(json, "parameters", link->parameters, link->parameter_count);
    if (link->solver) {
        tide_text_format(json, ",\"solver\":");
        add_string(json, link->solver);
    }
    if (link->timestep > 0)
        tide_text_format(json, ",\"timestep\":%.17g", link->timestep);
    if (link->seed)
        tide_text_format(json, ",\"seed\":%" PRIu64, link->seed);
    const double *const parts[] = { link->position, link->target, link->up };
    for (int i = 0; i < 9 && link->has_camera; i++)
        tide_text_format(json, "%s%.9g,", i ? "" : ",\"camera\":[", parts[i / 3][i % 3]);
    if (link->has_camera)
        tide_text_format(json, "%.9g]", link->field_of_view);
    tide_text_format(json, ",\"frame\":%" PRIu64, link->frame);
    if (link->has_hash)
        tide_text_format(json, ",\"hash\":\"%016" PRIx64 "\"", link->hash);
    tide_text_format(json, "}");
}
