/* Fields of the other data of a source: those of another file or step on its grid. */
#include "source_kind.h"

#include <inttypes.h>

int io_other_field(const io_source *source, int field)
{
    const int nfields = source->catalog.nfields;
    return field < nfields ? source->other.fields[field]
                           : source->other.source->catalog.nfields + field - nfields;
}

status io_other_fail_step(const io_source *source, int step)
{
    const io_step *own = &source->catalog.steps[step];
    return base_fail(STATUS_INPUT,
                     "'%s' has no step %" PRId64 " and none of time %g, as '%s' has: "
                     "data.other.step names one for all",
                     source->other.source->path, own->number, own->time, source->path);
}
