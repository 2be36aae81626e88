// `compare`: runs a scene that is forked into panes.
#include "app/commands.h"

tide_exit tide_command_compare(const tide_arguments *arguments)
{
    tide_arguments comparing = *arguments;
    comparing.comparing = true;
    return tide_command_run(&comparing);
}
