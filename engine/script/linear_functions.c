// tide.linear: vectors, matrices, Cholesky factors, iterative methods.
#include "script/matrix_binding.h"

#include "base/elementary.h"
#include "factor/cholesky.h"
#include "linear/iterative.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIZE = 300000000 }; // of vectors and matrices: the number of coordinates of the largest mesh

// --- constructors ----------------------------------------------------------------------------------------------------

static const tide_field sparse_fields[] = {
    { "symmetric", TIDE_FIELD_BOOLEAN, 0,
      .help = "the entries of one triangle, the lower (row >= column) or the upper, define the matrix; if entries off "
              "the diagonal are in both, the two triangles must be equal" },
    { 0 },
};

// Refuses triangles that differ. Duplicate entries are summed first; sums are compared up to rounding.
static void check_triangles(lua_State *L, const tide_triplets *triplets, uint32_t size)
{
    tide_matrix_finish(L, triplets, size, size, false);
    const tide_matrix *matrix = lua_touserdata(L, -1);
    const tide_sparse *all = &matrix->sparse;
    for (uint32_t column = 0; column < size; column++)
        for (int32_t k = all->column_start[column]; k < all->column_start[column + 1]; k++) {
            uint32_t row = (uint32_t)all->row[k], upper = row < column ? row : column, lower = row + column - upper;
            double above = tide_sparse_get(all, upper, lower), below = tide_sparse_get(all, lower, upper);
            if (fabs(above - below) <= 1e-12 * fmax(fabs(above), fabs(below)))
                continue;
            char name[64], value[64];
            snprintf(name, sizeof name, "entry (%u, %u)", upper + 1, lower + 1);
            snprintf(value, sizeof value, "%.10g", above);
            tide_raise_bad(L, "sparse", name, value,
                           "entry (%u, %u) is %.10g; with symmetric = true give one triangle alone, the lower (row >= "
                           "column) or the upper, or both with equal entries",
                           lower + 1, upper + 1, below);
        }
    lua_pop(L, 1);
}

// Makes the triplets those of a lower triangle, from either triangle or from both.
static void keep_lower_triangle(lua_State *L, tide_triplets *triplets, uint32_t size)
{
    bool below = false, above = false;
    for (size_t i = 0; i < triplets->count; i++) {
        below = below || triplets->items[i].row > triplets->items[i].column;
        above = above || triplets->items[i].row < triplets->items[i].column;
    }
    if (above && below)
        check_triangles(L, triplets, size);
    for (size_t i = 0; i < triplets->count && above && !below; i++) {
        tide_triplet *triplet = &triplets->items[i];
        *triplet = (tide_triplet) { triplet->column, triplet->row, triplet->value };
    }
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
        keep_lower_triangle(L, triplets, row_count);
    return tide_matrix_finish(L, triplets, row_count, column_count, symmetric);
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
    return tide_matrix_finish(L, triplets, (uint32_t)size, (uint32_t)size, true);
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
        tide_raise_bad(L, object, "A", NULL,
                       "expected a symmetric matrix; make it with { symmetric = true }, as "
                       "linear.sparse(n, n, A:triplets(), { symmetric = true })");
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
    uint32_t width = tide_check_width(L, size, f->rows, "factor", "solve");
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
        waves[2 * i] = tide_cos(2 * pi * i / count);
        waves[2 * i + 1] = tide_sin(2 * pi * i / count);
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
      .help =
          "A matrix from { row, column, value } triplets; values in the same place are added. With symmetric = true, "
          "the lower triangle (row >= column) or the upper one is enough; if entries off the diagonal are in both, "
          "the two must be equal." },
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
