#include "draw/font.h"

#include "draw/draw_list.h"

#include "draw/simd.h"

// Paths: M x y moves, L x y draws a line, Q cx cy x y a quadratic Bezier curve, O x0 y0 x1 y1 an oval in a box. A dot
// is a line of length 0.
struct glyph {
    uint32_t character;
    float advance;
    const char *path;
};

#define SMALL_BOWL "Q11 14 6.7 14Q2.3 14 2.3 7Q2.3 0 6.7 0Q11 0 11 7"
#define MICRO "M3 14L3 -6M3 5Q3 0 6.6 0Q10.6 0 11 6M11 14L11 0"

static const struct glyph glyphs[] = {
    { ' ', 7, "" },
    { '!', 6.5f, "M3.2 20L3.2 6.5M3.2 0.4L3.2 0.4" },
    { '"', 9, "M2.8 20L2.8 15M6.2 20L6.2 15" },
    { '#', 17, "M6.4 19L4.4 1M12.6 19L10.6 1M2.4 13.5L15 13.5M1.8 6.5L14.4 6.5" },
    { '$', 14.5f,
      "M12 15.6Q11 18.6 7.2 18.6Q2.8 18.6 2.8 14.6Q2.8 11.2 7.2 10.2Q12.2 9 12.2 5.4Q12.2 1.4 7.2 1.4Q3 1.4 2.1 4.6"
      "M7.2 22L7.2 -2" },
    { '%', 20, "O1.8 11 7.8 20O12 0 18 9M15 20L5 0" },
    { '&', 17.5f,
      "M15.5 9.5Q14.8 0 7 0Q2 0 2 4.8Q2 8.2 6.5 10.8Q10.8 13.2 10.8 16.4Q10.8 20 7.6 20Q4.4 20 4.4 16.6Q4.4 14 7 11"
      "L15.5 0" },
    { '\'', 5.5f, "M2.8 20L2.8 15" },
    { '(', 8, "M6.5 22Q2.5 17 2.5 8.5Q2.5 0 6.5 -5" },
    { ')', 8, "M1.5 22Q5.5 17 5.5 8.5Q5.5 0 1.5 -5" },
    { '*', 11, "M5.5 20L5.5 11.5M1.8 17.9L9.2 13.6M9.2 17.9L1.8 13.6" },
    { '+', 15, "M7.5 15L7.5 3M1.5 9L13.5 9" },
    { ',', 6, "M3.2 0.6L3.2 0.2L2.2 -3.4" },
    { '-', 9, "M1.8 8L7.2 8" },
    { '.', 6, "M3 0.3L3 0.3" },
    { '/', 11, "M9.5 22L1.5 -3" },
    { '0', 14, "O2.4 0 11.6 20" },
    { '1', 14, "M3.4 15.8L8 20L8 0" },
    { '2', 14, "M2.6 15.5Q3.3 20 7.2 20Q11.4 20 11.4 15.2Q11.4 12.2 9 9L2.2 0L12 0" },
    { '3', 14, "M2.4 16.3Q3.5 20 7 20Q11 20 11 15.6Q11 11 6 11Q11.7 11 11.7 5.6Q11.7 0 6.9 0Q3 0 2 4" },
    { '4', 14, "M9.3 0L9.3 20L1.8 5.5L12.5 5.5" },
    { '5', 14, "M11 20L3.9 20L3 11Q4.5 12.8 7.2 12.8Q11.8 12.8 11.8 6.4Q11.8 0 6.9 0Q3.2 0 2.2 3.6" },
    { '6', 14, "M10.8 17Q9.9 20 7.3 20Q2.3 20 2.3 9L2.3 6.2O2.3 0 11.7 12.4" },
    { '7', 14, "M2 20L12 20L5.2 0" },
    { '8', 14, "O2.9 10.8 11.1 20O2.2 0 11.8 10.8" },
    { '9', 14, "M3.2 3Q4.1 0 6.7 0Q11.7 0 11.7 11L11.7 13.8O2.3 7.6 11.7 20" },
    { ':', 6, "M3 11.5L3 11.5M3 0.4L3 0.4" },
    { ';', 6, "M3.2 11.5L3.2 11.5M3.2 0.6L3.2 0.2L2.2 -3.4" },
    { '<', 15, "M13 15.5L2 9L13 2.5" },
    { '=', 15, "M1.8 12L13.2 12M1.8 6L13.2 6" },
    { '>', 15, "M2 15.5L13 9L2 2.5" },
    { '?', 12.5f, "M2 15.8Q2.8 20 6.4 20Q10.6 20 10.6 15.8Q10.6 13 8 11Q6 9.4 6 6.5M6 0.4L6 0.4" },
    { '@', 22,
      "M15 13.5L15 6.5Q15 3.5 17 3.5Q20 3.5 20 9.5Q20 19 11 19Q2 19 2 8.5Q2 -3 11.5 -3Q14.5 -3 16.5 -2O6.8 3.5 15 "
      "13.5" },
    { 'A', 17, "M2 0L8.5 20L15 0M4.3 7L12.7 7" },
    { 'B', 16, "M3 0L3 20L8.5 20Q13 20 13 15.5Q13 11 8.5 11L3 11M8.5 11Q14 11 14 5.5Q14 0 8.5 0L3 0" },
    { 'C', 16, "M14 16Q12.5 20 8.5 20Q2.5 20 2.5 10Q2.5 0 8.5 0Q12.5 0 14 4" },
    { 'D', 17, "M3 0L3 20L7.5 20Q14.5 20 14.5 10Q14.5 0 7.5 0L3 0" },
    { 'E', 14.5f, "M12.5 20L3 20L3 0L12.5 0M3 10.5L11 10.5" },
    { 'F', 13.5f, "M12.5 20L3 20L3 0M3 10.5L11 10.5" },
    { 'G', 17.5f, "M14 16Q12.5 20 8.5 20Q2.5 20 2.5 10Q2.5 0 8.5 0Q14.5 0 14.5 6L14.5 9.5L9 9.5" },
    { 'H', 17.5f, "M3 0L3 20M14.5 0L14.5 20M3 10.5L14.5 10.5" },
    { 'I', 6, "M3 0L3 20" },
    { 'J', 12.5f, "M9.5 20L9.5 5.5Q9.5 0 5 0Q1.5 0 1 4" },
    { 'K', 15.5f, "M3 0L3 20M13.5 20L3 8M6.7 12.2L14 0" },
    { 'L', 13, "M3 20L3 0L12 0" },
    { 'M', 20, "M3 0L3 20L10 5L17 20L17 0" },
    { 'N', 17.5f, "M3 0L3 20L14.5 0L14.5 20" },
    { 'O', 18, "O2.5 0 15.5 20" },
    { 'P', 15.5f, "M3 0L3 20L8.5 20Q13.8 20 13.8 14.5Q13.8 9 8.5 9L3 9" },
    { 'Q', 18, "O2.5 0 15.5 20M10 5L16 -2" },
    { 'R', 16, "M3 0L3 20L8.5 20Q13.8 20 13.8 14.5Q13.8 9 8.5 9L3 9M8.5 9L14 0" },
    { 'S', 15, "M12.8 16Q11.5 20 7.5 20Q2.8 20 2.8 15.5Q2.8 11.5 7.5 10.3Q13 9 13 4.8Q13 0 7.5 0Q3 0 2 4" },
    { 'T', 15, "M1.5 20L13.5 20M7.5 20L7.5 0" },
    { 'U', 17, "M3 20L3 6.5Q3 0 8.5 0Q14 0 14 6.5L14 20" },
    { 'V', 16, "M1.5 20L8 0L14.5 20" },
    { 'W', 22, "M1.5 20L6 0L11 16L16 0L20.5 20" },
    { 'X', 16, "M2 20L14 0M14 20L2 0" },
    { 'Y', 15.5f, "M1.5 20L7.75 9.5L14 20M7.75 9.5L7.75 0" },
    { 'Z', 15, "M2.5 20L12.5 20L2 0L13 0" },
    { '[', 8, "M6.5 22L2.8 22L2.8 -4L6.5 -4" },
    { '\\', 11, "M1.5 22L9.5 -3" },
    { ']', 8, "M1.5 22L5.2 22L5.2 -4L1.5 -4" },
    { '^', 13, "M2 12L6.5 20L11 12" },
    { '_', 13, "M0.5 -4L12.5 -4" },
    { '`', 8, "M2.5 20.5L5.5 16.5" },
    { 'a', 13.5f, "M2.8 11.5Q3.8 14 7 14Q10.5 14 10.5 9.5L10.5 0M10.5 8L6.5 8Q2.2 8 2.2 4Q2.2 0 5.8 0Q9 0 10.5 3.2" },
    { 'b', 14, "M3 21L3 0M3 7Q3 14 7.3 14Q11.7 14 11.7 7Q11.7 0 7.3 0Q3 0 3 7" },
    { 'c', 12, "M10.6 11Q9.6 14 6.6 14Q2.3 14 2.3 7Q2.3 0 6.6 0Q9.6 0 10.6 3" },
    { 'd', 14, "M11 21L11 0M11 7" SMALL_BOWL },
    { 'e', 13.3f, "M2.5 7.5L11 7.5Q11 14 6.8 14Q2.3 14 2.3 7Q2.3 0 6.9 0Q9.9 0 10.8 2.8" },
    { 'f', 8.5f, "M8 20.6Q7.3 21 6.5 21Q3.8 21 3.8 17L3.8 0M1 14L7.6 14" },
    { 'g', 14, "M11 14L11 -0.5Q11 -6 6.7 -6Q3.8 -6 2.8 -4M11 7" SMALL_BOWL },
    { 'h', 14, "M3 21L3 0M3 8Q3.4 14 7.4 14Q11 14 11 9L11 0" },
    { 'i', 6, "M3 14L3 0M3 19.5L3 19.5" },
    { 'j', 6.5f, "M3.5 14L3.5 -2.5Q3.5 -6 0.8 -6M3.5 19.5L3.5 19.5" },
    { 'k', 12.5f, "M3 21L3 0M10.5 14L3 5.5M5.7 8.6L11 0" },
    { 'l', 7, "M3 21L3 3Q3 0 5.5 0" },
    { 'm', 20.5f, "M3 14L3 0M3 8Q3.4 14 6.8 14Q10.2 14 10.2 9.5L10.2 0M10.2 8Q10.6 14 14 14Q17.5 14 17.5 9.5L17.5 0" },
    { 'n', 14, "M3 14L3 0M3 8Q3.4 14 7.4 14Q11 14 11 9L11 0" },
    { 'o', 13.7f, "O2.3 0 11.4 14" },
    { 'p', 14, "M3 14L3 -6M3 7Q3 14 7.3 14Q11.7 14 11.7 7Q11.7 0 7.3 0Q3 0 3 7" },
    { 'q', 14, "M11 14L11 -6M11 7" SMALL_BOWL },
    { 'r', 9.5f, "M3 14L3 0M3 8Q3.6 14 8.6 13.7" },
    { 's', 11.8f, "M10 11.2Q9 14 6 14Q2.4 14 2.4 10.8Q2.4 8 6 7.2Q10.2 6.2 10.2 3.4Q10.2 0 6 0Q2.6 0 1.8 2.9" },
    { 't', 9, "M4 18L4 3.5Q4 0 6.8 0L8 0.2M1 14L7.8 14" },
    { 'u', 14, "M3 14L3 5Q3 0 6.6 0Q10.6 0 11 6M11 14L11 0" },
    { 'v', 12.5f, "M1.5 14L6.25 0L11 14" },
    { 'w', 18, "M1.5 14L5.2 0L9 12L12.8 0L16.5 14" },
    { 'x', 12, "M1.8 14L10.2 0M10.2 14L1.8 0" },
    { 'y', 12.5f, "M1.5 14L6.4 0M11 14L6 -2Q4.6 -6 1.5 -6" },
    { 'z', 11.5f, "M2 14L9.6 14L1.8 0L10 0" },
    { '{', 9, "M7.5 22Q4.2 22 4.2 18.5L4.2 12.5Q4.2 9 1.5 9Q4.2 9 4.2 5.5L4.2 -0.5Q4.2 -4 7.5 -4" },
    { '|', 6.5f, "M3.2 22L3.2 -4" },
    { '}', 9, "M1.5 22Q4.8 22 4.8 18.5L4.8 12.5Q4.8 9 7.5 9Q4.8 9 4.8 5.5L4.8 -0.5Q4.8 -4 1.5 -4" },
    { '~', 15, "M1.8 7.5Q2.8 11 5 11Q6.5 11 7.8 9.2Q9 7.4 10.3 7.4Q12.4 7.4 13.2 10.8" },
    { 0xa0, 7, "" },
    { 0xb0, 9, "O1.8 13.4 7.4 20" },
    { 0xb1, 15, "M7.5 17L7.5 6M1.8 11.5L13.2 11.5M1.8 1L13.2 1" },
    { 0xb2, 9.5f, "M1.8 17.6Q2.2 20 4.6 20Q7.2 20 7.2 17.6Q7.2 15.8 5.4 13.8L1.6 9.5L7.6 9.5" },
    { 0xb3, 9.5f,
      "M1.8 18Q2.4 20 4.4 20Q6.9 20 6.9 17.5Q6.9 15.1 4.2 15.1Q7.4 15.1 7.4 12.2Q7.4 9.4 4.4 9.4Q2 9.4 1.5 11.4" },
    { 0xb5, 14, MICRO },
    { 0xb7, 6, "M3 8.5L3 8.5" },
    { 0xd7, 14, "M2.6 13.4L11.4 4.6M11.4 13.4L2.6 4.6" },
    { 0x394, 17, "M2 0L8.5 20L15 0L2 0" },
    { 0x3bc, 14, MICRO },
    { 0x2013, 13, "M1 8L12 8" },
    { 0x2014, 20, "M1 8L19 8" },
    { 0x2026, 17, "M3 0.3L3 0.3M8.5 0.3L8.5 0.3M14 0.3L14 0.3" },
    { 0x2192, 19, "M1.5 9L17 9M12 14L17 9L12 4" },
    { 0x2212, 15, "M1.8 9L13.2 9" },
    { 0x2264, 15, "M13 17L2.5 11L13 5M2.5 1L13 1" },
    { 0x2265, 15, "M2.5 17L13 11L2.5 5M2.5 1L13 1" },
};

