/* Stacks: pictures of layers alone, without a volume. While the view and the places of
 * all fragments stay the same, the fragments of each pixel and their order are kept from
 * the previous picture. Then only colours are blended anew. */
#ifndef RENDER_STACK_H
#define RENDER_STACK_H

#include "volume.h"

typedef struct render_stack render_stack;

/* Local. Errors: STATUS_MEMORY. */
status render_stack_create(render_stack **out);
void render_stack_destroy(render_stack **stack);

/* Draws the layers of the style inside `clip` into img, like render_scene_draw without a
 * scene. Of the style it uses cuts, nlayers and layers. The previous content of img, in
 * its active rectangle, is lost. Sets img->active. Local. Errors: STATUS_MEMORY. */
status render_stack_draw(render_stack *stack, const render_style *style,
                         const render_camera *camera, box3 clip, int threads, image *img);

#endif
