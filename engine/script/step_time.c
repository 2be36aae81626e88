#include "script/step_time.h"

#include "base/clock.h"
#include "script/limits.h"

#include <math.h>

void tide_step_time_begin(lua_State *L)
{
    tide_context_of(L)->call->steps = true;
}

bool tide_step_time_turn(lua_State *L, bool engine)
{
    tide_context *context = tide_context_of(L);
    tide_limited *call = context ? context->call : NULL;
    if (!call || !call->steps || call->engine == engine || call->stop.deadline <= 0)
        return false;
    double now = tide_clock_seconds(), left = call->stop.deadline - now;
    call->engine_over = call->engine_over || (call->engine && call->stop.requested && left <= 0);
    call->stop.deadline = now + fmax(call->other, 0);
    call->other = left;
    call->engine = engine;
    return true;
}
