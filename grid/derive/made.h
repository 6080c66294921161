/* Inside grid: fields that are made as a whole before a recipe takes them. */
#ifndef GRID_DERIVE_MADE_H
#define GRID_DERIVE_MADE_H

#include "assemble.h"
#include "grid/made.h"

/* A field that is to be made: a node, or a component of it. */
typedef struct derive_wish {
    int node, axis;
    bool is_mean; /* over the steps with numbers in [first, last] */
    double first, last;
} derive_wish;

/* Compiles the field as a recipe of its own, and adds it to the inputs of the recipe in
 * the making, or finds it there. Returns the operation; -1 after a failure. */
int derive_make(compiler *c, const frame *f, const derive_wish *wish);

/* A recipe without inputs. */
grid_recipe derive_empty_recipe(derive_kind kind);

/* Moves the time to where the other inputs of the recipe in the making are. */
void derive_place_time(compiler *c);

/* Takes all inputs but the first `count` away. Frees all that a recipe has. */
void derive_drop_inputs(grid_recipe *recipe, int count);
void derive_clear(grid_recipe *recipe);

bool derive_are_programs_same(const derive_program *a, const derive_program *b);

/* grid_recipe_location and grid_recipe_ghost_layers. */
grid_location derive_location(const grid_recipe *recipe);
int derive_layers(const grid_recipe *recipe);

#endif
