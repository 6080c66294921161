/* The distance cue: things fade into a colour with their depth. The depth is that of a
 * point along the viewing direction, so it depends on the view alone. */
#ifndef RENDER_LIGHT_CUE_H
#define RENDER_LIGHT_CUE_H

/* Zero: nothing fades. Transparent, the caller fills it in. */
typedef struct render_cue {
    float strength;   /* 0..1: the share of the colour at the far end */
    float color[3];   /* linear */
    float along[3];   /* the viewing direction, of length 1 */
    float offset;     /* depth of the point p: along . p - offset */
    float near;       /* depth at which fading begins */
    float per_length; /* 1 / the length from there to the far end, > 0 */
} render_cue;

/* The share of the cue's colour at a depth. It grows evenly from `near` on. */
static inline float render_cue_share(const render_cue *cue, double depth)
{
    const double way = (depth - (double)cue->near) * (double)cue->per_length;
    return cue->strength * (float)(way < 0.0 ? 0.0 : way > 1.0 ? 1.0 : way);
}

/* Fades a premultiplied colour. */
static inline void render_cue_fade(const render_cue *cue, double depth, float rgba[4])
{
    const float share = render_cue_share(cue, depth);
    for (int c = 0; c < 3; c++) {
        rgba[c] += share * (rgba[3] * cue->color[c] - rgba[c]);
    }
}

#endif
