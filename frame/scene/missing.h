/* Warnings of missing values in the fields of a picture: once per field, with their
 * number. */
#ifndef FRAME_SCENE_MISSING_H
#define FRAME_SCENE_MISSING_H

#include "scene.h"

/* The fields of a scene, and the warnings given about them. */
typedef struct app_missing app_missing;

/* Local. Errors: STATUS_MEMORY. */
status app_missing_create(app_missing **out);
void app_missing_destroy(app_missing **missing);

/* Detach moves the record of warnings out of a scene; attach gives it to another scene
 * with the same fields, which then does not repeat them. Local. */
app_missing *app_missing_detach(app_scene *scene);
void app_missing_attach(app_scene *scene, app_missing **missing);

/* Begins a picture. Local. */
void app_missing_begin(app_scene *scene);

/*
 * Looks for missing values in a store into which a field of a step (index) was just
 * loaded. Borrows the recipe until app_missing_report. Local; called alike on every rank.
 */
void app_missing_look(app_scene *scene, const char *field, const grid_recipe *recipe,
                      int step, const grid_store *store);

/*
 * Warns once of each field with missing values in the picture: their number, the step and
 * the blocks. Warns once if no value of a field is finite. Numbers do not depend on the
 * ranks. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status app_missing_report(app_scene *scene);

/*
 * Whether the current picture shows a field (NULL: any field) without a finite value.
 * Valid after app_missing_report, which has warned of it. Local, the same on every rank.
 */
bool app_missing_is_empty(const app_scene *scene, const char *field);

#endif
