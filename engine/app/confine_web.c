// A browser confines every page, and there is nothing more to confine here.
#include "app/confine.h"

tide_status tide_confine(const tide_confinement *confinement, tide_error *error)
{
    (void)confinement;
    return tide_fail(error, TIDE_ERROR_STATE, "confinement", NULL, NULL,
                     "this build cannot confine its process; use the native Springtide on Linux");
}
