#include "places.h"

#include "app/probe/points.h"
#include "frame/scene/conditions.h"
#include "io/catalog.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
                         "--plane %s: give an axis and a place, such as x=2, or a normal "
                         "and a point, such as 1,1,0:0.5,0,0",
                         text);
    }
    memcpy(normal, text, (size_t)(point - text));
    normal[point - text] = '\0';
    const status s = sample_read_point("--plane", normal, out->normal.v);
    return s == STATUS_OK ? sample_read_point("--plane", point + 1, out->point.v) : s;
}

/* An index face of a block. */
static status read_face(const char *option, const char *text, const io_source *source,
                        frame_measure_place *out)
{
    int64_t range[3][2];
    int block, flat = 0;
    status s = sample_read_range(option, text, source, &block, range);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        flat += range[axis][0] == range[axis][1];
    }
    if (s == STATUS_OK && flat != 1) {
        s = base_fail(
            STATUS_USAGE,
            "%s %s: give one number and two ranges, such as wing:0:80,0,:", option, text);
    }
    out->ranges = s == STATUS_OK ? calloc(1, sizeof *out->ranges) : NULL;
    if (s == STATUS_OK && !out->ranges) {
        s = base_fail_memory(sizeof *out->ranges, "a face");
    }
    if (s == STATUS_OK) {
        out->nranges = 1;
        out->ranges->block = block;
        for (int axis = 0; axis < 3; axis++) {
            out->ranges->lo[axis] = range[axis][0];
            out->ranges->hi[axis] = range[axis][1];
        }
    }
    return s;
}

/* The faces of conditions by name; of an index face, if a block has this name. */
static status find_wall(const char *text, const io_source *source,
                        const grid_layout *layout, frame_measure_place *out)
{
    const frame_conditions_wish wish = {.either = text, .block = -1};
    const char *colon = strchr(text, ':');
    bool is_block = false;
    for (int b = 0; b < layout->nblocks && colon && !is_block; b++) {
        const char *name = layout->blocks[b].name;
        is_block = strlen(name) == (size_t)(colon - text) &&
                   strncmp(name, text, (size_t)(colon - text)) == 0;
    }
    if (is_block) {
        return read_face("--wall", text, source, out);
    }
    return frame_conditions_find(source, layout, &wish, &out->nranges, &out->ranges);
}

/* All walls: those of conditions, and those of iblank. */
static status find_walls(const io_source *source, const grid_layout *layout,
                         frame_measure_place *out)
{
    const frame_conditions_wish wish = {.walls = true, .block = -1};
    bool any = false, marks = false;
    for (int n = 0; n < io_source_condition_count(source); n++) {
        any = any || io_source_conditions(source)[n].is_wall;
    }
    for (int b = 0; b < layout->nblocks; b++) {
        marks = marks || layout->blocks[b].has_iblank;
    }
    out->walls = marks;
    if (!any && !marks) {
        return base_fail(STATUS_USAGE,
                         "--walls: the data name no walls; give faces by --wall "
                         "BLOCK:I,J,K, such as wing:0:80,0,:");
    }
    return any ? frame_conditions_find(source, layout, &wish, &out->nranges, &out->ranges)
               : STATUS_OK;
}

static status find_block(const char *text, const grid_layout *layout, int *out)
{
    for (int b = 0; b < layout->nblocks; b++) {
        if (strcmp(layout->blocks[b].name, text) == 0) {
            *out = b;
            return STATUS_OK;
        }
    }
    return base_fail(STATUS_USAGE,
                     "--block %s: there is no such block; the first is '%s'", text,
                     layout->blocks[0].name);
}

status integrate_place_find(const app_integrate_request *request, int place,
                            const io_source *source, const grid_layout *layout,
                            frame_measure_place *out)
{
    const app_integrate_place *wish = &request->places[place];
    status s = STATUS_OK;
    *out = (frame_measure_place){.block = -1};
    if (request->about) {
        s = sample_read_point("--about", request->about, out->about.v);
    }
    if (s != STATUS_OK) {
        return s;
    }
    switch (wish->kind) {
    case APP_INTEGRATE_ALL:
        return STATUS_OK;
    case APP_INTEGRATE_BLOCK:
        return find_block(wish->text, layout, &out->block);
    case APP_INTEGRATE_PLANE:
        out->kind = FRAME_MEASURE_PLANE;
        return read_plane(wish->text, out);
    case APP_INTEGRATE_FACES:
        out->kind = FRAME_MEASURE_FACES;
        return read_face("--faces", wish->text, source, out);
    case APP_INTEGRATE_WALL:
        out->kind = FRAME_MEASURE_WALL;
        return find_wall(wish->text, source, layout, out);
    default:
        out->kind = FRAME_MEASURE_WALL;
        return find_walls(source, layout, out);
    }
}
