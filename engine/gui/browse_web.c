// The page lists the scenes itself.
#include "gui/browse.h"

bool tide_browse_is_possible(void)
{
    return false;
}

bool tide_browse(tide_job *job)
{
    (void)job;
    return false;
}
