// This is done for Linux only.
#include "app/confine.h"

tide_status tide_confine(const tide_confinement *confinement, tide_error *error)
{
    (void)confinement;
    return tide_fail(error, TIDE_ERROR_STATE, "confinement", NULL, NULL,
                     "the Springtide for Windows cannot confine its process; use the one for Linux for this");
}
