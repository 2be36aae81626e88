// tide.linear: sparse matrices, Cholesky factors, iterative methods.
#include "script/binding.h"

#include "factor/cholesky.h"
#include "linear/iterative.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIZE = 300000000 }; // of vectors and matrices: the number of coordinates of the largest mesh

static int collect_matrix(lua_State *L)
{
    tide_matrix *matrix = lua_touserdata(L, 1);
    tide_sparse_free(&matrix->sparse);
    return 0;
}

tide_matrix *tide_matrix_new(lua_State *L)
{
    return tide_object_new(L, &tide_matrix_class, sizeof(tide_matrix), 0);
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

// Pushes the matrix of the triplets.
static int finish(lua_State *L, const tide_triplets *triplets, uint32_t rows, uint32_t columns, bool symmetric)
{
    tide_error error;
    tide_matrix *matrix = tide_matrix_new(L);
    if (triplets->failed)
        tide_raise_memory(L, "matrix");
    tide_raise_unless_ok(L, tide_sparse_from_triplets(triplets, rows, columns, symmetric, &matrix->sparse, &error),
                         &error);
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

// --- the class -------------------------------------------------------------------------------------------------------

// Returns how many interleaved vectors of `rows` numbers make `size` numbers. A matrix without rows, as of a scene
// whose particles are all pinned, takes one empty vector.
static uint32_t check_width(lua_State *L, size_t size, uint32_t rows, const char *object, const char *field)
{
    if (rows == 0 ? size != 0 : size == 0 || size % rows != 0)
        tide_raise_bad(L, object, field, NULL,
                       "expected %u numbers, or a multiple of it for interleaved vectors, got %zu", rows, size);
    return rows == 0 ? 1 : (uint32_t)(size / rows);
}

static int multiply_vector(lua_State *L)
{
    const tide_sparse *a = self(L);
    size_t size = 0;
    const double *x = tide_check_numbers(L, 2, &size, "matrix", "multiply");
    uint32_t width = check_width(L, size, a->columns, "matrix", "multiply");
    tide_vector *y = tide_vector_new(L, (size_t)width * a->rows);
    tide_sparse_multiply(a, width, x, y->values);
    return 1;
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

static int add(lua_State *L)
{
    const tide_matrix *a = tide_object_check(L, 1, &tide_matrix_class);
    const tide_matrix *b = tide_object_check(L, 2, &tide_matrix_class);
    if (a->sparse.rows != b->sparse.rows || a->sparse.columns != b->sparse.columns)
        tide_raise_bad(L, "matrix", "+", NULL, "expected matrices of one size, got %u x %u and %u x %u", a->sparse.rows,
                       a->sparse.columns, b->sparse.rows, b->sparse.columns);
    bool symmetric = a->sparse.symmetric && b->sparse.symmetric;
    tide_triplets *triplets = tide_triplets_new(L);
    add_all(triplets, &a->sparse, 1, !symmetric);
    add_all(triplets, &b->sparse, 1, !symmetric);
    return finish(L, triplets, a->sparse.rows, a->sparse.columns, symmetric);
}

static int multiply(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TNUMBER && lua_type(L, 2) != LUA_TNUMBER)
        return multiply_vector(L);
    int at = lua_type(L, 1) == LUA_TNUMBER ? 2 : 1;
    double factor = tide_check_number(L, 3 - at, "matrix", "*");
    const tide_matrix *a = tide_object_check(L, at, &tide_matrix_class);
    tide_triplets *triplets = tide_triplets_new(L);
    add_all(triplets, &a->sparse, factor, false);
    return finish(L, triplets, a->sparse.rows, a->sparse.columns, a->sparse.symmetric);
}

static const tide_member members[] = {
    { "multiply", multiply_vector, .type = "(x: tide.Numbers): tide.Vector",
      .help = "Computes A x. x may hold several interleaved vectors." },
    { "get", get, .type = "(row: integer, column: integer): number", .help = "The entry in a row and a column." },
    { "rows", rows, .type = "(): integer", .help = "Number of rows." },
    { "columns", columns, .type = "(): integer", .help = "Number of columns." },
    { "nonzeros", nonzeros, .type = "(): integer",
      .help = "Number of stored entries; a symmetric matrix stores its lower triangle." },
    { "triplets", to_triplets, .type = "(): number[][]", .help = "The stored entries, each { row, column, value }." },
    { 0 },
};
static const luaL_Reg metamethods[] = { { "__gc", collect_matrix }, { "__add", add }, { "__mul", multiply }, { 0 } };

const tide_class tide_matrix_class = {
    "tide.Matrix", "matrix", "A sparse matrix, with + and with * by a number or a vector.", members, metamethods,
    NULL,          NULL,
};

// --- constructors ----------------------------------------------------------------------------------------------------

static const tide_field sparse_fields[] = {
    { "symmetric", TIDE_FIELD_BOOLEAN, 0,
      .help = "the entries of the lower triangle (row >= column) define the matrix; upper entries, if given, must "
              "equal them" },
    { 0 },
};

// Refuses entries above the diagonal of a symmetric matrix that differ from those below. Duplicate entries are summed
// first; sums are compared up to rounding.
static void check_halves(lua_State *L, const tide_triplets *triplets, uint32_t size)
{
    bool above = false;
    for (size_t i = 0; i < triplets->count && !above; i++)
        above = triplets->items[i].row < triplets->items[i].column;
    if (!above)
        return;
    finish(L, triplets, size, size, false);
    const tide_matrix *matrix = lua_touserdata(L, -1);
    const tide_sparse *all = &matrix->sparse;
    for (uint32_t column = 0; column < size; column++)
        for (int32_t k = all->column_start[column]; k < all->column_start[column + 1]; k++) {
            uint32_t row = (uint32_t)all->row[k];
            double here = all->value[k], there = row < column ? tide_sparse_get(all, column, row) : here;
            if (fabs(here - there) <= 1e-12 * fmax(fabs(here), fabs(there)))
                continue;
            char name[64], value[64];
            snprintf(name, sizeof name, "entry (%u, %u)", row + 1, column + 1);
            snprintf(value, sizeof value, "%.10g", here);
            tide_raise_bad(L, "sparse", name, value,
                           "entry (%u, %u) is %.10g; with symmetric = true give the lower triangle alone (row >= "
                           "column), or both triangles with equal entries",
                           column + 1, row + 1, there);
        }
    lua_pop(L, 1);
}

static int make_sparse(lua_State *L)
{
    char name[64], shown[TIDE_VALUE_TEXT_SIZE];
    lua_Integer limit = MAX_SIZE;
    uint32_t row_count = (uint32_t)tide_check_integer(L, 1, 1, limit, "sparse", "rows");
    uint32_t column_count = (uint32_t)tide_check_integer(L, 2, 1, limit, "sparse", "columns");
    if (!lua_istable(L, 3))
        tide_raise_bad(L, "sparse", "triplets", tide_show(L, 3, shown), "expected a list of { row, column, value }");
    bool symmetric = false;
    if (!lua_isnoneornil(L, 4))
        tide_read_fields(L, 4, sparse_fields, "sparse", &symmetric, 0);
    lua_settop(L, 3);
    tide_triplets *triplets = tide_triplets_new(L);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, 3); i++) {
        snprintf(name, sizeof name, "triplets[" LUA_INTEGER_FMT "]", i);
        if (lua_rawgeti(L, 3, i) != LUA_TTABLE || lua_rawlen(L, -1) != 3)
            tide_raise_bad(L, "sparse", name, tide_show(L, -1, shown), "expected { row, column, value }");
        lua_rawgeti(L, 5, 1);
        lua_rawgeti(L, 5, 2);
        lua_rawgeti(L, 5, 3);
        uint32_t row = tide_check_index(L, 6, row_count, "sparse", name, "a row");
        uint32_t column = tide_check_index(L, 7, column_count, "sparse", name, "a column");
        tide_triplets_add(triplets, row, column, tide_check_number(L, 8, "sparse", name));
        lua_settop(L, 4);
    }
    if (symmetric && row_count != column_count)
        tide_raise_bad(L, "sparse", "symmetric", "true", "expected as many rows as columns");
    if (symmetric)
        check_halves(L, triplets, row_count);
    return finish(L, triplets, row_count, column_count, symmetric);
}

