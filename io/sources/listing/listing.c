#include "listing.h"

#include "base/array.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy_text(const char *text)
{
    return text ? strdup(text) : NULL;
}

status io_listing_create(const char *file, io_listing **out)
{
    io_listing *listing = calloc(1, sizeof *listing);
    char *copy = copy_text(file);
    if (!listing || !copy) {
        free(listing);
        free(copy);
        return base_fail_memory(sizeof *listing, "the list of data sets");
    }
    listing->file = copy;
    *out = listing;
    return STATUS_OK;
}

static void object_release(io_object *object)
{
    for (int n = 0; n < object->nattributes; n++) {
        free(object->attributes[n].name);
        free(object->attributes[n].value);
    }
    free(object->attributes);
    free(object->path);
    free(object->note);
    free(object->storage);
}

void io_listing_destroy(io_listing **listing)
{
    if (!listing || !*listing) {
        return;
    }
    for (int n = 0; n < (*listing)->nobjects; n++) {
        object_release(&(*listing)->objects[n]);
    }
    free((*listing)->objects);
    free((*listing)->file);
    free((*listing)->layout);
    free((*listing)->obstacle);
    free(*listing);
    *listing = NULL;
}

status io_listing_add(io_listing *listing, io_object_kind kind, const char *path,
                      const char *note, io_object **out)
{
    io_object object = {.kind = kind, .path = copy_text(path), .note = copy_text(note)};
    if (!object.path || (note && !object.note) ||
        base_array_room(listing->objects, listing->nobjects, 1, NULL) != STATUS_OK) {
        object_release(&object);
        return base_fail_memory(strlen(path) + 1, "the path of a data set");
    }
    listing->objects[listing->nobjects++] = object;
    if (out) {
        *out = &listing->objects[listing->nobjects - 1];
    }
    return STATUS_OK;
}

status io_object_add_attribute(io_object *object, const char *name, const char *value)
{
    io_attribute attribute = {copy_text(name), copy_text(value)};
    if (!attribute.name || !attribute.value ||
        base_array_room(object->attributes, object->nattributes, 1, NULL) != STATUS_OK) {
        free(attribute.name);
        free(attribute.value);
        return base_fail_memory(strlen(name) + 1, "an attribute");
    }
    object->attributes[object->nattributes++] = attribute;
    return STATUS_OK;
}

/* Compares the numbers at the beginning of both texts; skips them if they are equal. */
static int compare_numbers(const char **a, const char **b)
{
    const char *left = *a + strspn(*a, "0"), *right = *b + strspn(*b, "0");
    const size_t digits = strspn(left, "0123456789"), other = strspn(right, "0123456789");
    if (digits != other) {
        return digits < other ? -1 : 1;
    }
    *a = left + digits;
    *b = right + other;
    return strncmp(left, right, digits);
}

/* Compares paths. A slash sorts first, so that a group's members follow it; 9 comes
 * before 10. */
static int compare_paths(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            const int numbers = compare_numbers(&a, &b);
            if (numbers != 0) {
                return numbers;
            }
        } else if (*a == *b) {
            a++;
            b++;
        } else {
            break;
        }
    }
    const int left = *a == '/' ? 1 : (unsigned char)*a;
    const int right = *b == '/' ? 1 : (unsigned char)*b;
    return left - right;
}

static int compare_objects(const void *a, const void *b)
{
    const char *left = ((const io_object *)a)->path,
               *right = ((const io_object *)b)->path;
    const int order = compare_paths(left, right);
    return order != 0 ? order : strcmp(left, right);
}

void io_listing_sort(io_listing *listing)
{
    if (listing->nobjects > 0) {
        qsort(listing->objects, (size_t)listing->nobjects, sizeof *listing->objects,
              compare_objects);
    }
}

bool io_listing_has(const io_listing *listing, const char *path)
{
    int low = 0, high = listing->nobjects;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const char *known = listing->objects[middle].path;
        int order = compare_paths(known, path);
        order = order != 0 ? order : strcmp(known, path);
        if (order == 0) {
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

void io_object_shape(const io_object *object, char text[IO_SHAPE_SIZE])
{
    int length =
        snprintf(text, IO_SHAPE_SIZE, "%s", object->rank == 0 ? "one value" : "");
    for (int axis = 0; axis < object->rank && axis < IO_LISTING_AXES; axis++) {
        length += snprintf(text + length, (size_t)(IO_SHAPE_SIZE - length), "%s%" PRId64,
                           axis == 0 ? "" : " x ", object->n[axis]);
    }
    if (object->rank == 1) {
        snprintf(text, IO_SHAPE_SIZE, "%" PRId64 " value%s", object->n[0],
                 object->n[0] == 1 ? "" : "s");
    }
}
