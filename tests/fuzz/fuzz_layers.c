#include "fuzz_layers.h"

#include "support/random.h"

/* A plane of constant index of the first block: one of its sides, or one inside. */
static surface_plane choose_plane(const fuzz_scene *scene, uint64_t *state)
{
    const fuzz_block *block = &scene->grid->blocks[0];
    const int axis = random_below(state, 3);
    const int64_t last = block->n[axis] - 1;
    const int64_t at[3] = {0, last, last / 2};
    return (surface_plane){.axis = axis,
                           .index = (double)at[random_below(state, 3)],
                           .hi = {block->n[0] - 1, block->n[1] - 1, block->n[2] - 1}};
}

static vec3 vertex_at(const fuzz_block *block, const int64_t at[3])
{
    const float *v = block->vertex[fuzz_block_index(block, at)];
    return vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

/* The plane in space through three corners of a face of the plane. */
static surface_cut choose_cut(const fuzz_scene *scene, const surface_plane *plane)
{
    const fuzz_block *block = &scene->grid->blocks[0];
    int64_t at[3] = {0, 0, 0};
    at[plane->axis] = (int64_t)plane->index;
    int64_t right[3] = {at[0], at[1], at[2]}, up[3] = {at[0], at[1], at[2]};
    right[(plane->axis + 1) % 3]++;
    up[(plane->axis + 2) % 3]++;
    const vec3 from = vertex_at(block, at);
    const vec3 normal = vec3_cross(vec3_sub(vertex_at(block, right), from),
                                   vec3_sub(vertex_at(block, up), from));
    const bool is_known = isfinite(vec3_dot(normal, normal)) && vec3_length(normal) > 0.0;
    return (surface_cut){.point = is_known ? from : vec3_make(0.0, 0.0, 0.0),
                         .normal = is_known ? normal : vec3_make(0.0, 0.0, 1.0)};
}

static surface_look make_look(uint64_t *state, bool has_lines)
{
    surface_look look = {.fill = SURFACE_PLAIN,
                         .opacity = random_below(state, 2) ? 1.0f : 0.5f,
                         .wire_width = has_lines ? 1.5f : 0.0f,
                         .lines_apart = has_lines};
    for (int c = 0; c < 3; c++) {
        look.color[c] = (float)random_between(state, 0.0, 1.0);
    }
    return look;
}

status fuzz_layers_draw(const fuzz_scene *scene, const grid_store *store, box3 clip,
                        int threads, fuzz_layers *out)
{
    uint64_t state = fuzz_hash(scene->c->eye.seed, 10, 11, 12);
    const surface_plane plane = choose_plane(scene, &state);
    const surface_cut cut = choose_cut(scene, &plane);
    const surface_spec specs[FUZZ_LAYERS] = {{.nplanes = 1, .planes = &plane},
                                             {.nplanes = 1, .planes = &plane},
                                             {.ncuts = 1, .cuts = &cut}};
    const render_clip_view view = {&scene->camera, clip, NULL};
    status s = STATUS_OK;
    *out = (fuzz_layers){.count = 0};
    for (int n = 0; n < FUZZ_LAYERS && s == STATUS_OK; n++) {
        const surface_look look = make_look(&state, n == 0);
        s = render_surface_create(store, &specs[n], &out->surfaces[n]);
        s = s == STATUS_OK ? render_surface_draw(out->surfaces[n], &look, &view, threads,
                                                 &out->lists[out->count++])
                           : s;
        if (s == STATUS_OK && look.lines_apart) {
            out->lists[out->count++] = render_surface_lines(out->surfaces[n]);
        }
    }
    if (s != STATUS_OK) {
        fuzz_layers_clear(out);
    }
    return s;
}

void fuzz_layers_clear(fuzz_layers *layers)
{
    for (int n = 0; n < FUZZ_LAYERS; n++) {
        render_surface_destroy(&layers->surfaces[n]);
    }
}
