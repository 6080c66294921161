#include "base/parallel/parallel.h"
#include "frame/scene/conditions.h"
#include "indices.h"
#include "integrals.h"
#include "io/catalog.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of options and keys, by kind. */
static const char *const kinds[] = {"volume", "block", "plane", "faces", "wall", "walls"};

void frame_integrals_place_name(const frame_integrals_place *place, char *out,
                                size_t size)
{
    snprintf(out, size, "%s%s%s", kinds[place->kind], place->text ? " " : "",
             place->text ? place->text : "");
}

/* "x=2", or a normal and a point: "1,1,0:0.5,0,0". */
static status read_plane(const char *text, frame_measure_place *out)
{
    char normal[200];
    const char *point = strchr(text, ':');
    char *end = NULL;
    const int axis = text[0] >= 'x' && text[0] <= 'z' ? text[0] - 'x' : -1;
    if (axis >= 0 && text[1] == '=') {
        out->normal.v[axis] = 1.0;
        out->point.v[axis] = strtod(text + 2, &end);
        if (end != text + 2 && *end == '\0' && isfinite(out->point.v[axis])) {
            return STATUS_OK;
        }
    }
    if (!point || (size_t)(point - text) >= sizeof normal) {
        return base_fail(STATUS_USAGE,
                         "plane %s: give an axis and a place, such as x=2, or a normal "
                         "and a point, such as 1,1,0:0.5,0,0",
                         text);
    }
    memcpy(normal, text, (size_t)(point - text));
    normal[point - text] = '\0';
    const status s = frame_indices_read_point("plane", normal, out->normal.v);
    return s == STATUS_OK ? frame_indices_read_point("plane", point + 1, out->point.v)
                          : s;
}

/* Adds ranges to a place. */
static status add_ranges(int count, const surface_range *ranges, frame_measure_place *out)
{
    const size_t size = (size_t)(out->nranges + count) * sizeof *out->ranges;
    surface_range *grown = realloc(out->ranges, size);
    if (!grown) {
        return base_fail_memory(size, "faces");
    }
    memcpy(grown + out->nranges, ranges, (size_t)count * sizeof *ranges);
    out->ranges = grown;
    out->nranges += count;
    return STATUS_OK;
}

/* The blocks of a place that is looked for; source and layout: NULL to check names
 * alone. */
typedef struct searched {
    const char *word;
    int count;
    const grid_block *blocks; /* [count] */
    const io_source *source;
    const grid_layout *layout;
} searched;

/* An index face of a block. */
static status add_face(const searched *in, const char *text, frame_measure_place *out)
{
    int64_t range[3][2];
    int block, flat = 0;
    status s = frame_indices_read(in->word, text, in->count, in->blocks, &block, range);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        flat += range[axis][0] == range[axis][1];
    }
    if (s == STATUS_OK && flat != 1) {
        s = base_fail(STATUS_USAGE,
                      "%s %s: give one number and two ranges, such as wing:0:80,0,:",
                      in->word, text);
    }
    surface_range face = {.block = block};
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        face.lo[axis] = range[axis][0];
        face.hi[axis] = range[axis][1];
    }
    return s == STATUS_OK ? add_ranges(1, &face, out) : s;
}

static status add_conditions(const searched *in, const frame_conditions_wish *wish,
                             frame_measure_place *out)
{
    int count = 0;
    surface_range *ranges = NULL;
    status s = in->source && in->layout
                   ? frame_conditions_find(in->source, in->layout, wish, &count, &ranges)
                   : STATUS_OK;
    s = s == STATUS_OK && count > 0 ? add_ranges(count, ranges, out) : s;
    free(ranges);
    return s;
}

/* The faces of conditions by name; of an index face, if a block has this name. */
static status add_wall(const searched *in, const char *text, frame_measure_place *out)
{
    const frame_conditions_wish wish = {.either = text, .block = -1};
    const char *colon = strchr(text, ':');
    const bool is_block = colon && frame_indices_block(in->count, in->blocks, text,
                                                       (size_t)(colon - text)) >= 0;
    return is_block ? add_face(in, text, out) : add_conditions(in, &wish, out);
}

/* Faces or walls, with semicolons between several. */
static status add_faces(const searched *in, const char *text, bool walls,
                        frame_measure_place *out)
{
    char *copy = strdup(text), *rest = NULL;
    status s = copy ? STATUS_OK : base_fail_memory(strlen(text), "faces");
    for (char *one = copy ? strtok_r(copy, ";", &rest) : NULL; one && s == STATUS_OK;
         one = strtok_r(NULL, ";", &rest)) {
        one += strspn(one, " ");
        s = walls ? add_wall(in, one, out) : add_face(in, one, out);
    }
    free(copy);
    return s;
}

/* All walls: those of conditions, and those of iblank. */
static status add_walls(const searched *in, frame_measure_place *out)
{
    const frame_conditions_wish wish = {.walls = true, .block = -1};
    bool any = !in->source;
    for (int n = 0; in->source && n < io_source_condition_count(in->source); n++) {
        any = any || io_source_conditions(in->source)[n].is_wall;
    }
    for (int b = 0; b < in->count; b++) {
        out->walls = out->walls || in->blocks[b].has_iblank;
    }
    if (!any && !out->walls) {
        return base_fail(STATUS_USAGE, "walls: the data name no walls; give faces as a "
                                       "wall, BLOCK:I,J,K, such as wing:0:80,0,:");
    }
    return any ? add_conditions(in, &wish, out) : STATUS_OK;
}

static status find_block(const searched *in, const char *text, int *out)
{
    *out = frame_indices_block(in->count, in->blocks, text, strlen(text));
    return *out >= 0 ? STATUS_OK
                     : base_fail(STATUS_USAGE,
                                 "block %s: there is no such block; the first is '%s'",
                                 text, in->blocks[0].name);
}

static status find(const frame_integrals_place *place, searched *in,
                   frame_measure_place *out)
{
    in->word = kinds[place->kind];
    switch (place->kind) {
    case FRAME_INTEGRALS_ALL:
        return STATUS_OK;
    case FRAME_INTEGRALS_BLOCK:
        return find_block(in, place->text, &out->block);
    case FRAME_INTEGRALS_PLANE:
        out->kind = FRAME_MEASURE_PLANE;
        return read_plane(place->text, out);
    case FRAME_INTEGRALS_FACES:
        out->kind = FRAME_MEASURE_FACES;
        return add_faces(in, place->text, false, out);
    case FRAME_INTEGRALS_WALL:
        out->kind = FRAME_MEASURE_WALL;
        return add_faces(in, place->text, true, out);
    default:
        out->kind = FRAME_MEASURE_WALL;
        return add_walls(in, out);
    }
}

status frame_integrals_place_check(const frame_integrals_place *place, int count,
                                   const grid_block *blocks)
{
    frame_measure_place found = {.block = -1};
    searched in = {.count = count, .blocks = blocks};
    const status s = find(place, &in, &found);
    free(found.ranges);
    return s;
}

status frame_integrals_place_find(MPI_Comm comm, io_source *source,
                                  const grid_layout *layout,
                                  const frame_integrals_place *place,
                                  const double about[3], frame_measure **out)
{
    frame_measure_place found = {.block = -1};
    searched in = {.count = layout->nblocks,
                   .blocks = layout->blocks,
                   .source = source,
                   .layout = layout};
    memcpy(found.about.v, about, sizeof found.about.v);
    status s = parallel_agree(comm, find(place, &in, &found));
    s = s == STATUS_OK ? frame_measure_create(comm, source, layout, &found, out) : s;
    free(found.ranges);
    return s;
}
