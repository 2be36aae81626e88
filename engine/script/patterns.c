#define _GNU_SOURCE
#include "script/patterns.h"

#include "script/binding.h"

#include <ctype.h>
#include <string.h>

enum {
    MAX_CAPTURES = 32,
    MAX_DEPTH = 200,     // of recursion: one level for each capture, repetition and optional item
    STEPS = 1 << 14,     // between two checks of the limits
    LONG_TEXT = 1 << 16, // bytes of a plain search from which on the limits are checked
    OPEN = -1,           // length of an open capture
    POSITION = -2        // length of a position capture
};

typedef struct matcher {
    lua_State *L;
    const char *text, *text_end, *pattern_end;
    unsigned steps;
    int depth, count;
    struct {
        const char *start;
        ptrdiff_t length;
    } captures[MAX_CAPTURES];
} matcher;

static const char *match_here(matcher *m, const char *s, const char *p);

static void count_step(matcher *m)
{
    if (++m->steps % STEPS == 0)
        tide_check_limit(m->L);
}

// --- single characters -----------------------------------------------------------------------------------------------

static bool is_in_class(int c, int class)
{
    bool inside;
    switch (tolower(class)) {
    case 'a':
        inside = isalpha(c);
        break;
    case 'c':
        inside = iscntrl(c);
        break;
    case 'd':
        inside = isdigit(c);
        break;
    case 'g':
        inside = isgraph(c);
        break;
    case 'l':
        inside = islower(c);
        break;
    case 'p':
        inside = ispunct(c);
        break;
    case 's':
        inside = isspace(c);
        break;
    case 'u':
        inside = isupper(c);
        break;
    case 'w':
        inside = isalnum(c);
        break;
    case 'x':
        inside = isxdigit(c);
        break;
    case 'z': // deprecated
        inside = c == 0;
        break;
    default:
        return class == c; // an escaped character that is not a class
    }
    return isupper(class) ? !inside : inside;
}

// Returns the end of the single item at p: a character, %x or [set].
static const char *item_end(const matcher *m, const char *p)
{
    char first = *p++;
    if (first == '%') {
        if (p == m->pattern_end)
            luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (first != '[')
        return p;
    if (p < m->pattern_end && *p == '^')
        p++;
    for (bool begun = false;; begun = true) { // a ] in first place is a member of the set
        if (p >= m->pattern_end)
            luaL_error(m->L, "malformed pattern (missing ']')");
        char c = *p++;
        if (c == ']' && begun)
            return p;
        if (c == '%' && p++ >= m->pattern_end)
            luaL_error(m->L, "malformed pattern (missing ']')");
    }
}

// Tells whether c is in the set that starts at p with its [ and ends at `end`, after its ].
static bool is_in_set(int c, const char *p, const char *end)
{
    bool inside = true;
    end--;
    if (*++p == '^') {
        inside = false;
        p++;
    }
    while (p < end) {
        if (*p == '%') {
            if (is_in_class(c, (unsigned char)p[1]))
                return inside;
            p += 2;
        } else if (p + 2 < end && p[1] == '-') {
            if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2])
                return inside;
            p += 3;
        } else if ((unsigned char)*p++ == c)
            return inside;
    }
    return !inside;
}

static bool matches_item(matcher *m, const char *s, const char *p, const char *end)
{
    count_step(m);
    if (s >= m->text_end)
        return false;
    int c = (unsigned char)*s;
    switch (*p) {
    case '.':
        return true;
    case '%':
        return is_in_class(c, (unsigned char)p[1]);
    case '[':
        return is_in_set(c, p, end);
    default:
        return (unsigned char)*p == c;
    }
}

// --- repetitions -----------------------------------------------------------------------------------------------------

static const char *match_most(matcher *m, const char *s, const char *p, const char *end)
{
    ptrdiff_t count = 0;
    while (matches_item(m, s + count, p, end))
        count++;
    for (; count >= 0; count--) {
        const char *found = match_here(m, s + count, end + 1);
        if (found)
            return found;
    }
    return NULL;
}

