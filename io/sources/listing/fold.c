/* Folding of objects that differ only in the number of a step. */
#include "listing.h"
#include "steps.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST = 4 }; /* shorter series are not folded */

/* Whether two objects differ only in the digits of a step. */
static bool are_alike(const io_listing *listing, const step_place *a, const step_place *b)
{
    const io_object *left = &listing->objects[a->object];
    const io_object *right = &listing->objects[b->object];
    return a->digits > 0 && b->digits > 0 && a->at == b->at &&
           left->kind == right->kind && left->rank == right->rank &&
           memcmp(left->n, right->n, sizeof left->n) == 0 &&
           (left->kind == IO_OBJECT_GROUP || strcmp(left->note, right->note) == 0) &&
           strncmp(left->path, right->path, a->at) == 0 &&
           strcmp(left->path + a->at + a->digits, right->path + b->at + b->digits) == 0;
}

static void fold_from(io_listing *listing, const step_place *places, int count, int first)
{
    int alike = 0, last = first;
    for (int n = first + 1; n < count; n++) {
        if (are_alike(listing, &places[first], &places[n])) {
            alike++;
            last = n;
        }
    }
    if (alike + 1 < FEWEST) {
        return;
    }
    listing->objects[places[first].object].alike = alike;
    listing->objects[places[first].object].last_alike = places[last].object;
    for (int n = first + 1; n < count; n++) {
        if (are_alike(listing, &places[first], &places[n])) {
            listing->objects[places[n].object].is_folded = true;
        }
    }
}

status io_listing_fold(io_listing *listing)
{
    const size_t room = (size_t)listing->nobjects + 1;
    step_place *places = calloc(room, sizeof *places);
    if (!places) {
        return base_fail_memory(room * sizeof *places, "the steps of a file");
    }
    int count = 0;
    for (int n = 0; n < listing->nobjects; n++) {
        if (listing->objects[n].kind != IO_OBJECT_LINK) {
            places[count++].object = n;
        }
    }
    status s = steps_find(listing, "", count, places);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        if (!listing->objects[places[n].object].is_folded && places[n].digits > 0) {
            fold_from(listing, places, count, n);
        }
    }
    free(places);
    return s;
}
