/* Warnings of missing values in the fields of a picture: once per field, with their
 * number. */
#ifndef FRAME_SCENE_MISSING_H
#define FRAME_SCENE_MISSING_H

#include "scene.h"

/* The fields of a scene, and the warnings given about them. */
typedef struct frame_missing frame_missing;

/* Local. Errors: STATUS_MEMORY. */
status frame_missing_create(frame_missing **out);
void frame_missing_destroy(frame_missing **missing);

/* Detach moves the record of warnings out of a scene; attach gives it to another scene
 * with the same fields, which then does not repeat them. Local. */
frame_missing *frame_missing_detach(frame_scene *scene);
void frame_missing_attach(frame_scene *scene, frame_missing **missing);

/* Begins a picture. Local. */
void frame_missing_begin(frame_scene *scene);

/*
 * Looks for missing values in a store into which a field of a step (index) was just
 * loaded. Borrows the recipe until frame_missing_report. Local; called alike on every
 * rank.
 */
void frame_missing_look(frame_scene *scene, const char *field, const grid_recipe *recipe,
                        int step, const grid_store *store);

/*
 * Warns once of each field with missing values in the picture: their number, the step and
 * the blocks. Warns once if no value of a field is finite. Numbers do not depend on the
 * ranks. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status frame_missing_report(frame_scene *scene);

/*
 * Whether the current picture shows a field (NULL: any field) without a finite value.
 * Valid after frame_missing_report, which has warned of it. Local, the same on every
 * rank.
 */
bool frame_missing_is_empty(const frame_scene *scene, const char *field);

#endif
