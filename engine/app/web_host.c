// Natively nobody waits: a call returns before its messages are taken.
#include "app/web_state.h"

void tide_web_tell_busy(const char *what, double seconds)
{
    (void)what;
    (void)seconds;
}
