/* What of a file is done, noted beside it, so that interrupted work can go on. */
#ifndef APP_CONVERT_JOURNAL_H
#define APP_CONVERT_JOURNAL_H

#include "plan.h"

/* A number for a plan and what else the values depend on. Local. */
uint64_t convert_journal_sign(const convert_plan *plan, uint64_t hash);

/* Reads the boxes that are done of each group, [groups], from OUT.part.log. False: there
 * is none of this signature. Local, as all of these, on rank 0. */
bool convert_journal_read(const char *output, uint64_t signature, int groups,
                          int64_t *done);

/* Begins one anew; adds that `boxes` of a group are done; removes it. Errors:
 * STATUS_OUTPUT. */
status convert_journal_begin(const char *output, uint64_t signature);
status convert_journal_add(const char *output, int group, int64_t boxes);
void convert_journal_remove(const char *output);

#endif
