/* Messages about keys and values that do not fit the table. All of them fail with
 * STATUS_USAGE, or find no fault. Local. */
#ifndef IO_CONFIG_KEYS_FAULTS_H
#define IO_CONFIG_KEYS_FAULTS_H

#include "keys.h"

/* A text that is none of the words of a choice, or no number; `path`: of its key. */
status io_faults_word(io_document *document, int node, const char *path, int count,
                      const char *const *words);
status io_faults_number(io_document *document, int node, const char *path,
                        const io_key *key);

/* The value of `key`, which is no mapping; `above`: the section that has the key. */
status io_faults_section(const io_section *above, const io_section *section,
                         const io_key *key);

/* A key that the table of its section lacks. root: the table of the whole config. */
status io_faults_unknown(const io_section *section, const io_key *keys,
                         const io_key *root, int node);

/* A pair whose key is that of an earlier pair; required keys that are missing. */
status io_faults_twice(const io_section *section, int index);
status io_faults_missing(const io_section *section, const io_key *keys);

#endif
