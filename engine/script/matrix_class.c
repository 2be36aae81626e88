// The sparse matrices of tide.linear, and their arithmetic. Each operator makes a new matrix or vector.
#include "script/matrix_binding.h"

#include "base/decimal.h"
#include "linear/sparse_product.h"

#include <math.h>
#include <stdio.h>

static int collect_matrix(lua_State *L)
{
    tide_matrix *matrix = lua_touserdata(L, 1);
    tide_sparse_free(&matrix->sparse);
    return 0;
}

tide_matrix *tide_matrix_new(lua_State *L)
{
    tide_check_limit(L); // operators make matrices, of any size
    return tide_object_new(L, &tide_matrix_class, sizeof(tide_matrix), 0);
}

static const tide_sparse *check(lua_State *L, int index)
{
    const tide_matrix *matrix = tide_object_check(L, index, &tide_matrix_class);
    return &matrix->sparse;
}

static const tide_sparse *self(lua_State *L)
{
    const tide_matrix *matrix = tide_object_self(L, &tide_matrix_class);
    return &matrix->sparse;
}

// --- triplets --------------------------------------------------------------------------------------------------------
// A userdata holds them, so that an error does not leak them.

static int collect_triplets(lua_State *L)
{
    tide_triplets_free(lua_touserdata(L, 1));
    return 0;
}

static const luaL_Reg triplets_metamethods[] = { { "__gc", collect_triplets }, { 0 } };
static const tide_class triplets_class = { "tide.Triplets",      "triplets", "",  tide_no_members,
                                           triplets_metamethods, NULL,       NULL };

tide_triplets *tide_triplets_new(lua_State *L)
{
    return tide_object_new(L, &triplets_class, sizeof(tide_triplets), 0);
}

int tide_matrix_finish(lua_State *L, const tide_triplets *triplets, uint32_t rows, uint32_t columns, bool symmetric)
{
    tide_error error;
    tide_matrix *matrix = tide_matrix_new(L);
    if (triplets->failed)
        tide_raise_memory(L, "matrix");
    tide_raise_unless_ok(L, tide_sparse_from_triplets(triplets, rows, columns, symmetric, &matrix->sparse, &error),
                         &error);
    return 1;
}

// --- entries ---------------------------------------------------------------------------------------------------------

uint32_t tide_check_width(lua_State *L, size_t size, uint32_t rows, const char *object, const char *field)
{
    if (rows == 0 ? size != 0 : size == 0 || size % rows != 0)
        tide_raise_bad(L, object, field, NULL,
                       "expected %u numbers, or a multiple of it for interleaved vectors, got %zu", rows, size);
    return rows == 0 ? 1 : (uint32_t)(size / rows);
}

static int get(lua_State *L)
{
    const tide_sparse *a = self(L);
    uint32_t row = tide_check_index(L, 2, a->rows, "matrix", "get (row)", "a row");
    uint32_t column = tide_check_index(L, 3, a->columns, "matrix", "get (column)", "a column");
    lua_pushnumber(L, tide_sparse_get(a, row, column));
    return 1;
}

TIDE_GETTER(rows, lua_pushinteger, self(L)->rows);
TIDE_GETTER(columns, lua_pushinteger, self(L)->columns);

static int nonzeros(lua_State *L)
{
    const tide_sparse *a = self(L);
    lua_pushinteger(L, a->columns ? a->column_start[a->columns] : 0);
    return 1;
}

static int to_triplets(lua_State *L)
{
    const tide_sparse *a = self(L);
    lua_Integer count = 0;
    lua_newtable(L);
    for (uint32_t column = 0; column < a->columns; column++)
        for (int32_t k = a->column_start[column]; k < a->column_start[column + 1]; k++) {
            lua_createtable(L, 3, 0);
            lua_pushinteger(L, a->row[k] + 1);
            lua_rawseti(L, -2, 1);
            lua_pushinteger(L, (lua_Integer)column + 1);
            lua_rawseti(L, -2, 2);
            lua_pushnumber(L, a->value[k]);
            lua_rawseti(L, -2, 3);
            lua_rawseti(L, -2, ++count);
        }
    return 1;
}