static int make_diagonal(lua_State *L)
{
    size_t size = 0;
    const double *values = tide_check_numbers(L, 1, &size, "diagonal", "values");
    if (size == 0 || size > MAX_SIZE)
        tide_raise_bad(L, "diagonal", "values", NULL, "expected at least one number");
    tide_triplets *triplets = tide_triplets_new(L);
    for (uint32_t i = 0; i < size; i++)
        tide_triplets_add(triplets, i, i, values[i]);
    return finish(L, triplets, (uint32_t)size, (uint32_t)size, true);
}

static int make_vector(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TNUMBER) {
        tide_vector_new(L, (size_t)tide_check_integer(L, 1, 0, MAX_SIZE, "vector", "size"));
        return 1;
    }
    size_t size = 0;
    const double *values = tide_check_numbers(L, 1, &size, "vector", "values");
    memcpy(tide_vector_new(L, size)->values, values, size * sizeof(double));
    return 1;
}

// --- Cholesky --------------------------------------------------------------------------------------------------------

typedef struct factor {
    tide_cholesky *cholesky;
    uint32_t rows;
} factor;

static const tide_sparse *check_symmetric(lua_State *L, const char *object)
{
    const tide_matrix *matrix = tide_object_check(L, 1, &tide_matrix_class);
    if (!matrix->sparse.symmetric)
        tide_raise_bad(L, object, "A", NULL, "expected a symmetric matrix; make it with { symmetric = true }");
    return &matrix->sparse;
}

