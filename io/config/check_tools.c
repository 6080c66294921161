#include "steps.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const index_keys[] = {"i", "j", "k"};

/* ---- Position of a tool ---- */

static const char *amount(int count)
{
    return count == 0 ? "none" : "several";
}

/* No block is larger. Integers up to here are exact in a double. */
static const double largest_index = 2147483647.0;

static status check_index(const io_section *section, io_layer_kind kind,
                          const io_tool_config *tool)
{
    int count = io_section_count(section, 3, index_keys);
    if (count == 0) {
        return STATUS_OK;
    }
    if (count > 1) {
        return io_section_fail(section, NULL, "must have one of i, j and k, has %d",
                               count);
    }
    const char *key = index_keys[tool->axis];
    double index = tool->index;
    if (kind != IO_LAYER_CONTOUR && index != floor(index)) {
        return io_section_fail(
            section, key, "must be a whole number, the index of a vertex, is %g", index);
    }
    if (fabs(index) > largest_index) {
        return io_section_fail(section, key, "is too large: %g", index);
    }
    if (index > -1.0 && index < 0.0) {
        return io_section_fail(
            section, key, "must be at least 0, or at most -1, the last vertex, is %g",
            index);
    }
    return STATUS_OK;
}

/* Whether both count from the same end of the axis. */
static bool is_comparable(int64_t a, int64_t b)
{
    return (a < 0) == (b < 0);
}

static status check_box(const io_section *section, const io_tool_config *tool)
{
    if (!tool->has_box) {
        return io_section_fail(section, NULL,
                               "needs both from and to, the first and the last vertex");
    }
    for (int a = 0; a < 3; a++) {
        int64_t from = tool->from[a], to = tool->to[a];
        if (is_comparable(from, to) && to < from) {
            return io_section_fail(section, "to",
                                   "must not be before from, has %lld after %lld",
                                   (long long)to, (long long)from);
        }
    }
    return STATUS_OK;
}

static status check_object(const io_section *section, const io_tool_config *tool)
{
    static const char *const box_keys[] = {"from", "to"};
    bool has_box = io_section_count(section, 2, box_keys) > 0;
    int places = (tool->walls != IO_WALLS_NONE ? 1 : 0) +
                 (tool->family || tool->bc ? 1 : 0) + (has_box ? 1 : 0) +
                 (tool->axis >= 0 ? 1 : 0);
    if (places != 1) {
        return io_section_fail(section, NULL,
                               "must have one of walls: true, family or bc, from and to, "
                               "and an index i, j or k, has %s",
                               amount(places));
    }
    return has_box ? check_box(section, tool) : STATUS_OK;
}

/* ---- Contours and isosurfaces ---- */

static status check_contour(const io_section *section, const io_tool_config *tool)
{
    static const char *const across[] = {"x", "y", "z", "plane"};
    int places = (tool->axis >= 0 ? 1 : 0) + io_section_count(section, 4, across);
    if (places != 1) {
        return io_section_fail(
            section, NULL,
            "must have one of x, y, z, i, j, k and plane: {point, normal}, has %s; for "
            "example x: 2",
            amount(places));
    }
    if (!io_section_has(section, "plane")) {
        return STATUS_OK;
    }
    io_section plane = io_section_below(section, "plane");
    return io_config_check_direction(&plane, "normal", tool->normal);
}

/* Fields are float32 in memory: values must fit float32, and differ in it. */
static status check_values(const io_section *section, const char *key,
                           const io_tool_config *tool)
{
    for (int i = 0; i < tool->nvalues; i++) {
        const double value = tool->values[i];
        if (fabs(value) > (double)FLT_MAX) {
            return io_section_fail(section, key,
                                   "must be at most %.2g away from 0, has %g",
                                   (double)FLT_MAX, value);
        }
        const double before = i > 0 ? tool->values[i - 1] : -INFINITY;
        if (!(value > before)) {
            return io_section_fail(section, key, "must ascend, has %g after %g", value,
                                   before);
        }
        if (!((float)value > (float)before)) {
            return io_section_fail(section, key,
                                   "has %.15g and %.15g, which are the same in float32",
                                   before, value);
        }
    }
    return STATUS_OK;
}

static status check_axes_box(const io_section *section, const io_tool_config *tool)
{
    for (int axis = 0; axis < 3 && tool->has_bounds; axis++) {
        if (!(tool->bounds[0].v[axis] < tool->bounds[1].v[axis])) {
            return io_section_fail(
                section, "bounds",
                "must be a lower and an upper corner, has %c from %g to "
                "%g",
                "xyz"[axis], tool -> bounds[0].v[axis], tool->bounds[1].v[axis]);
        }
    }
    return STATUS_OK;
}

