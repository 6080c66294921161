#include "grid.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Objects of a listing ---------------------------------------------------------- */

static status add_text(io_object *object, const char *name, const char *value)
{
    char quoted[NETCDF_TEXT + 2];
    if (value[0] == '\0') {
        return STATUS_OK;
    }
    snprintf(quoted, sizeof quoted, "\"%s\"", value);
    return io_object_add_attribute(object, name, quoted);
}

/* Describes a variable as io/sources/listing knows it. */
static status add_object(netcdf_guess *guess, const netcdf_variable *variable)
{
    char path[NETCDF_NAME + 1];
    io_object *object;
    snprintf(path, sizeof path, "/%s", variable->name);
    status s = io_listing_add(guess->listing, IO_OBJECT_DATASET, path, NULL, &object);
    if (s == STATUS_OK) {
        object->is_number = variable->is_number;
        object->rank = variable->rank;
        s = add_text(object, "units", variable->attributes.units);
    }
    s = s == STATUS_OK ? add_text(object, "axis", variable->attributes.axis) : s;
    s = s == STATUS_OK ? add_text(object, "standard_name", variable->attributes.standard)
                       : s;
    return s == STATUS_OK ? add_text(object, "positive", variable->attributes.positive)
                          : s;
}

/* The axis of a variable, NETCDF_TIME, or NETCDF_NONE. */
static int find_axis(const netcdf_guess *guess, int variable)
{
    const io_object *object = &guess->listing->objects[variable];
    int axis = NETCDF_NONE;
    if (!guess->header->variables[variable].is_number) {
        return NETCDF_NONE;
    }
    return io_guess_is_time(object)       ? NETCDF_TIME
           : io_guess_axis(object, &axis) ? axis
                                          : NETCDF_NONE;
}

/* Finds the axes of all variables, and those of dimensions by the variables of their
 * names. Records are times, if nothing else is said. */
static void find_axes(netcdf_guess *guess)
{
    const netcdf_header *h = guess->header;
    for (int n = 0; n < h->ndimensions; n++) {
        const bool is_time =
            h->dimensions[n].is_record || strcasecmp(h->dimensions[n].name, "time") == 0;
        guess->dimension_axes[n] = is_time ? NETCDF_TIME : NETCDF_NONE;
    }
    for (int n = 0; n < h->nvariables; n++) {
        const netcdf_variable *v = &h->variables[n];
        guess->axes[n] = find_axis(guess, n);
        if (v->rank == 1 && guess->axes[n] >= 0 &&
            strcmp(v->name, h->dimensions[v->dimensions[0]].name) == 0) {
            guess->dimension_axes[v->dimensions[0]] = guess->axes[n];
        }
    }
}

/* ---- Dimensions of a field --------------------------------------------------------- */

/* Finds which dimension of a field is which: by its coordinates, else the last ones are
 * x, y, z, and the first one before these is the steps. One of a single value is passed
 * over. False: some is left over. */
static bool find_positions(const netcdf_guess *guess, const netcdf_variable *variable,
                           netcdf_field *field)
{
    bool all = true;
    for (int n = 0; n < variable->rank; n++) {
        const int dimension = variable->dimensions[n];
        const int axis = guess->dimension_axes[dimension];
        if (axis >= 0 && field->position[axis] < 0) {
            field->position[axis] = n;
            field->dimension[axis] = dimension;
        }
    }
    for (int n = variable->rank - 1; n >= 0; n--) {
        const int dimension = variable->dimensions[n];
        bool is_known = guess->header->dimensions[dimension].count == 1;
        int axis = 0;
        while (axis < 3 && field->position[axis] >= 0) {
            axis++;
        }
        for (int other = 0; other < 4; other++) {
            is_known = is_known || field->position[other] == n;
        }
        if (axis < 3 && !is_known) {
            field->position[axis] = n;
            field->dimension[axis] = dimension;
        } else if (n == 0 && !is_known && field->position[NETCDF_TIME] < 0) {
            field->position[NETCDF_TIME] = n; /* such as months */
            field->dimension[NETCDF_TIME] = dimension;
            is_known = true;
        }
        all = all && (axis < 3 || is_known);
    }
    return all && field->position[0] >= 0 && field->position[1] >= 0;
}

