// Confines this process by resource limits, seccomp and, where the kernel has it, Landlock.
#ifndef TIDE_APP_CONFINE_H
#define TIDE_APP_CONFINE_H

#include "base/confinement.h"
#include "base/error.h"

// Confines the process for good, all of its threads. Fails if the system cannot: the process is then not confined, or
// in part, and must not run what it does not trust.
tide_status tide_confine(const tide_confinement *confinement, tide_error *error);

#endif