static status check_threshold(const io_section *section, const io_tool_config *tool)
{
    static const char *const values[] = {"above", "below"}, *const box[] = {"from", "to"};
    const bool has_limit = io_section_count(section, 2, values) > 0,
               has_box = io_section_count(section, 2, box) > 0;
    if (tool->field ? !has_limit : has_limit || (!has_box && !tool->block)) {
        return io_section_fail(section, NULL,
                               "needs a field with above, below or both, such as {field: "
                               "temperature, above: 500}, or cells: a block, or from and "
                               "to");
    }
    for (int n = 0; n < 2; n++) {
        const double value = n == 0 ? tool->limits.above : tool->limits.below;
        if (io_section_has(section, values[n]) && fabs(value) > (double)FLT_MAX) {
            return io_section_fail(section, values[n],
                                   "must be at most %.2g away from 0, has %g",
                                   (double)FLT_MAX, value);
        }
    }
    if (tool->limits.above > tool->limits.below) {
        return io_section_fail(section, "below",
                               "must not be less than above, has %g after %g",
                               tool->limits.below, tool->limits.above);
    }
    return has_box ? check_box(section, tool) : STATUS_OK;
}

static status check_kind(const io_section *section, io_layer_kind kind,
                         const io_tool_config *tool)
{
    switch (kind) {
    case IO_LAYER_OBJECT:
        return check_object(section, tool);
    case IO_LAYER_CONTOUR: {
        status result = check_contour(section, tool);
        return result == STATUS_OK ? check_values(section, "levels", tool) : result;
    }
    case IO_LAYER_ISOSURFACE:
        return check_values(section,
                            io_section_has(section, "value") ? "value" : "values", tool);
    case IO_LAYER_AXES_BOX:
        return check_axes_box(section, tool);
    case IO_LAYER_THRESHOLD:
        return check_threshold(section, tool);
    default:
        return STATUS_OK;
    }
}

/* Line integral convolution varies the colour of faces of the grid, or of planes of
 * constant index between them. */
static status check_lic(const io_section *section, const io_tool_config *tool)
{
    if (tool->lic && tool->has_plane) {
        return io_section_fail(section, "lic",
                               "needs an index plane: name i, j or k instead of `plane`");
    }
    if (tool->lic &&
        (tool->style == IO_STYLE_WIREFRAME || tool->style == IO_STYLE_LINES)) {
        return io_section_fail(section, "lic",
                               "needs coloured areas, and the style has only lines: use "
                               "another style");
    }
    return STATUS_OK;
}

/* ---- Particles ---- */

static const char *const kind_keys[] = {"points", "line", "plane", "box"};

/* Number of values of the key count. */
static const int ncounts_of[] = {
    [IO_SEED_POINTS] = 0, [IO_SEED_LINE] = 1, [IO_SEED_PLANE] = 2, [IO_SEED_BOX] = 3};

static status check_seed_kind(const io_section *entry)
{
    int count = io_section_count(entry, IO_SEED_KINDS, kind_keys);
    if (count != 1) {
        return io_section_fail(entry, NULL,
                               "must have one of points, line, plane and box, has %s",
                               count == 0 ? "none" : "several");
    }
    return STATUS_OK;
}

/* Finds the number of seeds, the product of the numbers along each side, with a limit. */
static status count_seeds(const io_section *entry, const io_seed_config *seeds,
                          int64_t *total)
{
    static const char *const examples[] = {"", "20", "[10, 10]", "[10, 10, 10]"};
    int wanted = ncounts_of[seeds->kind];
    const char *kind = kind_keys[seeds->kind];
    *total = seeds->kind == IO_SEED_POINTS ? seeds->npoints : 1;
    if (seeds->ncounts != wanted && wanted == 0) {
        return io_section_fail(entry, "count",
                               "is for a line, a plane or a box, not for points");
    }
    if (seeds->ncounts != wanted) {
        return io_section_fail(entry, NULL,
                               "needs count, the seeds along the %s, such as %s", kind,
                               examples[wanted]);
    }
    for (int i = 0; i < wanted; i++) {
        *total *= seeds->counts[i];
        *total = *total < IO_MAX_SEEDS ? *total : IO_MAX_SEEDS + 1;
    }
    return STATUS_OK;
}

static status check_seeds(const io_section *section, const io_particles_config *particles)
{
    int64_t total = 0;
    for (int i = 0; i < particles->nseeds; i++) {
        io_section entry = io_section_item(section, "seeds", i);
        int64_t more = 0;
        status result = check_seed_kind(&entry);
        if (result == STATUS_OK) {
            result = count_seeds(&entry, &particles->seeds[i], &more);
        }
        if (result != STATUS_OK) {
            return result;
        }
        total += more;
    }
    if (total > IO_MAX_SEEDS) {
        return io_section_fail(section, "seeds", "has more than %d seeds", IO_MAX_SEEDS);
    }
    return STATUS_OK;
}

status io_config_check_particles(const io_section *section,
                                 const io_particles_config *particles)
{
    if (particles->auto_seeds && particles->mode != IO_PARTICLES_STREAM) {
        return io_section_fail(section, NULL,
                               "needs seeds, such as seeds: [{line: [[0, -1, 0], [0, 1, "
                               "0]], count: 20}]");
    }
    status result = check_seeds(section, particles);
    return result == STATUS_OK ? io_config_check_paint(section, &particles->paint)
                               : result;
}

/* ---- The whole ---- */

status io_config_check_tool(const io_section *section, io_layer_kind kind,
                            const io_tool_config *tool)
{
    status result = check_index(section, kind, tool);
    if (result == STATUS_OK) {
        result = check_kind(section, kind, tool);
    }
    if (result == STATUS_OK) {
        result = check_lic(section, tool);
    }
    return result == STATUS_OK ? io_config_check_paint(section, &tool->paint) : result;
}
