#include "tile_part.h"

#include "render/kernel/runs.h"
#include "render/light/cue.h"

/* The layers of a sample. */
static const render_fragments *const *layers_of(const volume_job *job, int sample)
{
    return job->samples ? job->samples->layers + sample * job->style->nlayers
                        : job->style->layers;
}

bool render_tile_has_layers(const volume_job *job, int sample, pixel_rect rect)
{
    const int count = job->style->nlayers;
    return count > 0 && render_compose_has(
                            count, layers_of(job, sample),
                            render_fragments_tile_at(job->img->width, rect.x0, rect.y0));
}

/* Fades the fragments of a tile with their depth. */
static void fade_fragments(const volume_job *job, tile_part *part)
{
    const compose_tile *fragments = &part->fragments;
    for (int pixel = 0; pixel < WALK_TILE_PIXELS; pixel++) {
        if (fragments->count[pixel] == 0) {
            continue;
        }
        const double along =
            vec3_dot(part->rays.rays[pixel].direction, job->view.camera->forward);
        const double start = part->rays.tile.rays[pixel].start;
        for (int n = 0; n < fragments->count[pixel]; n++) {
            render_fragment *item = &fragments->items[fragments->first[pixel] + n];
            render_cue_fade(job->style->cue, ((double)item->t + start) * along,
                            item->rgba);
        }
    }
}

bool render_tile_gather(const volume_job *job, tile_part *part)
{
    const render_style *style = job->style;
    if (style->nlayers > 0 && !style->is_whole &&
        !render_spans_gather(style->nlayers, layers_of(job, part->sample),
                             job->img->width, part->rays.rect, &part->spans)) {
        return false;
    }
    part->has_fragments = render_tile_has_layers(job, part->sample, part->rays.rect);
    if (!part->has_fragments) {
        return true;
    }
    const compose_rays rays = {
        .rect = part->rays.rect,
        .width = job->img->width,
        .t0 = part->rays.t0,
        .t1 = part->rays.t1,
        .origin = {part->rays.tile.origin[0], part->rays.tile.origin[1]},
        .seen_only = true};
    if (!render_compose_gather(style->nlayers, layers_of(job, part->sample), &rays,
                               &part->fragments)) {
        return false;
    }
    if (style->cue) {
        fade_fragments(job, part);
    }
    return true;
}

static void blend_next(ray_walk *ray)
{
    const render_fragment *fragment = &ray->fragments[ray->passed++];
    compose_blend(fragment, ray->rgb, &ray->transmittance);
    ray->first_t = fminf(ray->first_t, fragment->t);
}

void render_tile_blend_before(float t, ray_walk *ray)
{
    while (ray->passed < ray->nfragments && ray->fragments[ray->passed].t < t) {
        blend_next(ray);
    }
}

void render_tile_blend_rest(ray_walk *ray)
{
    while (ray->passed < ray->nfragments && ray->transmittance >= LEAST_TRANSMITTANCE) {
        blend_next(ray);
    }
}

void render_tile_end_span(ray_walk *walk, ray_walk *ray)
{
    render_tile_blend_rest(walk);
    for (int c = 0; c < 3; c++) {
        ray->rgb[c] += ray->transmittance * walk->rgb[c];
    }
    ray->transmittance *= walk->transmittance;
    ray->first_t = fminf(ray->first_t, walk->first_t);
}
