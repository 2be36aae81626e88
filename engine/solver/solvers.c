// The solvers that there are; the first is the default.
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>

#define SOLVERS(X)                                                                                                     \
    X(tide_local_global)                                                                                               \
    X(tide_symplectic_euler)

#define DECLARE(kind) extern const tide_solver_kind kind;
SOLVERS(DECLARE)

#define ADDRESS(kind) &kind,
static const tide_solver_kind *const kinds[] = { SOLVERS(ADDRESS) };

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const tide_solver_kind *tide_solver_kind_at(uint32_t index)
{
    return index < KIND_COUNT ? kinds[index] : NULL;
}

static void fail_unknown(const char *name, tide_error *error)
{
    const char *names[KIND_COUNT];
    char value[72], known[400] = "";
    size_t length = 0;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i]->name;
        if (length < sizeof known)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", names[i]);
    }
    snprintf(value, sizeof value, "\"%.64s\"", name);
    const char *nearest = tide_nearest_name(name, names, KIND_COUNT);
    if (nearest)
        tide_fail(error, TIDE_ERROR_ARGUMENT, "solver", "name", value, "unknown solver; did you mean \"%s\"?", nearest);
    else
        tide_fail(error, TIDE_ERROR_ARGUMENT, "solver", "name", value, "unknown solver; known are %s", known);
}

const tide_solver_kind *tide_solver_kind_find(const char *name, tide_error *error)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    fail_unknown(name, error);
    return NULL;
}
