#include "session/inputs.h"

#include "base/decimal.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 4096 };
#define FARTHEST 1e9 // m, as in every world

// The parts of an input, in the order of the line. A name is never empty; a text may be.
typedef enum part {
    END,
    NAME,
    TEXT,
    BYTES, // a text of `size` bytes
    NUMBER,
    POINT,
    PIXEL, // point[0], point[1]
    BUTTON,
    GRIP,
    VERTEX,
    OTHER,
    FRAME,
    ELEMENTS,
    FILES
} part;

typedef struct kind {
    const char *name;
    part parts[8];
} kind;

static const kind kinds[TIDE_INPUT_KINDS] = {
    [TIDE_INPUT_NONE] = { "none", { END } },
    [TIDE_INPUT_PARAM] = { "param", { NAME, TEXT, FILES } },
    [TIDE_INPUT_SOLVER] = { "solver", { TEXT } },
    [TIDE_INPUT_TIMESTEP] = { "timestep", { NUMBER, FILES } },
    [TIDE_INPUT_KEY] = { "key", { NAME } },
    [TIDE_INPUT_CLICK] = { "click", { PIXEL, BUTTON } },
    [TIDE_INPUT_PIN] = { "pin", { NAME, VERTEX } },
    [TIDE_INPUT_UNPIN] = { "unpin", { NAME, VERTEX } },
    [TIDE_INPUT_DRAG_BEGIN] = { "drag_begin", { NAME, GRIP, VERTEX, OTHER, NUMBER, POINT } },
    [TIDE_INPUT_DRAG_MOVE] = { "drag_move", { POINT } },
    [TIDE_INPUT_DRAG_END] = { "drag_end", { END } },
    [TIDE_INPUT_CUT] = { "cut", { NAME, ELEMENTS } },
    [TIDE_INPUT_OPEN] = { "open", { NAME, ELEMENTS } },
    [TIDE_INPUT_MOVE_COLLIDER] = { "nudge", { NAME, POINT } },
    [TIDE_INPUT_RELOAD] = { "reload", { FILES } },
    [TIDE_INPUT_RESET] = { "reset", { END } },
    [TIDE_INPUT_REWIND] = { "rewind", { FRAME } },
    [TIDE_INPUT_RESTORE] = { "restore", { BYTES } },
    [TIDE_INPUT_CONSOLE] = { "console", { TEXT, FILES } },
    [TIDE_INPUT_COLLIDER] = { "collider", { NAME, TEXT, NUMBER } },
};
static const char *const grips[] = { "vertex", "edge", "body" };

const char *tide_input_name(tide_input_kind kind)
{
    return (unsigned)kind < TIDE_INPUT_KINDS ? kinds[kind].name : "unknown";
}

static bool has(tide_input_kind kind, part wanted)
{
    for (const part *p = kinds[kind].parts; *p != END; p++)
        if (*p == wanted)
            return true;
    return false;
}

// Returns what the line writes as a name: for KEY this is `text`.
static const char *name_of(const tide_input *input)
{
    return input->kind == TIDE_INPUT_KEY ? input->text : input->name;
}

// --- copies ----------------------------------------------------------------------------------------------------------

void tide_input_free(tide_input *copy)
{
    tide_free(copy->owner);
    *copy = (tide_input) { 0 };
}

// Makes a block that owns the parts of an input.
static tide_status own_parts(tide_input *input, tide_error *error)
{
    input->owner = tide_allocate(0);
    return input->owner ? TIDE_OK : tide_fail_memory(error, "input");
}

