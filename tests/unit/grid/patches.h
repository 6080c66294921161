/* Blocks for the tests of derived fields, and the patches that are cut out of them. */
#ifndef TESTS_UNIT_GRID_PATCHES_H
#define TESTS_UNIT_GRID_PATCHES_H

#include "grid/recipe.h"

#include <stddef.h>

enum { MOST_FIELDS = 6 };

/* A block with fields, at vertices or in cells. */
typedef struct block {
    int n[3];
    bool closed_i; /* the last vertex plane along i is the first one */
    float *x[3];   /* [n[2]][n[1]][n[0]] each */
    uint8_t *blanked;
    int nfields;
    grid_field fields[MOST_FIELDS];
    float *values[MOST_FIELDS]; /* [n[2]][n[1]][n[0]], or one less each in cells */
} block;

/* A patch and the memory that it points to. */
typedef struct cut_patch {
    grid_patch patch;
    float *x[3];
    uint8_t *blanked;
    float *inputs[GRID_RECIPE_MAX_INPUTS];
} cut_patch;

/* Coordinates of a vertex from its indices, scaled to 0..1. */
typedef void place_vertex(const double u[3], double p[3]);

size_t count3(const int n[3]);
size_t index3(const int n[3], int i, int j, int k);

/* A block without fields, all vertices at the origin. */
block create_block(int ni, int nj, int nk);
void destroy_block(block *b);

/* Adds a field of zeros and returns its values. */
float *add_field(block *b, const char *name, grid_location location);

void place_vertices(block *b, place_vertex *place);

/* Vertices of a box of unit cells, each moved by up to a third of a cell, in steps of
 * 2^-10. So linear fields with coefficients that are small multiples of 1/4 are exact in
 * float32. */
void place_jittered(block *b, uint64_t *seed);

/* Adds the velocity matrix * x at vertices; matrix[component][axis]. */
void add_linear_velocity(block *b, double matrix[3][3]);

/* Defines fields for recipes from now on; borrows. */
void define_fields(int count, const grid_definition *definitions);

/* The recipe of a field; fails the test where there is none. */
grid_recipe *create_recipe(const block *b, const char *name);

/* The patch with this core of vertices and so many layers around it, as far as the block
 * goes. */
cut_patch cut(const block *b, const grid_recipe *recipe, const int core_lo[3],
              const int core_n[3], int layers);
void free_patch(cut_patch *c);

/* Computes a field on a box of vertices of the block (or the cells between them), from a
 * patch with `more_layers` than the recipe asks for; or on the whole block. malloc'ed. */
float *compute_box(const block *b, const char *name, const int core_lo[3],
                   const int core_n[3], int more_layers);
float *compute(const block *b, const char *name);

/* Fails unless actual is within the tolerance of expected; `what` and `at` are for the
 * reader. */
void expect_near(float actual, double expected, double tolerance, const char *what,
                 size_t at);

/* Expects a field of the block to be `expected` at all vertices that are not blanked. */
void expect_everywhere(const block *b, const char *name, double expected,
                       double tolerance);

#endif
