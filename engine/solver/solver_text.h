// A solver as text, as on a command line: "NAME" or "NAME,option=value,...". An option of a record has a dotted name,
// "damping.mass=1"; commas within braces belong to the value, "axis={0,1,0}".
#ifndef TIDE_SOLVER_SOLVER_TEXT_H
#define TIDE_SOLVER_SOLVER_TEXT_H

#include "base/text.h"
#include "solver/solver.h"

// Parses such a text. `more` (count): the solvers of a script, as in tide_solver_kind_find_among. *options is for
// tide_solver_create; the caller then frees it with tide_free.
tide_status tide_solver_text_parse(const char *text, const tide_solver_kind *const *more, size_t count,
                                   const tide_solver_kind **kind, void **options, tide_error *error);
// Checks what can be checked before a script has run: the form of the text and, for the engine's own solvers, the
// options. An unknown name may be one of the script's.
tide_status tide_solver_text_check(const char *text, tide_error *error);
// The first returns true when the method has an option of this name. The second returns its maximum, INFINITY without a
// limit.
bool tide_solver_has_option(const tide_solver_kind *kind, const char *option);
double tide_solver_option_most(const tide_solver_kind *kind, const char *option);

// Appends the solver's name and the options that differ from the defaults.
void tide_solver_text_write(const tide_solver_kind *kind, const void *options, tide_text *text);

#endif
