/* karman compare: the partitions for the option --partitions. */
#ifndef MESSAGES_COMPARE_PARTITION_H
#define MESSAGES_COMPARE_PARTITION_H

#include <stdbool.h>
#include <stddef.h>

/* A partition, with its setting for the runs. */
typedef struct compare_partition {
    const char *name;    /* in lists, tables and names of files: "object-cost" */
    const char *words;   /* for users: "sort-last (object by cost)" */
    const char *setting; /* value of the config's key `partition` */
    bool is_screen;      /* sort-first: each rank owns rectangles of the picture, and
                            there is no compositing */
} compare_partition;

/* NULL if there is no such name. */
const compare_partition *compare_partition_find(const char *name);

/* The words of a partition; an unknown name is returned as it is. */
const char *compare_partition_words(const char *name);

/* Lists all names, separated by commas, and cuts the list at `size` bytes. */
void compare_partition_list(char *names, size_t size);

#endif
