#include "base/image.h"
#include "parts.h"
#include "time_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- partition ---- */

static status check_partition(const io_section *root, const io_config *config)
{
    const io_partition_config *partition = &config->partition;
    bool is_screen = partition->kind == IO_PARTITION_SCREEN;
    if (partition->balance != (is_screen ? IO_BALANCE_CELLS : IO_BALANCE_AREA)) {
        return STATUS_OK;
    }
    return is_screen
               ? io_section_fail(
                     root, "partition.balance",
                     "must be cost or area with kind: screen: parts of a picture cannot "
                     "be balanced by cells")
               : io_section_fail(
                     root, "partition.balance",
                     "must be cells or cost with kind: object: parts of space have no "
                     "area in the picture; use kind: screen");
}

/* ---- data ---- */

/* Whether a path that ends with ']' ends with a component such as "[0]". */
static bool has_bad_component(const char *path)
{
    size_t length = strlen(path);
    if (length == 0 || path[length - 1] != ']') {
        return false;
    }
    const char *open = strrchr(path, '[');
    size_t digits = open == NULL ? 0 : strspn(open + 1, "0123456789");
    return digits == 0 || digits > 4 || open[1 + digits] != ']' ||
           open[2 + digits] != '\0';
}

/* Checks the path of a data set in the file, which is at `node` and called `key`. */
static status check_dataset(io_document *document, int node, const char *key,
                            const char *path, bool may_depend_on_step)
{
    int conversions = io_config_count_conversions(path);
    if (path[0] != '/') {
        return io_document_fail(document, node, "%s must begin with '/', is '%s'", key,
                                path);
    }
    if (conversions < 0 || conversions > 1) {
        return io_document_fail(
            document, node,
            "%s may hold one %%d or %%0Nd for the step, no other %%: '%s'", key, path);
    }
    if (conversions > 0 && !may_depend_on_step) {
        return io_document_fail(
            document, node, "%s must not hold %%d: the grid is the same at every step",
            key);
    }
    if (has_bad_component(path)) {
        return io_document_fail(
            document, node, "%s must end with a component such as [0]: '%s'", key, path);
    }
    return STATUS_OK;
}

static status check_grid(const io_section *root, const io_config *config)
{
    const io_data_config *data = &config->data;
    const char *const keys[] = {"data.grid.x", "data.grid.y", "data.grid.z",
                                "data.grid.iblank"};
    const char *const paths[] = {data->grid_x, data->grid_y, data->grid_z,
                                 data->grid_iblank};
    status result = STATUS_OK;
    for (int i = 0; i < 4 && result == STATUS_OK; i++) {
        int node = io_section_value(root, keys[i]);
        result = paths[i] == NULL
                     ? STATUS_OK
                     : check_dataset(root->document, node, keys[i], paths[i], false);
    }
    return result;
}

/* Messages have the places of the names. */
static status check_fields(const io_section *root, const io_config *config)
{
    io_document *document = root->document;
    int fields = io_section_value(root, "data.fields");
    status result = STATUS_OK;
    for (int i = 0; i < config->data.nfields && result == STATUS_OK; i++) {
        const io_field_path *field = &config->data.fields[i];
        int node = io_document_pair(document, fields, i).key;
        if (strlen(field->name) >= GRID_NAME_SIZE) {
            return io_document_fail(
                document, node, "data.fields: a name has more than %d bytes: '%.80s…'",
                GRID_NAME_SIZE - 1, field->name);
        }
        char key[GRID_NAME_SIZE + 16];
        snprintf(key, sizeof key, "data.fields.%s", field->name);
        result = check_dataset(document, node, key, field->path, true);
    }
    return result;
}

/* ---- image and camera ---- */

static status check_image(const io_section *root, const io_config *config)
{
    if ((int64_t)config->width * config->height > IMAGE_MAX_PIXELS) {
        return io_section_fail(
            root, "image", "has %d x %d pixels, more than the most, %lld", config->width,
            config->height, (long long)IMAGE_MAX_PIXELS);
    }
    return STATUS_OK;
}

/* Below this sine of the angle between two directions, they are taken for parallel. */
static const double least_sine = 1e-9;

static status check_directions(const io_section *root, const io_config *config)
{
    const io_camera_config *camera = &config->camera;
    vec3 view = vec3_sub(camera->look_at, camera->position);
    double distance = vec3_length(view);
    double length = vec3_length(camera->up);
    if (!(distance > 0.0)) {
        return io_section_fail(
            root, "camera.look_at",
            "is where the camera stands: move camera.position away from it");
    }
    if (!(length > 0.0)) {
        return io_section_fail(root, "camera.up", "must not be zero");
    }
    if (!isfinite(distance) || !isfinite(length)) {
        return io_section_fail(root, "camera", "has coordinates that are too large");
    }
    vec3 sine = vec3_cross(vec3_scale(view, 1.0 / distance),
                           vec3_scale(camera->up, 1.0 / length));
    if (!(vec3_length(sine) > least_sine)) {
        return io_section_fail(
            root, "camera.up",
            "is parallel to the line from position to look_at: choose another direction");
    }
    return STATUS_OK;
}