static char *copy_bytes(tide_input *to, const char *bytes, size_t size)
{
    char *copy = tide_own_zeroed(to->owner, size + 1, 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

static void copy_files(const tide_input *input, tide_input *copy)
{
    tide_input_file *files = tide_own_zeroed(copy->owner, input->file_count, sizeof *files);
    copy->files = files;
    copy->file_count = files ? input->file_count : 0;
    for (uint32_t f = 0; f < copy->file_count; f++)
        files[f] =
            (tide_input_file) { copy_bytes(copy, input->files[f].path, strlen(input->files[f].path)),
                                copy_bytes(copy, input->files[f].text, input->files[f].size), input->files[f].size };
}

tide_status tide_input_copy(const tide_input *input, tide_input *out, tide_error *error)
{
    tide_input copy = *input;
    bool bytes = has(input->kind, BYTES);
    copy.name = copy.text = NULL;
    copy.elements = NULL;
    copy.files = NULL;
    copy.element_count = copy.file_count = 0;
    TIDE_TRY(own_parts(&copy, error));
    if (input->name && has(input->kind, NAME) && input->kind != TIDE_INPUT_KEY)
        copy.name = copy_bytes(&copy, input->name, strlen(input->name));
    if (input->text && (bytes || has(input->kind, TEXT) || input->kind == TIDE_INPUT_KEY))
        copy.text = copy_bytes(&copy, input->text, bytes ? input->size : strlen(input->text));
    if (input->element_count && has(input->kind, ELEMENTS)) {
        copy.elements =
            tide_own(copy.owner, tide_copy_bytes(input->elements, input->element_count * sizeof *input->elements));
        copy.element_count = input->element_count;
    }
    if (input->file_count && has(input->kind, FILES))
        copy_files(input, &copy);
    if (!tide_owns_all(copy.owner)) {
        tide_input_free(&copy);
        return tide_fail_memory(error, "input");
    }
    *out = copy;
    return TIDE_OK;
}

// --- checks ----------------------------------------------------------------------------------------------------------

static tide_status refuse(const tide_input *input, const char *field, const char *expected, tide_error *error)
{
    char object[64];
    snprintf(object, sizeof object, "input \"%s\"", tide_input_name(input->kind));
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL, "expected %s", expected);
}

static bool is_collider_number(const char *name)
{
    return strcmp(name, "friction") == 0 || strcmp(name, "restitution") == 0 || strcmp(name, "thickness") == 0;
}

static tide_status check_number(const tide_input *input, tide_error *error)
{
    if (input->kind == TIDE_INPUT_COLLIDER) // the world checks its range
        return is_collider_number(input->text) && isfinite(input->number)
                   ? TIDE_OK
                   : refuse(input, "number", "a finite friction, restitution or thickness", error);
    if (input->kind == TIDE_INPUT_TIMESTEP)
        return input->number >= 0 && input->number <= 10 ? TIDE_OK
                                                         : refuse(input, "number", "a timestep from 0 to 10 s", error);
    return input->number > 0 && input->number <= 1e15
               ? TIDE_OK
               : refuse(input, "number", "a stiffness above 0 and at most 1e15 N/m", error);
}

static tide_status check_point(const tide_input *input, int components, tide_error *error)
{
    for (int k = 0; k < components; k++)
        if (!(fabs(input->point[k]) <= FARTHEST))
            return refuse(input, "point", "finite coordinates of at most 1e9", error);
    return TIDE_OK;
}

static tide_status check_files(const tide_input *input, tide_error *error)
{
    if (input->file_count > MAX_FILES || (input->file_count && !input->files))
        return refuse(input, "files", "a list of files", error);
    for (uint32_t f = 0; f < input->file_count; f++)
        if (!input->files[f].path || !input->files[f].path[0] || !input->files[f].text)
            return refuse(input, "files", "each file's path and text", error);
    return TIDE_OK;
}

static tide_status check_part(const tide_input *input, part what, tide_error *error)
{
    const char *name = name_of(input);
    switch (what) {
    case NAME:
        return name && name[0] ? TIDE_OK : refuse(input, "name", "a name", error);
    case TEXT: // the solver's may be NULL
        return input->text || input->kind == TIDE_INPUT_SOLVER ? TIDE_OK : refuse(input, "text", "a text", error);
    case BYTES:
        return input->text ? TIDE_OK : refuse(input, "text", "a world", error);
    case NUMBER:
        return check_number(input, error);
    case POINT:
        return check_point(input, 3, error);
    case PIXEL:
        return check_point(input, 2, error);
    case BUTTON:
        return input->button >= 1 && input->button <= 32 ? TIDE_OK : refuse(input, "button", "1 to 32", error);
    case GRIP:
        return input->grip >= 0 && input->grip <= TIDE_GRIP_BODY ? TIDE_OK
                                                                 : refuse(input, "grip", "vertex, edge or body", error);
    case ELEMENTS:
        return input->elements && input->element_count ? TIDE_OK : refuse(input, "elements", "some elements", error);
    case FILES:
        return check_files(input, error);
    default:
        return TIDE_OK;
    }
}

tide_status tide_input_check(const tide_input *input, tide_error *error)
{
    if ((unsigned)input->kind >= TIDE_INPUT_KINDS || input->kind == TIDE_INPUT_NONE)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "input", NULL, NULL, "it is of no known kind");
    for (const part *p = kinds[input->kind].parts; *p != END; p++) {
        TIDE_TRY(check_part(input, *p, error));
    }
    return TIDE_OK;
}