static int make_factor(lua_State *L)
{
    const tide_sparse *a = check_symmetric(L, "cholesky");
    factor *made = tide_object_new(L, &tide_factor_class, sizeof *made, 0);
    tide_error error;
    uint32_t bad_row = 0;
    made->rows = a->rows;
    tide_raise_unless_ok(L, tide_cholesky_create(&made->cholesky, &error), &error);
    tide_status status = tide_cholesky_factor(made->cholesky, a, &bad_row, &error);
    tide_check_limit(L);
    if (status == TIDE_ERROR_NUMERIC) {
        lua_pushnil(L);
        lua_pushfstring(L, "cholesky: the matrix is not positive definite (row %d)", (int)bad_row + 1);
        return 2;
    }
    tide_raise_unless_ok(L, status, &error);
    return 1;
}

static int solve(lua_State *L)
{
    const factor *f = tide_object_self(L, &tide_factor_class);
    size_t size = 0;
    const double *b = tide_check_numbers(L, 2, &size, "factor", "solve");
    uint32_t width = check_width(L, size, f->rows, "factor", "solve");
    tide_vector *x = tide_vector_new(L, size);
    tide_error error;
    if (size)
        tide_raise_unless_ok(L, tide_cholesky_solve(f->cholesky, width, b, x->values, &error), &error);
    return 1;
}

static int factor_rows(lua_State *L)
{
    const factor *f = tide_object_self(L, &tide_factor_class);
    lua_pushinteger(L, f->rows);
    return 1;
}

static int factor_nonzeros(lua_State *L)
{
    const factor *f = tide_object_self(L, &tide_factor_class);
    lua_pushinteger(L, (lua_Integer)tide_cholesky_describe(f->cholesky).nonzeros);
    return 1;
}

static int collect_factor(lua_State *L)
{
    factor *f = lua_touserdata(L, 1);
    tide_cholesky_destroy(f->cholesky);
    f->cholesky = NULL;
    return 0;
}

static const tide_member factor_members[] = {
    { "solve", solve, .type = "(b: tide.Numbers): tide.Vector",
      .help = "Solves A x = b. b may hold several interleaved right-hand sides." },
    { "rows", factor_rows, .type = "(): integer", .help = "Number of rows of A." },
    { "nonzeros", factor_nonzeros, .type = "(): integer", .help = "Number of entries of the factor." },
    { 0 },
};
static const luaL_Reg factor_metamethods[] = { { "__gc", collect_factor }, { 0 } };

const tide_class tide_factor_class = {
    "tide.Factor", "factor", "A sparse Cholesky factorisation.", factor_members, factor_metamethods, NULL, NULL,
};

// --- iterative methods -----------------------------------------------------------------------------------------------

typedef struct iterative_options {
    double tolerance;
    int max_iterations;
} iterative_options;

