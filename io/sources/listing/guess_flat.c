/*
 * Grids whose coordinates are lists or planes: x[ni], y[nj], z[nk], or x[nj][ni],
 * y[nj][ni], z[nk]; without z, fields are maps. Coordinates are known by their names, or
 * by attributes of the CF conventions (axis, standard_name, units, positive), as in files
 * of netCDF.
 */
#include "guess_parts.h"
#include "names.h"

#include <stdio.h>
#include <string.h>

/* Every combination of candidates is tried. */
enum { MOST_CANDIDATES = 16 };

/* A word in the value of an attribute that tells the axis. */
typedef struct axis_word {
    const char *attribute; /* NULL: the name of the array */
    const char *word;
    int axis;
} axis_word;

/* clang-format off */
static const axis_word words[] = {
    {"axis", "X", 0}, {"axis", "Y", 1}, {"axis", "Z", 2},
    {"standard_name", "longitude", 0}, {"standard_name", "projection_x_coordinate", 0},
    {"standard_name", "latitude", 1}, {"standard_name", "projection_y_coordinate", 1},
    {"standard_name", "depth", 2}, {"standard_name", "height", 2},
    {"standard_name", "altitude", 2}, {"standard_name", "air_pressure", 2},
    {"units", "degrees_east", 0}, {"units", "degree_east", 0},
    {"units", "degrees_north", 1}, {"units", "degree_north", 1},
    {"positive", "down", 2}, {"positive", "up", 2},
    {NULL, "lon", 0}, {NULL, "longitude", 0}, {NULL, "navlon", 0}, {NULL, "xlong", 0},
    {NULL, "lat", 1}, {NULL, "latitude", 1}, {NULL, "navlat", 1}, {NULL, "xlat", 1},
    {NULL, "depth", 2}, {NULL, "lev", 2}, {NULL, "level", 2}, {NULL, "height", 2},
    {NULL, "altitude", 2}, {NULL, "plev", 2},
};
/* clang-format on */

/* Whether the text in quotes equals a word. */
static bool equals_quoted(const char *value, const char *word)
{
    const size_t length = strlen(word);
    return value[0] == '"' && strncmp(value + 1, word, length) == 0 &&
           value[length + 1] == '"';
}

static bool has_word(const io_object *object, const char *plain, const axis_word *word)
{
    bool has = !word->attribute && strcmp(plain, word->word) == 0;
    for (int n = 0; n < object->nattributes && word->attribute; n++) {
        has = has || (strcmp(object->attributes[n].name, word->attribute) == 0 &&
                      equals_quoted(object->attributes[n].value, word->word));
    }
    return has;
}

bool io_guess_axis(const io_object *object, int *axis)
{
    size_t group_length;
    char plain[NAMES_SIZE], rest[NAMES_SIZE];
    const path_part name = path_name(object->path, &group_length);
    path_normalise(name, plain, sizeof plain);
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        if (has_word(object, plain, &words[n])) {
            *axis = words[n].axis;
            return true;
        }
    }
    return names_find_axis(name, axis, rest);
}

/* Whether the attribute `units` begins with a word. */
static bool has_unit(const io_object *object, const char *unit)
{
    bool has = false;
    for (int n = 0; n < object->nattributes; n++) {
        has = has || (strcmp(object->attributes[n].name, "units") == 0 &&
                      object->attributes[n].value[0] == '"' &&
                      strncmp(object->attributes[n].value + 1, unit, strlen(unit)) == 0);
    }
    return has;
}

/* Whether the attribute `units` says metres, or decibars: the pressure of a metre of
 * water. */
static bool is_in_metres(const io_object *object)
{
    return has_unit(object, "m\"") || has_unit(object, "met") || has_unit(object, "dbar");
}

bool io_guess_is_geographic(const io_object *x, const io_object *z)
{
    return has_unit(x, "degree") && is_in_metres(z);
}

typedef struct flat_candidates {
    int count[3];
    int objects[3][MOST_CANDIDATES]; /* that could be x, y, z */
} flat_candidates;

/* Lists of x, y and z, and planes of x and y. A z of three axes may follow the ground. */
static void find_candidates(const io_listing *listing, flat_candidates *out)
{
    *out = (flat_candidates){.count = {0, 0, 0}};
    for (int n = 0; n < listing->nobjects; n++) {
        const io_object *object = &listing->objects[n];
        int axis;
        const bool is_flat = guess_is_array(object, 1) || guess_is_array(object, 2) ||
                             guess_is_array(object, 3);
        if (is_flat && io_guess_axis(object, &axis) &&
            out->count[axis] < MOST_CANDIDATES &&
            (object->rank == 1 || object->rank == (axis == 2 ? 3 : 2))) {
            out->objects[axis][out->count[axis]++] = n;
        }
    }
}

