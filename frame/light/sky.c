/* Light from all around: maps of lights far away in evenly spread directions. */
#include "cast.h"

#include "base/parallel/parallel.h"

#include <math.h>
#include <stdlib.h>

/* Directions number 0 to count - 1 on the sphere, evenly spread: a spiral with the golden
 * angle between neighbours (Vogel's on the sphere). */
static vec3 direction(int number, int count)
{
    const double golden = 2.399963229728653;
    const double z = 1.0 - (2.0 * number + 1.0) / count;
    const double across = sqrt(fmax(1.0 - z * z, 0.0));
    return vec3_make(across * cos(golden * number), across * sin(golden * number), z);
}

/* A grid along the axes over bounds. */
static shadow_grid grid_of(const box3 *bounds, int points)
{
    shadow_grid grid = {0};
    double longest = 0.0;
    for (int n = 0; n < 3; n++) {
        longest = fmax(longest, bounds->hi.v[n] - bounds->lo.v[n]);
    }
    const double spacing = longest > 0.0 ? longest / (points - 1) : 1.0;
    for (int n = 0; n < 3; n++) {
        const int cells = (int)ceil((bounds->hi.v[n] - bounds->lo.v[n]) / spacing - 1e-9);
        grid.n[n] = cells < 1 ? 2 : cells + 1;
        grid.to[n][n] = (float)(1.0 / spacing);
        grid.to[n][3] = (float)(-bounds->lo.v[n] / spacing);
    }
    return grid;
}

static int64_t points_of(const shadow_grid *grid)
{
    return (int64_t)grid->n[0] * grid->n[1] * grid->n[2];
}

static vec3 point_of(const shadow_grid *grid, int64_t number)
{
    const int64_t at[3] = {number % grid->n[0], number / grid->n[0] % grid->n[1],
                           number / grid->n[0] / grid->n[1]};
    vec3 point;
    for (int n = 0; n < 3; n++) {
        point.v[n] = ((double)at[n] - (double)grid->to[n][3]) / (double)grid->to[n][n];
    }
    return point;
}

/* Adds the light of a map to the means of the grids. */
static void add_map(const shadow_map *map, int threads, render_shadows *shadows)
{
    const float part = 1.0f / (float)shadows->nsky;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t n = 0; n < points_of(&shadows->sky_all); n++) {
        const vec3 point = point_of(&shadows->sky_all, n);
        const double through = render_shadow_through(&map->through, point);
        const double past = render_shadow_at(map, point, shadows->reach);
        shadows->sky_all.values[n] += part * (float)(past * through);
        if (shadows->sky_through.values) {
            shadows->sky_through.values[n] += part * (float)through;
        }
    }
}

/* Allocates what the volume needs, if there is one, and the maps. */
static status allocate(const shadow_casters *casters, int points, render_shadows *shadows)
{
    shadows->sky = calloc((size_t)shadows->nsky, sizeof *shadows->sky);
    bool is_done = shadows->sky != NULL;
    if (casters->volume) {
        shadows->sky_all = shadows->sky_through = grid_of(&casters->bounds, points);
        const size_t count = (size_t)points_of(&shadows->sky_all);
        shadows->sky_all.values = calloc(count, sizeof(float));
        shadows->sky_through.values = calloc(count, sizeof(float));
        is_done = is_done && shadows->sky_all.values && shadows->sky_through.values;
    }
    return is_done ? STATUS_OK
                   : base_fail_memory((size_t)shadows->nsky * sizeof *shadows->sky,
                                      "ambient occlusion");
}

status shadow_cast_sky(const shadow_casters *casters, render_shadows *shadows)
{
    const frame_scene *scene = casters->scene;
    const io_occlusion_config *config = &scene->config->lighting.occlusion;
    const shadow_size size = {.texels = config->resolution,
                              .points = casters->volume ? config->volume_resolution
                                                        : config->resolution,
                              .nhits = casters->are_translucent ? SHADOW_MOST_HITS : 2};
    shadows->nsky = config->directions;
    status s = parallel_agree(scene->comm,
                              allocate(casters, config->volume_resolution, shadows));
    if (s == STATUS_OK && casters->volume) {
        shadows->step = fminf(shadows->step, 1.0f / shadows->sky_all.to[0][0]);
    }
    for (int n = 0; s == STATUS_OK && n < shadows->nsky; n++) {
        shadow_sight sight;
        shadow_map *map = &shadows->sky[n];
        s = shadow_sight_far(casters, direction(n, shadows->nsky), &size, &sight);
        s = s == STATUS_OK ? shadow_cast(casters, &sight, &size, map) : s;
        if (s == STATUS_OK && casters->volume) {
            add_map(map, scene->threads, shadows);
            free(map->through.values);
            map->through.values = map->all.values = NULL;
        }
    }
    return s;
}
