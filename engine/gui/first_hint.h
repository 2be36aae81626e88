// Remembers across runs whether the user has followed the window's first hint: dragged a body, or edited a scene file,
// in any window. The existence of a file in $XDG_STATE_HOME/springtide, or in ~/.local/state/springtide, stores it.
#ifndef TIDE_GUI_FIRST_HINT_H
#define TIDE_GUI_FIRST_HINT_H

#include <stdbool.h>

bool tide_first_hint_is_done(void);
// Remembers it. Does nothing if the file cannot be written: the next window then shows the hint again.
void tide_first_hint_end(void);

#endif
