/* What derived fields are made with: copies and comparisons. */
#include "field.h"

#include <stdlib.h>
#include <string.h>

bool grid_terms_are_same(const grid_terms *a, const grid_terms *b)
{
    bool same = memcmp(&a->gamma, &b->gamma, sizeof a->gamma) == 0 &&
                memcmp(&a->gas_constant, &b->gas_constant, sizeof a->gas_constant) == 0 &&
                a->has_other == b->has_other && a->ndefinitions == b->ndefinitions;
    for (int n = 0; n < a->ndefinitions && same; n++) {
        same = strcmp(a->definitions[n].name, b->definitions[n].name) == 0 &&
               strcmp(a->definitions[n].text, b->definitions[n].text) == 0;
    }
    return same;
}

bool grid_terms_copy(const grid_terms *from, grid_terms *out)
{
    const size_t count = (size_t)from->ndefinitions;
    grid_definition *made = calloc(count + 1, sizeof *made);
    *out = *from;
    out->ndefinitions = 0;
    out->definitions = made;
    bool works = made != NULL;
    for (size_t n = 0; n < count && works; n++) {
        made[n].name = strdup(from->definitions[n].name);
        made[n].text = strdup(from->definitions[n].text);
        works = made[n].name && made[n].text;
        out->ndefinitions++;
    }
    if (!works) {
        grid_terms_clear(out);
    }
    return works;
}

void grid_terms_clear(grid_terms *copy)
{
    for (int n = 0; n < copy->ndefinitions; n++) {
        free(copy->definitions[n].name);
        free(copy->definitions[n].text);
    }
    free((void *)(uintptr_t)copy->definitions);
    copy->ndefinitions = 0;
    copy->definitions = NULL;
}
