#include "steps.h"

#include <math.h>

status io_config_check_direction(const io_section *section, const char *key,
                                 vec3 direction)
{
    double length = vec3_length(direction);
    if (!(length > 0.0 && isfinite(length))) {
        return io_section_fail(section, key,
                               "must be a direction that is not 0 and not too long");
    }
    return STATUS_OK;
}

status io_config_check_positions(const io_section *section, const char *key, int count,
                                 int stride, const double *points, bool are_data)
{
    for (int i = 0; i < count; i++) {
        double position = points[(int64_t)i * stride];
        io_section point = io_section_item(section, key, i);
        if (i > 0 && position < points[(int64_t)(i - 1) * stride]) {
            return io_section_fail(&point, NULL,
                                   "has the position %g after %g: positions must ascend",
                                   position, points[(int64_t)(i - 1) * stride]);
        }
        if (!are_data && !(position >= 0.0 && position <= 1.0)) {
            return io_section_fail(
                &point, NULL,
                "has the position %g, not in 0..1 of range (positions: data takes the "
                "field's own values)",
                position);
        }
    }
    return STATUS_OK;
}

status io_config_check_colors(const io_section *section, int count,
                              const double (*colors)[4], bool are_data)
{
    for (int i = 0; i < count; i++) {
        for (int c = 1; c < 4; c++) {
            if (!(colors[i][c] >= 0.0 && colors[i][c] <= 1.0)) {
                return io_section_fail(
                    section, "colors",
                    "must be points [position, r, g, b] with colours in 0..1, point %d "
                    "has %g",
                    i, colors[i][c]);
            }
        }
    }
    return count == 0 ? STATUS_OK
                      : io_config_check_positions(section, "colors", count, 4, colors[0],
                                                  are_data);
}

static status check_range(const io_section *section, const char *key,
                          const double range[2])
{
    if (io_section_has(section, key) && !(range[0] < range[1])) {
        return io_section_fail(section, key, "must ascend, is [%g, %g]", range[0],
                               range[1]);
    }
    return STATUS_OK;
}

/* Checks that a range that is known suits its scale. */
static status check_scale(const io_section *section, base_scale_kind scale,
                          const double range[2])
{
    if (scale == BASE_SCALE_LOG && io_section_has(section, "range") &&
        !(range[0] > 0.0)) {
        return io_section_fail(section, "range",
                               "must lie above 0 with scale: log, is [%g, %g] (scale: "
                               "symlog takes any range)",
                               range[0], range[1]);
    }
    if (scale != BASE_SCALE_SYMLOG && io_section_has(section, "threshold")) {
        return io_section_fail(section, "threshold", "goes with scale: symlog only");
    }
    return STATUS_OK;
}

/* Checks that positions that are data have a logarithm. */
static status check_data_positions(const io_section *section,
                                   const io_volume_config *volume)
{
    if (!volume->positions_are_data || volume->scale != BASE_SCALE_LOG) {
        return STATUS_OK;
    }
    const bool has_colors = volume->ncolors > 0, has_opacities = volume->nopacities > 0;
    const char *wrong =
        has_colors && !(volume->colors[0][0] > 0.0) ? "colors"
        : has_opacities && !(volume->opacities[0][0] > 0.0)
            ? (volume->opacities_are_extinction ? "extinction" : "opacity")
            : NULL;
    return wrong == NULL
               ? STATUS_OK
               : io_section_fail(section, wrong,
                                 "must have positions above 0 with scale: log and "
                                 "positions: data");
}

/* ---- Volumes ---- */

static status check_method(const io_section *section, const io_volume_config *volume)
{
    if (volume->interpolation == IO_TRILINEAR && volume->method == IO_METHOD_PLANES) {
        return io_section_fail(
            section, "method",
            "'planes' does not draw trilinear cells: use auto or raycast with "
            "interpolation: trilinear");
    }
    if (volume->shade.on && volume->method == IO_METHOD_PLANES) {
        return io_section_fail(section, "method",
                               "'planes' does not shade: use auto or raycast with shade");
    }
    if (volume->ngradients > 0 && volume->method == IO_METHOD_PLANES) {
        return io_section_fail(
            section, "method",
            "'planes' does not weigh opacity by the gradient: use auto "
            "or raycast with opacity_by_gradient");
    }
    return STATUS_OK;
}

static status check_opacities(const io_section *section, const io_volume_config *volume)
{
    bool is_extinction = volume->opacities_are_extinction;
    const char *key = is_extinction ? "extinction" : "opacity";
    for (int i = 0; i < volume->nopacities; i++) {
        double value = volume->opacities[i][1];
        if (is_extinction ? !(value >= 0.0) : !(value >= 0.0 && value <= 1.0)) {
            return io_section_fail(section, key, "must have values %s, point %d has %g",
                                   is_extinction ? "of at least 0" : "in 0..1", i, value);
        }
    }
    return volume->nopacities == 0
               ? STATUS_OK
               : io_config_check_positions(section, key, volume->nopacities, 2,
                                           volume->opacities[0],
                                           volume->positions_are_data);
}

/* A factor above this makes a cell a wall, and floats lose digits. */
static status check_gradients(const io_section *section, const io_volume_config *volume)
{
    const double most = 1e6;
    for (int i = 0; i < volume->ngradients; i++) {
        if (volume->gradients[i][1] > most) {
            return io_section_fail(section, "opacity_by_gradient",
                                   "must have factors of at most %g, point %d has %g",
                                   most, i, volume->gradients[i][1]);
        }
    }
    return volume->ngradients == 0
               ? STATUS_OK
               : io_config_check_positions(section, "opacity_by_gradient",
                                           volume->ngradients, 2, volume->gradients[0],
                                           true);
}

status io_config_check_volume(const io_section *section, const io_volume_config *volume)
{
    status result = check_method(section, volume);
    if (result == STATUS_OK) {
        result = check_range(section, "range", volume->range);
    }
    if (result == STATUS_OK) {
        result = check_scale(section, volume->scale, volume->range);
    }
    if (result == STATUS_OK) {
        result = check_data_positions(section, volume);
    }
    if (result == STATUS_OK) {
        result = io_config_check_colors(section, volume->ncolors,
                                        (const double(*)[4])volume->colors,
                                        volume->positions_are_data);
    }
    if (result == STATUS_OK) {
        result = check_opacities(section, volume);
    }
    return result == STATUS_OK ? check_gradients(section, volume) : result;
}

/* ---- Paint ---- */

status io_config_check_paint(const io_section *section, const io_paint_config *paint)
{
    status result = io_config_check_categories(section, paint);
    if (result == STATUS_OK) {
        result = check_range(section, "range", paint->range);
    }
    if (result == STATUS_OK) {
        result = check_scale(section, paint->scale, paint->range);
    }
    if (result == STATUS_OK) {
        result = check_range(section, "map_range", paint->part);
    }
    if (result == STATUS_OK && !(paint->part[0] >= 0.0 && paint->part[1] <= 1.0)) {
        result = io_section_fail(section, "map_range", "must lie in 0..1, is [%g, %g]",
                                 paint->part[0], paint->part[1]);
    }
    return result == STATUS_OK
               ? io_config_check_colors(section, paint->ncolors,
                                        (const double(*)[4])paint->colors, false)
               : result;
}
