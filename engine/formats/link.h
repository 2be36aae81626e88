// Links: an experiment as text, the same for this program and for the page (scripts/web/page/link.js). scenes/links.md
// describes the format: base64url of zlib's format of a JSON object.
//
//     tide_link *link;
//     TIDE_TRY(tide_link_read(text, strlen(text), &link, error));
//     puts(link->script);
//     tide_free(link);
//
// A link is hostile until it is read: all of its names, numbers and lengths are then checked, but the script is not.
// Ownership: a link is one block that owns all it points to.
#ifndef TIDE_FORMATS_LINK_H
#define TIDE_FORMATS_LINK_H

#include "base/text.h"

#include <stdint.h>

enum {
    TIDE_LINK_VERSION = 1,
    TIDE_LINK_LARGEST = 1000000,         // characters of a link
    TIDE_LINK_LARGEST_CONTENT = 4000000, // bytes of the JSON
    TIDE_LINK_MOST_FRAMES = 1000000,
    TIDE_LINK_MOST_PAIRS = 64,  // modules, and parameters
    TIDE_LINK_NAME_SIZE = 64,   // bytes of a name, of a module's name and of a parameter's
    TIDE_LINK_VALUE_SIZE = 4096 // bytes of a parameter's value, and of a solver
};
#define TIDE_LINK_LARGEST_SEED 9007199254740991 // 2^53 - 1: what a number of JavaScript holds

typedef struct tide_link_pair {
    const char *name, *text;
} tide_link_pair;

typedef struct tide_link {
    const char *name;           // of the scene: letters, digits, "-" and "_"
    const char *script;         // Lua; UTF-8, without zero bytes
    tide_link_pair *modules;    // (module_count) those of the scene's folder, as `require` names them
    tide_link_pair *parameters; // (parameter_count) values of tide.param, as --set has them
    uint32_t module_count, parameter_count;
    const char *solver; // "NAME,key=value,..."; NULL: the scene's own
    double timestep;    // s; 0: the scene's own
    uint64_t seed;      // of random numbers
    bool has_camera;
    double position[3], target[3], up[3]; // m; if has_camera
    double field_of_view;                 // vertical, rad
    uint64_t frame;                       // that the link shows: steps from the start
    bool has_hash;
    uint64_t hash; // of the state at `frame`, in portable mode
} tide_link;

// Returns whether these are names that a link may have.
bool tide_link_is_name(const char *name);
bool tide_link_is_module(const char *name);
// Returns whether these bytes are a text that a link may hold: UTF-8 without zero bytes.
bool tide_link_is_text(const char *bytes, size_t size);

// Reads a link: an address with the link after its #, or that part alone; blanks around it are left out.
tide_status tide_link_read(const char *text, size_t size, tide_link **link, tide_error *error);
// Adds the text of a link, without "#". Fails for one that could not be read.
tide_status tide_link_write(const tide_link *link, tide_text *text, tide_error *error);

// link_json.c: the content of a link.
tide_status tide_link_read_json(const char *json, size_t size, tide_link **link, tide_error *error);
void tide_link_write_json(const tide_link *link, tide_text *json);

// Fails with a message about a field of the link.
#define tide_link_fail(error, field, value, ...)                                                                       \
    tide_fail((error), TIDE_ERROR_FORMAT, "link", (field), (value), __VA_ARGS__)

#endif
