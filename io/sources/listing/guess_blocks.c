/*
 * Several blocks: grids whose paths differ in one part alone, which names the block.
 *
 *     /zone1/x  /zone2/x  /zone10/x        /zone%s/x
 */
#include "base/array.h"
#include "guess_parts.h"
#include "steps.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of a path with this number; empty behind the last one. */
static path_part get_part(const char *path, int number)
{
    size_t at = 0;
    path_part part = path_next(path, &at);
    for (int n = 0; n < number; n++) {
        part = path_next(path, &at);
    }
    return part;
}

/* The number of the only part in which two paths differ; -1: there are none or more. */
static int find_difference(const char *a, const char *b)
{
    int found = -1;
    for (int n = 0;; n++) {
        const path_part left = get_part(a, n), right = get_part(b, n);
        if (left.length == 0 || right.length == 0) {
            return left.length == right.length ? found : -1;
        }
        if (!path_parts_equal(left, right)) {
            if (found >= 0) {
                return -1;
            }
            found = n;
        }
    }
}

/* The beginning and end that names of blocks have in common, without digits. */
typedef struct block_name {
    size_t before, behind; /* bytes */
} block_name;

static block_name find_common(const io_guess *guess, path_part chosen)
{
    block_name common = {chosen.length, chosen.length};
    for (int n = 0; n < guess->ngrids; n++) {
        const path_part other = get_part(guess->grids[n].paths[0], guess->block_part);
        size_t before = 0, behind = 0;
        while (before < common.before && before < other.length &&
               chosen.text[before] == other.text[before]) {
            before++;
        }
        while (behind < common.behind && behind < other.length &&
               chosen.text[chosen.length - 1 - behind] ==
                   other.text[other.length - 1 - behind]) {
            behind++;
        }
        if (n != guess->chosen) {
            common = (block_name){before, behind};
        }
    }
    while (common.before > 0 && isdigit((unsigned char)chosen.text[common.before - 1])) {
        common.before--;
    }
    while (common.behind > 0 &&
           isdigit((unsigned char)chosen.text[chosen.length - common.behind])) {
        common.behind--;
    }
    return common;
}

/* Whether all names have something between their common beginning and end. */
static bool have_names(const io_guess *guess, const block_name *common)
{
    bool have = true;
    for (int n = 0; n < guess->ngrids; n++) {
        const path_part part = get_part(guess->grids[n].paths[0], guess->block_part);
        have = have && part.length > common->before + common->behind;
    }
    return have;
}

/* Whether one grid is at the cells of another. */
static bool is_cells_of(const io_guess_grid *a, const io_guess_grid *b)
{
    return a->n[0] == b->n[0] - 1 && a->n[1] == b->n[1] - 1 && a->n[2] == b->n[2] - 1;
}

/* Whether the paths of all grids differ in one part, the same for all and all axes. */
static bool differ_alike(io_guess *guess)
{
    const io_guess_grid *chosen = &guess->grids[guess->chosen];
    guess->block_part = -1;
    for (int n = 0; n < guess->ngrids; n++) {
        const io_guess_grid *other = &guess->grids[n];
        for (int axis = 0; axis < 3 && n != guess->chosen; axis++) {
            const int part = find_difference(chosen->paths[axis], other->paths[axis]);
            if (part < 0 || (guess->block_part >= 0 && part != guess->block_part) ||
                is_cells_of(other, chosen)) {
                return false;
            }
            guess->block_part = part;
        }
    }
    return guess->block_part >= 0;
}

void guess_find_blocks(const io_listing *listing, io_guess *guess)
{
    if (guess->ngrids < 2 || guess->ngrids == IO_GUESS_MOST_GRIDS ||
        !differ_alike(guess)) {
        return;
    }
    const io_guess_grid *chosen = &guess->grids[guess->chosen];
    const path_part part = get_part(chosen->paths[0], guess->block_part);
    const block_name common = find_common(guess, part);
    const bool is_number = isdigit((unsigned char)part.text[common.before]) != 0;
    /* /t1/x, /t2/x is rather a grid that moves. */
    if (!have_names(guess, &common) ||
        (is_number && steps_is_word(part.text, common.before))) {
        return;
    }
    guess->has_blocks = true;
    guess->all = *chosen;
    for (int axis = 0; axis < 3; axis++) {
        guess_put_block(guess, chosen->paths[axis], guess->all.paths[axis]);
    }
    guess->all.iblank[0] = '\0';
    if (chosen->iblank[0] != '\0' && guess_is_in_blocks(listing, guess, chosen->iblank)) {
        guess_put_block(guess, chosen->iblank, guess->all.iblank);
    }
}

