/* Fields: arrays of the shape of the grid, or of its cells, with the same path at every
 * step. */
#include "guess_parts.h"
#include "names.h"
#include "steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Data sets that could be fields, sorted so that similar ones are neighbours. */
typedef struct candidates {
    const io_listing *listing;
    const guess_foreign *foreign;
    int count;
    step_place *places;
} candidates;

/* ---- candidates ------------------------------------------------------------------- */

static bool is_coordinate(const io_guess *guess, const char *path)
{
    const size_t length = strlen(path);
    for (int grid = 0; grid < guess->ngrids; grid++) {
        for (int axis = 0; axis < 3; axis++) {
            const char *known = guess->grids[grid].paths[axis];
            if (strncmp(known, path, length) == 0 &&
                (known[length] == '\0' || known[length] == '[')) {
                return true;
            }
        }
    }
    return false;
}

static bool find_shape(const io_guess *guess, const io_object *object, guess_shape *out)
{
    const io_guess_grid *grid = &guess->grids[guess->chosen];
    const bool is_plane = grid->paths[2][0] == '\0';
    return (is_plane ? guess_find_map : guess_find_shape)(
        object, grid->n, guess->is_fortran, guess->ntimes, out);
}

static bool could_be_field(const candidates *found, const io_guess *guess,
                           const io_object *object)
{
    guess_shape shape;
    size_t group_length;
    return find_shape(guess, object, &shape) &&
           !names_is_iblank(path_name(object->path, &group_length)) &&
           !is_coordinate(guess, object->path) &&
           !guess_is_foreign(found->foreign, object->path) &&
           guess_is_in_blocks(found->listing, guess, object->path);
}

static void list_candidates(const io_guess *guess, candidates *found)
{
    const io_listing *listing = found->listing;
    for (int n = 0; n < listing->nobjects; n++) {
        if (could_be_field(found, guess, &listing->objects[n])) {
            found->places[found->count++] = (step_place){.object = n};
        }
    }
}

/* ---- the same field at several steps ---------------------------------------------- */

/* Writes the path with '%' for the step. */
static void blot_step(const candidates *found, int n, char out[IO_GUESS_PATH_SIZE])
{
    const step_place *place = &found->places[n];
    const char *path = found->listing->objects[place->object].path;
    if (place->digits == 0) {
        snprintf(out, IO_GUESS_PATH_SIZE, "%s", path);
        return;
    }
    snprintf(out, IO_GUESS_PATH_SIZE, "%.*s%%%s", (int)place->at, path,
             path + place->at + place->digits);
}

/* Digits of the step's number in a config's path: 1, or the least digits if there are
 * leading zeros. */
typedef struct step_digits {
    int count;
    size_t fewest;
    bool has_zeros;
} step_digits;

static void note_digits(const candidates *found, int n, step_digits *digits)
{
    const step_place *place = &found->places[n];
    const char *path = found->listing->objects[place->object].path;
    if (digits->count == 0 || place->digits < digits->fewest) {
        digits->fewest = place->digits;
    }
    digits->has_zeros |= path[place->at] == '0' && place->digits > 1;
    digits->count++;
}

/* Counts the candidates, from n on, with the same pattern, and marks them as done. */
static step_digits gather_steps(const candidates *found, int n, bool *done)
{
    step_digits digits = {0};
    char pattern[IO_GUESS_PATH_SIZE], other[IO_GUESS_PATH_SIZE];
    blot_step(found, n, pattern);
    for (int m = n; m < found->count; m++) {
        if (done[m] || found->places[m].at != found->places[n].at) {
            continue;
        }
        blot_step(found, m, other);
        if (strcmp(pattern, other) == 0) {
            note_digits(found, m, &digits);
            done[m] = true;
        }
    }
    return digits;
}

/* Writes the path for a config, with %d or %0Nd for the step. */
static void write_path(const candidates *found, int n, const step_digits *digits,
                       char out[IO_GUESS_PATH_SIZE])
{
    const step_place *place = &found->places[n];
    const char *path = found->listing->objects[place->object].path;
    char conversion[8] = "%d";
    if (place->digits == 0) {
        snprintf(out, IO_GUESS_PATH_SIZE, "%s", path);
        return;
    }
    if (digits->has_zeros) {
        snprintf(conversion, sizeof conversion, "%%0%dd", (int)digits->fewest);
    }
    snprintf(out, IO_GUESS_PATH_SIZE, "%.*s%s%s", (int)place->at, path, conversion,
             path + place->at + place->digits);
}

/* ---- names ------------------------------------------------------------------------ */

