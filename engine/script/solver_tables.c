// Tables that describe solvers: what a solver is, and what it did in a step.
#include "script/binding.h"

static int amplification(lua_State *L) // upvalue: a built-in kind, which is static
{
    const tide_solver_kind *kind = lua_touserdata(L, lua_upvalueindex(1));
    double X = tide_check_number(L, 1, "amplification", "X"), Y = tide_check_number(L, 2, "amplification", "Y");
    lua_pushnumber(L, kind->amplification(X, Y));
    return 1;
}

void tide_solver_info_push(lua_State *L, const tide_solver_kind *kind)
{
    luaL_checkstack(L, 8, NULL);
    lua_newtable(L);
    tide_set_integer(L, "order", kind->order);
    if (kind->amplification) {
        lua_pushlightuserdata(L, (void *)kind);
        lua_pushcclosure(L, amplification, 1);
        lua_setfield(L, -2, "amplification");
    }
    tide_set_text(L, "name", kind->name);
    tide_set_text(L, "help", kind->help);
    tide_set_text(L, "source", kind->source);
    tide_push_field_list(L, kind->fields);
    lua_setfield(L, -2, "options");
}

// Sets a number that only some steps have.
static void set_positive(lua_State *L, const char *name, double value)
{
    if (value > 0)
        tide_set_number(L, name, value);
}

void tide_report_push(lua_State *L, const char *solver, const tide_report *r)
{
    luaL_checkstack(L, 4, NULL);
    lua_createtable(L, 0, 22);
    tide_set_text(L, "solver", solver);
    tide_set_flag(L, "converged", r->converged);
    tide_set_integer(L, "iterations", r->iterations);
    tide_set_integer(L, "line_searches", r->line_searches);
    tide_set_integer(L, "linear_iterations", r->linear_iterations);
    tide_set_integer(L, "substeps", r->substeps);
    tide_set_integer(L, "rejected", r->rejected);
    set_positive(L, "substep", r->substep);
    if (r->never_stable)
        tide_set_number(L, "stable_substep", 0);
    else
        set_positive(L, "stable_substep", r->stable_substep);
    set_positive(L, "largest_eigenvalue", r->largest_eigenvalue);
    if (r->warning[0]) {
        tide_set_text(L, "warning", r->warning);
    }
    tide_set_number(L, "g", r->g);
    tide_set_number(L, "gradient_norm", r->gradient_norm);
    tide_set_number(L, "initial_gradient_norm", r->initial_gradient_norm);
    tide_set_number(L, "local_seconds", r->local_seconds);
    tide_set_number(L, "global_seconds", r->global_seconds);
    tide_set_number(L, "contact_seconds", r->contact_seconds);
    tide_set_number(L, "step_seconds", r->step_seconds);
    tide_set_number(L, "energy_gain", r->energy_gain);
    if (r->accelerates) {
        tide_set_flag(L, "accelerated", r->plain_iterations == 0);
    }
}
