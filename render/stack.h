/*
 * Stacks: pictures of layers alone, without a volume. As long as the view stays, and the
 * layers have their fragments where they were, it is known which of them each pixel shows
 * in which order, and only colours are blended anew.
 */
#ifndef RENDER_STACK_H
#define RENDER_STACK_H

#include "volume.h"

typedef struct render_stack render_stack;

/* Local. Errors: STATUS_MEMORY. */
status render_stack_create(render_stack **out);
void render_stack_destroy(render_stack **stack);

/*
 * Draws the layers of the style (cuts, nlayers and layers are looked at) inside `clip`
 * into img, as render_scene_draw does without a scene. What img shows before, in its
 * active rectangle, is lost. Sets img->active. Local. Errors: STATUS_MEMORY.
 */
status render_stack_draw(render_stack *stack, const render_style *style,
                         const render_camera *camera, box3 clip, int threads, image *img);

#endif
