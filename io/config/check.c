#include "base/image.h"
#include "readers.h"
#include "steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Counts %d and %0Nd in the path of a data set; -1 if it has another conversion, or %s
 * twice. */
static int count_steps(const char *path)
{
    char *plain = strdup(path);
    char *block = plain != NULL ? strstr(plain, "%s") : NULL;
    if (block != NULL) {
        block[0] = block[1] = '_';
    }
    const int count = plain != NULL ? io_config_count_conversions(plain) : -1;
    free(plain);
    return count;
}

/* Checks the path of a data set, which is given at `node` under the name `key`. */
static status check_dataset(io_document *document, int node, const char *key,
                            const char *path, bool may_depend_on_step)
{
    const int steps = count_steps(path);
    size_t length;
    io_axes axes;
    if (path[0] != '/') {
        return io_document_fail(document, node, "%s must begin with '/', is '%s'", key,
                                path);
    }
    if (steps < 0 || steps > 1) {
        return io_document_fail(document, node,
                                "%s may hold one %%d or %%0Nd for the step and one %%s "
                                "for the block, no other %%: '%s'",
                                key, path);
    }
    if (!io_axes_parse(path, &length, &axes)) {
        return io_document_fail(document, node,
                                "%s must end with a component such as [0], with [step] "
                                "or with both: '%s'",
                                key, path);
    }
    const bool has_axis = io_axes_have_step(&axes);
    if ((steps > 0 || has_axis) && !may_depend_on_step) {
        return io_document_fail(document, node,
                                "%s must not hold %s: the grid is the same at every step",
                                key, steps > 0 ? "%d" : "[step]");
    }
    if (steps > 0 && has_axis) {
        return io_document_fail(document, node,
                                "%s may hold %%d or [step], not both: '%s'", key, path);
    }
    return STATUS_OK;
}

/* Coordinates are two or three; only a grid in a file of its own may be of karman's
 * layout. */
static status check_coordinates(const io_section *root, const io_data_config *data)
{
    static const char *const keys[] = {"data.grid.x", "data.grid.y"};
    const char *const paths[] = {data->grid_x, data->grid_y};
    const bool has_any =
        data->grid_x || data->grid_y || data->grid_z || data->grid_iblank;
    const bool is_given = io_section_value(root, "data.grid") != 0 &&
                          data->grid_motion == 0 && data->closed == 0;
    for (int i = 0; i < 2; i++) {
        if (!paths[i] && (has_any || (is_given && !data->grid_file))) {
            return io_section_fail(root, "data.grid", "needs %s", keys[i]);
        }
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
    status result = check_coordinates(root, data);
    for (int i = 0; i < 4 && result == STATUS_OK; i++) {
        int node = io_section_value(root, keys[i]);
        result = paths[i] == NULL
                     ? STATUS_OK
                     : check_dataset(root->document, node, keys[i], paths[i], false);
    }
    return result;
}

/* Checks a step of the view. `text`: its place, such as "data.transform.0". */
static status check_transform(const io_section *root, const char *text,
                              const grid_transform *step)
{
    const io_section section = io_section_at(root->document, text);
    static const char *const steps[] = {"scale", "reflect", "rotate", "shift"};
    if (io_section_count(&section, 4, steps) == 0) {
        return io_section_fail(&section, NULL, "needs scale, reflect, rotate or shift");
    }
    if (io_section_has(&section, "scale") &&
        (step->scale[0] == 0.0 || step->scale[1] == 0.0 || step->scale[2] == 0.0)) {
        return io_section_fail(&section, "scale", "has factors other than 0");
    }
    return io_section_has(&section, "rotate")
               ? io_config_check_direction(&section, "rotate.axis", step->rotate.axis)
               : STATUS_OK;
}

static status check_transforms(const io_section *root, const io_config *config)
{
    const bool is_one =
        io_document_is_mapping(root->document, io_section_value(root, "data.transform"));
    status s = STATUS_OK;
    for (int n = 0; n < config->data.ntransforms && s == STATUS_OK; n++) {
        char place[64];
        snprintf(place, sizeof place, "data.transform.%d", n);
        place[is_one ? strlen("data.transform") : strlen(place)] = '\0';
        s = check_transform(root, place, &config->data.transforms[n]);
    }
    return s;
}

static status check_time(const io_section *root, const io_config *config)
{
    const char *path = config->data.time;
    return path == NULL
               ? STATUS_OK
               : check_dataset(root->document, io_section_value(root, "data.time"),
                               "data.time", path, true);
}

/* Checks the paths of PLOT3D files, in which %d stands for the step. */
static status check_plot3d(const io_section *root, const io_config *config)
{
    const io_plot3d_config *plot3d = config->data.plot3d;
    const char *const keys[] = {"data.plot3d.q", "data.plot3d.function"};
    status result = STATUS_OK;
    for (int i = 0; i < 2 && plot3d && result == STATUS_OK; i++) {
        const char *path = i == 0 ? plot3d->q : plot3d->function;
        const char *slash = path ? strrchr(path, '/') : NULL;
        const int all = path ? io_config_count_conversions(path) : 0;
        if (all < 0 || all > 1 ||
            (all == 1 && io_config_count_conversions(slash ? slash : path) != 1)) {
            result =
                io_section_fail(root, keys[i],
                                "may hold one %%d or %%0Nd for the step, in the name "
                                "of the file: '%s'",
                                path);
        }
    }
    return result;
}

/* Checks data.fields. Messages give the places of the names. */
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
    if (config->width > IMAGE_MAX_SIDE || config->height > IMAGE_MAX_SIDE) {
        return io_section_fail(root, "image.scale",
                               "makes the picture %d x %d pixels large: a side has %d at "
                               "most",
                               config->width, config->height, IMAGE_MAX_SIDE);
    }
    if ((int64_t)config->width * config->height > IMAGE_MAX_PIXELS) {
        return io_section_fail(
            root, "image", "has %d x %d pixels, more than the most, %lld", config->width,
            config->height, (long long)IMAGE_MAX_PIXELS);
    }
    return STATUS_OK;
}

