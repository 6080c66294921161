#include "algorithms.h"

#include <string.h>

#define ENTRY(algorithm) &(algorithm),
static const collective_algorithm *const registry[] = {COLLECTIVE_ALGORITHMS(ENTRY)};
#undef ENTRY

const collective_algorithm *collective_algorithm_at(int n)
{
    const int count = (int)(sizeof registry / sizeof registry[0]);
    return n >= 0 && n < count ? registry[n] : NULL;
}

int collective_algorithm_number(const collective_algorithm *algorithm)
{
    int n = 0;
    while (registry[n] != algorithm) {
        n++;
    }
    return n;
}

const collective_algorithm *
collective_algorithm_find(const collective_operation *operation, const char *name)
{
    const collective_algorithm *algorithm;
    for (int n = 0; (algorithm = collective_algorithm_at(n)); n++) {
        if (algorithm->operation == operation && strcmp(algorithm->name, name) == 0) {
            return algorithm;
        }
    }
    return NULL;
}
