/* Fields that are made as a whole before recipes take them as inputs. */
#ifndef GRID_MADE_H
#define GRID_MADE_H

#include "field.h"

#include <stdbool.h>

/* How to compute one field (recipe.h). A field of the file is a recipe with one input. */
typedef struct grid_recipe grid_recipe;

/* One with derivatives that is differentiated again, or a mean over steps. */
typedef struct grid_made {
    int users;           /* recipes that have it */
    grid_recipe *recipe; /* owned; of a mean, pointwise */
    bool is_mean;
    double first, last; /* of a mean: the least and the largest number of a step */
} grid_made;

/* Whether both are the same field, of the same source. Either may be NULL. Local. */
bool grid_made_is_same(const grid_made *a, const grid_made *b);

/* One more user of it; one less, which may be the last. Not by several threads at once.
 */
grid_made *grid_made_hold(const grid_made *made);
void grid_made_release(grid_made **made);

#endif
