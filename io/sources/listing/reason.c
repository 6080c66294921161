/* Sentences on missing data of a file, or on other peculiarities. */
#include "guess_parts.h"
#include "names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Counts of the arrays of a file, by their axes and names. */
typedef struct census {
    int arrays[5];    /* of numbers, with 0 to 3 axes, and with 4 or more */
    int flat;         /* three axes, one of them of a single value */
    int points;       /* two axes, the second of 3 values: unordered points */
    int connectivity; /* integers with a name for the corners of cells */
    int axes[3];      /* named x, y, z, with one axis */
    int planes[3];    /* the same, with two axes */
    int solid[3];     /* the same, with three axes */
    int places[3];    /* lists along an axis, by other names or attributes, too */
} census;

static bool is_connectivity(path_part name)
{
    static const char *const words[] = {"connecti", "elements",  "cells", "offsets",
                                        "topology", "celltypes", "tets",  "triangles"};
    char plain[NAMES_SIZE];
    path_normalise(name, plain, sizeof plain);
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        if (strstr(plain, words[n])) {
            return true;
        }
    }
    return false;
}

static void count_object(const io_object *object, census *out)
{
    if (object->kind != IO_OBJECT_DATASET || !object->is_number) {
        return;
    }
    size_t group_length;
    const path_part name = path_name(object->path, &group_length);
    char rest[NAMES_SIZE];
    int axis = 0;
    const bool is_axis = names_find_axis(name, &axis, rest);
    out->arrays[object->rank < 4 ? object->rank : 4]++;
    out->connectivity += is_connectivity(name);
    out->flat += object->rank == 3 &&
                 (object->n[0] == 1 || object->n[1] == 1 || object->n[2] == 1);
    out->points += object->rank == 2 && object->n[1] == 3 && names_is_points(name);
    int along = 0;
    const bool is_place = object->rank == 1 && io_guess_axis(object, &along);
    out->places[along] += is_place;
    out->axes[axis] += is_axis && object->rank == 1;
    out->planes[axis] += is_axis && object->rank == 2;
    out->solid[axis] += is_axis && object->rank == 3;
}

static bool has_all(const int counts[3])
{
    return counts[0] > 0 && counts[1] > 0 && counts[2] > 0;
}

/* The arrays of a grid that karman can draw. */
#define NEEDED "karman needs x, y and z of every vertex, each [nk][nj][ni]"

static const char *explain(const census *c)
{
    const int solid = c->arrays[3] + c->arrays[4];
    if (has_all(c->axes) && solid > 0) {
        return "x, y and z are lists, but no array has their lengths along its axes: "
               "fields are [nk][nj][ni], and one less along each axis in cells";
    }
    if (has_all(c->solid) && c->flat > 0) {
        return "x, y and z have a single value along two axes: at least 2 are needed "
               "along "
               "two of them";
    }
    if (has_all(c->solid)) {
        return "x, y and z are there, but not of equal shape in one group: " NEEDED;
    }
    if (c->planes[0] > 0 && c->planes[1] > 0) {
        return "x and y have two axes, but not of equal shape: both are [nj][ni]";
    }
    if (solid == 0 && c->arrays[2] > 0 && c->places[0] > 0 && c->places[1] > 0) {
        return "its maps have other sizes than x and y: fields are [nj][ni]";
    }
    if (c->connectivity == 0 && c->points > 0) {
        return "points are a list, without cells: if they are those of a structured "
               "grid, "
               "karman needs its sizes: write points and fields with the axes "
               "[nk][nj][ni] "
               "(with numpy: p.reshape(nk, nj, ni), points.reshape(nk, nj, ni, 3))";
    }
    if (c->connectivity > 0) {
        return "points in a list and cells that number them are an unstructured grid, "
               "and karman draws structured grids only: resample it with ParaView "
               "(Resample To Image), and save that as .vti";
    }
    if (solid == 0 && c->arrays[1] + c->arrays[2] > 0) {
        return "no array of numbers has three axes, so this is no structured grid, or "
               "one that is written as a list: " NEEDED;
    }
    if (solid == 0) {
        return "there is no array of numbers to draw: " NEEDED;
    }
    return "no array is called like a coordinate (x, CoordinateX, points, ...): " NEEDED
           "; if they are there under other names, name them in data.grid";
}

/* Finds an array of three axes that fits no block. */
static const io_object *find_misfit(const io_listing *listing,
                                    const guess_foreign *foreign)
{
    for (int n = 0; n < listing->nobjects; n++) {
        const io_object *object = &listing->objects[n];
        size_t group_length;
        int axis;
        char rest[NAMES_SIZE];
        if (guess_is_array(object, 3) && !guess_is_foreign(foreign, object->path) &&
            !names_find_axis(path_name(object->path, &group_length), &axis, rest)) {
            return object;
        }
    }
    return NULL;
}

/* Whether an array may be at cells, with a layer of ghost cells along some axes. */
static bool has_ghosts(const io_object *object, const io_guess_grid *grid)
{
    for (int axis = 0; axis < 3; axis++) {
        const int64_t beyond = object->n[2 - axis] - (grid->n[axis] - 1);
        if (beyond != 0 && beyond != 2) {
            return false;
        }
    }
    return true;
}

static void explain_fields(const io_listing *listing, const guess_foreign *foreign,
                           io_guess *guess)
{
    const io_guess_grid *grid = &guess->grids[guess->chosen];
    const io_object *misfit = find_misfit(listing, foreign);
    char shape[IO_SHAPE_SIZE];
    if (!misfit) {
        snprintf(
            guess->reason, sizeof guess->reason,
            "no field is there: karman shows the grid, and there is nothing to draw on "
            "it");
        return;
    }
    io_object_shape(misfit, shape);
    snprintf(guess->reason, sizeof guess->reason,
             "no array fits the grid: fields have %" PRId64 " x %" PRId64 " x %" PRId64
             " values at vertices or one less along each axis in cells, but '%.80s' has "
             "%.60s%s",
             grid->n[2], grid->n[1], grid->n[0], misfit->path, shape,
             has_ghosts(misfit, grid) ? ", with ghost cells that karman cannot leave out"
                                      : "");
}

void guess_find_reason(const io_listing *listing, const guess_foreign *foreign,
                       io_guess *guess)
{
    guess->reason[0] = '\0';
    if (guess->chosen >= 0) {
        if (guess->nfields == 0) {
            explain_fields(listing, foreign, guess);
        }
        return;
    }
    census counted;
    memset(&counted, 0, sizeof counted);
    for (int n = 0; n < listing->nobjects; n++) {
        count_object(&listing->objects[n], &counted);
    }
    snprintf(guess->reason, sizeof guess->reason, "%s", explain(&counted));
}
