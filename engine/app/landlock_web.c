// There is no Landlock without Linux.
#include "app/landlock.h"

tide_status tide_landlock(const tide_confinement *confinement, tide_error *error)
{
    (void)confinement;
    return tide_fail(error, TIDE_ERROR_STATE, "confinement", NULL, NULL, "there is no Landlock here");
}

bool tide_landlock_is_there(void)
{
    return false;
}
