// Symbols: the numbers and vectors that the functions of tide.element get. Operations on them make nodes of an
// expression (model/expression.h).
#ifndef TIDE_SCRIPT_SYMBOL_BINDING_H
#define TIDE_SCRIPT_SYMBOL_BINDING_H

#include "model/expression.h"
#include "script/binding.h"

// The expression that symbols belong to; a userdata, which symbols keep. Lua frees the expression.
typedef struct tide_sheet {
    tide_expression *expression; // NULL after the definition has ended
    char object[TIDE_OBJECT_TEXT];
    const char *field; // of the definition whose function runs, for errors
} tide_sheet;

typedef struct tide_symbol {
    tide_sheet *sheet;  // user value 1
    tide_node nodes[3]; // a vector's coordinates; of a number the first alone
} tide_symbol;

extern const tide_class tide_symbol_class, tide_symbol_vector_class, tide_element_kind_class;
extern const tide_member tide_symbol_functions[]; // tide.max and the like
extern const tide_field tide_element_fields[], tide_element_parameter_fields[];

tide_sheet *tide_sheet_push(lua_State *L, const char *object); // raises if memory runs out
// Push a symbol of the sheet at an absolute index.
void tide_symbol_push(lua_State *L, int sheet, tide_node node);
void tide_symbol_push_vector(lua_State *L, int sheet, const tide_node nodes[3]);
// Returns the node of a symbol or a finite number at `index`; TIDE_NO_NODE for all else.
tide_node tide_symbol_node(lua_State *L, int index, tide_sheet *sheet);

int tide_element_call(lua_State *L); // implements tide.element
// Pushes an object and returns where its kind is to be stored, which it then owns.
const tide_element_kind **tide_element_kind_push(lua_State *L);
// Returns the kind of a value that tide.element made; NULL for all else.
const tide_element_kind *tide_element_kind_of(lua_State *L, int index);

// element_params.c: while a scene's file runs, declares the numbers of the body's groups whose kinds tide.element made
// as parameters of the scene, and sets them to their values. `groups` are those of `def`.
void tide_element_params(lua_State *L, tide_run *run, tide_body_elements *groups, const tide_body_def *def);

#endif
