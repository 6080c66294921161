/* The registry, and the choice from it. */
#include "algorithms.h"

#include "composite/rules.h"

#include <stddef.h>
#include <string.h>

#define ENTRY(algorithm) &(algorithm),
static const composite_algorithm *const registry[] = {COMPOSITE_ALGORITHMS(ENTRY)};
#undef ENTRY

const composite_algorithm *composite_algorithm_at(int n)
{
    const int count = (int)(sizeof registry / sizeof registry[0]);
    return n >= 0 && n < count ? registry[n] : NULL;
}

int composite_algorithm_number(const composite_algorithm *algorithm)
{
    int n = 0;
    while (composite_algorithm_at(n) && composite_algorithm_at(n) != algorithm) {
        n++;
    }
    return composite_algorithm_at(n) ? n : -1;
}

int composite_algorithm_names(const char *names[COMPOSITE_MOST_ALGORITHMS])
{
    const int count = (int)(sizeof registry / sizeof registry[0]);
    _Static_assert(sizeof registry / sizeof registry[0] <= COMPOSITE_MOST_ALGORITHMS,
                   "the names of all algorithms fit");
    for (int n = 0; n < count; n++) {
        names[n] = registry[n]->name;
    }
    return count;
}

const composite_algorithm *composite_algorithm_find(const char *name)
{
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        if (strcmp(algorithm->name, name) == 0) {
            return algorithm;
        }
    }
    return NULL;
}

const composite_algorithm *composite_rules_usual(const composite_usual_case *of)
{
    /* Sparse floats of four nodes with several ranks each: a tree takes 0.75 to 0.95 of
     * the time, as each link has few messages and rank 0's the fewest bytes. Of other
     * numbers of nodes it has longer ways, and of dense images whole ones. */
    enum { TREE_NODES = 4 };
    const double most_sparse = 0.5;
    if (of->is_floats && !of->is_one_node && of->images == TREE_NODES &&
        of->ranks >= 2 * of->images && of->activity <= most_sparse) {
        return composite_algorithm_find("tree");
    }
    /* Direct-send was the fastest in all measurements over a network. But its number of
     * messages grows with the square of the ranks or nodes; that of radix-k hardly faster
     * than they do. */
    enum { MOST_MEASURED = 16 };
    const bool is_small = of->is_one_node || of->images <= MOST_MEASURED;
    return composite_algorithm_find(is_small ? "direct-send" : "radix-k");
}
