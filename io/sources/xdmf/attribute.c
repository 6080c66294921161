/* Attributes of a grid of an XDMF file: fields, iblank and vtkGhostType. */
#include "reader.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* An attribute, and what is known of its values. */
typedef struct attribute {
    const xmlNode *element;
    char name[GRID_NAME_SIZE], unit[IO_UNIT_SIZE];
    xdmf_item item;
    grid_location location;
    int64_t n[3]; /* values along i, j, k */
    int components;
} attribute;

static status omit(xdmf_reader *r, const attribute *a, const char *why)
{
    return io_catalog_omit(r->builder->catalog, "attribute '%s' of '%s': %s", a->name,
                           xdmf_document_of(a->element)->path, why);
}

/* The unit: an Information of that name, an attribute, or that of the data set. */
static void find_unit(attribute *a)
{
    static const char *const names[] = {"Units", "units", "Unit", "unit"};
    memcpy(a->unit, a->item.parts[0].unit, sizeof a->unit);
    for (int n = 0; n < 4; n++) {
        char text[IO_UNIT_SIZE];
        const xmlNode *note = xml_child(a->element, "Information");
        while (note && !xml_attribute_is(note, "Name", names[n])) {
            note = xml_next(note, "Information");
        }
        if (xml_attribute(a->element, names[n], text, sizeof text) ||
            (note && xml_attribute(note, "Value", text, sizeof text))) {
            memcpy(a->unit, text, sizeof text);
            return;
        }
    }
}

/* Finds the shape of values at a location; false: they do not fit it. */
static bool fit(const xdmf_leaf *leaf, grid_location location, attribute *a)
{
    int64_t places = 1;
    for (int axis = 0; axis < 3; axis++) {
        a->n[axis] = leaf->n[axis] - (location == GRID_CELL && leaf->n[axis] > 1);
        places *= a->n[axis];
    }
    const int64_t values = xdmf_item_values(&a->item);
    a->location = location;
    a->components = values / places <= 64 ? (int)(values / places) : 0;
    return a->components > 0 && values % places == 0;
}

/* Finds location and shape. Without a Center, values in cells are recognised by their
 * number. */
static status find_shape(const xdmf_leaf *leaf, attribute *a)
{
    const bool is_cell = xdmf_is(a->element, "Center", "Cell");
    char center[16];
    if (fit(leaf, is_cell ? GRID_CELL : GRID_VERTEX, a) ||
        (!xml_attribute(a->element, "Center", center, sizeof center) &&
         fit(leaf, GRID_CELL, a))) {
        return STATUS_OK;
    }
    return xdmf_fail(a->element,
                     "has %" PRId64 " values of '%s' for %" PRId64 " x %" PRId64
                     " x %" PRId64 " vertices",
                     xdmf_item_values(&a->item), a->name, leaf->n[0], leaf->n[1],
                     leaf->n[2]);
}

static status add_field(xdmf_reader *r, const xdmf_leaf *leaf, const attribute *a)
{
    const int first = leaf->step < 0 ? 0 : leaf->step;
    const int end = leaf->step < 0 ? (int)r->nsteps : leaf->step + 1;
    status s = STATUS_OK;
    for (int c = 0; c < a->components && s == STATUS_OK; c++) {
        const io_array_field field = {a->name, a->location, c, a->components, NULL};
        io_array_place place;
        if (!xdmf_item_place(&a->item, a->n, a->components, c, &place)) {
            return omit(r, a, "its values have another order than those of the grid");
        }
        for (int step = first; step < end && s == STATUS_OK; step++) {
            s = io_array_builder_add_field(r->builder, leaf->block, step, &field, &place);
            if (s == STATUS_OK) {
                io_array_builder_set_unit(r->builder, a->unit);
            }
        }
    }
    return s;
}

/* vtkGhostType: bit 2 hides points. It hides cells by bit 32, which karman cannot. */
static status take_ghosts(xdmf_reader *r, const attribute *a, io_array_place *iblank)
{
    enum { HIDDEN_POINT = 2, HIDDEN_CELL = 32 };
    bool hides = false;
    if (a->location == GRID_CELL) {
        const status s = xdmf_item_has_bit(&r->set, &a->item, HIDDEN_CELL, &hides);
        return s == STATUS_OK && hides
                   ? omit(r, a,
                          "it hides cells, which are drawn: hide their points instead")
                   : s;
    }
    if (iblank->file == IO_ARRAY_LACKS && a->components == 1 &&
        xdmf_item_place(&a->item, a->n, 1, 0, iblank)) {
        iblank->hidden = HIDDEN_POINT;
    }
    return STATUS_OK;
}

static status take_values(xdmf_reader *r, const xdmf_leaf *leaf, const attribute *a,
                          io_array_place *iblank)
{
    if (strcasecmp(a->name, "vtkGhostType") == 0) {
        return take_ghosts(r, a, iblank);
    }
    if (strcasecmp(a->name, "iblank") == 0 && a->location == GRID_VERTEX &&
        a->components == 1 && xdmf_item_place(&a->item, a->n, 1, 0, iblank)) {
        iblank->hidden = 0;
        return STATUS_OK;
    }
    return add_field(r, leaf, a);
}

static status take_attribute(xdmf_reader *r, const xdmf_leaf *leaf, attribute *a,
                             io_array_place *iblank)
{
    char center[16], kind[32];
    const bool has_name =
        xml_attribute(a->element, "Name", a->name, sizeof a->name) && a->name[0] != '\0';
    const xmlNode *item = xdmf_first_item(a->element);
    xml_attribute(a->element, "Center", center, sizeof center);
    const char *why = !has_name ? "it has no name"
                      : !item   ? "it has no DataItem"
                      : xml_attribute(a->element, "ItemType", kind, sizeof kind)
                          ? "it is a finite element function"
                      : strcasecmp(center, "Grid") == 0
                          ? "it belongs to the grid as a whole"
                      : strcasecmp(center, "Face") == 0 || strcasecmp(center, "Edge") == 0
                          ? "its values are on faces or edges"
                          : NULL;
    status s = why ? omit(r, a, why) : xdmf_item_find(&r->set, item, &a->item);
    if (s != STATUS_OK || why) {
        return s;
    }
    if (a->item.obstacle) {
        return omit(r, a, a->item.obstacle);
    }
    find_unit(a);
    s = find_shape(leaf, a);
    return s == STATUS_OK ? take_values(r, leaf, a, iblank) : s;
}

status xdmf_attributes_add(xdmf_reader *r, const xdmf_leaf *leaf, io_array_place *iblank)
{
    status s = STATUS_OK;
    *iblank = (io_array_place){.file = IO_ARRAY_LACKS};
    for (const xmlNode *one = xml_child(leaf->grid, "Attribute"); one && s == STATUS_OK;
         one = xml_next(one, "Attribute")) {
        attribute a = {.components = 0};
        s = xdmf_resolve(one, &a.element);
        s = s == STATUS_OK ? take_attribute(r, leaf, &a, iblank) : s;
    }
    return s;
}
