// The files that this process may open from now on, by Landlock (Linux 5.13 and later).
#ifndef TIDE_APP_LANDLOCK_H
#define TIDE_APP_LANDLOCK_H

#include "base/confinement.h"
#include "base/error.h"

// Does nothing where the kernel has no Landlock, or where all files may be read and some written: the sandbox of scenes
// and the filter of system calls remain. The calling thread and those that it starts are restricted.
tide_status tide_landlock(const tide_confinement *confinement, tide_error *error);
bool tide_landlock_is_there(void);

#endif
