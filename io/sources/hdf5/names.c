#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer numbers might not fit into 64 bits. */
enum { MOST_DIGITS = 18 };

static size_t count_digits(const char *text)
{
    size_t count = 0;
    while (isdigit((unsigned char)text[count])) {
        count++;
    }
    return count;
}

/* ---- patterns --------------------------------------------------------------------- */

/* Removes the brackets at the end of `text`. Without a meaning they are part of the
 * name. */
static io_axes cut_axes(char *text)
{
    size_t length;
    io_axes axes;
    if (!io_axes_parse(text, &length, &axes)) {
        return (io_axes){.component = -1};
    }
    text[length] = '\0';
    return axes;
}

/* Replaces %s by the mark of the block. */
static bool mark_block(char *text)
{
    char *percent = strstr(text, "%s");
    if (percent) {
        *percent = IO_BLOCK_MARK;
        memmove(percent + 1, percent + 2, strlen(percent + 2) + 1);
    }
    return percent != NULL;
}

/* Length of the conversion %d or %0Nd at `text`, and the least number of digits that it
 * writes; 0 if it is no conversion. */
static size_t parse_conversion(const char *text, int *digits)
{
    *digits = 1;
    if (text[1] == 'd') {
        return 2;
    }
    size_t width = count_digits(text + 1);
    if (text[1] != '0' || width < 2 || width > 3 || text[1 + width] != 'd') {
        return 0;
    }
    *digits = atoi(text + 2);
    return *digits >= 1 && *digits <= MOST_DIGITS ? width + 2 : 0;
}

/* Splits `text` at its conversion, which has `length` bytes from `percent` on. */
static void split(char *text, char *percent, size_t length, io_pattern *pattern)
{
    strcpy(pattern->after, percent + length);
    *percent = '\0';
    char *slash = strrchr(text, '/');
    strcpy(pattern->before, slash ? slash + 1 : text);
    if (slash) {
        *slash = '\0';
        strcpy(pattern->group, text);
    }
    pattern->has_step = true;
}

status io_pattern_parse(const char *key, const char *text, io_pattern *out)
{
    const size_t room = strstr(text, "%s") ? GRID_NAME_SIZE : 0;
    /* One byte is reserved for a slash at the beginning. */
    if (text[0] == '\0' || strlen(text) + room >= IO_PATH_SIZE - IO_STEP_NAME_SIZE - 1) {
        return base_fail(STATUS_USAGE, "%s: '%s' is not the path of a data set", key,
                         text);
    }
    char copy[IO_PATH_SIZE];
    snprintf(copy, sizeof copy, "%s%s", text[0] == '/' ? "" : "/", text);
    io_pattern pattern = {.digits = 1, .has_block = mark_block(copy)};
    pattern.axes = cut_axes(copy);
    char *percent = strchr(copy, '%');
    if (!percent) {
        strcpy(pattern.after, copy);
        *out = pattern;
        return STATUS_OK;
    }
    size_t length = parse_conversion(percent, &pattern.digits);
    if (length == 0 || strchr(percent + 1, '%')) {
        return base_fail(STATUS_USAGE,
                         "%s: '%s' may hold one %%d or %%0Nd for the step, one %%s for "
                         "the block and no other '%%'",
                         key, text);
    }
    split(copy, percent, length, &pattern);
    *out = pattern;
    return STATUS_OK;
}

/* ---- blocks ----------------------------------------------------------------------- */

/* Copies `text` with the name of a block in place of the mark. */
static void put_block(const char *text, const char *block, char out[IO_PATH_SIZE])
{
    const char *mark = strchr(text, IO_BLOCK_MARK);
    if (!mark) {
        strcpy(out, text);
        return;
    }
    snprintf(out, IO_PATH_SIZE, "%.*s%s%s", (int)(mark - text), text, block, mark + 1);
}

void io_pattern_in_block(const io_pattern *pattern, const char *block, io_pattern *out)
{
    *out = *pattern;
    out->has_block = false;
    put_block(pattern->group, block, out->group);
    put_block(pattern->before, block, out->before);
    put_block(pattern->after, block, out->after);
}

void io_pattern_find_blocks(const io_pattern *pattern, io_block_place *out)
{
    char path[IO_PATH_SIZE];
    strcpy(path, pattern->after);
    char *mark = strchr(path, IO_BLOCK_MARK);
    *mark = '\0';
    char *slash = strrchr(path, '/');
    char *rest = mark + 1 + strcspn(mark + 1, "/");
    snprintf(out->rest, sizeof out->rest, "%s", rest);
    *rest = '\0';
    snprintf(out->behind, sizeof out->behind, "%s", mark + 1);
    snprintf(out->before, sizeof out->before, "%s", slash + 1);
    *slash = '\0';
    snprintf(out->group, sizeof out->group, "%s", path[0] != '\0' ? path : "/");
}