bool guess_is_block(const io_guess *guess, path_part part)
{
    return guess->has_blocks &&
           path_parts_equal(
               part, get_part(guess->grids[guess->chosen].paths[0], guess->block_part));
}

void guess_put_block(const io_guess *guess, const char *path,
                     char out[IO_GUESS_PATH_SIZE])
{
    const path_part block =
        get_part(guess->grids[guess->chosen].paths[0], guess->block_part);
    const block_name common = find_common(guess, block);
    size_t at = 0;
    path_part part = path_next(path, &at);
    while (part.length > 0 && !path_parts_equal(part, block)) {
        part = path_next(path, &at);
    }
    if (part.length == 0) {
        snprintf(out, IO_GUESS_PATH_SIZE, "%s", path);
        return;
    }
    const char *behind = part.text + part.length - common.behind;
    snprintf(out, IO_GUESS_PATH_SIZE, "%.*s%%s%s",
             (int)(part.text + common.before - path), path, behind);
}

/* Writes a path of the chosen block as it is in another; false if it names no block. */
static bool move_to_block(const io_guess *guess, const char *path, int grid,
                          char out[IO_GUESS_PATH_SIZE])
{
    const path_part block =
        get_part(guess->grids[guess->chosen].paths[0], guess->block_part);
    const path_part other = get_part(guess->grids[grid].paths[0], guess->block_part);
    size_t at = 0;
    path_part part = path_next(path, &at);
    while (part.length > 0 && !path_parts_equal(part, block)) {
        part = path_next(path, &at);
    }
    snprintf(out, IO_GUESS_PATH_SIZE, "%.*s%.*s%s", (int)(part.text - path), path,
             (int)other.length, other.text, part.text + part.length);
    return part.length > 0;
}

bool guess_is_in_blocks(const io_listing *listing, const io_guess *guess,
                        const char *path)
{
    bool is = true;
    for (int n = 0; n < guess->ngrids && is && guess->has_blocks; n++) {
        char moved[IO_GUESS_PATH_SIZE];
        is = move_to_block(guess, path, n, moved) && io_listing_has(listing, moved);
    }
    return is;
}

/* ---- Other blocks than the chosen one ---------------------------------------------- */

/* Whether a grid is another block. Cell centres of the chosen grid are not. */
static bool is_other_block(const io_guess *guess, int grid)
{
    const io_guess_grid *chosen = &guess->grids[guess->chosen];
    const io_guess_grid *other = &guess->grids[grid];
    return grid != guess->chosen &&
           !(other->n[0] == chosen->n[0] - 1 && other->n[1] == chosen->n[1] - 1 &&
             other->n[2] == chosen->n[2] - 1);
}

static int compare_parts(const void *a, const void *b)
{
    const path_part *left = a, *right = b;
    const size_t shorter = left->length < right->length ? left->length : right->length;
    const int order = memcmp(left->text, right->text, shorter);
    return order != 0                     ? order
           : left->length < right->length ? -1
                                          : left->length > right->length;
}

/* Adds the parts of another block's group that the chosen grid's path lacks. */
static status add_parts(guess_foreign *foreign, const char *other, const char *chosen)
{
    size_t group_length, at = 0;
    path_name(other, &group_length);
    for (path_part p = path_next(other, &at); p.length > 0 && at <= group_length;
         p = path_next(other, &at)) {
        if (!path_has_part(chosen, p) &&
            base_array_add(foreign->parts, foreign->count, p, "the blocks of a file") !=
                STATUS_OK) {
            return STATUS_MEMORY;
        }
    }
    return STATUS_OK;
}

status guess_find_foreign(const io_listing *listing, const io_guess *guess,
                          guess_foreign *foreign)
{
    const char *chosen = listing->objects[guess->grids[guess->chosen].object].path;
    status s = STATUS_OK;
    for (int n = 0; n < guess->ngrids && s == STATUS_OK; n++) {
        if (is_other_block(guess, n)) {
            s = add_parts(foreign, listing->objects[guess->grids[n].object].path, chosen);
        }
    }
    if (foreign->count > 0) {
        qsort(foreign->parts, (size_t)foreign->count, sizeof *foreign->parts,
              compare_parts);
    }
    return s;
}

bool guess_is_foreign(const guess_foreign *foreign, const char *path)
{
    size_t at = 0;
    for (path_part p = path_next(path, &at); p.length > 0 && foreign->count > 0;
         p = path_next(path, &at)) {
        if (bsearch(&p, foreign->parts, (size_t)foreign->count, sizeof p,
                    compare_parts)) {
            return true;
        }
    }
    return false;
}
