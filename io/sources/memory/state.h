/* The inside of memory sources (io/sources/memory/memory.h), shared by opening and
 * reading. */
#ifndef IO_SOURCES_MEMORY_STATE_H
#define IO_SOURCES_MEMORY_STATE_H

#include "box_cache.h"
#include "io/source_kind.h"
#include "io/unpack.h"
#include "part.h"

/* The box of a part. Every rank knows those of all parts of all ranks. */
typedef struct memory_extent {
    int64_t block, lo[3], n[3];
    int64_t before[3], after[3], behind[3]; /* as in io_memory_part */
    io_box own[2]; /* the vertices, and the cells, whose owner it is (owner.h) */
} memory_extent;

typedef struct memory_state {
    int rank, ranks;
    int nparts;
    io_memory_part *parts;   /* [nparts]: parts of this rank */
    io_memory_array *fields; /* [nparts][nfields]: their fields */
    int *first;             /* [ranks + 1]: beginning of each rank's parts in `extents` */
    memory_extent *extents; /* [first[ranks]] */
    io_unpacking fills[2];  /* values that mean "missing", of float32 and of float64 */
    int64_t bytes_sent;
    io_box *boxes; /* [ranks]: each rank's box in the present read */
    memory_kept *kept;
} memory_state;

/* The `read` of the kind: sends every rank the values of its box. Ranks subtract an
 * origin and round before they send. Collective. The status is the same on every rank,
 * unless a rank asks for values that no rank has. */
status io_memory_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out);

/* The `holds` and the `copy` of the kind: of boxes that one part of this rank owns.
 * Local; threads may call them at once. */
bool io_memory_holds(const io_source *source, int block, int field, const io_box *box);
void io_memory_copy(const io_source *source, const io_fields *fields, const io_box *box,
                    const io_rows *to);

#endif