/* ---- Coordinates of a field -------------------------------------------------------- */

/* Whether a list of names has this one. */
static bool has_name(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(names, name); at; at = strstr(at + 1, name)) {
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* How many dimensions a variable has but that of time; -1: others than the field's, or
 * not in the order of k, j, i. */
static int count_dimensions(const netcdf_variable *variable, const netcdf_field *field,
                            int axis)
{
    int dimensions[NETCDF_AXES], rank = 0;
    for (int n = 0; n < variable->rank; n++) {
        if (n > 0 || variable->dimensions[n] != field->dimension[NETCDF_TIME]) {
            dimensions[rank++] = variable->dimensions[n];
        }
    }
    const int *of = field->dimension;
    const bool fits =
        (rank == 1 && dimensions[0] == of[axis]) ||
        (rank == 2 && axis < 2 && dimensions[0] == of[1] && dimensions[1] == of[0]) ||
        (rank == 3 && axis == 2 && dimensions[0] == of[2] && dimensions[1] == of[1] &&
         dimensions[2] == of[0]);
    return fits ? rank : -1;
}

/* How well a variable suits as a coordinate; 0: not at all. A list with a unit is a
 * coordinate of a map; without one, it may only count. */
static int rate(const netcdf_guess *guess, int variable, const netcdf_variable *of,
                const netcdf_field *field, int axis)
{
    const netcdf_variable *v = &guess->header->variables[variable];
    const char *unit = v->attributes.units;
    if (v == of || guess->axes[variable] != axis) {
        return 0;
    }
    const int rank = count_dimensions(v, field, axis);
    const int named = has_name(of->attributes.coordinates, v->name) ? 4 : 0;
    return rank < 0                                    ? 0
           : rank > 1                                  ? 2 + named
           : unit[0] != '\0' && strcmp(unit, "1") != 0 ? 8 + named
                                                       : 1 + named;
}

static void find_coordinates(const netcdf_guess *guess, const netcdf_variable *variable,
                             netcdf_field *field)
{
    for (int axis = 0; axis < 3; axis++) {
        int best = 0;
        for (int n = 0; n < guess->header->nvariables && field->dimension[axis] >= 0;
             n++) {
            const int rating = rate(guess, n, variable, field, axis);
            if (rating > best) {
                best = rating;
                field->coordinate[axis] = n;
            }
        }
    }
    const bool has_all = field->coordinate[0] >= 0 && field->coordinate[1] >= 0 &&
                         (field->dimension[2] < 0 || field->coordinate[2] >= 0);
    field->obstacle = has_all ? NULL : "it has no coordinates along its dimensions";
}

static netcdf_field find_field(const netcdf_guess *guess, int variable)
{
    const netcdf_variable *v = &guess->header->variables[variable];
    netcdf_field field = {.position = {-1, -1, -1, -1},
                          .dimension = {-1, -1, -1, -1},
                          .coordinate = {-1, -1, -1}};
    if (!v->is_number) {
        field.obstacle = "it has no numbers, or too many dimensions";
    } else if (!find_positions(guess, v, &field)) {
        field.obstacle = "its dimensions are not those of a map or a volume";
    } else {
        find_coordinates(guess, v, &field);
    }
    return field;
}

/* ---- The grid ---------------------------------------------------------------------- */

static bool is_alike(const netcdf_field *a, const netcdf_field *b)
{
    return memcmp(a->coordinate, b->coordinate, sizeof a->coordinate) == 0 &&
           memcmp(a->dimension, b->dimension, 3 * sizeof a->dimension[0]) == 0 &&
           (a->dimension[3] == b->dimension[3] || a->dimension[3] < 0 ||
            b->dimension[3] < 0);
}

/* Whether a variable is a coordinate of any field. */
static bool is_coordinate(const netcdf_guess *guess, int variable)
{
    bool is = false;
    for (int n = 0; n < guess->header->nvariables; n++) {
        for (int axis = 0; axis < 3 && !guess->fields[n].obstacle; axis++) {
            is = is || guess->fields[n].coordinate[axis] == variable;
        }
    }
    return is;
}

/* How many fields have the grid of this one; volumes come first. */
static int count_alike(const netcdf_guess *guess, int field)
{
    int count = guess->fields[field].dimension[2] >= 0 ? 1000000 : 0;
    for (int n = 0; n < guess->header->nvariables; n++) {
        count += !guess->fields[n].obstacle &&
                 is_alike(&guess->fields[field], &guess->fields[n]);
    }
    return count + (guess->fields[field].dimension[NETCDF_TIME] >= 0);
}

static void choose(netcdf_guess *guess)
{
    int most = 0;
    guess->chosen = NETCDF_NONE;
    for (int n = 0; n < guess->header->nvariables; n++) {
        if (is_coordinate(guess, n)) {
            guess->fields[n].obstacle = ""; /* nothing is left out */
        }
    }
    for (int n = 0; n < guess->header->nvariables; n++) {
        const int count = guess->fields[n].obstacle ? 0 : count_alike(guess, n);
        if (count > most) {
            most = count;
            guess->chosen = n;
        }
    }
    for (int n = 0; n < guess->header->nvariables && guess->chosen >= 0; n++) {
        if (!guess->fields[n].obstacle &&
            !is_alike(&guess->fields[guess->chosen], &guess->fields[n])) {
            guess->fields[n].obstacle = "it has another grid than the other fields";
        }
    }
}

static void find_times(netcdf_guess *guess)
{
    const netcdf_header *h = guess->header;
    const int dimension = guess->fields[guess->chosen].dimension[NETCDF_TIME];
    guess->time = NETCDF_NONE;
    for (int n = h->nvariables - 1; n >= 0 && dimension >= 0; n--) {
        if (h->variables[n].rank == 1 && h->variables[n].dimensions[0] == dimension &&
            guess->axes[n] == NETCDF_TIME) {
            guess->time = n;
        }
    }
}

status netcdf_guess_make(const char *path, const netcdf_header *header, netcdf_guess *out)
{
    const size_t bytes = ((size_t)header->nvariables + 1) * sizeof *out->fields;
    const size_t axes = (size_t)(header->nvariables + header->ndimensions + 1);
    *out = (netcdf_guess){.header = header,
                          .fields = malloc(bytes),
                          .axes = malloc(axes * sizeof *out->axes)};
    out->dimension_axes = out->axes ? out->axes + header->nvariables : NULL;
    status s = out->fields && out->axes
                   ? io_listing_create(path, &out->listing)
                   : base_fail_memory(bytes, "the variables of a file");
    for (int n = 0; n < header->nvariables && s == STATUS_OK; n++) {
        s = add_object(out, &header->variables[n]);
    }
    if (s == STATUS_OK) {
        find_axes(out);
    }
    for (int n = 0; n < header->nvariables && s == STATUS_OK; n++) {
        out->fields[n] = find_field(out, n);
    }
    if (s != STATUS_OK) {
        return s;
    }
    choose(out);
    if (out->chosen < 0) {
        return base_fail(STATUS_INPUT,
                         "netCDF file '%s' has no variable with coordinates along its "
                         "dimensions: name them by the CF conventions",
                         path);
    }
    const int *coordinate = out->fields[out->chosen].coordinate;
    const io_object *objects = out->listing->objects;
    out->is_geographic =
        coordinate[2] >= 0 &&
        io_guess_is_geographic(&objects[coordinate[0]], &objects[coordinate[2]]);
    find_times(out);
    return s;
}

void netcdf_guess_clear(netcdf_guess *guess)
{
    io_listing_destroy(&guess->listing);
    free(guess->fields);
    free(guess->axes);
    guess->axes = guess->dimension_axes = NULL;
    guess->fields = NULL;
}
