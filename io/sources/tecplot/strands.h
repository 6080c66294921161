/* Strands of a Tecplot file: which zones are one block at different times. Zones of a
 * strand that have one time are blocks of their own; so the n-th zones of all times are a
 * line. A line whose sizes change has several blocks. */
#ifndef IO_SOURCES_TECPLOT_STRANDS_H
#define IO_SOURCES_TECPLOT_STRANDS_H

#include "base/hash.h"
#include "zone.h"

typedef struct tecplot_strands {
    const tecplot_file *file;
    base_lookup lines; /* the first zone of each block of a line */
    int count;
    struct tecplot_moment *blocks; /* [count]: zones by block, then by time */
    struct tecplot_moment *all;    /* [count]: by line, then by time */
    int *at;                       /* [nzones]: where a zone is in `all` */
} tecplot_strands;

/* Sets the ranks of zones. Clear it all the same. Local. Errors: STATUS_MEMORY. */
status tecplot_strands_create(tecplot_file *file, tecplot_strands *out);
void tecplot_strands_clear(tecplot_strands *strands);

/* The next zone of those added that begin a block in the line of a zone, as
 * base_lookup_next; -1: there is no more. Local. */
int64_t tecplot_strands_next(const tecplot_strands *strands, const tecplot_zone *zone,
                             int64_t *at);

/* Adds a zone that begins a block. Local. Errors: STATUS_MEMORY. */
status tecplot_strands_add(tecplot_strands *strands, int zone);

/* Sorts the zones, of which all are added; the following need it. block: [nzones], -1:
 * left out. Local. */
void tecplot_strands_sort(tecplot_strands *strands, const int *block);

/* The zone of a block at a time: the last one before, or the first. Local. */
int tecplot_strands_zone(const tecplot_strands *strands, int block, double now);

/* Whether the line of a zone ends before a time, or begins after it. One of a single time
 * has no end. Local. */
bool tecplot_strands_ends(const tecplot_strands *strands, int zone, double now);

/* Whether the line of a zone has other sizes between it and a time at which it is the
 * zone of its block. Local. */
bool tecplot_strands_replaces(const tecplot_strands *strands, int zone, double now);

#endif
