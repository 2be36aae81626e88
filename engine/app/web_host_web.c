// A worker can send messages while it is busy.
#include "app/web_state.h"

#include <emscripten.h>

// clang-format off
EM_JS(void, tell_busy, (const char *what, double seconds), {
    if (Module.onBusy)
        Module.onBusy(UTF8ToString(what), seconds);
});
// clang-format on

void tide_web_tell_busy(const char *what, double seconds)
{
    tell_busy(what, seconds);
}