static const char *match_least(matcher *m, const char *s, const char *p, const char *end)
{
    for (;; s++) {
        const char *found = match_here(m, s, end + 1);
        if (found)
            return found;
        if (!matches_item(m, s, p, end))
            return NULL;
    }
}

// --- captures --------------------------------------------------------------------------------------------------------

static const char *open_capture(matcher *m, const char *s, const char *p, ptrdiff_t length)
{
    if (m->count >= MAX_CAPTURES)
        luaL_error(m->L, "too many captures");
    m->captures[m->count].start = s;
    m->captures[m->count++].length = length;
    const char *found = match_here(m, s, p);
    if (!found)
        m->count--;
    return found;
}

static const char *close_capture(matcher *m, const char *s, const char *p)
{
    int i = m->count - 1;
    while (i >= 0 && m->captures[i].length != OPEN)
        i--;
    if (i < 0)
        luaL_error(m->L, "invalid pattern capture");
    m->captures[i].length = s - m->captures[i].start;
    const char *found = match_here(m, s, p);
    if (!found)
        m->captures[i].length = OPEN;
    return found;
}

static const char *match_back(matcher *m, const char *s, int digit)
{
    int i = digit - '1';
    if (i < 0 || i >= m->count || m->captures[i].length == OPEN)
        luaL_error(m->L, "invalid capture index %%%d", i + 1);
    size_t length = m->captures[i].length < 0 ? 0 : (size_t)m->captures[i].length;
    bool same = (size_t)(m->text_end - s) >= length && memcmp(m->captures[i].start, s, length) == 0;
    m->steps += (unsigned)(length / 64);
    count_step(m);
    return same ? s + length : NULL;
}

// --- multi-character items -------------------------------------------------------------------------------------------

static const char *match_balance(matcher *m, const char *s, const char *p)
{
    if (p + 1 >= m->pattern_end)
        luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->text_end || *s != *p)
        return NULL;
    for (int open = 1; ++s < m->text_end;) {
        count_step(m);
        if (*s == p[1]) {
            if (--open == 0)
                return s + 1;
        } else if (*s == p[0])
            open++;
    }
    return NULL;
}

static bool matches_frontier(const matcher *m, const char *s, const char *p, const char *end)
{
    int before = s == m->text ? 0 : (unsigned char)s[-1], here = s == m->text_end ? 0 : (unsigned char)*s;
    return !is_in_set(before, p, end) && is_in_set(here, p, end);
}

// Matches consecutive items that need no recursion. Returns NULL if there is no match. Otherwise returns the position
// in the text and moves *at to the item that needs recursion, or to the end of the pattern.
static const char *match_plain(matcher *m, const char *s, const char **at)
{
    const char *p = *at;
    while (p < m->pattern_end) {
        bool last = p + 1 == m->pattern_end;
        if (*p == '(' || *p == ')' || (*p == '$' && last))
            break;
        if (*p == '%' && !last && p[1] == 'b') {
            if (!(s = match_balance(m, s, p + 2)))
                return NULL;
            p += 4;
        } else if (*p == '%' && !last && p[1] == 'f') {
            p += 2;
            if (p >= m->pattern_end || *p != '[')
                luaL_error(m->L, "missing '[' after '%%f' in pattern");
            const char *end = item_end(m, p);
            if (!matches_frontier(m, s, p, end))
                return NULL;
            p = end;
        } else if (*p == '%' && !last && isdigit((unsigned char)p[1])) {
            if (!(s = match_back(m, s, (unsigned char)p[1])))
                return NULL;
            p += 2;
        } else {
            const char *end = item_end(m, p);
            if (end < m->pattern_end && strchr("*+?-", *end) && *end)
                break;
            if (!matches_item(m, s, p, end))
                return NULL;
            s++;
            p = end;
        }
    }
    *at = p;
    return s;
}

static const char *match_repeated(matcher *m, const char *s, const char *p)
{
    const char *end = item_end(m, p), *found;
    switch (*end) {
    case '*':
        return match_most(m, s, p, end);
    case '+':
        return matches_item(m, s, p, end) ? match_most(m, s + 1, p, end) : NULL;
    case '-':
        return match_least(m, s, p, end);
    default:
        found = matches_item(m, s, p, end) ? match_here(m, s + 1, end + 1) : NULL;
        return found ? found : match_here(m, s, end + 1);
    }
}

