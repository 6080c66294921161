#include "conditions.h"

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
    const frame_conditions_wish *wish;
} conditions;

/* Whether a condition is of the wanted block. */
static bool is_of_block(const conditions *of, const io_condition *c)
{
    const int block = of->wish->block;
    return block < 0 || (c->block >= 0 && c->block - of->blocks[c->block].copy == block);
}

/* Whether a type begins with a word: `wall`, or `BCWall`, is BCWallViscous. */
static bool begins(const char *type, const char *word)
{
    const size_t length = strlen(word);
    return strncasecmp(type, word, length) == 0 ||
           (strncmp(type, "BC", 2) == 0 && strncasecmp(type + 2, word, length) == 0);
}

/* Whether a condition has a name, or a type. */
static bool is_called(const io_condition *c, const char *name)
{
    return strcmp(c->name, name) == 0 || begins(c->type, name);
}

static bool is_wanted(const conditions *of, const io_condition *c)
{
    const frame_conditions_wish *wish = of->wish;
    return is_of_block(of, c) && (!wish->walls || c->is_wall) &&
           (!wish->family || strcmp(c->family, wish->family) == 0) &&
           (!wish->bc || is_called(c, wish->bc)) &&
           (!wish->either || strcmp(c->family, wish->either) == 0 ||
            is_called(c, wish->either));
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
static status fail_to_find(const conditions *of)
{
    const frame_conditions_wish *wish = of->wish;
    char names[400] = "";
    for (int n = 0; n < of->count; n++) {
        const io_condition *c = &of->all[n];
        if (is_of_block(of, c)) {
            list_name(sizeof names, names, wish->bc ? "" : c->family);
            list_name(sizeof names, names, wish->family ? "" : c->name);
            list_name(sizeof names, names, wish->family ? "" : c->type);
        }
    }
    const char *what = wish->family ? "family" : "boundary condition";
    const char *name = wish->bc       ? wish->bc
                       : wish->family ? wish->family
                       : wish->either ? wish->either
                                      : "wall";
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

status frame_conditions_find(const io_source *source, const grid_layout *layout,
                             const frame_conditions_wish *wish, int *count,
                             surface_range **out)
{
    conditions of = {.wish = wish, .blocks = layout->blocks};
    if (source) {
        of.count = io_source_condition_count(source);
        of.all = io_source_conditions(source);
        of.parts = io_source_condition_parts(source);
    }
    size_t most = 1, found = 0;
    for (int n = 0; n < of.count; n++) {
        const bool is = is_wanted(&of, &of.all[n]);
        most += is ? (size_t)of.all[n].nparts : 0;
        found += is;
    }
    if (found == 0) {
        return fail_to_find(&of);
    }
    *count = 0;
    free(*out);
    *out = calloc(most, sizeof **out);
    for (int n = 0; n < of.count && *out; n++) {
        if (is_wanted(&of, &of.all[n])) {
            add_parts(&of, &of.all[n], count, *out);
        }
    }
    return *out ? STATUS_OK : base_fail_memory(most * sizeof **out, "a surface");
}