static const tide_field iterative_fields[] = {
    { TIDE_MEMBER(iterative_options, tolerance), .type = TIDE_FIELD_REAL, .initial = { 1e-10 }, .minimum = 0,
      .maximum = 1, .help = "residual, relative to the right-hand side, at which to stop" },
    { TIDE_MEMBER(iterative_options, max_iterations), .type = TIDE_FIELD_INTEGER, .initial = { 1000 }, .minimum = 1,
      .maximum = INT32_MAX, .help = "largest number of iterations" },
    { "start", TIDE_FIELD_OTHER, .lua_type = "tide.Numbers", .initial_text = "zeros", .help = "initial guess" },
    { 0 },
};

static void apply_matrix(void *context, const double *x, double *y)
{
    tide_sparse_multiply(context, 1, x, y);
}

// Reads the options at `index` and pushes a vector with the initial iterate.
static tide_vector *read_iterative(lua_State *L, int index, const char *owner, size_t size, iterative_options *options)
{
    tide_fields_default(iterative_fields, options);
    const double *start = NULL;
    if (!lua_isnoneornil(L, index)) {
        tide_read_fields(L, index, iterative_fields, owner, options, 0);
        lua_pushliteral(L, "start");
        if (lua_rawget(L, index) != LUA_TNIL)
            start = tide_check_numbers(L, -1, &size, owner, "start");
    }
    tide_vector *x = tide_vector_new(L, size);
    if (start)
        memcpy(x->values, start, size * sizeof(double));
    return x;
}

static void push_result(lua_State *L, tide_iterative_result result)
{
    lua_createtable(L, 0, 3);
    tide_set_integer(L, "iterations", result.iterations);
    lua_pushnumber(L, result.residual);
    lua_setfield(L, -2, "residual");
    tide_set_flag(L, "converged", result.converged);
}

static int conjugate_gradient(lua_State *L)
{
    const tide_sparse *a = check_symmetric(L, "conjugate_gradient");
    size_t size = a->rows;
    iterative_options options;
    lua_settop(L, 3);
    const double *b = tide_check_numbers(L, 2, &size, "conjugate_gradient", "b");
    if (size != a->rows)
        tide_raise_bad(L, "conjugate_gradient", "b", NULL, "expected no numbers: the matrix is empty");
    tide_vector *x = read_iterative(L, 3, "conjugate_gradient", size, &options);
    double *work = lua_newuserdatauv(L, 4 * size * sizeof(double) + 1, 0);
    lua_pushvalue(L, -2);
    push_result(L, tide_conjugate_gradient(apply_matrix, NULL, (void *)a, a->rows, b, x->values, options.tolerance,
                                           (uint32_t)options.max_iterations, work));
    return 2;
}

static int largest_eigenvalue(lua_State *L)
{
    const tide_sparse *a = check_symmetric(L, "largest_eigenvalue");
    iterative_options options;
    lua_settop(L, 2);
    tide_vector *vector = read_iterative(L, 2, "largest_eigenvalue", a->rows, &options);
    int at = lua_gettop(L);
    double *work = lua_newuserdatauv(L, (size_t)a->rows * sizeof(double) + 1, 0), value;
    tide_iterative_result result =
        tide_largest_eigenvalue(apply_matrix, (void *)a, a->rows, vector->values, options.tolerance,
                                (uint32_t)options.max_iterations, &value, work);
    lua_pushnumber(L, value);
    lua_pushvalue(L, at);
    push_result(L, result);
    return 3;
}

static const double pi = 3.14159265358979323846;

// Computes the discrete Fourier transform, divided by `count`, of `count` complex numbers at distance `stride`. `waves`
// (count): exp(2 pi i k / count). Raises at the script's limits.
static void transform(lua_State *L, const double *in, double *out, uint32_t count, size_t stride, const double *waves)
{
    for (uint32_t k = 0; k < count; k++) {
        if (k % 64 == 0)
            tide_check_limit(L);
        double re = 0, im = 0;
        for (uint32_t i = 0; i < count; i++) {
            const double *z = in + 2 * i * stride, *w = waves + 2 * ((uint64_t)i * k % count);
            re += z[0] * w[0] + z[1] * w[1];
            im += z[1] * w[0] - z[0] * w[1];
        }
        out[2 * k * stride] = re / count;
        out[2 * k * stride + 1] = im / count;
    }
}