static const float spacing = 0.8f; // between all characters, in addition to their own sides
static const struct glyph unknown = { 0, 13, "M2 0L2 20L11 20L11 0L2 0" };

uint32_t tide_font_next(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    uint32_t extra = p[0] < 0x80                   ? 0
                     : p[0] >= 0xc2 && p[0] < 0xe0 ? 1
                     : p[0] >= 0xe0 && p[0] < 0xf0 ? 2
                     : p[0] >= 0xf0 && p[0] < 0xf5 ? 3
                                                   : 4;
    *text += 1;
    if (extra == 4)
        return 0xfffd;
    uint32_t character = extra ? p[0] & (0x3fu >> extra) : p[0];
    for (uint32_t i = 1; i <= extra; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0xfffd;
        character = character << 6 | (p[i] & 0x3f);
    }
    *text += extra;
    return character;
}

static const struct glyph *find(uint32_t character)
{
    size_t low = 0, high = sizeof glyphs / sizeof glyphs[0];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (glyphs[middle].character == character)
            return &glyphs[middle];
        if (glyphs[middle].character < character)
            low = middle + 1;
        else
            high = middle;
    }
    return &unknown;
}

// Reads a number such as -12.5 and moves *path past it
static float read_number(const char **path)
{
    while (**path == ' ')
        ++*path;
    float sign = 1, value = 0, place = 1;
    if (**path == '-') {
        sign = -1;
        ++*path;
    }
    for (; **path >= '0' && **path <= '9'; ++*path)
        value = 10 * value + (float)(**path - '0');
    if (**path == '.')
        for (++*path; **path >= '0' && **path <= '9'; ++*path)
            value += (float)(**path - '0') * (place *= 0.1f);
    return sign * value;
}

