// Options of the command line. Each command declares a const table of its options beside its code and the struct that
// they fill; the functions here set the defaults, read a value and print the help of any such table.
//
//     typedef struct my_options { tide_scene_options scene; uint64_t runs; } my_options;
//     static const tide_option my_options_table[] = {
//         { "--runs", "N", "measure N times", tide_option_whole, offsetof(my_options, runs), "3", .minimum = 1,
//           .maximum = 1000 },
//         { .more = tide_scene_option_table },
//     };
#ifndef TIDE_APP_OPTIONS_H
#define TIDE_APP_OPTIONS_H

#include "session/run_options.h"

typedef struct tide_option tide_option;

// Checks a text and stores its value; `text` is NULL for a switch.
typedef tide_status tide_option_reader(const tide_option *option, const char *text, void *value, tide_error *error);

struct tide_option {
    const char *name, *argument, *help; // argument NULL: a switch, which takes no value
    tide_option_reader *read;
    size_t offset;       // of the value in the command's struct
    const char *initial; // default as text, which the help shows; NULL: 0, NULL, or TIDE_NOT_GIVEN for a number
    double minimum, maximum;
    const char *expected;         // names the valid values in errors; for tide_option_whole the unit
    size_t given;                 // offset of a bool: whether the option is given; 0: none
    bool is_subject;              // the command takes this option in place of its subject
    const char *const *choices;   // of tide_option_choice; ends with NULL
    const tide_field *fields;     // of tide_option_field; `offset` is that of the struct that they describe
    void (*release)(void *value); // frees the value; NULL: nothing to free
    const tide_option *more;      // of the last row, whose name is NULL: the table that continues this one
};

// Returns the option after this one, NULL after the last. For loops: o = tide_option_first(table).
const tide_option *tide_option_first(const tide_option *table); // NULL: none
const tide_option *tide_option_next(const tide_option *option);

tide_status tide_options_default(const tide_option *table, void *options, tide_error *error);
void tide_options_free(const tide_option *table, void *options); // what the readers have allocated
void tide_options_print(const tide_option *table);               // one line each

tide_option_reader tide_option_switch; // bool
tide_option_reader tide_option_whole;  // uint64_t, from `minimum` to `maximum`; maximum 0: any
tide_option_reader tide_option_number; // double, from `minimum` to `maximum`
tide_option_reader tide_option_text;   // const char *, not empty
tide_option_reader tide_option_choice; // int: 1 + the index into `choices`
tide_option_reader tide_option_field;  // the field of `fields` that has the option's name
tide_option_reader tide_option_size;   // tide_picture_size
tide_option_reader tide_option_solver; // tide_solver_list; with @FRAME if `argument` shows it
void tide_solver_list_free(void *list);

// --set, --timestep, --seed, --portable, --memory-limit: of a struct whose first member is tide_scene_options.
extern const tide_option tide_scene_option_table[];
// Those, and --threads, --vectors, --hash, --record, --save-world, --open-world, --time-limit: of tide_run_options.
extern const tide_option tide_live_option_table[];

// Fails with "command line: NAME = TEXT: ...".
#define TIDE_REFUSE_OPTION(...) tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", option->name, text, __VA_ARGS__)

#endif