static status check_projection(const io_section *root, const io_config *config)
{
    const io_camera_config *camera = &config->camera;
    if (camera->orthographic && !io_section_has(root, "camera.height")) {
        return io_section_fail(
            root, "camera",
            "needs height, of the picture in the grid's units, with projection: "
            "orthographic");
    }
    return STATUS_OK;
}

static status check_depths(const io_section *root, const io_config *config)
{
    const io_camera_config *camera = &config->camera;
    if (!(camera->far > camera->near)) {
        return io_section_fail(root, "camera.far",
                               "must be beyond camera.near, %g, is %g", camera->near,
                               camera->far);
    }
    return STATUS_OK;
}

/* ---- layers and clip ---- */

static status check_layers(const io_section *root, const io_config *config)
{
    status result = STATUS_OK;
    for (int i = 0; i < config->nlayers && result == STATUS_OK; i++) {
        const io_layer_config *layer = &config->layers[i];
        io_section section = io_config_layer_section(root->document, i, layer->kind);
        result = layer->kind == IO_LAYER_VOLUME
                     ? io_config_check_volume(&section, layer->volume)
                 : layer->kind == IO_LAYER_PARTICLES
                     ? io_config_check_particles(&section, layer->particles)
                     : io_config_check_tool(&section, layer->kind, layer->tool);
    }
    return result;
}

static status check_clips(const io_section *root, const io_config *config)
{
    status result = STATUS_OK;
    for (int i = 0; i < config->nclips && result == STATUS_OK; i++) {
        const io_section entry = io_section_item(root, "clip", i);
        result = io_config_check_direction(&entry, "normal", config->clips[i].normal);
    }
    return result;
}

/* ---- lights ---- */

/* Fails unless an entry of lights has exactly one of its kinds. */
static status check_light_kind(const io_section *entry, const io_light_config *light)
{
    static const char *const keys[] = {"direction", "position", "headlight"};
    const int kinds = io_section_count(entry, 3, keys);
    if (kinds != 1) {
        return io_section_fail(
            entry, NULL, "must have one of direction, position and headlight, has %s",
            kinds == 0 ? "none" : "several");
    }
    if (io_section_has(entry, "headlight") && !light->headlight) {
        return io_section_fail(
            entry, NULL, "has headlight: false, which is no light: leave the entry out");
    }
    return STATUS_OK;
}

static status check_lights(const io_section *root, const io_config *config)
{
    status result = STATUS_OK;
    for (int i = 0; i < config->nlights && result == STATUS_OK; i++) {
        const io_light_config *light = &config->lights[i];
        const io_section entry = io_section_item(root, "lights", i);
        result = check_light_kind(&entry, light);
        if (result == STATUS_OK && light->kind == IO_LIGHT_DIRECTION) {
            result = io_config_check_direction(&entry, "direction", light->direction);
        }
    }
    return result;
}

/* ---- output ---- */

/* Checks the pattern of a file a step. */
static status check_pattern(const io_section *root, const char *key,
                            const io_data_config *data)
{
    const char *pattern = io_section_text(root, key);
    if (pattern == NULL) {
        return STATUS_OK;
    }
    bool is_single = !data->all_steps && data->step_first == data->step_last;
    int conversions = io_config_count_conversions(pattern);
    if (conversions < 0 || conversions > 1) {
        return io_section_fail(
            root, key,
            "must hold one %%d or %%0Nd for the step and no other %% (%%%% for a "
            "percent sign), is '%s'",
            pattern);
    }
    if (conversions == 0 && !is_single) {
        return io_section_fail(
            root, key,
            "must hold %%d or %%0Nd for the step where data.steps can be several, is "
            "'%s'",
            pattern);
    }
    return STATUS_OK;
}

static status check_output(const io_section *root, const io_config *config)
{
    const io_output_config *output = &config->output;
    if (output->tile_costs && !output->timings) {
        return io_section_fail(
            root, "output.tile_costs",
            "is written into the file output.timings, which is missing");
    }
    if (output->warm_caches && !output->timings) {
        return io_section_fail(root, "output.warm_caches",
                               "is for the file output.timings, which is missing");
    }
    status result = check_pattern(root, "output.frames", &config->data);
    return result == STATUS_OK ? check_pattern(root, "output.float", &config->data)
                               : result;
}

typedef status (*check)(const io_section *root, const io_config *config);

status io_config_check(const io_section *root, const io_config *config)
{
    static const check checks[] = {check_partition,
                                   check_grid,
                                   check_fields,
                                   check_image,
                                   check_directions,
                                   check_projection,
                                   check_depths,
                                   check_layers,
                                   check_clips,
                                   check_lights,
                                   io_config_check_annotations,
                                   check_output};
    status result = STATUS_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && result == STATUS_OK; i++) {
        result = checks[i](root, config);
    }
    return result;
}
