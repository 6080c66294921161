#include "boundary.h"

#include "io/catalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The conditions of the data. */
typedef struct conditions {
    int count;
    const io_condition *all; /* [count] */
    const io_condition_part *parts;
    const grid_block *blocks;
    int block; /* with its copies; -1: of all blocks */
} conditions;

/* Whether a condition is of the wanted block. */
static bool is_of_block(const conditions *of, const io_condition *c)
{
    return of->block < 0 ||
           (c->block >= 0 && c->block - of->blocks[c->block].copy == of->block);
}

/* Whether a type begins with a word: `wall`, or `BCWall`, is BCWallViscous. */
static bool begins(const char *type, const char *word)
{
    const size_t length = strlen(word);
    return strncasecmp(type, word, length) == 0 ||
           (strncmp(type, "BC", 2) == 0 && strncasecmp(type + 2, word, length) == 0);
}

static bool is_wanted(const conditions *of, const io_tool_config *config,
                      const io_condition *c)
{
    return is_of_block(of, c) &&
           (!config->family || strcmp(c->family, config->family) == 0) &&
           (!config->bc || strcmp(c->name, config->bc) == 0 ||
            begins(c->type, config->bc));
}

/* Adds a name to a list, unless it is there or the list is full. */
static void list_name(size_t size, char *list, const char *name)
{
    enum { LONGEST = 80 };
    char quoted[LONGEST];
    const size_t used = strlen(list);
    const bool fits = snprintf(quoted, sizeof quoted, "'%s'", name) < LONGEST &&
                      used + strlen(quoted) + 3 < size;
    if (name[0] != '\0' && fits && !strstr(list, quoted)) {
        snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", quoted);
    }
}

/* Says which names there are. */
static status fail_to_find(const conditions *of, const io_tool_config *config)
{
    char names[400] = "";
    for (int n = 0; n < of->count; n++) {
        const io_condition *c = &of->all[n];
        if (is_of_block(of, c)) {
            list_name(sizeof names, names, config->bc ? c->name : c->family);
            list_name(sizeof names, names, config->bc ? c->type : "");
        }
    }
    const char *what = config->bc ? "boundary condition" : "family";
    const char *name = config->bc ? config->bc : config->family;
    return names[0] != '\0'
               ? base_fail(STATUS_USAGE, "there is no %s '%s': the data have %s", what,
                           name, names)
               : base_fail(STATUS_USAGE,
                           "there is no %s '%s': the data name none, as CGNS files do; "
                           "give the place by walls, by from and to, or by i, j or k",
                           what, name);
}

/* Whether a part is of faces. */
static bool is_faces(const io_condition_part *part)
{
    int flat = 0;
    for (int axis = 0; axis < 3; axis++) {
        flat += part->lo[axis] == part->hi[axis];
    }
    return flat == 1;
}

/* None of a block that is not there at this step. */
static void add_parts(const conditions *of, const io_condition *c, int *count,
                      surface_range *out)
{
    for (int n = c->first; n < c->first + c->nparts && c->block >= 0; n++) {
        if (is_faces(&of->parts[n])) {
            surface_range *range = &out[(*count)++];
            range->block = c->block;
            memcpy(range->lo, of->parts[n].lo, sizeof range->lo);
            memcpy(range->hi, of->parts[n].hi, sizeof range->hi);
        }
    }
}

status boundary_find(const frame_scene *scene, const frame_layer *layer, int block,
                     int *count, surface_range **out)
{
    const io_tool_config *config = layer->config->tool;
    const io_source *source = scene->source;
    conditions of = {.block = block, .blocks = scene->layout->blocks};
    if (source) {
        of.count = io_source_condition_count(source);
        of.all = io_source_conditions(source);
        of.parts = io_source_condition_parts(source);
    }
    size_t most = 1, found = 0;
    for (int n = 0; n < of.count; n++) {
        const bool is = is_wanted(&of, config, &of.all[n]);
        most += is ? (size_t)of.all[n].nparts : 0;
        found += is;
    }
    if (found == 0) {
        return layer_blame(scene, layer, config->bc ? "bc" : "family",
                           fail_to_find(&of, config));
    }
    *count = 0;
    free(*out);
    *out = calloc(most, sizeof **out);
    for (int n = 0; n < of.count && *out; n++) {
        if (is_wanted(&of, config, &of.all[n])) {
            add_parts(&of, &of.all[n], count, *out);
        }
    }
    return *out ? STATUS_OK : base_fail_memory(most * sizeof **out, "a surface");
}