static bool name_is_taken(const io_guess *guess, const char *name)
{
    for (int n = 0; n < guess->nfields; n++) {
        if (strcmp(guess->fields[n].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Makes the name of a second field unique by its group, as in mean_pressure, and the name
 * of a third one by a number. */
static void make_name_unique(const io_guess *guess, path_part group,
                             char name[NAMES_SIZE])
{
    char wanted[NAMES_SIZE], prefix[NAMES_SIZE];
    if (!name_is_taken(guess, name)) {
        return;
    }
    if (group.length > 0) {
        names_keep(group, prefix);
        snprintf(wanted, sizeof wanted, "%.24s_%.32s", prefix, name);
    } else {
        snprintf(wanted, sizeof wanted, "%.48s", name);
    }
    snprintf(name, NAMES_SIZE, "%s", wanted);
    for (int number = 2; name_is_taken(guess, name); number++) {
        snprintf(name, NAMES_SIZE, "%.*s_%d", NAMES_SIZE - 12, wanted, number);
    }
}

/* The last part of a path of this length; empty for the root. */
static path_part last_part(const char *path, size_t length)
{
    size_t start = length;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    return (path_part){path + start, length - start};
}

/* The part of a path that names the array, without the step. If the step or a block is
 * the whole part, as in /density/0010, the group names the array. */
static path_part name_of(const io_guess *guess, const char *path, const step_place *place)
{
    size_t group_length;
    path_part name = path_name(path, &group_length);
    if (guess_is_block(guess, name) && group_length > 1) {
        name = last_part(path, group_length);
        group_length -= name.length + 1;
    }
    const size_t start = (size_t)(name.text - path);
    if (place->digits == name.length && place->at == start && group_length > 1) {
        return last_part(path, group_length);
    }
    if (place->digits > 0 && place->at > start && place->at < start + name.length) {
        name.length = place->at - start;
    }
    return name;
}

enum { ENDING = 24 };

/* The brackets at the end of a path, for steps and components. */
static void write_ending(const guess_shape *shape, int component, char out[ENDING])
{
    const char *step = shape->nsteps >= 0 ? "step" : "";
    if (component < 0) {
        snprintf(out, ENDING, "%s%s%s", step[0] ? "[" : "", step, step[0] ? "]" : "");
    } else if (shape->component_is_first) {
        snprintf(out, ENDING, "[%s%s%d,:]", step, step[0] ? "," : "", component % 1000);
    } else if (step[0]) {
        snprintf(out, ENDING, "[step,:,%d]", component % 1000);
    } else {
        snprintf(out, ENDING, "[%d]", component % 1000);
    }
}

static void add_field(io_guess *guess, const candidates *found, int n, int component,
                      const step_digits *digits)
{
    const step_place *place = &found->places[n];
    const io_object *object = &found->listing->objects[place->object];
    if (guess->nfields == IO_GUESS_MOST_FIELDS) {
        guess->is_cut = true;
        return;
    }
    io_guess_field *field = &guess->fields[guess->nfields];
    char name[NAMES_SIZE], path[IO_GUESS_PATH_SIZE];
    _Static_assert((int)NAMES_SIZE <= (int)GRID_NAME_SIZE, "a name fits into a field's");
    guess_shape shape;
    find_shape(guess, object, &shape);
    names_find_field(name_of(guess, object->path, place), component, shape.ncomponents,
                     name);
    size_t group_length;
    path_name(object->path, &group_length);
    make_name_unique(guess, last_part(object->path, group_length), name);
    strcpy(field->name, name);
    write_path(found, n, digits, path);
    if (guess->has_blocks) {
        char plain[IO_GUESS_PATH_SIZE];
        strcpy(plain, path);
        guess_put_block(guess, plain, path);
    }
    char ending[ENDING];
    write_ending(&shape, component, ending);
    snprintf(field->path, sizeof field->path, "%.*s%s", IO_GUESS_PATH_SIZE - ENDING, path,
             ending);
    field->location = shape.location;
    field->nsteps = place->digits > 0   ? digits->count
                    : shape.nsteps >= 0 ? (int)shape.nsteps
                                        : 0;
    guess->has_axis |= shape.nsteps >= 0;
    guess->nfields++;
}

/* Fields with steps come first: they take the plain names, before means and the like. */
static void add_fields(io_guess *guess, const candidates *found, bool with_steps,
                       bool *done)
{
    for (int n = 0; n < found->count && !guess->is_cut; n++) {
        if (done[n] || (found->places[n].digits > 0) != with_steps) {
            continue;
        }
        const step_digits digits = gather_steps(found, n, done);
        const io_object *object = &found->listing->objects[found->places[n].object];
        guess_shape shape;
        find_shape(guess, object, &shape);
        const int components = shape.ncomponents;
        for (int c = components > 0 ? 0 : -1; c < components; c++) {
            add_field(guess, found, n, c, &digits);
        }
    }
}

status guess_find_fields(const io_listing *listing, const guess_foreign *foreign,
                         io_guess *guess)
{
    const size_t room = (size_t)listing->nobjects + 1;
    candidates found = {.listing = listing, .foreign = foreign};
    found.places = malloc(room * sizeof *found.places);
    bool *done = calloc(room, sizeof *done);
    guess->fields = calloc(IO_GUESS_MOST_FIELDS, sizeof *guess->fields);
    status s = STATUS_OK;
    if (!found.places || !done || !guess->fields) {
        s = base_fail_memory(room * sizeof *found.places, "the fields of a file");
    }
    if (s == STATUS_OK) {
        const char *grid = listing->objects[guess->grids[guess->chosen].object].path;
        list_candidates(guess, &found);
        s = steps_find(listing, grid, found.count, found.places);
    }
    if (s == STATUS_OK) {
        add_fields(guess, &found, true, done);
        add_fields(guess, &found, false, done);
    }
    free(found.places);
    free(done);
    return s;
}
