// `verify`: repeats a recorded run, and checks its states, its certificates and its bytes.
#include "app/commands.h"

static tide_exit run_command(const char *const *subjects, void *options)
{
    tide_run_options *o = options;
    o->replay = subjects[0];
    o->headless = o->verify = o->certify = o->whole = true;
    o->scene.memory_limit = o->time_limit = TIDE_NOT_GIVEN;
    return tide_run(o);
}

#define AT(member) .offset = offsetof(tide_run_options, member)
static const tide_option options[] = {
    { "--threads", "N", "use N threads (all processors); results are the same for any number", tide_option_whole,
      AT(threads), .minimum = 1, .maximum = 256 },
    { "--hash", NULL, "print the hash of the final state, 16 hexadecimal digits, as the last line", tide_option_switch,
      AT(hash) },
    { 0 },
};

const tide_command tide_command_verify = {
    "verify",
    "FILE",
    "check a recorded run (run --record): its states, crossings and bytes",

    "It repeats the run and compares the hash of every state, and the crossings that `run --certify` has recorded;\n"
    "a record without them is searched for crossings too. It reports the first difference: the frame, body and vertex\n"
    "of a state, the two certificates, or that bytes of the file were changed that no state depends on.\n"
    "Exit status 0: all is as recorded, and nothing crosses; 1: it differs, or something crosses. It runs the scripts\n"
    "in the record: verify only files of people you trust. The processor must have vectors of the recorded width.",
    .also = "run --help",
    .options = options,
    .size = sizeof(tide_run_options),
    .run = run_command
};