/* Whether arrays of x and y make a grid, and of z, unless it is NULL; its shape. */
static bool join_grid(const io_object *x, const io_object *y, const io_object *z,
                      int64_t n[3])
{
    if (x->rank != y->rank) {
        return false;
    }
    n[0] = x->n[x->rank - 1];
    n[1] = y->n[0];
    n[2] = z ? z->n[0] : 1;
    if (x->rank == 2 && (x->n[0] != y->n[0] || x->n[1] != y->n[1])) {
        return false;
    }
    const bool has_planes =
        !z || (n[2] > 1 && (z->rank == 1 || (z->n[1] == n[1] && z->n[2] == n[0])));
    return n[0] > 1 && n[1] > 1 && has_planes;
}

/* How many arrays fit a grid. */
typedef struct fit_count {
    int64_t n[3]; /* the grid's vertices along i, j, k; 0: none was counted yet */
    int count[2]; /* [is_fortran] */
} fit_count;

/* The count of the grid before is kept: in many files all candidates have one shape. */
static void count_fields(const io_listing *listing, const io_guess *guess,
                         const int64_t n[3], bool is_plane, fit_count *fit)
{
    guess_shape shape;
    if (memcmp(fit->n, n, sizeof fit->n) == 0) {
        return;
    }
    memcpy(fit->n, n, sizeof fit->n);
    for (int is_fortran = 0; is_fortran < 2; is_fortran++) {
        fit->count[is_fortran] = 0;
        for (int m = 0; m < listing->nobjects; m++) {
            fit->count[is_fortran] += (is_plane ? guess_find_map : guess_find_shape)(
                &listing->objects[m], n, is_fortran != 0, guess->ntimes, &shape);
        }
    }
}

/* `objects`: of x, y and z; -1: none. Takes a grid if more arrays fit it than the one
 * before. */
static void try_grid(const io_listing *listing, io_guess *guess, const int objects[3],
                     io_guess_grid *grid, fit_count *fit, int *most)
{
    int64_t n[3];
    const io_object *const arrays[3] = {
        &listing->objects[objects[0]], &listing->objects[objects[1]],
        objects[2] < 0 ? NULL : &listing->objects[objects[2]]};
    if (!join_grid(arrays[0], arrays[1], arrays[2], n)) {
        return;
    }
    count_fields(listing, guess, n, !arrays[2], fit);
    for (int is_fortran = 0; is_fortran < 2; is_fortran++) {
        const int count = fit->count[is_fortran];
        if (count <= *most || (is_fortran && arrays[0]->rank > 1)) {
            continue;
        }
        *most = count;
        *grid = (io_guess_grid){.object = objects[0], .n = {n[0], n[1], n[2]}};
        for (int axis = 0; axis < 3; axis++) {
            snprintf(grid->paths[axis], IO_GUESS_PATH_SIZE, "%s",
                     arrays[axis] ? arrays[axis]->path : "");
        }
        guess->is_fortran = is_fortran != 0;
        guess->is_geographic = arrays[2] && io_guess_is_geographic(arrays[0], arrays[2]);
    }
}

bool guess_find_flat_grid(const io_listing *listing, io_guess *guess, io_guess_grid *grid)
{
    flat_candidates all;
    fit_count fit = {.n = {0, 0, 0}};
    int most = 0;
    find_candidates(listing, &all);
    for (int x = 0; x < all.count[0]; x++) {
        for (int y = 0; y < all.count[1]; y++) {
            for (int z = 0; z < all.count[2]; z++) {
                const int objects[3] = {all.objects[0][x], all.objects[1][y],
                                        all.objects[2][z]};
                try_grid(listing, guess, objects, grid, &fit, &most);
            }
        }
    }
    const bool has_depth = most > 0;
    fit.n[0] = 0;
    for (int n = 0; n < all.count[0] * all.count[1] && !has_depth; n++) {
        const int objects[3] = {all.objects[0][n / all.count[1]],
                                all.objects[1][n % all.count[1]], -1};
        try_grid(listing, guess, objects, grid, &fit, &most);
    }
    return most > 0;
}