/* Directions count as parallel if the sine of their angle is smaller. */
static const double least_sine = 1e-9;

static status check_directions(const io_section *root, const io_config *config)
{
    const io_camera_config *camera = &config->camera;
    if (camera->view != IO_VIEW_AUTO && !camera->auto_position) {
        return io_section_fail(root, "camera.view",
                               "chooses the position: leave out camera.position, or the "
                               "view");
    }
    if (camera->auto_position || camera->auto_look_at || camera->auto_up) {
        return STATUS_OK; /* checked later, when they are found */
    }
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

/* A clip is a plane, a box or a sphere. */
static status check_clip(const io_section *entry, const io_clip_config *clip)
{
    static const char *const shapes[] = {"normal", "box", "radius"};
    const bool has_box = io_section_has(entry, "box"),
               has_point = io_section_has(entry, "point");
    if (io_section_count(entry, 3, shapes) != 1 || has_box == has_point) {
        return io_section_fail(
            entry, NULL,
            "needs point with normal or radius, or box: {point: [0, 0, "
            "0], normal: [0, 1, 0]}, {point: [0, 0, 0], radius: 2} or "
            "{box: [[0, 0, 0], [1, 1, 1]]}");
    }
    for (int axis = 0; axis < 3 && has_box; axis++) {
        if (!(clip->box[0].v[axis] < clip->box[1].v[axis])) {
            return io_section_fail(entry, "box",
                                   "must be a lower and an upper corner, has %c from %g "
                                   "to %g",
                                   "xyz"[axis], clip -> box[0].v[axis],
                                   clip->box[1].v[axis]);
        }
    }
    return io_section_has(entry, "normal")
               ? io_config_check_direction(entry, "normal", clip->normal)
               : STATUS_OK;
}

static status check_clips(const io_section *root, const io_config *config)
{
    status result = STATUS_OK;
    for (int i = 0; i < config->nclips && result == STATUS_OK; i++) {
        const io_section entry = io_section_item(root, "clip", i);
        result = check_clip(&entry, &config->clips[i]);
    }
    return result;
}

/* ---- lights ---- */

/* Fails unless an entry of lights has exactly one kind. */
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

/* ---- lighting ---- */

static status check_lighting(const io_section *root, const io_config *config)
{
    const io_cue_config *cue = &config->lighting.cue;
    bool casts = false;
    for (int i = 0; i < config->nlights; i++) {
        casts |= config->lights[i].kind != IO_LIGHT_HEAD;
    }
    if (config->lighting.shadows.on && !casts) {
        return io_section_fail(root, "lighting.shadows",
                               "needs a light with a direction or a position in lights: "
                               "a headlight casts no shadows that the camera sees");
    }
    return cue->has_range && !(cue->range[0] < cue->range[1])
               ? io_section_fail(root, "lighting.distance_cue.range",
                                 "must ascend, is [%g, %g]", cue->range[0], cue->range[1])
               : STATUS_OK;
}

/* ---- output ---- */

/* The extension of a path, beginning with its dot; the end of the path without one. */
static const char *find_extension(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot != name ? dot : path + strlen(path);
}

static bool is_one_of(const char *extension, const char *const *words)
{
    while (*words != NULL && strcasecmp(extension, *words) != 0) {
        words++;
    }
    return *words != NULL;
}

/* A film in the place of pictures. */
static status fail_film(const io_section *root, const char *key, const char *path)
{
    const char *extension = find_extension(path);
    const int length = (int)(extension - path);
    return io_section_fail(root, key,
                           "is '%s', a film, and names pictures: write output.movie: "
                           "'%.*s.mp4' instead, or '%.*s.apng' for pages",
                           path, length, path, length, path);
}

/* The file names of a kind of output: they end in one of `extensions`; messages name
 * `ending`. */
typedef struct output_name {
    const char *key, *what, *example, *ending;
    const char *extensions[4];
} output_name;

static const output_name names[] = {
    {"output.frames", "PNG pictures", "out/wake_%04d.png", ".png", {".png"}},
    {"output.float", "HDF5 files", "out/wake_%04d.h5", ".h5", {".h5", ".hdf5"}},
    {"output.figure", "figures", "out/wake_%04d.pdf", ".pdf or .svg", {".pdf", ".svg"}},
    {"output.extracts",
     "files of VTK and CSV",
     "out/wake_%04d.vtm",
     ".vtm or .csv",
     {".vtm", ".csv"}},
    {"output.movie", "films", "out/wake.mp4", ".mp4 or .apng", {".mp4", ".apng"}},
    {"output.cinema", "Cinema databases", "out/wake.cdb", ".cdb", {".cdb"}},
    {"output.timings", "JSON", "out/timings.json", ".json", {".json"}}};

/* Checks that the extension of a file fits its contents. */
static status check_name(const io_section *root, const output_name *name)
{
    static const char *const films[] = {".mp4", ".mov",  ".avi", ".mkv", ".webm", ".gif",
                                        ".mpg", ".mpeg", ".m4v", ".wmv", ".ogv",  NULL};
    const char *path = io_section_text(root, name->key);
    const char *extension = path != NULL ? find_extension(path) : NULL;
    if (path == NULL || is_one_of(extension, name->extensions)) {
        return STATUS_OK;
    }
    if (name == names && is_one_of(extension, films)) {
        return fail_film(root, name->key, path);
    }
    const size_t length = strlen(path);
    if (length > 0 && path[length - 1] == '/') {
        return io_section_fail(
            root, name->key,
            "is the folder '%s': give the name of files in it, such as "
            "'%s'",
            path, name->example);
    }
    return io_section_fail(root, name->key,
                           "must end in %s, as karman writes %s, such as '%s', is '%s'",
                           name->ending, name->what, name->example, path);
}

/* Checks a pattern for one file per step. Whether it needs the step is known only when
 * the data is open (io_config_check_numbered). */
static status check_pattern(const io_section *root, const char *key)
{
    const char *pattern = io_section_text(root, key);
    if (pattern == NULL) {
        return STATUS_OK;
    }
    int conversions = io_config_count_conversions(pattern);
    if (conversions < 0 || conversions > 1) {
        return io_section_fail(
            root, key,
            "must hold one %%d or %%0Nd for the step and no other %% (%%%% for a "
            "percent sign), is '%s'",
            pattern);
    }
    return STATUS_OK;
}

static status check_names(const io_section *root)
{
    status s = STATUS_OK;
    for (int n = 0; n < 7 && s == STATUS_OK; n++) {
        s = check_name(root, &names[n]);
    }
    for (int n = 0; n < 4 && s == STATUS_OK; n++) {
        s = check_pattern(root, names[n].key);
    }
    return s;
}

/* Of images in PDF and SVG files, by cairo. */
enum { MOST_FIGURE = 32767 };

static status check_output(const io_section *root, const io_config *config)
{
    const io_output_config *output = &config->output;
    if (io_config_pictures(config) == NULL) {
        return io_document_fail(root->document, io_section_value(root, "output"),
                                "output.frames is missing: write, for example, 'output: "
                                "{frames: out/wake_%%04d.png}'");
    }
    const int side = config->width > config->height ? config->width : config->height;
    if (output->figure && side > MOST_FIGURE) {
        return io_section_fail(root, "output.figure",
                               "has at most %d pixels a side, and the picture has %d",
                               MOST_FIGURE, side);
    }
    const size_t folder = output->cinema ? strlen(output->cinema) : 0;
    if (output->cinema && (strncmp(output->frames, output->cinema, folder) != 0 ||
                           output->frames[folder] != '/')) {
        return io_section_fail(root, "output.cinema",
                               "has the pictures in its folder: leave output.frames out");
    }
    if (output->movie && config->is_transparent &&
        strcasecmp(find_extension(output->movie), ".mp4") == 0) {
        return io_section_fail(root, "output.movie",
                               "has no opacity as .mp4: give image.background a colour, "
                               "or take a name in .apng");
    }
    if (output->extracts && config->partition.kind != IO_PARTITION_OBJECT) {
        return io_section_fail(root, "output.extracts",
                               "needs 'partition: object': ranks write what lies in "
                               "their boxes of space");
    }
    if (output->tile_costs && !output->timings) {
        return io_section_fail(
            root, "output.tile_costs",
            "is written into the file output.timings, which is missing");
    }
    if (output->warm_caches && !output->timings) {
        return io_section_fail(root, "output.warm_caches",
                               "is for the file output.timings, which is missing");
    }
    return check_names(root);
}

typedef status (*check)(const io_section *root, const io_config *config);

status io_config_check(const io_section *root, const io_config *config)
{
    static const check checks[] = {check_partition,      check_grid,
                                   check_fields,         check_time,
                                   check_transforms,     io_config_check_copies,
                                   io_config_check_film, check_plot3d,
                                   check_image,          check_directions,
                                   check_depths,         check_layers,
                                   check_clips,          check_lights,
                                   check_lighting,       io_config_check_annotations,
                                   check_output};
    status result = STATUS_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && result == STATUS_OK; i++) {
        result = checks[i](root, config);
    }
    return result;
}