// --- writing ---------------------------------------------------------------------------------------------------------

void tide_input_write_text(const char *bytes, size_t size, tide_text *line)
{
    static const char digits[] = "0123456789abcdef";
    tide_text_add(line, " \"", 2);
    for (size_t i = 0; i < size;) {
        size_t plain = i;
        while (plain < size && (unsigned char)bytes[plain] >= ' ' && bytes[plain] != '"' && bytes[plain] != '\\')
            plain++;
        tide_text_add(line, bytes + i, plain - i);
        i = plain;
        if (i == size)
            break;
        unsigned char c = (unsigned char)bytes[i++];
        const char hex[] = { '\\', 'x', digits[c >> 4], digits[c & 15] }, named[] = { '\\', (char)c };
        if (c == '\n')
            tide_text_add(line, "\\n", 2);
        else if (c == '"' || c == '\\')
            tide_text_add(line, named, 2);
        else
            tide_text_add(line, hex, 4);
    }
    tide_text_add(line, "\"", 1);
}

static void write_string(const char *text, tide_text *line)
{
    tide_input_write_text(text ? text : "", text ? strlen(text) : 0, line);
}

static void write_part(const tide_input *input, part what, tide_text *line)
{
    switch (what) {
    case NAME:
        write_string(name_of(input), line);
        break;
    case TEXT:
        write_string(input->text, line);
        break;
    case BYTES:
        tide_input_write_text(input->text, input->size, line);
        break;
    case NUMBER:
        tide_text_format(line, " %.17g", input->number);
        break;
    case POINT:
    case PIXEL:
        for (int k = 0; k < (what == POINT ? 3 : 2); k++)
            tide_text_format(line, " %.17g", input->point[k]);
        break;
    case BUTTON:
        tide_text_format(line, " %d", input->button);
        break;
    case GRIP:
        tide_text_format(line, " %s", grips[input->grip]);
        break;
    case VERTEX:
        tide_text_format(line, " %" PRIu32, input->vertex);
        break;
    case OTHER:
        tide_text_format(line, " %" PRIu32, input->other);
        break;
    case FRAME:
        tide_text_format(line, " %" PRIu64, input->frame);
        break;
    case ELEMENTS:
        tide_text_format(line, " %" PRIu32, input->element_count);
        for (uint32_t s = 0; s < input->element_count; s++)
            tide_text_format(line, " %" PRIu32, input->elements[s]);
        break;
    case FILES:
        tide_text_format(line, " %" PRIu32, input->file_count);
        for (uint32_t f = 0; f < input->file_count; f++) {
            write_string(input->files[f].path, line);
            tide_input_write_text(input->files[f].text, input->files[f].size, line);
        }
        break;
    case END:
        break;
    }
}

void tide_input_write(const tide_input *input, tide_text *line)
{
    const char *name = tide_input_name(input->kind);
    tide_text_add(line, name, strlen(name));
    for (const part *p = kinds[input->kind].parts; *p != END; p++)
        write_part(input, *p, line);
}

// --- reading ---------------------------------------------------------------------------------------------------------

static tide_status expected(const char *at, const char *what, tide_error *error)
{
    char shown[48];
    size_t length = strcspn(at, " ");
    snprintf(shown, sizeof shown, "%.*s", (int)(length < 40 ? length : 40), at);
    return tide_fail(error, TIDE_ERROR_FORMAT, "input", NULL, *at ? shown : NULL, "expected %s%s", what,
                     *at ? "" : " before the end of the line");
}

