#include "partition.h"

#include <stdio.h>
#include <string.h>

/* The names without a suffix leave the balance to the config's default. */
static const compare_partition partitions[] = {
    {"object", "sort-last (object)", "object", false},
    {"object-cells", "sort-last (object by cells)", "{kind: object, balance: cells}",
     false},
    {"object-cost", "sort-last (object by cost)", "{kind: object, balance: cost}", false},
    {"screen", "sort-first (screen)", "screen", true},
    {"screen-area", "sort-first (screen by area)", "{kind: screen, balance: area}", true},
    {"screen-cost", "sort-first (screen by cost)", "{kind: screen, balance: cost}", true},
};

enum { PARTITIONS = sizeof partitions / sizeof partitions[0] };

const compare_partition *compare_partition_find(const char *name)
{
    for (int n = 0; n < PARTITIONS; n++) {
        if (strcmp(partitions[n].name, name) == 0) {
            return &partitions[n];
        }
    }
    return NULL;
}

const char *compare_partition_words(const char *name)
{
    const compare_partition *partition = compare_partition_find(name);
    return partition ? partition->words : name;
}

void compare_partition_list(char *names, size_t size)
{
    size_t used = 0;
    for (int n = 0; n < PARTITIONS && used < size; n++) {
        int length =
            snprintf(names + used, size - used, "%s%s", n ? "," : "", partitions[n].name);
        used += (size_t)length;
    }
}