static void add_all(tide_triplets *triplets, const tide_sparse *a, double factor, bool both_halves)
{
    for (uint32_t column = 0; column < a->columns; column++)
        for (int32_t k = a->column_start[column]; k < a->column_start[column + 1]; k++) {
            uint32_t row = (uint32_t)a->row[k];
            tide_triplets_add(triplets, row, column, factor * a->value[k]);
            if (both_halves && a->symmetric && row != column)
                tide_triplets_add(triplets, column, row, factor * a->value[k]);
        }
}

// --- sums and multiples ----------------------------------------------------------------------------------------------

// Pushes A + factor B.
static int combine(lua_State *L, double factor, const char *operation)
{
    const tide_sparse *a = check(L, 1), *b = check(L, 2);
    if (a->rows != b->rows || a->columns != b->columns)
        tide_raise_bad(L, "matrix", operation, NULL, "expected matrices of one size, got %u x %u and %u x %u", a->rows,
                       a->columns, b->rows, b->columns);
    bool symmetric = a->symmetric && b->symmetric;
    tide_triplets *triplets = tide_triplets_new(L);
    add_all(triplets, a, 1, !symmetric);
    add_all(triplets, b, factor, !symmetric);
    return tide_matrix_finish(L, triplets, a->rows, a->columns, symmetric);
}

static int add(lua_State *L)
{
    return combine(L, 1, "+");
}

static int subtract(lua_State *L)
{
    return combine(L, -1, "-");
}

static int scaled(lua_State *L, int index, double factor)
{
    const tide_sparse *a = check(L, index);
    tide_triplets *triplets = tide_triplets_new(L);
    add_all(triplets, a, factor, false);
    return tide_matrix_finish(L, triplets, a->rows, a->columns, a->symmetric);
}

static int negate(lua_State *L)
{
    return scaled(L, 1, -1);
}

static int divide(lua_State *L)
{
    double by = tide_check_number(L, 2, "matrix", "/");
    if (by == 0)
        tide_raise_bad(L, "matrix", "/", "0", "expected a number other than 0");
    return scaled(L, 1, 1 / by);
}

static int transpose(lua_State *L)
{
    const tide_sparse *a = self(L);
    if (a->symmetric)
        return scaled(L, 1, 1);
    tide_triplets *triplets = tide_triplets_new(L);
    add_all(triplets, a, 1, false);
    for (size_t i = 0; i < triplets->count; i++) {
        tide_triplet *triplet = &triplets->items[i];
        *triplet = (tide_triplet) { triplet->column, triplet->row, triplet->value };
    }
    return tide_matrix_finish(L, triplets, a->columns, a->rows, false);
}

// --- products --------------------------------------------------------------------------------------------------------

static int multiply_vector(lua_State *L)
{
    const tide_sparse *a = self(L);
    size_t size = 0;
    const double *x = tide_check_numbers(L, 2, &size, "matrix", "multiply");
    uint32_t width = tide_check_width(L, size, a->columns, "matrix", "multiply");
    tide_vector *y = tide_vector_new(L, (size_t)width * a->rows);
    tide_sparse_multiply(a, width, x, y->values);
    return 1;
}

static int multiply_matrix(lua_State *L)
{
    const tide_sparse *a = check(L, 1), *b = check(L, 2);
    if (a->columns != b->rows)
        tide_raise_bad(L, "matrix", "*", NULL,
                       "expected as many columns of the first as rows of the second, got %u x %u and %u x %u", a->rows,
                       a->columns, b->rows, b->columns);
    tide_matrix *product = tide_matrix_new(L);
    tide_error error;
    tide_raise_unless_ok(L, tide_sparse_product(a, b, &product->sparse, &error), &error);
    tide_check_limit(L);
    return 1;
}