bool tide_input_read_word(const char **at, char *word, size_t size)
{
    const char *p = *at + strspn(*at, " ");
    size_t length = strcspn(p, " ");
    if (!length || length >= size)
        return false;
    memcpy(word, p, length);
    word[length] = '\0';
    *at = p + length;
    return true;
}

bool tide_input_read_count(const char **at, uint64_t maximum, uint64_t *value)
{
    char word[32], *end;
    const char *p = *at;
    if (!tide_input_read_word(&p, word, sizeof word) || !isdigit((unsigned char)word[0]))
        return false;
    errno = 0;
    unsigned long long number = strtoull(word, &end, 10);
    if (errno || *end || number > maximum)
        return false;
    *value = number;
    *at = p;
    return true;
}

bool tide_input_read_real(const char **at, double *value)
{
    char word[64], *end;
    const char *p = *at;
    if (!tide_input_read_word(&p, word, sizeof word) || !strchr("+-.0123456789", word[0]))
        return false;
    double number = tide_parse_decimal(word, &end);
    if (*end || !isfinite(number))
        return false;
    *value = number;
    *at = p;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Returns the byte of an escape, read from after its backslash; -1: invalid. Moves *p past it.
static int read_escape(const char **p)
{
    char c = *(*p)++;
    if (c == 'n')
        return '\n';
    if (c == '"' || c == '\\')
        return c;
    if (c != 'x' || hex_digit((*p)[0]) < 0 || hex_digit((*p)[1]) < 0)
        return -1;
    int byte = 16 * hex_digit((*p)[0]) + hex_digit((*p)[1]);
    *p += 2;
    return byte;
}

tide_status tide_input_read_text(const char **at, char **text, size_t *size, tide_error *error)
{
    const char *p = *at + strspn(*at, " ");
    if (*p != '"')
        return expected(p, "a text in quotation marks", error);
    p++;
    char *bytes = tide_allocate(strlen(p) + 1);
    size_t count = 0;
    if (!bytes)
        return tide_fail_memory(error, "input");
    int byte = 0;
    while (byte >= 0 && *p && *p != '"') {
        byte = (unsigned char)*p++;
        if (byte == '\\')
            byte = read_escape(&p);
        if (byte >= 0)
            bytes[count++] = (char)byte;
    }
    if (byte < 0 || *p != '"') {
        tide_free(bytes);
        return tide_fail(error, TIDE_ERROR_FORMAT, "input", NULL, NULL,
                         byte < 0 ? "an escape in a text is none of \\n \\\" \\\\ \\xHH"
                                  : "a text has no quotation mark at its end; the line was cut short");
    }
    bytes[count] = '\0';
    *text = bytes;
    *size = count;
    *at = p + 1;
    return TIDE_OK;
}

tide_status tide_input_read_string(const char **at, char **text, tide_error *error)
{
    size_t size;
    const char *start = *at;
    char *read;
    TIDE_TRY(tide_input_read_text(at, &read, &size, error));
    if (strlen(read) != size) {
        tide_free(read);
        *at = start;
        return tide_fail(error, TIDE_ERROR_FORMAT, "input", NULL, NULL, "a name has a zero byte in it");
    }
    *text = read;
    return TIDE_OK;
}

static tide_status read_elements(const char **at, tide_input *input, tide_error *error)
{
    uint64_t count, number;
    if (!tide_input_read_count(at, strlen(*at) / 2, &count)) // each takes at least two bytes of the line
        return expected(*at, "how many elements", error);
    uint32_t *elements = tide_own_array(input->owner, count, sizeof *elements);
    input->elements = elements;
    if (!elements)
        return tide_fail_memory(error, "input");
    for (; input->element_count < count; input->element_count++) {
        if (!tide_input_read_count(at, UINT32_MAX, &number))
            return expected(*at, "a spring's number", error);
        elements[input->element_count] = (uint32_t)number;
    }
    return TIDE_OK;
}

static tide_status read_files(const char **at, tide_input *input, tide_error *error)
{
    uint64_t count;
    if (!tide_input_read_count(at, MAX_FILES, &count))
        return expected(*at, "how many files", error);
    tide_input_file *files = tide_own_zeroed(input->owner, count, sizeof *files);
    input->files = files;
    if (!files)
        return tide_fail_memory(error, "input");
    for (; input->file_count < count; input->file_count++) {
        char *path, *text;
        tide_input_file *file = &files[input->file_count];
        TIDE_TRY(tide_input_read_string(at, &path, error));
        file->path = tide_own(input->owner, path);
        TIDE_TRY(tide_input_read_text(at, &text, &file->size, error));
        file->text = tide_own(input->owner, text);
    }
    return TIDE_OK;
}

static tide_status read_numbers(const char **at, tide_input *input, int count, tide_error *error)
{
    for (int k = 0; k < count; k++)
        if (!tide_input_read_real(at, &input->point[k]))
            return expected(*at, "a finite number", error);
    return TIDE_OK;
}

static tide_status read_grip(const char **at, tide_input *input, tide_error *error)
{
    char word[16];
    const char *p = *at;
    for (int g = 0; tide_input_read_word(&p, word, sizeof word) && g <= TIDE_GRIP_BODY; g++, p = *at)
        if (strcmp(word, grips[g]) == 0) {
            input->grip = g;
            tide_input_read_word(at, word, sizeof word);
            return TIDE_OK;
        }
    return expected(*at, "vertex, edge or body", error);
}

static tide_status read_count(const char **at, uint64_t maximum, uint64_t *value, tide_error *error)
{
    return tide_input_read_count(at, maximum, value) ? TIDE_OK : expected(*at, "a whole number", error);
}

static tide_status read_part(const char **at, part what, tide_input *input, tide_error *error)
{
    uint64_t number = 0;
    char *text = NULL;
    tide_status status = TIDE_OK;
    switch (what) {
    case NAME:
    case TEXT:
        TIDE_TRY(tide_input_read_string(at, &text, error));
        *(what == NAME && input->kind != TIDE_INPUT_KEY ? &input->name : &input->text) = tide_own(input->owner, text);
        return TIDE_OK;
    case BYTES:
        TIDE_TRY(tide_input_read_text(at, &text, &input->size, error));
        input->text = tide_own(input->owner, text);
        return TIDE_OK;
    case NUMBER:
        return tide_input_read_real(at, &input->number) ? TIDE_OK : expected(*at, "a finite number", error);
    case POINT:
    case PIXEL:
        return read_numbers(at, input, what == POINT ? 3 : 2, error);
    case BUTTON:
        status = read_count(at, 32, &number, error);
        input->button = (int)number;
        return status;
    case GRIP:
        return read_grip(at, input, error);
    case VERTEX:
    case OTHER:
        status = read_count(at, UINT32_MAX, &number, error);
        *(what == VERTEX ? &input->vertex : &input->other) = (uint32_t)number;
        return status;
    case FRAME:
        return read_count(at, UINT64_MAX, &input->frame, error);
    case ELEMENTS:
        return read_elements(at, input, error);
    case FILES:
        return read_files(at, input, error);
    case END:
        break;
    }
    return TIDE_OK;
}

static tide_input_kind find_kind(const char *name)
{
    for (int k = TIDE_INPUT_NONE + 1; k < TIDE_INPUT_KINDS; k++)
        if (strcmp(kinds[k].name, name) == 0)
            return (tide_input_kind)k;
    return TIDE_INPUT_NONE;
}

tide_status tide_input_read(const char *line, tide_input *out, tide_error *error)
{
    char word[32];
    const char *at = line;
    tide_input input = { 0 };
    if (tide_input_read_word(&at, word, sizeof word))
        input.kind = find_kind(word);
    if (input.kind == TIDE_INPUT_NONE)
        return expected(line, "an input, like param or drag_move", error);
    tide_status status = own_parts(&input, error);
    for (const part *p = kinds[input.kind].parts; *p != END && status == TIDE_OK; p++)
        status = read_part(&at, *p, &input, error);
    if (status == TIDE_OK && at[strspn(at, " ")])
        status = expected(at + strspn(at, " "), "the end of the line", error);
    if (status == TIDE_OK)
        status = tide_input_check(&input, error);
    if (status != TIDE_OK)
        tide_input_free(&input);
    else
        *out = input;
    return status;
}
