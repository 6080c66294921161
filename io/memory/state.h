/* The inside of memory sources (io/memory/memory.h), shared by opening and reading. */
#ifndef IO_MEMORY_STATE_H
#define IO_MEMORY_STATE_H

#include "io/source_kind.h"
#include "io/unpack.h"
#include "kept.h"
#include "part.h"

/* Where a part lies; known of all parts of all ranks. */
typedef struct memory_extent {
    int64_t block, lo[3], n[3];
} memory_extent;

typedef struct memory_state {
    int rank, ranks;
    int nparts;
    io_memory_part *parts;   /* [nparts]: of this rank */
    io_memory_array *fields; /* [nparts][nfields]: theirs */
    int *first; /* [ranks + 1]: where the parts of a rank start in `extents` */
    memory_extent *extents; /* [first[ranks]] */
    io_unpacking fills[2];  /* missing values, of float32 and of float64 */
    int64_t bytes_sent;
    io_box *boxes; /* [ranks]: what each asks for in the read at hand */
    memory_kept *kept;
} memory_state;

/* The `read` of the kind: sends every rank what it asks for. Collective, the same status
 * on every rank but where a rank asks for what nobody has. */
status io_memory_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out);

/* The `read_places` of the kind: ranks subtract and round before they send. */
status io_memory_read_places(io_source *source, int block, int array, double origin,
                             const io_box *box, float *out);

#endif
