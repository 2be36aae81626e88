// Quitting: the Escape key closes what is open, one thing at a time; quitting asks once.
#include "gui/window_state.h"

#include <inttypes.h>
#include <string.h>

static const char quit_line[] = "Q or Enter", stay_line[] = "Esc";

// Returns whether quitting loses frames. A run of a given length asks nobody, and a replay can be run again.
static bool loses_history(const tide_window *w)
{
    return tide_live_history(w->job->live).count > 1 && !w->job->options->frames_given && !w->job->replay;
}

void tide_window_quit(tide_window *w)
{
    w->closing = w->asks_to_quit || !loses_history(w);
    w->asks_to_quit = !w->closing;
    w->dirty = true;
}

void tide_window_escape(tide_window *w)
{
    tide_live *live = w->job->live;
    tide_failure_kind failure = tide_live_failure(live)->kind;
    w->dirty = true;
    if (w->refused[0])
        w->refused[0] = '\0';
    else if (failure != TIDE_FAILURE_NONE && failure != TIDE_FAILURE_STEP && !w->job->compare)
        tide_live_clear_failure(live);
    else
        w->asks_to_quit = true;
}

static void answer(tide_window *w, bool quit)
{
    w->asks_to_quit = false;
    w->closing = quit;
    w->dirty = true;
}

bool tide_window_answer(tide_window *w, const SDL_Event *event)
{
    if (!w->asks_to_quit)
        return false;
    if (event->type == SDL_KEYDOWN) {
        SDL_Keycode key = event->key.keysym.sym;
        bool quits = key == SDLK_q || key == SDLK_y || key == SDLK_RETURN || key == SDLK_KP_ENTER;
        if (!quits && key != SDLK_ESCAPE && key != SDLK_n)
            return false;
        if (!event->key.repeat) // not the key press that asked
            answer(w, quits);
        return true;
    }
    if (event->type != SDL_MOUSEBUTTONDOWN || event->button.button != SDL_BUTTON_LEFT)
        return false;
    const char *line = tide_overlay_line_at(&w->overlay, w->scale * event->button.x, w->scale * event->button.y);
    bool quits = line && strncmp(line, quit_line, strlen(quit_line)) == 0;
    if (!quits && !(line && strncmp(line, stay_line, strlen(stay_line)) == 0))
        return false;
    answer(w, quits);
    return true;
}

void tide_window_add_question(const tide_window *w, tide_text *text)
{
    uint64_t frames = tide_live_history(w->job->live).count;
    tide_text_format(text, "Quit?");
    if (loses_history(w))
        tide_text_format(text, " The %" PRIu64 " frames behind are lost. F12 saves the world as it is now.", frames);
    tide_text_format(text, "\n\n%s  quit\n%s  stay", quit_line, stay_line);
}
