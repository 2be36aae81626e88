#include "app/command_line.h"
#include "base/signals.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    tide_signals_take();
    tide_exit status = tide_command_line_run(argc - 1, argv + 1);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("springtide: standard output cannot be written; is its disk full?\n", stderr);
        return status ? (int)status : TIDE_EXIT_FAILED;
    }
    return (int)status;
}
