/*
 * Tuning files: the fastest ways to composite, by experiment, of one or several machines
 * (docs/user/tune.md).
 */
#ifndef APP_TUNING_FILE_H
#define APP_TUNING_FILE_H

#include "base/status.h"
#include "machine_file.h"
#include "signature.h"
#include "tuned.h"

#include <stdbool.h>

typedef struct app_tuned_list {
    int count, capacity;
    app_tuned *items; /* [count] */
} app_tuned_list;

void app_tuned_list_clear(app_tuned_list *list);

/* Appends a copy. Local. Errors: STATUS_MEMORY. */
status app_tuned_list_add(app_tuned_list *list, const app_tuned *item);

/*
 * Appends the rules that a file has for a signature. *others: there are rules of other
 * signatures. Local. Errors: STATUS_INPUT, with a sentence, if the file cannot be read,
 * is no tuning file, one of another format, or has an impossible value; STATUS_MEMORY.
 * Then the list is as before.
 */
status app_tuning_read(const char *path, const app_signature *signature,
                       app_tuned_list *list, bool *others);

/* Receives the rules of one machine, which are the caller's. name: of the machine that
 * was measured, or NULL. */
typedef void app_tuning_visit(const json_t *signature, const char *name,
                              app_tuned_list *rules, void *context);

/* Visits the machines of a file in their order. Local. Errors: as of app_tuning_read. */
status app_tuning_each(const char *path, app_tuning_visit *visit, void *context);

/*
 * Adds rules to a file, which is made if there is none. A rule of the same ranks, target,
 * pixels and activity is replaced, and everything else stays. Programs that add to one
 * file wait for each other, by a lock on PATH.lock; readers see the old file or the new
 * one. Local. Errors: STATUS_INPUT if there is a file of another kind, which stays as it
 * is; STATUS_OUTPUT; STATUS_MEMORY.
 */
status app_tuning_add(const char *path, const app_signature *signature,
                      const app_tuned_list *list);

/*
 * Puts a machine into the place of the one that a file has for a signature
 * (machine_file.h); `about`: an object on its measurement, borrowed. Otherwise as
 * app_tuning_add.
 */
status app_tuning_add_machine(const char *path, const app_signature *signature,
                              const simulate_machine *machine, json_t *about);

/*
 * The machine that a file has for a signature. *nodes: on how many nodes it was measured;
 * 0: the file has none. Local. Errors: as of app_tuning_read; STATUS_USAGE for an
 * impossible machine.
 */
status app_tuning_machine(const char *path, const app_signature *signature,
                          simulate_machine *machine, int *nodes);

/* Whether app_tuning_add could add: a test before long measurements. Local. Errors: as
 * there. */
status app_tuning_try(const char *path);

#endif
