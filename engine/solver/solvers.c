// The list of all solvers; the first is the default.
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>

#define SOLVERS(X)                                                                                                     \
    X(tide_local_global)                                                                                               \
    X(tide_newton_method)                                                                                              \
    X(tide_lbfgs)                                                                                                      \
    X(tide_nonlinear_cg)                                                                                               \
    X(tide_vbd)                                                                                                        \
    X(tide_semi_implicit)                                                                                              \
    X(tide_imex)                                                                                                       \
    X(tide_bdf2)                                                                                                       \
    X(tide_implicit_midpoint)                                                                                          \
    X(tide_pbd)                                                                                                        \
    X(tide_xpbd)                                                                                                       \
    X(tide_explicit_euler)                                                                                             \
    X(tide_symplectic_euler)                                                                                           \
    X(tide_verlet)                                                                                                     \
    X(tide_midpoint)                                                                                                   \
    X(tide_rk4)                                                                                                        \
    X(tide_linearized_explicit)

#define DECLARE(kind) extern const tide_solver_kind kind;
SOLVERS(DECLARE)

#define ADDRESS(kind) &kind,
static const tide_solver_kind *const kinds[] = { SOLVERS(ADDRESS) };

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const tide_solver_kind *tide_solver_kind_at(uint32_t index)
{
    return index < KIND_COUNT ? kinds[index] : NULL;
}

bool tide_solver_kind_is_own(const tide_solver_kind *kind)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

enum { MAX_MORE = 64 }; // a script's solvers that errors list

static void fail_unknown(const char *name, const tide_solver_kind *const *more, size_t count, tide_error *error)
{
    const char *names[KIND_COUNT + MAX_MORE];
    char value[72], known[600] = "";
    size_t length = 0, total = 0;
    for (size_t i = 0; i < KIND_COUNT; i++)
        names[total++] = kinds[i]->name;
    for (size_t i = 0; i < count && i < MAX_MORE; i++)
        names[total++] = more[i]->name;
    for (size_t i = 0; i < total && length < sizeof known; i++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", names[i]);
    snprintf(value, sizeof value, "\"%.64s\"", name);
    const char *nearest = tide_nearest_name(name, names, total);
    if (nearest)
        tide_fail(error, TIDE_ERROR_ARGUMENT, "solver", "name", value, "unknown solver; did you mean \"%s\"?", nearest);
    else
        tide_fail(error, TIDE_ERROR_ARGUMENT, "solver", "name", value, "unknown solver; known are %s", known);
}

const tide_solver_kind *tide_solver_kind_find_among(const char *name, const tide_solver_kind *const *more, size_t count,
                                                    tide_error *error)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    for (size_t i = 0; i < count; i++)
        if (strcmp(more[i]->name, name) == 0)
            return more[i];
    fail_unknown(name, more, count, error);
    return NULL;
}

const tide_solver_kind *tide_solver_kind_find(const char *name, tide_error *error)
{
    return tide_solver_kind_find_among(name, NULL, 0, error);
}

// --- options of other solvers ---------------------------------------------------------------------------------------

enum { MAX_NAMED = 4 };

void tide_solver_explain(tide_error *error)
{
    static const char unknown[] = "unknown field", object[] = "solver \"", explained[] = " is an option of ";
    size_t length = strlen(error->remedy), size = sizeof error->remedy;
    if (strncmp(error->remedy, unknown, strlen(unknown)) != 0 || strncmp(error->object, object, strlen(object)) != 0 ||
        strstr(error->remedy, explained))
        return;
    uint32_t found = 0;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (!tide_field_find(kinds[i]->fields, "", error->field, NULL))
            continue;
        if (!found && length < size)
            length += (size_t)snprintf(error->remedy + length, size - length, "; \"%s\"%s", error->field, explained);
        if (found < MAX_NAMED && length < size)
            length +=
                (size_t)snprintf(error->remedy + length, size - length, "%s%s", found ? ", " : "", kinds[i]->name);
        found++;
    }
    if (found > MAX_NAMED && length < size)
        snprintf(error->remedy + length, size - length, " and %u more", found - MAX_NAMED);
}
