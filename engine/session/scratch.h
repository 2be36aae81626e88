// Temporary folders.
#ifndef TIDE_SESSION_SCRATCH_H
#define TIDE_SESSION_SCRATCH_H

// Makes an empty folder in $TMPDIR, or in /tmp, that only the user can enter. Returns its path, owned by the caller, or
// NULL when it cannot be made.
char *tide_scratch_make(void);
// Removes the folder and its files, but no folders in it. NULL does nothing.
void tide_scratch_remove(const char *folder);

#endif