// Returns the end of the match of the pattern from p on at s, or NULL.
static const char *match_here(matcher *m, const char *s, const char *p)
{
    if (m->depth == MAX_DEPTH)
        luaL_error(m->L, "pattern too complex");
    m->depth++;
    count_step(m);
    s = match_plain(m, s, &p);
    if (s && p < m->pattern_end) {
        if (*p == '(')
            s = p + 1 < m->pattern_end && p[1] == ')' ? open_capture(m, s, p + 2, POSITION)
                                                      : open_capture(m, s, p + 1, OPEN);
        else if (*p == ')')
            s = close_capture(m, s, p + 1);
        else if (*p == '$' && p + 1 == m->pattern_end)
            s = s == m->text_end ? s : NULL;
        else
            s = match_repeated(m, s, p);
    }
    m->depth--;
    return s;
}

// --- results ---------------------------------------------------------------------------------------------------------

static void begin(matcher *m, lua_State *L, const char *text, size_t length, const char *pattern_end)
{
    m->L = L;
    m->text = text;
    m->text_end = text + length;
    m->pattern_end = pattern_end;
    m->steps = 0;
    m->depth = m->count = 0;
}

static const char *match_at(matcher *m, const char *s, const char *p)
{
    m->depth = m->count = 0;
    return match_here(m, s, p);
}

static void push_capture(matcher *m, int i, const char *start, const char *end)
{
    if (i >= m->count) {
        if (i != 0)
            luaL_error(m->L, "invalid capture index %%%d", i + 1);
        lua_pushlstring(m->L, start, (size_t)(end - start));
        return;
    }
    if (m->captures[i].length == OPEN)
        luaL_error(m->L, "unfinished capture");
    if (m->captures[i].length == POSITION)
        lua_pushinteger(m->L, m->captures[i].start - m->text + 1);
    else
        lua_pushlstring(m->L, m->captures[i].start, (size_t)m->captures[i].length);
}

// Pushes all captures, or the whole match if there are none and `start` is not NULL.
static int push_captures(matcher *m, const char *start, const char *end)
{
    int count = m->count == 0 && start ? 1 : m->count;
    luaL_checkstack(m->L, count, "too many captures");
    for (int i = 0; i < count; i++)
        push_capture(m, i, start, end);
    return count;
}

// --- find and match --------------------------------------------------------------------------------------------------

// Returns the offset given by argument `index`: counted from 1, from the end if negative, 0 if absent.
static size_t start_offset(lua_State *L, int index, size_t length)
{
    lua_Integer start = luaL_optinteger(L, index, 1);
    if (start > 0)
        return (size_t)start - 1;
    return start == 0 || start < -(lua_Integer)length ? 0 : length - (size_t)-start;
}

static bool is_plain(const char *pattern, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (pattern[i] && strchr("^$*+?.([%-", pattern[i]))
            return false;
    return true;
}

static int find_plain(lua_State *L, const char *text, size_t length, size_t start, const char *wanted, size_t size)
{
    const char *found = memmem(text + start, length - start, wanted, size);
    if (length > LONG_TEXT)
        tide_check_limit(L);
    if (!found)
        return lua_pushnil(L), 1;
    lua_pushinteger(L, found - text + 1);
    lua_pushinteger(L, found - text + (lua_Integer)size);
    return 2;
}

static int find_or_match(lua_State *L, bool find)
{
    size_t length, size;
    const char *text = luaL_checklstring(L, 1, &length), *pattern = luaL_checklstring(L, 2, &size);
    size_t start = start_offset(L, 3, length);
    if (start > length)
        return lua_pushnil(L), 1;
    if (find && (lua_toboolean(L, 4) || is_plain(pattern, size)))
        return find_plain(L, text, length, start, pattern, size);
    matcher m;
    bool anchored = size && *pattern == '^';
    begin(&m, L, text, length, pattern + size);
    for (const char *s = text + start; s <= m.text_end; s++) {
        const char *end = match_at(&m, s, pattern + anchored);
        if (end && find) {
            lua_pushinteger(L, s - text + 1);
            lua_pushinteger(L, end - text);
            return push_captures(&m, NULL, NULL) + 2;
        }
        if (end)
            return push_captures(&m, s, end);
        if (anchored)
            break;
    }
    lua_pushnil(L);
    return 1;
}

