/*
 * Tuning files: the fastest ways to composite, by experiment, of one or several machines
 * (docs/user/tune.md).
 */
#ifndef FRAME_TUNING_FILE_H
#define FRAME_TUNING_FILE_H

#include "base/status.h"
#include "signature.h"
#include "tuned.h"

#include <stdbool.h>

typedef struct frame_tuned_list {
    int count;
    frame_tuned *items; /* [count] */
} frame_tuned_list;

void frame_tuned_list_clear(frame_tuned_list *list);

/* Appends a copy. Local. Errors: STATUS_MEMORY. */
status frame_tuned_list_add(frame_tuned_list *list, const frame_tuned *item);

/*
 * Appends the rules that a file has for a signature. *others: there are rules of other
 * signatures. Local. Errors: STATUS_INPUT, with a sentence, if the file cannot be read,
 * is no tuning file, one of another format, or has an impossible value; STATUS_MEMORY.
 * Then the list is as before.
 */
status frame_tuning_read(const char *path, const frame_signature *signature,
                         frame_tuned_list *list, bool *others);

/* Receives one machine of a file and its rules, which are the caller's. */
typedef void frame_tuning_visit(const json_t *machine, frame_tuned_list *rules,
                                void *context);

/* Visits the machines of a file in their order. Local. Errors: as of frame_tuning_read.
 */
status frame_tuning_each(const char *path, frame_tuning_visit *visit, void *context);

/*
 * Adds rules to a file, which is made if there is none. A rule of the same ranks, target,
 * pixels and activity is replaced, and everything else stays. Programs that add to one
 * file wait for each other, by a lock on PATH.lock; readers see the old file or the new
 * one. Local. Errors: STATUS_INPUT if there is a file of another kind, which stays as it
 * is; STATUS_OUTPUT; STATUS_MEMORY.
 */
status frame_tuning_add(const char *path, const frame_signature *signature,
                        const frame_tuned_list *list);

/*
 * Puts an object, borrowed, into the place of the measured machine that a file has for a
 * signature (messages/simulate/tuned_machine.h). Otherwise as frame_tuning_add.
 */
status frame_tuning_put_machine(const char *path, const frame_signature *signature,
                                json_t *machine);

/*
 * Adds the fastest algorithm of a collective of MPI (docs/user/tune.md has the keys), or
 * puts it into the place of that for the same collective, ranks and bytes. Otherwise as
 * frame_tuning_add.
 */
status frame_tuning_put_collective(const char *path, const frame_signature *signature,
                                   json_t *collective);

/* The measured machine that a file has for a signature: *out is a new reference, NULL if
 * there is none. Local. Errors: as of frame_tuning_read. */
status frame_tuning_get_machine(const char *path, const frame_signature *signature,
                                json_t **out);

/* Whether frame_tuning_add could add: a test before long measurements. Local. Errors: as
 * there. */
status frame_tuning_try(const char *path);

#endif
