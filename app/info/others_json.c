#include "io/json/json.h"
#include "others.h"

/* ---- objects ---------------------------------------------------------------------- */

static json_t *describe_attributes(const io_object *object)
{
    json_t *list = json_array();
    for (int n = 0; n < object->nattributes; n++) {
        json_array_append_new(list,
                              json_pack("{s:o, s:o}", "name",
                                        io_json_text(object->attributes[n].name), "value",
                                        io_json_text(object->attributes[n].value)));
    }
    return list;
}

static json_t *describe_dataset(const io_object *object)
{
    json_t *shape = json_array();
    for (int axis = 0; axis < object->rank && axis < IO_LISTING_AXES; axis++) {
        json_array_append_new(shape, json_integer((json_int_t)object->n[axis]));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "path", io_json_text(object->path),
                     "shape", shape, "type", io_json_text(object->note), "storage",
                     io_json_text(object->storage), "attributes",
                     describe_attributes(object));
}

static json_t *describe_object(const io_object *object)
{
    switch (object->kind) {
    case IO_OBJECT_DATASET:
        return describe_dataset(object);
    case IO_OBJECT_GROUP:
        return json_pack("{s:o, s:o}", "path", io_json_text(object->path), "attributes",
                         describe_attributes(object));
    default:
        return json_pack("{s:o, s:o}", "path", io_json_text(object->path), "target",
                         io_json_text(object->note));
    }
}

static json_t *describe_objects(const io_listing *listing, io_object_kind kind)
{
    json_t *list = json_array();
    for (int n = 0; n < listing->nobjects; n++) {
        if (listing->objects[n].kind == kind) {
            json_array_append_new(list, describe_object(&listing->objects[n]));
        }
    }
    return list;
}

/* ---- the guess -------------------------------------------------------------------- */

/* The paths of a grid as in data.grid of a config. */
static json_t *describe_paths(const io_guess_grid *grid)
{
    json_t *paths = json_pack("{s:o, s:o}", "x", io_json_text(grid->paths[0]), "y",
                              io_json_text(grid->paths[1]));
    if (grid->paths[2][0] != '\0') {
        json_object_set_new(paths, "z", io_json_text(grid->paths[2]));
    }
    if (grid->iblank[0] != '\0') {
        json_object_set_new(paths, "iblank", io_json_text(grid->iblank));
    }
    return paths;
}

static json_t *describe_grids(const io_guess *guess)
{
    json_t *list = json_array();
    for (int n = 0; n < guess->ngrids; n++) {
        const io_guess_grid *grid = &guess->grids[n];
        json_t *paths = describe_paths(grid);
        json_object_set_new(paths, "vertices",
                            json_pack("[I, I, I]", (json_int_t)grid->n[0],
                                      (json_int_t)grid->n[1], (json_int_t)grid->n[2]));
        json_array_append_new(list, paths);
    }
    return list;
}

static json_t *describe_fields(const io_guess *guess)
{
    json_t *list = json_array();
    for (int n = 0; n < guess->nfields; n++) {
        const io_guess_field *field = &guess->fields[n];
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:s, s:i}", "name", io_json_text(field->name),
                            "path", io_json_text(field->path), "location",
                            field->location == GRID_CELL ? "cell" : "vertex", "steps",
                            field->nsteps));
    }
    return list;
}

/* The section `data` of a config; null if there is none. */
static json_t *describe_section(const io_listing *listing, const io_guess *guess)
{
    if (guess->chosen < 0 || listing->obstacle) {
        return json_null();
    }
    json_t *fields = json_object();
    for (int n = 0; n < guess->nfields; n++) {
        json_object_set_new(fields, guess->fields[n].name,
                            io_json_text(guess->fields[n].path));
    }
    json_t *section = json_pack("{s:o, s:o}", "file", io_json_text(listing->file), "grid",
                                describe_paths(io_guess_get_grid(guess)));
    if (guess->is_fortran) {
        json_object_set_new(section, "order", json_string("fortran"));
    }
    if (guess->has_axis && guess->ntimes > 0) {
        json_object_set_new(section, "time", io_json_text(guess->time));
    }
    if (guess->nfields > 0) {
        json_object_set(section, "fields", fields);
    }
    json_decref(fields);
    return section;
}

json_t *others_describe(const io_listing *listing, const io_guess *guess)
{
    const char *note = listing->obstacle ? listing->obstacle : guess->reason;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "file",
                     io_json_text(listing->file), "layout", io_json_text(listing->layout),
                     "note", io_json_text(note[0] != '\0' ? note : NULL), "data_sets",
                     describe_objects(listing, IO_OBJECT_DATASET), "groups",
                     describe_objects(listing, IO_OBJECT_GROUP), "links",
                     describe_objects(listing, IO_OBJECT_LINK), "is_cut", listing->is_cut,
                     "could_be_coordinates", describe_grids(guess), "could_be_fields",
                     describe_fields(guess), "data", describe_section(listing, guess));
}