int tide_pattern_find(lua_State *L)
{
    return find_or_match(L, true);
}

int tide_pattern_match(lua_State *L)
{
    return find_or_match(L, false);
}

// --- gmatch ----------------------------------------------------------------------------------------------------------

// Upvalues: text, pattern, offset at which to continue, and offset of the end of the last match (-1: none).
static int next_match(lua_State *L)
{
    size_t length, size;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &length);
    const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &size);
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(3)), last = lua_tointeger(L, lua_upvalueindex(4));
    matcher m;
    begin(&m, L, text, length, pattern + size);
    for (; at <= (lua_Integer)length; at++) {
        const char *end = match_at(&m, text + at, pattern);
        if (!end || end - text == last)
            continue;
        lua_pushinteger(L, end - text);
        lua_pushvalue(L, -1);
        lua_replace(L, lua_upvalueindex(3));
        lua_replace(L, lua_upvalueindex(4));
        return push_captures(&m, text + at, end);
    }
    return 0;
}

int tide_pattern_gmatch(lua_State *L)
{
    size_t length;
    luaL_checklstring(L, 1, &length);
    luaL_checkstring(L, 2);
    size_t start = start_offset(L, 3, length);
    lua_settop(L, 2);
    lua_pushinteger(L, start > length ? (lua_Integer)length + 1 : (lua_Integer)start);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, 4);
    return 1;
}

// --- gsub ------------------------------------------------------------------------------------------------------------

static void add_text(matcher *m, luaL_Buffer *out, const char *start, const char *end)
{
    size_t size;
    const char *text = lua_tolstring(m->L, 3, &size);
    for (size_t i = 0; i < size; i++) {
        if (text[i] != '%') {
            luaL_addchar(out, text[i]);
            continue;
        }
        i++;
        if (i < size && text[i] == '%')
            luaL_addchar(out, '%');
        else if (i < size && text[i] == '0')
            luaL_addlstring(out, start, (size_t)(end - start));
        else if (i < size && isdigit((unsigned char)text[i])) {
            push_capture(m, text[i] - '1', start, end);
            luaL_tolstring(m->L, -1, NULL);
            lua_remove(m->L, -2);
            luaL_addvalue(out);
        } else
            luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
}

// Adds the replacement of the match, given by the third argument: a string, table or function. Returns false if the
// match stays.
static bool add_value(matcher *m, luaL_Buffer *out, const char *start, const char *end, int type)
{
    lua_State *L = m->L;
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, start, end), 1);
    } else if (type == LUA_TTABLE) {
        push_capture(m, 0, start, end);
        lua_gettable(L, 3);
    } else {
        add_text(m, out, start, end);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(out, start, (size_t)(end - start));
        return false;
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    luaL_addvalue(out);
    return true;
}

int tide_pattern_gsub(lua_State *L)
{
    size_t length, size;
    const char *text = luaL_checklstring(L, 1, &length), *pattern = luaL_checklstring(L, 2, &size);
    int type = lua_type(L, 3);
    luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                     "string/function/table");
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)length + 1), count = 0;
    bool anchored = size && *pattern == '^', changed = false;
    const char *s = text, *last = NULL;
    matcher m;
    luaL_Buffer out;
    begin(&m, L, text, length, pattern + size);
    luaL_buffinit(L, &out);
    while (count < most) {
        const char *end = match_at(&m, s, pattern + anchored);
        if (end && end != last) {
            count++;
            changed = add_value(&m, &out, s, end, type) || changed;
            s = last = end;
        } else if (s < m.text_end)
            luaL_addchar(&out, *s++);
        else
            break;
        if (anchored)
            break;
    }
    if (changed) {
        luaL_addlstring(&out, s, (size_t)(m.text_end - s));
        luaL_pushresult(&out);
    } else
        lua_pushvalue(L, 1);
    lua_pushinteger(L, count);
    return 2;
}
