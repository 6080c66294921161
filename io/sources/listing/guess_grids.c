#include "guess.h"

#include "base/array.h"
#include "guess_parts.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the array has two axes of several values: a flat grid is drawn as a sheet. */
static bool is_solid(const io_object *object)
{
    return (object->n[0] > 1) + (object->n[1] > 1) + (object->n[2] > 1) >= 2;
}

/* A grid of the shape of three axes of an array, from `first` on. */
static io_guess_grid new_grid(const io_listing *listing, int object, int first)
{
    io_guess_grid grid = {.object = object};
    for (int axis = 0; axis < 3; axis++) {
        grid.n[axis] = listing->objects[object].n[first + 2 - axis];
    }
    return grid;
}

static status add_grid(io_guess *guess, const io_guess_grid *grid)
{
    return base_array_add(guess->grids, guess->ngrids, *grid, "the grids of a file");
}

/* ---- coordinates ------------------------------------------------------------------ */

/* A coordinate's group, and its name without the letter of the axis. */
typedef struct family {
    const char *path;
    size_t group_length;
    char rest[NAMES_SIZE];
} family;

static bool find_family(const io_object *object, int *axis, family *out)
{
    out->path = object->path;
    path_part name = path_name(object->path, &out->group_length);
    return guess_is_array(object, 3) && is_solid(object) &&
           names_find_axis(name, axis, out->rest);
}

static bool families_equal(const family *a, const family *b)
{
    return a->group_length == b->group_length &&
           strncmp(a->path, b->path, a->group_length) == 0 &&
           strcmp(a->rest, b->rest) == 0;
}

/* Finds y and z for the x at `object`. They are near it, as objects are sorted. */
static bool find_others(const io_listing *listing, int object, const family *of,
                        io_guess_grid *grid)
{
    enum { NEAR = 4096 };
    const int first = object > NEAR ? object - NEAR : 0;
    for (int n = first; n < listing->nobjects && n < object + NEAR; n++) {
        const io_object *other = &listing->objects[n];
        family its;
        int axis;
        if (strncmp(other->path, of->path, of->group_length) == 0 &&
            find_family(other, &axis, &its) && axis > 0 && families_equal(of, &its) &&
            guess_fits(other, grid->n, 0) && grid->paths[axis][0] == '\0') {
            strcpy(grid->paths[axis], other->path);
        }
    }
    return grid->paths[1][0] != '\0' && grid->paths[2][0] != '\0';
}

/* Finds one array of all coordinates; components are its last axis, or its first. */
static bool find_points(const io_listing *listing, int object, io_guess_grid *grid)
{
    const io_object *points = &listing->objects[object];
    size_t group_length;
    if (!guess_is_array(points, 4) ||
        !names_is_points(path_name(points->path, &group_length))) {
        return false;
    }
    const bool is_first = points->n[3] != 3 && points->n[0] == 3;
    *grid = new_grid(listing, object, is_first ? 1 : 0);
    if ((points->n[3] != 3 && !is_first) || grid->n[0] < 2 || grid->n[1] < 2 ||
        grid->n[2] < 2) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        snprintf(grid->paths[axis], IO_GUESS_PATH_SIZE, "%s[%d%s]", points->path, axis,
                 is_first ? ",:" : "");
    }
    return true;
}

static bool find_grid(const io_listing *listing, int object, io_guess_grid *grid)
{
    family of;
    int axis;
    if (find_points(listing, object, grid)) {
        return true;
    }
    *grid = new_grid(listing, object, 0);
    if (!find_family(&listing->objects[object], &axis, &of) || axis != 0) {
        return false;
    }
    strcpy(grid->paths[0], listing->objects[object].path);
    return find_others(listing, object, &of, grid);
}

static status find_grids(const io_listing *listing, io_guess *guess)
{
    status s = STATUS_OK;
    for (int n = 0; n < listing->nobjects && guess->ngrids < IO_GUESS_MOST_GRIDS; n++) {
        io_guess_grid grid;
        if (s == STATUS_OK && find_grid(listing, n, &grid)) {
            s = add_grid(guess, &grid);
        }
    }
    io_guess_grid flat;
    if (s == STATUS_OK && guess->ngrids == 0 &&
        guess_find_flat_grid(listing, guess, &flat)) {
        s = add_grid(guess, &flat);
    }
    return s;
}

/* In floating point: a file may claim shapes whose product overflows integers. */
static double vertices(const io_guess_grid *grid)
{
    return (double)grid->n[0] * (double)grid->n[1] * (double)grid->n[2];
}

static int choose_grid(const io_guess *guess)
{
    int chosen = -1;
    for (int n = 0; n < guess->ngrids; n++) {
        if (chosen < 0 || vertices(&guess->grids[n]) > vertices(&guess->grids[chosen])) {
            chosen = n;
        }
    }
    return chosen;
}

/* ---- the guess -------------------------------------------------------------------- */

/* Finds the nearest iblank: the one whose path has the longest common beginning. */
static void find_iblank(const io_listing *listing, const guess_foreign *foreign,
                        io_guess *guess)
{
    io_guess_grid *grid = &guess->grids[guess->chosen];
    size_t best = 0;
    for (int n = 0; n < listing->nobjects; n++) {
        const io_object *object = &listing->objects[n];
        size_t group_length, alike = 0;
        if (!guess_is_array(object, 3) || !guess_fits(object, grid->n, 0) ||
            !names_is_iblank(path_name(object->path, &group_length)) ||
            guess_is_foreign(foreign, object->path)) {
            continue;
        }
        while (object->path[alike] != '\0' &&
               object->path[alike] == grid->paths[0][alike]) {
            alike++;
        }
        if (alike > best) {
            best = alike;
            strcpy(grid->iblank, object->path);
        }
    }
}

status io_guess_create(const io_listing *listing, io_guess **out)
{
    io_guess *guess = calloc(1, sizeof *guess);
    if (!guess) {
        return base_fail_memory(sizeof *guess, "the coordinates of a file");
    }
    guess_foreign foreign = {0};
    guess_find_times(listing, guess);
    status s = find_grids(listing, guess);
    guess->chosen = choose_grid(guess);
    if (s == STATUS_OK && guess->chosen >= 0) {
        s = guess_find_foreign(listing, guess, &foreign);
    }
    if (s == STATUS_OK && guess->chosen >= 0) {
        find_iblank(listing, &foreign, guess);
        guess_find_blocks(listing, guess);
        s = guess_find_fields(listing, &foreign, guess);
    }
    if (s == STATUS_OK && guess->has_blocks && guess->nfields == 0) {
        /* Blocks without a common field are rather grids of their own. */
        guess->has_blocks = false;
        free(guess->fields);
        s = guess_find_fields(listing, &foreign, guess);
    }
    if (s == STATUS_OK) {
        guess_find_reason(listing, &foreign, guess);
    } else {
        io_guess_destroy(&guess);
    }
    free(foreign.parts);
    if (s == STATUS_OK) {
        *out = guess;
    }
    return s;
}

const io_guess_grid *io_guess_get_grid(const io_guess *guess)
{
    return guess->has_blocks ? &guess->all : &guess->grids[guess->chosen];
}

void io_guess_destroy(io_guess **guess)
{
    if (guess && *guess) {
        free((*guess)->grids);
        free((*guess)->fields);
        free(*guess);
        *guess = NULL;
    }
}
