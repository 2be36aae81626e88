// Where the program stands, and the folders that come with it: the Lua library ("scripts") and the scenes ("scenes").
#ifndef TIDE_BASE_PLACES_H
#define TIDE_BASE_PLACES_H

#include <stdbool.h>
#include <stddef.h>

// The file of the program, and the file that holds this code: the program, or a module that another program loaded.
// Absolute, links followed. Return false, with "", where the system does not tell it. Each system has them in a file.
bool tide_place_of_program(char *path, size_t size);
bool tide_place_of_code(char *path, size_t size);
// The folder of the program.
bool tide_place_of_program_folder(char *folder, size_t size);
// What starts this program again, also where its file was replaced by a new one. Valid to the end of the program.
const char *tide_place_to_start(void);

// Finds a folder that comes with the code, as "scripts", "scenes" or "scenes/course"; `marker` is a file or folder in
// it, "." for any. SPRINGTIDE_SCRIPTS, the folder "scripts", goes before the places beside the code; other parts are
// sought beside that folder last. Returns false, with "", if there is none.
bool tide_place_find(const char *part, const char *marker, char *folder, size_t size);

// Writes the places that tide_place_find tries beside the code, for messages.
void tide_place_list(const char *part, char *text, size_t size);

#endif
