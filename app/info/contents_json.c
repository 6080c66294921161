#include "contents.h"
#include "io/catalog.h"
#include "io/json/json.h"

#include <string.h>

static json_t *json_vector(vec3 v)
{
    return json_pack("[o, o, o]", io_json_number(v.v[0]), io_json_number(v.v[1]),
                     io_json_number(v.v[2]));
}

static json_t *describe_block(const grid_block *block, int copies)
{
    json_t *closed = json_array();
    for (int axis = 0; axis < 3; axis++) {
        if (block->closed[axis]) {
            json_array_append_new(closed, json_stringn(&"ijk"[axis], 1));
        }
    }
    return json_pack("{s:o, s:[I, I, I], s:b, s:o, s:b, s:i}", "name",
                     io_json_text(block->name), "vertices", (json_int_t)block->n[0],
                     (json_int_t)block->n[1], (json_int_t)block->n[2], "iblank",
                     block->has_iblank, "closed", closed, "left_handed",
                     block->left_handed, "copies", copies);
}

static json_t *describe_blocks(const grid_layout *layout)
{
    json_t *list = json_array();
    for (int block = 0; block < layout->nblocks; block++) {
        if (layout->blocks[block].copy == 0) {
            const int last = grid_layout_last_copy(layout, block);
            json_array_append_new(
                list, describe_block(&layout->blocks[block], last - block + 1));
        }
    }
    return list;
}

/* The blocks of a step, as the data have them. */
static json_t *describe_blocks_of(const io_source *source, int step)
{
    const grid_block *blocks;
    json_t *list = json_array();
    for (int b = 0; b < io_source_all_blocks(source, &blocks); b++) {
        const int64_t *n = blocks[b].n;
        if (io_source_has_block(source, step, b)) {
            json_array_append_new(list, json_pack("{s:o, s:[I, I, I]}", "name",
                                                  io_json_text(blocks[b].name),
                                                  "vertices", (json_int_t)n[0],
                                                  (json_int_t)n[1], (json_int_t)n[2]));
        }
    }
    return list;
}

static json_t *describe_steps(const io_source *source)
{
    json_t *list = json_array();
    for (int step = 0; step < io_source_step_count(source); step++) {
        const io_step *s = &io_source_steps(source)[step];
        json_t *its =
            json_pack("{s:I, s:o, s:i}", "number", (json_int_t)s->number, "time",
                      io_json_number(s->time), "grid", io_source_grid(source, step));
        if (info_has_other_blocks(source, step)) {
            json_object_set_new(its, "blocks", describe_blocks_of(source, step));
        }
        json_array_append_new(list, its);
    }
    return list;
}

static json_t *describe_index(const int64_t index[3])
{
    return json_pack("[I, I, I]", (json_int_t)index[0], (json_int_t)index[1],
                     (json_int_t)index[2]);
}

static json_t *describe_condition(const io_source *source, int condition)
{
    const io_condition *c = &io_source_conditions(source)[condition];
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "block",
        io_json_text(io_source_condition_block(source, condition)->name), "name",
        io_json_text(c->name), "type", io_json_text(c->type), "family",
        c->family[0] != '\0' ? io_json_text(c->family) : json_null(), "wall", c->is_wall,
        "from", c->has_range ? describe_index(c->lo) : json_null(), "to",
        c->has_range ? describe_index(c->hi) : json_null());
}

static json_t *describe_conditions(const io_source *source)
{
    json_t *list = json_array();
    for (int n = 0; n < io_source_condition_count(source); n++) {
        if (io_source_condition_block(source, n)->copy == 0) {
            json_array_append_new(list, describe_condition(source, n));
        }
    }
    return list;
}

