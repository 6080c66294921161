/* Shadows and ambient occlusion of a picture: render/light/shadow.h, for all ranks. */
#ifndef FRAME_LIGHT_SHADOWS_H
#define FRAME_LIGHT_SHADOWS_H

#include "frame/layers/layers.h"

/*
 * Makes the shadow maps of the scene's lights, and those of its sky, if the config wants
 * them. Each rank draws its own part of the grid from the light; then all ranks have the
 * same maps. To be called before a picture, after its data are loaded. Layers that are
 * drawn from lights forget the last view. Collective. Errors: STATUS_USAGE (a light lies
 * among the things that it shines on), STATUS_MEMORY, those of drawing.
 */
status frame_shadows_cast(frame_scene *scene, frame_layers *layers);

/* Frees the maps. Local. */
void frame_shadows_clear(frame_scene *scene);

#endif