static int multiply(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TNUMBER)
        return scaled(L, 2, tide_check_number(L, 1, "matrix", "*"));
    if (lua_type(L, 2) == LUA_TNUMBER)
        return scaled(L, 1, tide_check_number(L, 2, "matrix", "*"));
    if (tide_object_test(L, 2, &tide_matrix_class))
        return multiply_matrix(L);
    return multiply_vector(L);
}

static int norm(lua_State *L)
{
    const tide_sparse *a = self(L);
    double sum = 0;
    for (uint32_t column = 0; column < a->columns; column++)
        for (int32_t k = a->column_start[column]; k < a->column_start[column + 1]; k++)
            sum += (a->symmetric && a->row[k] != (int32_t)column ? 2 : 1) * a->value[k] * a->value[k];
    tide_check_limit(L);
    lua_pushnumber(L, sqrt(sum));
    return 1;
}

// --- text ------------------------------------------------------------------------------------------------------------

enum { SHOWN = 6 }; // rows and columns

static void add_row(luaL_Buffer *text, const tide_sparse *a, uint32_t row)
{
    char number[32];
    for (uint32_t column = 0; column < a->columns && column < SHOWN; column++) {
        tide_format(number, sizeof number, column ? ", %.6g" : "{ %.6g", tide_sparse_get(a, row, column));
        luaL_addstring(text, number);
    }
    luaL_addstring(text, a->columns > SHOWN ? ", ... }" : " }");
}

// Shows the size and the first rows and columns: "matrix(2 x 2, symmetric) { { 2, -1 }, { -1, 2 } }".
static int describe(lua_State *L)
{
    const tide_sparse *a = check(L, 1);
    char head[64];
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    snprintf(head, sizeof head, "matrix(%u x %u%s) {", a->rows, a->columns, a->symmetric ? ", symmetric" : "");
    luaL_addstring(&text, head);
    for (uint32_t row = 0; row < a->rows && row < SHOWN; row++) {
        luaL_addstring(&text, row ? ", " : " ");
        add_row(&text, a, row);
    }
    luaL_addstring(&text, a->rows > SHOWN ? ", ... }" : " }");
    luaL_pushresult(&text);
    return 1;
}

// --- the class -------------------------------------------------------------------------------------------------------

static const tide_member members[] = {
    { "multiply", multiply_vector, .type = "(x: tide.Numbers): tide.Vector",
      .help = "Computes A x. x may hold several interleaved vectors." },
    { "get", get, .type = "(row: integer, column: integer): number", .help = "The entry in a row and a column." },
    { "rows", rows, .type = "(): integer", .help = "Number of rows." },
    { "columns", columns, .type = "(): integer", .help = "Number of columns." },
    { "nonzeros", nonzeros, .type = "(): integer",
      .help = "Number of stored entries; a symmetric matrix stores its lower triangle." },
    { "transpose", transpose, .type = "(): tide.Matrix", .help = "The transposed matrix." },
    { "norm", norm, .type = "(): number",
      .help = "The Frobenius norm: the square root of the sum of the squares of all entries." },
    { "triplets", to_triplets, .type = "(): number[][]", .help = "The stored entries, each { row, column, value }." },
    { 0 },
};
static const luaL_Reg metamethods[] = { { "__gc", collect_matrix }, { "__add", add },
                                        { "__sub", subtract },      { "__mul", multiply },
                                        { "__div", divide },        { "__unm", negate },
                                        { "__tostring", describe }, { 0 } };

const tide_class tide_matrix_class = {
    "tide.Matrix",
    "matrix",
    "A sparse matrix, with + and -, with * by a number, a vector or a matrix, and with / by a number. tostring shows "
    "the "
    "first entries.",
    members,
    metamethods,
    NULL,
    NULL,
};
