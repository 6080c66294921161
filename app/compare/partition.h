/* karman compare: the partitions that --partitions knows. */
#ifndef APP_COMPARE_PARTITION_H
#define APP_COMPARE_PARTITION_H

#include <stdbool.h>
#include <stddef.h>

/* A partition as runs are told of it. */
typedef struct compare_partition {
    const char *name;    /* in lists, tables and names of files: "object-cost" */
    const char *words;   /* for people: "sort-last (object by cost)" */
    const char *setting; /* value of the config's key `partition` */
    bool is_screen;      /* ranks own rectangles of the picture: nothing is composited */
} compare_partition;

/* The partition at a place; NULL past the last one. */
const compare_partition *compare_partition_at(int place);

/* NULL: there is none of that name. */
const compare_partition *compare_partition_find(const char *name);

/* The words of a partition, or the name itself where there is none of that name. */
const char *compare_partition_words(const char *name);

/* All names with commas in between. `names` has `size` bytes; what does not fit is cut
 * off. */
void compare_partition_list(char *names, size_t size);

#endif