static void make_waves(double *waves, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        waves[2 * i] = cos(2 * pi * i / count);
        waves[2 * i + 1] = sin(2 * pi * i / count);
    }
}

// Adds |V|^2 of one component on a grid of n columns and m rows to `energy`. `work` is (4 n m).
static void add_spectrum(lua_State *L, const double *numbers, size_t stride, uint32_t n, uint32_t m,
                         const double *waves, double *work, double *energy)
{
    size_t count = (size_t)n * m;
    double *one = work, *other = work + 2 * count;
    for (size_t i = 0; i < count; i++) {
        one[2 * i] = numbers[stride * i];
        one[2 * i + 1] = 0;
    }
    for (uint32_t r = 0; r < m; r++)
        transform(L, one + 2 * (size_t)r * n, other + 2 * (size_t)r * n, n, 1, waves);
    for (uint32_t k = 0; k < n; k++)
        transform(L, other + 2 * (size_t)k, one + 2 * (size_t)k, m, n, waves + 2 * (size_t)n);
    for (size_t i = 0; i < count; i++) {
        size_t column = (i % n + n / 2) % n, row = (i / n + m / 2) % m;
        energy[row * n + column] += one[2 * i] * one[2 * i] + one[2 * i + 1] * one[2 * i + 1];
    }
}

static int spectrum(lua_State *L)
{
    size_t size = 0;
    uint32_t n = (uint32_t)tide_check_integer(L, 2, 1, 1 << 16, "spectrum", "columns");
    uint32_t m = (uint32_t)tide_check_integer(L, 3, 1, 1 << 16, "spectrum", "rows");
    const double *numbers = tide_check_numbers(L, 1, &size, "spectrum", "numbers");
    size_t count = (size_t)n * m, parts = size == 3 * count ? 3 : 1;
    if (size != parts * count)
        tide_raise_bad(L, "spectrum", "numbers", NULL, "expected columns * rows numbers, or x, y, z of as many");
    double *work = lua_newuserdatauv(L, (4 * count + 2 * ((size_t)n + m)) * sizeof *work, 0);
    double *waves = work + 4 * count;
    tide_vector *energy = tide_vector_new(L, count);
    make_waves(waves, n);
    make_waves(waves + 2 * (size_t)n, m);
    for (size_t part = 0; part < parts; part++)
        add_spectrum(L, numbers + part, parts, n, m, waves, work, energy->values);
    return 1;
}

#define ITERATIVE "options?: { tolerance: number, max_iterations: integer, start: tide.Numbers }"
const tide_member tide_linear_functions[] = {
    { "vector", make_vector, .type = "(numbers: integer|tide.Numbers): tide.Vector",
      .help = "A vector of zeros of a given size, or of the numbers of a list." },
    { "sparse", make_sparse,
      .type = "(rows: integer, columns: integer, triplets: number[][], options?: { symmetric: boolean }): tide.Matrix",
      .help = "A matrix from { row, column, value } triplets; values in the same place are added." },
    { "diagonal", make_diagonal, .type = "(values: tide.Numbers): tide.Matrix", .help = "A diagonal matrix." },
    { "cholesky", make_factor, .type = "(A: tide.Matrix): tide.Factor?, string?",
      .help = "Factors a symmetric matrix. Returns nil and a message if it is not positive definite." },
    { "conjugate_gradient", conjugate_gradient,
      .type = "(A: tide.Matrix, b: tide.Numbers, " ITERATIVE "): tide.Vector, tide.IterativeResult",
      .help = "Solves A x = b for a symmetric positive definite A." },
    { "largest_eigenvalue", largest_eigenvalue,
      .type = "(A: tide.Matrix, " ITERATIVE "): number, tide.Vector, tide.IterativeResult",
      .help = "The eigenvalue of largest magnitude of a symmetric matrix, and its eigenvector." },
    { "spectrum", spectrum, .type = "(numbers: tide.Numbers, columns: integer, rows: integer): tide.Vector",
      .help = "The power spectrum |V|^2 of numbers on a grid, row by row, with frequency 0 in the centre; for vectors "
              "x, y, z, the sum of the three. The sum of all entries is the mean square." },
    { 0 },
};