static json_t *describe_field(const info *in, int field)
{
    const grid_field *f = &io_source_fields(in->source)[field];
    const field_range *r = &in->ranges[field];
    json_t *range = r->range[0] <= r->range[1]
                        ? json_pack("[o, o]", io_json_number(r->range[0]),
                                    io_json_number(r->range[1]))
                        : json_null();
    json_t *missing = json_array();
    for (int step = 0; step < io_source_step_count(in->source); step++) {
        if (!io_source_has_field(in->source, step, field)) {
            int64_t number = io_source_steps(in->source)[step].number;
            json_array_append_new(missing, json_integer((json_int_t)number));
        }
    }
    const io_unpacking *unpacking = io_source_unpacking(in->source, field);
    json_t *fills = json_array();
    for (int n = 0; n < unpacking->nfills; n++) {
        json_array_append_new(fills, io_json_number(io_unpacking_fill(unpacking, n)));
    }
    return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:f, s:f, s:o}", "name",
                     io_json_text(f->name), "alias",
                     f->alias[0] != '\0' ? io_json_text(f->alias) : json_null(),
                     "location", f->location == GRID_CELL ? "cell" : "vertex", "range",
                     range, "missing_in_steps", missing, "fill", fills, "scale_factor",
                     unpacking->is_scaled ? unpacking->scale : 1.0, "add_offset",
                     unpacking->is_scaled ? unpacking->offset : 0.0, "unit",
                     unpacking->unit[0] ? io_json_text(unpacking->unit) : json_null());
}

static json_t *describe_fields(const info *in)
{
    json_t *list = json_array();
    for (int field = 0; field < io_source_field_count(in->source); field++) {
        json_array_append_new(list, describe_field(in, field));
    }
    return list;
}

static json_t *describe_derivable(const io_source *source)
{
    json_t *list = json_array();
    const char *name;
    for (int n = 0; (name = grid_recipe_derivable(io_source_field_count(source),
                                                  io_source_fields(source), n)) != NULL;
         n++) {
        json_array_append_new(list, json_string(name));
    }
    return list;
}

/* The first inverted cell; null: there is none. */
static json_t *describe_inverted(const grid_layout *layout)
{
    const grid_census *census = &layout->census;
    const int64_t *at = census->inverted_at;
    return census->inverted == 0
               ? json_null()
               : json_pack("{s:s, s:[I, I, I]}", "block",
                           layout->blocks[census->inverted_block].name, "at",
                           (json_int_t)at[0], (json_int_t)at[1], (json_int_t)at[2]);
}

static json_t *describe_cells(const grid_layout *layout)
{
    const grid_census *census = &layout->census;
    return json_pack("{s:I, s:I, s:I, s:I, s:o}", "all", (json_int_t)census->cells,
                     "blanked", (json_int_t)census->blanked, "inverted",
                     (json_int_t)census->inverted, "zero_volume",
                     (json_int_t)census->zero_volume, "first_inverted",
                     describe_inverted(layout));
}

/* A text; null if it is no UTF-8. */
static json_t *describe_text(const char *text, size_t length)
{
    json_t *value = json_stringn(text, length);
    return value ? value : json_null();
}

/* The facts that the source notes, a list of names and values. */
static json_t *describe_notes(const char *notes)
{
    json_t *list = json_array();
    while (*notes != '\0') {
        const size_t name = strcspn(notes, "\t");
        const size_t value = strcspn(notes + name, "\n");
        json_array_append_new(
            list, json_pack("{s:o, s:o}", "name", describe_text(notes, name), "value",
                            describe_text(notes + name + 1, value - 1)));
        notes += name + value + 1;
    }
    return list;
}

json_t *info_describe(const info *in)
{
    box3 bounds = info_bounds(in->layout);
    return json_pack(
        "{s:o, s:o, s:o, s:I, s:o, s:s, s:[o, o], s:I, s:o, s:o, s:o, s:o}", "file",
        io_json_text(io_source_path(in->source)), "notes",
        describe_notes(io_source_notes(in->source)), "blocks",
        describe_blocks(in->layout), "vertices",
        (json_int_t)grid_layout_vertices(in->layout), "cells", describe_cells(in->layout),
        "coordinates", io_source_double_coordinates(in->source) ? "float64" : "float32",
        "bounds", json_vector(bounds.lo), json_vector(bounds.hi), "bytes",
        (json_int_t)info_memory(in->layout), "boundary_conditions",
        describe_conditions(in->source), "steps", describe_steps(in->source), "fields",
        describe_fields(in), "derivable", describe_derivable(in->source));
}
