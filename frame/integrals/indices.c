#include "indices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool frame_indices_read_three(const char *text, double x[3])
{
    for (int axis = 0; axis < 3; axis++) {
        char *end;
        x[axis] = strtod(text, &end);
        if (end == text || !isfinite(x[axis])) {
            return false;
        }
        text = end + strspn(end, axis < 2 ? " \t,;" : " \t\r\n,;");
    }
    return *text == '\0';
}

status frame_indices_read_point(const char *option, const char *text, double x[3])
{
    return frame_indices_read_three(text, x)
               ? STATUS_OK
               : base_fail(STATUS_USAGE, "%s %s: give three numbers, such as 1,0.5,2",
                           option, text);
}

/* An index, which may count from the end. */
static int64_t read_index(const char *text, int64_t size, char **end)
{
    const int64_t index = strtoll(text, end, 10);
    return index < 0 ? index + size : index;
}

/* An index, a:b or all of them. */
static bool read_range(const char **text, int64_t size, int64_t range[2])
{
    const char *c = *text;
    char *end;
    range[0] = 0;
    range[1] = size - 1;
    if (*c != ':') {
        range[0] = range[1] = read_index(c, size, &end);
        if (end == c) {
            return false;
        }
        c = end;
    }
    if (*c == ':') {
        c++;
        range[1] = read_index(c, size, &end);
        range[1] = end == c ? size - 1 : range[1];
        c = end;
    }
    *text = c;
    return range[0] >= 0 && range[0] <= range[1] && range[1] < size;
}

int frame_indices_block(int count, const grid_block *blocks, const char *name,
                        size_t length)
{
    for (int b = 0; b < count; b++) {
        const char *its = blocks[b].name;
        if (strlen(its) == length && strncmp(its, name, length) == 0) {
            return b;
        }
    }
    return -1;
}

status frame_indices_read(const char *option, const char *text, int count,
                          const grid_block *blocks, int *out, int64_t range[3][2])
{
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : 0;
    const int block = colon ? frame_indices_block(count, blocks, text, length) : -1;
    if (!colon) {
        return base_fail(STATUS_USAGE,
                         "%s %s: give a block and indices, such as wing:0:80,5,3", option,
                         text);
    }
    if (block < 0) {
        return base_fail(STATUS_USAGE, "%s %s: there is no block '%.*s'", option, text,
                         (int)length, text);
    }
    const int64_t *n = blocks[block].n;
    const char *c = colon + 1;
    for (int axis = 0; axis < 3; axis++) {
        bool fits = read_range(&c, n[axis], range[axis]);
        fits = fits && *c == (axis < 2 ? ',' : '\0');
        if (!fits) {
            return base_fail(STATUS_USAGE,
                             "%s %s: give i, j and k as numbers, ranges a:b or "
                             "':', within 0 to %lld, %lld and %lld",
                             option, text, (long long)n[0] - 1, (long long)n[1] - 1,
                             (long long)n[2] - 1);
        }
        c++;
    }
    *out = block;
    return STATUS_OK;
}
