// A link that is opened in place of a scene's file: it runs as an untrusted scene in the portable mode, with the texts
// of the link as its files, to the frame of the link, where its state is compared with the hash of the link.
#ifndef TIDE_SESSION_OPENED_LINK_H
#define TIDE_SESSION_OPENED_LINK_H

#include "formats/link.h"
#include "session/live.h"

#define TIDE_LINK_ENDING ".springtide" // of files that hold a link

typedef struct tide_opened_link {
    tide_link *content;
    const char *word;       // what the user named, for messages
    const char *path;       // of the script, in messages: NAME.lua
    tide_input_file *files; // (file_count) the script and its modules
    uint32_t file_count;
    enum {
        TIDE_LINK_NOT_COMPARED,   // its frame is to come
        TIDE_LINK_NOT_COMPARABLE, // it has no hash, or options of the command line change the experiment
        TIDE_LINK_SAME,
        TIDE_LINK_DIFFERS
    } outcome;
    char text[400]; // the outcome in words, once its frame was reached
} tide_opened_link; // owns everything but `word`; freed by tide_free

// Returns whether this names a link: a file NAME.springtide, or an address with a link in it.
bool tide_is_link(const char *word);
tide_status tide_opened_link_read(const char *word, tide_opened_link **link, tide_error *error);
// The same for a link that was made or read already; it is owned from now on, also on failure.
tide_status tide_opened_link_take(const char *word, tide_link *content, tide_opened_link **link, tide_error *error);

// Makes the options of a run of the link: those of the command line, `given`, and for what they leave open those of the
// link. `options` borrows from both.
tide_status tide_opened_link_options(tide_opened_link *link, const tide_run_options *given, tide_run_options *options,
                                     tide_error *error);

// Compares the state when the link's frame is reached, once. Returns whether it did.
bool tide_opened_link_compare(tide_opened_link *link, tide_live *live);
// Steps to the link's frame, until `stopped` returns true, or a step fails.
void tide_opened_link_run_to_frame(tide_opened_link *link, tide_live *live, bool (*stopped)(void));

// Returns the link's camera; false: it has none.
bool tide_opened_link_camera(const tide_opened_link *link, tide_draw_camera *camera);

#endif
