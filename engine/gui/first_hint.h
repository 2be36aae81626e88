// What the program remembers of the user: whether the first hint of the window has done its work. The user has then
// dragged a body, or edited a file of a scene, in some window. A file in $XDG_STATE_HOME/springtide, or in
// ~/.local/state/springtide, stands for it.
#ifndef TIDE_GUI_FIRST_HINT_H
#define TIDE_GUI_FIRST_HINT_H

#include <stdbool.h>

bool tide_first_hint_is_done(void);
// Remembers it. Does nothing where the file cannot be written: the next window then shows the hint again.
void tide_first_hint_end(void);

#endif
