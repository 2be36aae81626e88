#include "gui/first_hint.h"

#include "base/text.h"
#include "session/output.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Finds the path of the file; false if the environment names no folder for it.
static bool find_path(char path[PATH_MAX])
{
    static const char file[] = "springtide/first-hint-done";
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (state && state[0] == '/') // the XDG Base Directory Specification says to ignore relative paths
        length = snprintf(path, PATH_MAX, "%s/%s", state, file);
    else if (home && home[0] == '/')
        length = snprintf(path, PATH_MAX, "%s/.local/state/%s", home, file);
    return length >= 0 && length < PATH_MAX;
}

bool tide_first_hint_is_done(void)
{
    char path[PATH_MAX];
    return find_path(path) && access(path, F_OK) == 0;
}

void tide_first_hint_end(void)
{
    static const char words[] = "The window of Springtide shows its first hint again once this file is removed.\n";
    char path[PATH_MAX];
    tide_error unread;
    tide_text text = { 0 };
    if (!find_path(path) || access(path, F_OK) == 0)
        return;
    tide_text_add(&text, words, sizeof words - 1);
    if (tide_make_folders(path, &unread) == TIDE_OK)
        tide_text_save(&text, path, path, &unread);
    tide_text_free(&text);
}