bool io_block_place_match(const io_block_place *place, const char *name,
                          char block[GRID_NAME_SIZE])
{
    const size_t before = strlen(place->before), behind = strlen(place->behind);
    const size_t length = strlen(name);
    if (length <= before + behind || length - before - behind >= GRID_NAME_SIZE ||
        strncmp(name, place->before, before) != 0 ||
        strcmp(name + length - behind, place->behind) != 0) {
        return false;
    }
    snprintf(block, GRID_NAME_SIZE, "%.*s", (int)(length - before - behind),
             name + before);
    return true;
}

/* ---- steps ------------------------------------------------------------------------ */

bool io_step_name_parse(const char *name, io_named_step *step)
{
    size_t digits = count_digits(name);
    const char *first = name;
    while (first[0] == '0' && first[1] != '\0') {
        first++;
    }
    if (digits == 0 || name[digits] != '\0' || digits >= IO_STEP_NAME_SIZE ||
        strlen(first) > MOST_DIGITS) {
        return false;
    }
    memset(step, 0, sizeof *step);
    memcpy(step->name, name, digits);
    step->step.number = strtoll(first, NULL, 10);
    step->step.time = (double)step->step.number;
    return true;
}

/* Length of the part of `after` that belongs to the name with the step. */
static size_t tail_length(const io_pattern *pattern)
{
    return strcspn(pattern->after, "/");
}

bool io_pattern_match(const io_pattern *pattern, const char *name, io_named_step *step)
{
    size_t before = strlen(pattern->before), tail = tail_length(pattern);
    if (!pattern->has_step || strncmp(name, pattern->before, before) != 0) {
        return false;
    }
    const char *digits = name + before;
    size_t count = count_digits(digits);
    if (count < (size_t)pattern->digits || count >= IO_STEP_NAME_SIZE ||
        strlen(digits + count) != tail ||
        strncmp(digits + count, pattern->after, tail) != 0) {
        return false;
    }
    char number[IO_STEP_NAME_SIZE] = "";
    memcpy(number, digits, count);
    return io_step_name_parse(number, step);
}

/* Joins the parts of a path, with the first `tail` bytes of the text after the step.
 * Parts and step fit, because io_pattern_parse reserved enough bytes. */
static void join(const io_pattern *pattern, const char *step_name, size_t tail,
                 char path[IO_PATH_SIZE])
{
    int length = snprintf(path, IO_PATH_SIZE, "%s%s%s%s", pattern->group,
                          pattern->has_step ? "/" : "", pattern->before,
                          pattern->has_step ? step_name : "");
    snprintf(path + length, IO_PATH_SIZE - (size_t)length, "%.*s", (int)tail,
             pattern->after);
}

void io_pattern_expand(const io_pattern *pattern, const char *step_name,
                       char path[IO_PATH_SIZE])
{
    join(pattern, step_name, strlen(pattern->after), path);
}

void io_pattern_expand_step(const io_pattern *pattern, const char *step_name,
                            char path[IO_PATH_SIZE])
{
    join(pattern, step_name, tail_length(pattern), path);
}

/* ---- all paths of a file ---------------------------------------------------------- */

static const char *const array_names[4] = {"x", "y", "z", "iblank"};

static status parse_coordinate(const char *key, const char *text, io_pattern *out)
{
    status s = io_pattern_parse(key, text, out);
    if (s == STATUS_OK && (out->has_step || io_axes_have_step(&out->axes))) {
        s = base_fail(STATUS_USAGE,
                      "%s: '%s' holds a step, but grids that move are not "
                      "supported: name one data set",
                      key, text);
    }
    return s;
}

static status parse_grid(const io_data_config *config, io_hdf5_names *names)
{
    const char *const paths[4] = {config->grid_x, config->grid_y, config->grid_z,
                                  config->grid_iblank};
    names->own_grid = !paths[0] && !paths[1] && !paths[2] && !paths[3];
    names->has_iblank = paths[3] != NULL;
    names->lacks_z = !names->own_grid && !paths[2];
    for (int array = 0; array < 4 && !names->own_grid; array++) {
        char key[32];
        snprintf(key, sizeof key, "data.grid.%s", array_names[array]);
        if (!paths[array]) {
            if (array < 2) {
                return base_fail(STATUS_USAGE, "%s is missing: data.grid needs x and y",
                                 key);
            }
            continue;
        }
        status s = parse_coordinate(key, paths[array], &names->grid[array]);
        if (s != STATUS_OK) {
            return s;
        }
        names->has_blocks |= names->grid[array].has_block;
    }
    return STATUS_OK;
}

