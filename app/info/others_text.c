#include "io/sources/listing/section.h"
#include "others.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The most printed objects and names; --json prints all. */
enum { MOST_OBJECTS = 400, MOST_NAMES = 12 };

/* Prints a name, which may have any bytes. Control characters, which would move the
 * cursor, become '?'. */
static void print_name(const char *text, int width)
{
    int length = 0;
    for (const char *c = text; *c != '\0'; c++, length++) {
        putchar((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c);
    }
    printf("%*s", length < width ? width - length : 0, "");
}

/* ---- the list --------------------------------------------------------------------- */

/* Prints how many objects are like this one, up to which path. Of several steps only the
 * first is printed. */
static void print_alike(const io_listing *listing, const io_object *object)
{
    if (object->alike > 0) {
        printf("      and %d others, to ", object->alike);
        print_name(listing->objects[object->last_alike].path, 0);
        printf("\n");
    }
}

static void print_object(const io_listing *listing, const io_object *object, int width)
{
    printf("  ");
    print_name(object->path, width);
    if (object->kind == IO_OBJECT_DATASET) {
        char shape[IO_SHAPE_SIZE];
        io_object_shape(object, shape);
        printf("  %s, %s%s%s", shape, object->note, object->storage ? ", " : "",
               object->storage ? object->storage : "");
    } else {
        printf("  %s", object->kind == IO_OBJECT_GROUP ? "group" : object->note);
    }
    printf("\n");
    for (int n = 0; n < object->nattributes; n++) {
        printf("      ");
        print_name(object->attributes[n].name, 0);
        printf(" = %s\n", object->attributes[n].value);
    }
    print_alike(listing, object);
}

static int count_kind(const io_listing *listing, io_object_kind kind)
{
    int count = 0;
    for (int n = 0; n < listing->nobjects; n++) {
        count += listing->objects[n].kind == kind;
    }
    return count;
}

static int widest_path(const io_listing *listing)
{
    enum { WIDEST = 48 };
    int width = 0;
    for (int n = 0; n < listing->nobjects; n++) {
        const int length = (int)strlen(listing->objects[n].path);
        width = length > width && length <= WIDEST ? length : width;
    }
    return width;
}

static void print_objects(const io_listing *listing)
{
    const int width = widest_path(listing);
    printf("data sets %d%s\n", count_kind(listing, IO_OBJECT_DATASET),
           listing->is_cut ? " and more" : "");
    int shown = 0, left = 0;
    for (int n = 0; n < listing->nobjects; n++) {
        const io_object *object = &listing->objects[n];
        if (!object->is_folded && shown < MOST_OBJECTS) {
            print_object(listing, object, width);
            shown++;
        } else if (!object->is_folded) {
            left++;
        }
    }
    if (left > 0) {
        printf("  ... %d more: --json lists them\n", left);
    }
}

/* ---- the guess -------------------------------------------------------------------- */

static void print_grids(const io_guess *guess)
{
    printf("could be coordinates\n");
    for (int n = 0; n < guess->ngrids && n < MOST_NAMES; n++) {
        const io_guess_grid *grid = &guess->grids[n];
        printf("  %" PRId64 " x %" PRId64 " x %" PRId64 " vertices: ", grid->n[0],
               grid->n[1], grid->n[2]);
        for (int axis = 0; axis < 3; axis++) {
            const char *path = grid->paths[axis];
            printf("%s%s", axis > 0 && path[0] != '\0' ? ", " : "", path);
        }
        printf("%s%s\n", grid->iblank[0] != '\0' ? "; iblank: " : "", grid->iblank);
    }
    if (guess->ngrids > MOST_NAMES) {
        printf("  ... %d more: --json lists them\n", guess->ngrids - MOST_NAMES);
    }
}

static void print_fields(const io_guess *guess)
{
    printf("could be fields\n");
    for (int n = 0; n < guess->nfields; n++) {
        const io_guess_field *field = &guess->fields[n];
        printf("  %-20s %s, %s", field->name,
               field->location == GRID_CELL ? "in cells" : "at vertices", field->path);
        if (field->nsteps > 0) {
            printf(" (%d step%s)", field->nsteps, field->nsteps == 1 ? "" : "s");
        }
        printf("\n");
    }
    if (guess->is_cut) {
        printf("  ... and more\n");
    }
}

void others_print_section(const io_listing *listing, const io_guess *guess)
{
    if (listing->obstacle || guess->chosen < 0) {
        return;
    }
    if (guess->has_blocks) {
        printf("\nThere are %d blocks: %%s stands for their names.\n", guess->ngrids);
    } else if (guess->ngrids > 1) {
        printf(
            "\nThere are %d grids: blocks, steps of a grid that moves, or vertices and "
            "cells of one.\nThe section names one of them, the largest. %%s in the "
            "place of a block's name stands for all:\ndocs/user/formats.md.\n",
            guess->ngrids);
    }
    printf(
        "\nA config for this file begins like this; check that names and arrays belong "
        "together:\n\n");
    io_section_write(stdout, listing->file, guess);
}

static void print_guess(const io_guess *guess)
{
    if (guess->chosen >= 0) {
        print_grids(guess);
    }
    if (guess->nfields > 0) {
        print_fields(guess);
    }
    if (guess->reason[0] != '\0') {
        printf("\nNote: %s.\n", guess->reason);
    }
}

void others_print_text(const io_listing *listing, const io_guess *guess)
{
    printf("file      %s\n", listing->file);
    printf("layout    %s\n", listing->layout ? listing->layout : "not karman's own");
    print_objects(listing);
    if (listing->obstacle) {
        printf("\nThis is %s: %s.\n", listing->layout, listing->obstacle);
    } else {
        print_guess(guess);
    }
}
