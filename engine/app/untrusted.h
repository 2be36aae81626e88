// `run --untrusted`: what the process of an untrusted scene may still do.
#ifndef TIDE_APP_UNTRUSTED_H
#define TIDE_APP_UNTRUSTED_H

#include "session/run_options.h"

// Refuses options that need what a confined process cannot do.
tide_status tide_confine_check(const tide_run_options *options, tide_error *error);
// Confines the process, after its window was opened and before the scene runs. It reads the scene and the Lua library,
// and, without a window, writes into the folders of the files that the options name, which it makes.
tide_status tide_confine_run(const tide_run_options *options, tide_error *error);

#endif
