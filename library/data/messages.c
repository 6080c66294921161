#include "messages.h"

#include "base/log.h"
#include "base/parallel/parallel.h"

static status last;
static bool program_takes_warnings;

void insitu_note_status(status s)
{
    last = s;
}

status insitu_last_status(void)
{
    return last;
}

void insitu_give_warnings(void (*take)(void *context, const char *warning), void *context)
{
    program_takes_warnings = take != NULL;
    base_log_watch(take, context);
}

void insitu_configure_log(MPI_Comm comm)
{
    base_log_configure(parallel_rank(comm) == 0 && !program_takes_warnings);
}
