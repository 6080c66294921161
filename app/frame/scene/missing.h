/* Missing values of the fields that a picture shows: said once, with how many there are.
 */
#ifndef APP_FRAME_SCENE_MISSING_H
#define APP_FRAME_SCENE_MISSING_H

#include "scene.h"

/* The fields of a scene, and what has been said of them. */
typedef struct app_missing app_missing;

/* Local. Errors: STATUS_MEMORY. */
status app_missing_create(app_missing **out);
void app_missing_destroy(app_missing **missing);

/* Takes what has been said out of a scene, for another one that goes on with the same
 * fields. Local. */
app_missing *app_missing_detach(app_scene *scene);
void app_missing_attach(app_scene *scene, app_missing **missing);

/* Begins a picture. Local. */
void app_missing_begin(app_scene *scene);

/*
 * Looks at a store that has just been loaded with a field at a step (index). The recipe
 * stays until app_missing_report. Local; called alike on every rank.
 */
void app_missing_look(app_scene *scene, const char *field, const grid_recipe *recipe,
                      int step, const grid_store *store);

/*
 * Warns of fields that have missing values in the picture: once of each, with how many
 * values at which step in which blocks; and once where no value is finite. Counts do not
 * depend on the ranks. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status app_missing_report(app_scene *scene);

/* Whether the picture at hand shows a field (NULL: any field) that has no finite value;
 * after app_missing_report, which has said so. Local, the same on every rank. */
bool app_missing_is_empty(const app_scene *scene, const char *field);

#endif