struct pen {
    tide_font_stroke *strokes;
    uint32_t count;
    float x, y;
};

static void line_to(struct pen *pen, float x, float y)
{
    if (pen->count < TIDE_FONT_MAX_STROKES)
        pen->strokes[pen->count++] = (tide_font_stroke) { pen->x, pen->y, x, y };
    pen->x = x;
    pen->y = y;
}

static void curve_to(struct pen *pen, float cx, float cy, float x, float y)
{
    enum { PIECES = 6 };
    float x0 = pen->x, y0 = pen->y;
    for (int i = 1; i <= PIECES; i++) {
        float t = (float)i / PIECES, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
        line_to(pen, a * x0 + b * cx + c * x, a * y0 + b * cy + c * y);
    }
}

uint32_t tide_font_strokes(uint32_t character, tide_font_stroke *strokes, float *advance)
{
    const struct glyph *glyph = find(character);
    struct pen pen = { .strokes = strokes };
    *advance = glyph->advance + spacing;
    for (const char *path = glyph->path; *path;) {
        char command = *path++;
        float a = read_number(&path), b = read_number(&path);
        if (command == 'M') {
            pen.x = a;
            pen.y = b;
        } else if (command == 'L')
            line_to(&pen, a, b);
        else {
            float c = read_number(&path), d = read_number(&path);
            if (command == 'Q')
                curve_to(&pen, a, b, c, d);
            else {
                float x = 0.5f * (a + c), y = 0.5f * (b + d);
                pen.x = x;
                pen.y = d;
                curve_to(&pen, a, d, a, y);
                curve_to(&pen, a, b, x, b);
                curve_to(&pen, c, b, c, y);
                curve_to(&pen, c, d, x, d);
            }
        }
    }
    return pen.count;
}

void tide_draw_text_size(const char *text, float size, float *width, float *height)
{
    float scale = size / TIDE_FONT_EM, line = 0, widest = 0, lines = 1;
    while (*text) {
        uint32_t character = tide_font_next(&text);
        if (character == '\n') {
            lines++;
            line = 0;
        } else
            line += tide_float_max(roundf((find(character)->advance + spacing) * scale), 1);
        widest = tide_float_max(widest, line);
    }
    *width = widest;
    *height = lines * roundf(TIDE_FONT_LINE * scale);
}