static status parse_fields(const io_data_config *config, io_hdf5_names *names)
{
    names->own_flow = config->nfields == 0;
    names->fields = calloc((size_t)config->nfields + 1, sizeof *names->fields);
    if (!names->fields) {
        return base_fail_memory((size_t)config->nfields * sizeof *names->fields,
                                "the paths of the fields");
    }
    for (int field = 0; field < config->nfields; field++) {
        const io_field_path *given = &config->fields[field];
        char key[32 + GRID_NAME_SIZE];
        snprintf(key, sizeof key, "data.fields.%s", given->name);
        if (strlen(given->name) >= GRID_NAME_SIZE) {
            return base_fail(STATUS_USAGE,
                             "data.fields: the name '%s' has more than %d bytes",
                             given->name, GRID_NAME_SIZE - 1);
        }
        status s = io_pattern_parse(key, given->path, &names->fields[field]);
        if (s == STATUS_OK && names->fields[field].has_block && !names->has_blocks &&
            !names->own_grid) {
            s = base_fail(STATUS_USAGE,
                          "%s: '%s' holds %%s for the name of a block, but no path of "
                          "data.grid does",
                          key, given->path);
        }
        if (s != STATUS_OK) {
            return s;
        }
        names->nfields++;
    }
    return STATUS_OK;
}

static status parse_time(const io_data_config *config, io_hdf5_names *names)
{
    names->has_time = config->time != NULL;
    return names->has_time ? io_pattern_parse("data.time", config->time, &names->time)
                           : STATUS_OK;
}

status io_hdf5_names_create(const io_data_config *config, io_hdf5_names **out)
{
    io_hdf5_names *names = calloc(1, sizeof *names);
    if (!names) {
        return base_fail_memory(sizeof *names, "the paths of the data sets");
    }
    names->is_fortran = config->is_fortran;
    status s = parse_grid(config, names);
    if (s == STATUS_OK) {
        s = parse_fields(config, names);
    }
    if (s == STATUS_OK) {
        s = parse_time(config, names);
    }
    if (s != STATUS_OK) {
        io_hdf5_names_destroy(&names);
        return s;
    }
    *out = names;
    return STATUS_OK;
}

void io_hdf5_names_destroy(io_hdf5_names **names)
{
    if (names && *names) {
        free((*names)->fields);
        free(*names);
        *names = NULL;
    }
}

/* The path of a pattern in a block at a step. */
static void locate_named(const io_pattern *pattern, const char *block, const char *step,
                         io_hdf5_place *out)
{
    io_pattern one;
    io_pattern_in_block(pattern, block, &one);
    io_pattern_expand(&one, step, out->path);
    out->axes = pattern->axes;
}

int io_hdf5_names_grid(const io_catalog *catalog, int step, int block)
{
    const io_block_sets *sets = &catalog->sets;
    return sets->nblocks > 0
               ? sets->geometry[(size_t)catalog->grids[step] * (size_t)sets->nblocks +
                                (size_t)block]
               : 0;
}

/* The path in karman's own layout. */
static void locate_own_grid(const io_catalog *catalog, int step, int block, int array,
                            char path[IO_PATH_SIZE])
{
    const int grid = io_hdf5_names_grid(catalog, step, block);
    const char *name = catalog->blocks[block].name, *of = array_names[array - IO_ARRAY_X];
    if (grid == 0) {
        snprintf(path, IO_PATH_SIZE, "/grid/%s/%s", name, of);
    } else {
        snprintf(path, IO_PATH_SIZE, "/grids/%s/%s/%s", catalog->step_names[grid - 1],
                 name, of);
    }
}

static void locate_grid(const io_hdf5_names *names, const io_catalog *catalog, int block,
                        int array, io_hdf5_place *out)
{
    const int index = array - IO_ARRAY_X;
    const grid_block *b = &catalog->blocks[block];
    locate_named(&names->grid[index], b->name, "", out);
    out->is_grid = true;
    out->line = index < 3 ? index : 0;
    out->fit = NULL;
}

void io_hdf5_names_locate(const io_hdf5_names *names, const io_catalog *catalog, int step,
                          int block, int array, io_hdf5_place *out)
{
    *out = (io_hdf5_place){.axes = {.component = -1},
                           .is_fortran = names->is_fortran,
                           .is_grid = names->lacks_z, /* two axes will do */
                           .fit = catalog->blocks[block].n};
    if (array < 0 && names->own_grid) {
        locate_own_grid(catalog, step, block, array, out->path);
    } else if (array < 0) {
        locate_grid(names, catalog, block, array, out);
    } else if (names->own_flow) {
        snprintf(out->path, sizeof out->path, "/flow/%s/%s/%s", catalog->step_names[step],
                 catalog->blocks[block].name, catalog->fields[array].name);
    } else {
        locate_named(&names->fields[array], catalog->blocks[block].name,
                     catalog->step_names[step], out);
        out->step = catalog->steps[step].number;
    }
}
