/* The key data.copies: its keys, and their checks. */
#include "io/config/config.h"
#include "io/config/document/scalar.h"
#include "io/config/steps.h"
#include "io/config/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_IN_A_ROW = 10000 };

/* Reads [x, y, z], or an axis by its name, into a vec3. */
static status read_direction(const io_section *section, const io_key *key,
                             void *structure)
{
    io_document *document = section->document;
    const int node = io_section_value(section, key->name);
    const char *text = io_document_text(document, node);
    vec3 *out = (vec3 *)(void *)((char *)structure + key->offset);
    const char *axis = text && strlen(text) == 1 ? strchr("xyz", text[0]) : NULL;
    bool is_read = axis || io_document_count(document, node) == 3;
    *out = vec3_make(0.0, 0.0, 0.0);
    for (int c = 0; c < 3 && is_read; c++) {
        if (axis) {
            out->v[c] = text[0] == "xyz"[c] ? 1.0 : 0.0;
        } else {
            const char *number =
                io_document_text(document, io_document_item(document, node, c));
            is_read = number && io_scalar_number(number, &out->v[c]);
        }
    }
    return is_read ? io_config_check_direction(section, key->name, *out)
                   : io_section_fail_type(section, key->name, "x, y, z, or [x, y, z]");
}

/* ---- Keys -------------------------------------------------------------------------- */

#define DIRECTION(_name, _structure, _help)                                              \
    {                                                                                    \
#_name, IO_KEY_OTHER, IO_AT(struct _structure, _name),                           \
            .read = read_direction, .flags = IO_KEY_REQUIRED,                            \
            .kind = "`x`, `y`, `z` or [x, y, z]", .help = (_help)                        \
    }

static const io_key wheel_keys[] = {
    DIRECTION(axis, grid_wheel, "direction of the axis"),
    {"count", IO_KEY_INT, IO_AT(struct grid_wheel, count), IO_WITHIN(1, MOST_IN_A_ROW),
     .otherwise = "that of a whole turn",
     .help = "how many there are, the data's own included"},
    {"angle", IO_KEY_NUMBER, IO_AT(struct grid_wheel, angle),
     .otherwise = "that of a whole turn", .unit = "degrees",
     .help = "from one to the next, right-handed about the axis"},
    {"point", IO_VECTOR(struct grid_wheel, point), .otherwise = "[0, 0, 0]",
     .unit = "length", .help = "a point on the axis"},
    {NULL},
};

static const io_key mirror_keys[] = {
    DIRECTION(normal, grid_mirror, "across the plane"),
    {"at", IO_KEY_NUMBER, IO_AT(struct grid_mirror, at), .otherwise = "0",
     .unit = "length", .help = "place of the plane along its normal"},
    {NULL},
};

static const io_key row_keys[] = {
    {"by", IO_VECTOR(struct grid_row, by), .flags = IO_KEY_REQUIRED, .unit = "length",
     .help = "the way from one to the next"},
    {"count", IO_KEY_INT, IO_AT(struct grid_row, count), .flags = IO_KEY_REQUIRED,
     IO_WITHIN(1, MOST_IN_A_ROW), .help = "how many there are, the data's own included"},
    {NULL},
};

const io_key io_config_copies_keys[] = {
    {"rotate", IO_KEY_SECTION, IO_AT(grid_copies, rotate), .below = wheel_keys,
     .otherwise = "none", .help = "copies around an axis"},
    {"reflect", IO_KEY_SECTION, IO_AT(grid_copies, reflect), .below = mirror_keys,
     .otherwise = "none", .help = "the other half"},
    {"shift", IO_KEY_SECTION, IO_AT(grid_copies, shift), .below = row_keys,
     .otherwise = "none", .help = "copies in a row"},
    {"blocks", IO_KEY_TEXT, IO_GROWN(grid_copies, blocks, nblocks),
     .flags = IO_KEY_WRAPPED, .instead = "a name or a list of names",
     .kind = "name, or list of block names", .otherwise = "all blocks",
     .help = "the blocks that are copied"},
    {NULL},
};

/* ---- Checks ------------------------------------------------------------------------ */

static status check_wheel(const io_section *section, const grid_copies *copies)
{
    const struct grid_wheel *wheel = &copies->rotate;
    if (wheel->count == 0 && wheel->angle == 0.0) {
        return io_section_fail(section, "rotate",
                               "needs count, or an angle other than 0");
    }
    if (wheel->count == 0 &&
        (fabs(wheel->angle) * MOST_IN_A_ROW < 360.0 || !grid_copies_close(copies))) {
        return io_section_fail(section, "rotate.angle",
                               "is not a whole part of 360 degrees: give count, too");
    }
    if (fabs(wheel->angle) * grid_copies_count(copies) > 360.0 + 1e-6) {
        return io_section_fail(section, "rotate",
                               "has %d copies of %g degrees, more than a whole turn",
                               grid_copies_count(copies), fabs(wheel->angle));
    }
    return STATUS_OK;
}

static status check_entry(const io_section *section, const grid_copies *copies)
{
    static const char *const kinds[] = {"rotate", "reflect", "shift"};
    if (io_section_count(section, 3, kinds) != 1) {
        return io_section_fail(section, NULL,
                               "needs one of rotate, reflect and shift; a list has "
                               "several, one after the other");
    }
    return io_section_has(section, "rotate") ? check_wheel(section, copies)
           : io_section_has(section, "shift")
               ? io_config_check_direction(section, "shift.by", copies->shift.by)
               : STATUS_OK;
}

status io_config_check_copies(const io_section *root, const io_config *config)
{
    const bool is_one =
        io_document_is_mapping(root->document, io_section_value(root, "data.copies"));
    status s = STATUS_OK;
    for (int n = 0; n < config->data.ncopies && s == STATUS_OK; n++) {
        char place[64];
        snprintf(place, sizeof place, "data.copies.%d", n);
        place[is_one ? strlen("data.copies") : strlen(place)] = '\0';
        const io_section section = io_section_at(root->document, place);
        s = check_entry(&section, &config->data.copies[n]);
    }
    return s;
}
