// Certifies the steps of a live.
#include "session/live_state.h"

#include "base/log.h"

#include <stdio.h>

void tide_live_certify(tide_live *live, bool on)
{
    live->certificates.on = on;
}

const tide_live_certificates *tide_live_get_certificates(const tide_live *live)
{
    return &live->certificates;
}

static tide_status certify(tide_live *live, tide_error *error)
{
    tide_live_certificates *c = &live->certificates;
    c->current = false;
    TIDE_TRY(tide_world_certify(tide_live_world(live), &c->last, error));
    tide_certificate_write(tide_live_world(live), &c->last, c->text, sizeof c->text);
    c->current = true;
    return TIDE_OK;
}

tide_status tide_live_certify_now(tide_live *live, tide_error *error)
{
    return live->certificates.current ? TIDE_OK : certify(live, error);
}

void tide_live_certify_step(tide_live *live)
{
    tide_live_certificates *c = &live->certificates;
    tide_error error;
    c->current = false;
    if (!c->on)
        return;
    c->checked++;
    if (certify(live, &error) != TIDE_OK) { // as good as a crossing: nothing is known
        tide_certificate none = { .frame = tide_live_frame(live) };
        c->last = none;
        tide_error_text(&error, c->text, sizeof c->text);
    }
    c->seconds += c->last.seconds;
    if (tide_certificate_is_clean(&c->last))
        return;
    if (c->failed++ == 0) {
        snprintf(c->first, sizeof c->first, "%s", c->text);
        tide_log(TIDE_LOG_WARNING, "certificate: %s", c->first);
    }
}

void tide_live_forget_certificate(tide_live *live)
{
    live->certificates.current = false;
}
