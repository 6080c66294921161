/* Coordinates of a grid of an XDMF file. */
#include "reader.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static status fail_item(const xmlNode *geometry, const xdmf_item *item, int64_t count)
{
    return item->obstacle
               ? xdmf_fail(geometry, "has coordinates that karman does not read: %s",
                           item->obstacle)
               : xdmf_fail(geometry,
                           "has %" PRId64 " coordinates where %" PRId64 " are needed",
                           xdmf_item_values(item), count);
}

/* Coordinates of one component of an item. */
static status take_component(const xmlNode *geometry, const xdmf_item *item,
                             const int64_t n[3], const int part[2], io_array_place *out)
{
    const int64_t count = n[0] * n[1] * n[2] * part[1];
    return item->obstacle || xdmf_item_values(item) != count ||
                   !xdmf_item_place(item, n, part[1], part[0], out)
               ? fail_item(geometry, item, count)
               : STATUS_OK;
}

/* XYZ and XY: one item with all components. */
static status take_tuples(xdmf_reader *r, const xdmf_leaf *leaf, const xmlNode *geometry,
                          int components, io_array_place place[3])
{
    xdmf_item item;
    status s = xdmf_item_find(&r->set, xdmf_first_item(geometry), &item);
    for (int c = 0; c < components && s == STATUS_OK; c++) {
        s = take_component(geometry, &item, leaf->n, (const int[2]){c, components},
                           &place[c]);
    }
    return s;
}

/* X_Y_Z and X_Y: an item for each; VXVYVZ and VXVY: each has the values along its axis.
 */
static status take_items(xdmf_reader *r, const xdmf_leaf *leaf, const xmlNode *geometry,
                         int components, bool is_line, io_array_place place[3])
{
    const xmlNode *element = xdmf_first_item(geometry);
    status s = STATUS_OK;
    for (int c = 0; c < components && s == STATUS_OK; c++) {
        const int64_t line[3] = {leaf->n[c], 1, 1};
        xdmf_item item;
        if (!element) {
            return xdmf_fail(geometry, "has fewer than %d items of coordinates",
                             components);
        }
        s = xdmf_item_find(&r->set, element, &item);
        if (s == STATUS_OK) {
            s = take_component(geometry, &item, is_line ? line : leaf->n,
                               (const int[2]){0, 1}, &place[c]);
        }
        if (is_line) {
            const int64_t stride = place[c].stride[0];
            memset(place[c].stride, 0, sizeof place[c].stride);
            place[c].stride[c] = stride;
        }
        element = xdmf_next_item(element);
    }
    return s;
}

/* ORIGIN_DXDYDZ and ORIGIN_DXDY: numbers for k, j, i, as Dimensions have them. */
static status take_ramps(xdmf_reader *r, const xmlNode *geometry, int components,
                         io_array_place place[3])
{
    const xmlNode *first = xdmf_first_item(geometry);
    const xmlNode *second = xdmf_next_item(first);
    double origin[3], spacing[3];
    if (!second) {
        return xdmf_fail(geometry, "has an origin or a spacing less");
    }
    status s = xdmf_item_numbers(&r->set, first, components, origin);
    s = s == STATUS_OK ? xdmf_item_numbers(&r->set, second, components, spacing) : s;
    for (int c = 0; c < components && s == STATUS_OK; c++) {
        const int at = components - 1 - c;
        place[c] = (io_array_place){.file = IO_ARRAY_RAMP, .start = origin[at]};
        place[c].slope[c] = spacing[at];
    }
    return s;
}

status xdmf_geometry_find(xdmf_reader *r, const xdmf_leaf *leaf, io_array_place place[3])
{
    char type[32] = "";
    const xmlNode *geometry = NULL;
    status s = xdmf_child(leaf->grid, "Geometry", &geometry);
    if (s != STATUS_OK || !geometry) {
        return s != STATUS_OK ? s
                              : xdmf_fail(leaf->grid, "has a grid without a Geometry");
    }
    if (!xdmf_type(geometry, "GeometryType", type, sizeof type)) {
        strcpy(type, "XYZ");
    }
    place[2] = (io_array_place){.file = IO_ARRAY_RAMP};
    if (!xdmf_first_item(geometry)) {
        return xdmf_fail(geometry, "has a Geometry without a DataItem");
    }
    static const struct {
        const char *name;
        int components;
        char how;
    } types[] = {{"XYZ", 3, 't'},           {"XY", 2, 't'},         {"X_Y_Z", 3, 'i'},
                 {"X_Y", 2, 'i'},           {"VXVYVZ", 3, 'l'},     {"VXVY", 2, 'l'},
                 {"ORIGIN_DXDYDZ", 3, 'r'}, {"ORIGIN_DXDY", 2, 'r'}};
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        const int components = types[n].components;
        if (strcasecmp(type, types[n].name) == 0) {
            return types[n].how == 't' ? take_tuples(r, leaf, geometry, components, place)
                   : types[n].how == 'r' ? take_ramps(r, geometry, components, place)
                                         : take_items(r, leaf, geometry, components,
                                                      types[n].how == 'l', place);
        }
    }
    return xdmf_fail(geometry,
                     "has a Geometry of the type '%s', which karman does not read", type);
}
