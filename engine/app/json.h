// Writes JSON into a text: one value after another, with the commas between them.
//
//     tide_text text = { 0 };
//     tide_json_open(&text, NULL, '{');
//     tide_json_string(&text, "type", "frame");
//     tide_json_number(&text, "time", 0.5);
//     tide_json_close(&text, '}');
//
// `key` is the member's name, NULL in a list. A text without memory is marked, as in base/text.h.
#ifndef TIDE_APP_JSON_H
#define TIDE_APP_JSON_H

#include "base/text.h"

#include <stdint.h>

void tide_json_open(tide_text *text, const char *key, char bracket); // '{' or '['
void tide_json_close(tide_text *text, char bracket);                 // '}' or ']'
// A byte that is not UTF-8 becomes U+FFFD. NULL becomes null.
void tide_json_string(tide_text *text, const char *key, const char *value);
// A number that reads back the same; null if it is not finite.
void tide_json_number(tide_text *text, const char *key, double value);
void tide_json_count(tide_text *text, const char *key, uint64_t value);
void tide_json_boolean(tide_text *text, const char *key, bool value);
void tide_json_null(tide_text *text, const char *key);
void tide_json_numbers(tide_text *text, const char *key, const double *values, int count); // a list

#endif
