/* The shapes of fields: axes of the grid, of components and of steps. */
#include "guess_parts.h"
#include "names.h"

#include <stdio.h>
#include <string.h>

enum { MOST_COMPONENTS = 16 };

bool guess_is_array(const io_object *object, int rank)
{
    return object->kind == IO_OBJECT_DATASET && object->is_number &&
           object->rank == rank && path_is_nameable(object->path);
}

bool guess_fits(const io_object *object, const int64_t n[3], int64_t less)
{
    return object->n[0] == n[2] - less && object->n[1] == n[1] - less &&
           object->n[2] == n[0] - less;
}

/* Whether three axes, from `first` on, have n values, each reduced by `less`. */
static bool fits_at(const io_object *object, int first, const int64_t n[3],
                    bool is_fortran, int64_t less)
{
    bool fits = true;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t wanted = n[is_fortran ? axis : 2 - axis];
        fits = fits && object->n[first + axis] == wanted - (wanted > 1 ? less : 0);
    }
    return fits;
}

static bool counts_components(int64_t n)
{
    return n >= 1 && n <= MOST_COMPONENTS;
}

/* What the axes beside those of the grid may be, likeliest first. */
typedef enum shape_form {
    FORM_PLAIN,      /* [nk][nj][ni] */
    FORM_TIMES,      /* [ntimes][nk][nj][ni] */
    FORM_LAST,       /* [nk][nj][ni][n] */
    FORM_FIRST,      /* [n][nk][nj][ni] */
    FORM_STEPS,      /* [nt][nk][nj][ni] */
    FORM_STEP_LAST,  /* [nt][nk][nj][ni][n] */
    FORM_STEP_FIRST, /* [nt][n][nk][nj][ni] */
    FORMS
} shape_form;

/* Whether an array beside its axes of the grid has the form; n counts its axes. */
static bool has_form(const io_object *object, shape_form form, int64_t ntimes,
                     guess_shape *out)
{
    const int64_t *n = object->n;
    const int ranks[FORMS] = {3, 4, 4, 4, 4, 5, 5};
    const int component[FORMS] = {-1, -1, 3, 0, -1, 4, 1}; /* axis of components */
    if (!guess_is_array(object, ranks[form]) || (form == FORM_TIMES && n[0] != ntimes) ||
        (component[form] >= 0 && !counts_components(n[component[form]]))) {
        return false;
    }
    out->ncomponents = component[form] >= 0 ? (int)n[component[form]] : 0;
    out->component_is_first = form == FORM_FIRST || form == FORM_STEP_FIRST;
    out->nsteps = form == FORM_TIMES || form >= FORM_STEPS ? n[0] : -1;
    return true;
}

bool guess_find_shape(const io_object *object, const int64_t n[3], bool is_fortran,
                      int64_t ntimes, guess_shape *out)
{
    static const int first[FORMS] = {0, 1, 0, 1, 1, 1, 2}; /* axis of the grid */
    for (int form = 0; form < FORMS; form++) {
        if (!has_form(object, (shape_form)form, ntimes, out)) {
            continue;
        }
        for (int is_cell = 0; is_cell < 2; is_cell++) {
            out->location = is_cell ? GRID_CELL : GRID_VERTEX;
            if (fits_at(object, first[form], n, is_fortran, is_cell)) {
                return true;
            }
        }
    }
    return false;
}

bool guess_find_map(const io_object *object, const int64_t n[3], bool is_fortran,
                    int64_t ntimes, guess_shape *out)
{
    io_object deep = *object;
    if (object->rank < 2 || object->rank >= IO_LISTING_AXES) {
        return false;
    }
    const int axis = is_fortran ? object->rank : object->rank - 2;
    for (int a = deep.rank++; a > axis; a--) {
        deep.n[a] = deep.n[a - 1];
    }
    deep.n[axis] = 1;
    return guess_find_shape(&deep, n, is_fortran, ntimes, out) && out->ncomponents == 0;
}

/* ---- Times ------------------------------------------------------------------------- */

bool io_guess_is_time(const io_object *object)
{
    static const char *const words[] = {"time", "times", "t"};
    char plain[NAMES_SIZE];
    size_t group_length;
    path_normalise(path_name(object->path, &group_length), plain, sizeof plain);
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        if (strcmp(plain, words[n]) == 0) {
            return true;
        }
    }
    for (int n = 0; n < object->nattributes; n++) {
        /* "days since 1900-01-01": the CF conventions. */
        if (strcmp(object->attributes[n].name, "units") == 0 &&
            strstr(object->attributes[n].value, " since ")) {
            return true;
        }
    }
    return false;
}

void guess_find_times(const io_listing *listing, io_guess *guess)
{
    for (int n = 0; n < listing->nobjects && guess->ntimes == 0; n++) {
        const io_object *object = &listing->objects[n];
        if (guess_is_array(object, 1) && object->n[0] > 0 && io_guess_is_time(object)) {
            guess->ntimes = object->n[0];
            snprintf(guess->time, sizeof guess->time, "%s", object->path);
        }
    }
}
