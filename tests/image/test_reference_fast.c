#include "test_reference_fast.h"

#include "grid/priority.h"
#include "grid/recipe.h"
#include "tests/support/draw_volume.h"

#include <stdlib.h>

/* All bricks of the layout into a store. */
static status load_bricks(fast_volume *volume, const grid_recipe *recipe)
{
    int64_t count = volume->layout->nbricks;
    int64_t *numbers = malloc((size_t)count * sizeof *numbers);
    if (!numbers) {
        return base_fail_memory((size_t)count * sizeof *numbers, "brick numbers");
    }
    for (int64_t b = 0; b < count; b++) {
        numbers[b] = b;
    }
    status s = io_load_bricks(
        MPI_COMM_WORLD, volume->source,
        &(io_load_list){volume->layout, count, numbers, grid_recipe_location(recipe)},
        &volume->store);
    free(numbers);
    return s;
}

static status load(fast_volume *volume, const char *field, int step, grid_terms terms)
{
    grid_recipe *recipe = NULL;
    status s = io_load_layout(MPI_COMM_WORLD, volume->source, &volume->layout);
    s = s == STATUS_OK ? grid_layout_rank_blocks(volume->layout, 0, NULL) : s;
    if (s == STATUS_OK) {
        s = grid_recipe_create(field, io_source_field_count(volume->source),
                               io_source_fields(volume->source), terms, &recipe);
    }
    s = s == STATUS_OK ? load_bricks(volume, recipe) : s;
    if (s == STATUS_OK) {
        s = io_load_field(MPI_COMM_WORLD, volume->source, recipe, step, volume->store);
    }
    grid_recipe_destroy(&recipe);
    return s;
}

status fast_volume_open(const io_data_config *config, const char *field, int step,
                        fast_volume *out)
{
    fast_volume volume = {0};
    status s = io_source_open(MPI_COMM_WORLD, config, &volume.source);
    s = s == STATUS_OK ? load(&volume, field, step, config->terms) : s;
    if (s != STATUS_OK) {
        fast_volume_clear(&volume);
        return s;
    }
    *out = volume;
    return STATUS_OK;
}

status fast_volume_add_gradients(fast_volume *volume, const char *field, int step,
                                 grid_terms terms)
{
    grid_recipe *recipe = NULL;
    status s = grid_store_add_gradients(volume->store);
    if (s == STATUS_OK) {
        s = grid_recipe_create(field, io_source_field_count(volume->source),
                               io_source_fields(volume->source), terms, &recipe);
    }
    if (s == STATUS_OK) {
        s = io_load_field(MPI_COMM_WORLD, volume->source, recipe, step, volume->store);
    }
    grid_recipe_destroy(&recipe);
    return s;
}

void fast_volume_clear(fast_volume *volume)
{
    grid_store_destroy(&volume->store);
    grid_layout_destroy(&volume->layout);
    if (volume->source) {
        io_source_close(&volume->source);
    }
}

static render_transfer_points transfer_points(const reference_transfer *t)
{
    return (render_transfer_points){
        .ncolors = t->ncolors,
        .colors = t->colors,
        .nopacities = t->nopacities,
        .opacities = t->opacities,
        .opacities_are_extinction = t->opacities_are_extinction,
        .positions_are_data = t->positions_are_data,
        .range = {t->range[0], t->range[1]},
        .unit_length = t->unit_length,
    };
}

static render_view camera_view(const reference_camera *c)
{
    return (render_view){.position = c->position,
                         .look_at = c->look_at,
                         .up = c->up,
                         .orthographic = c->orthographic,
                         .fov = c->fov,
                         .height = c->height};
}

status fast_volume_render(const fast_volume *volume, const reference_transfer *transfer,
                          const reference_camera *camera, image **out,
                          render_counters *counters)
{
    render_transfer_points points = transfer_points(transfer);
    render_view view = camera_view(camera);
    render_transfer *prepared = NULL;
    render_camera eye;
    image *img = NULL;
    render_counters counted = {0};
    status s = render_transfer_create(&points, &prepared);
    if (s == STATUS_OK) {
        s = render_camera_create(&view, camera->columns, camera->rows,
                                 volume->layout->origin, &eye);
    }
    s = s == STATUS_OK ? image_create(camera->columns, camera->rows, true, &img) : s;
    if (s == STATUS_OK) {
        s = draw_volume(volume->store,
                        &(render_request){.style = &volume->style,
                                          .transfer = prepared,
                                          .camera = &eye,
                                          .clip = box3_everything(),
                                          .threads = 1},
                        img, &counted);
    }
    render_transfer_destroy(&prepared);
    if (s != STATUS_OK) {
        image_destroy(&img);
        return s;
    }
    *out = img;
    *counters = counted;
    return STATUS_OK;
}

reference_transfer fast_transfer_of(const io_volume_config *layer)
{
    return (reference_transfer){
        .ncolors = layer->ncolors,
        .colors = (const double(*)[4])layer->colors,
        .nopacities = layer->nopacities,
        .opacities = (const double(*)[2])layer->opacities,
        .opacities_are_extinction = layer->opacities_are_extinction,
        .positions_are_data = layer->positions_are_data,
        .range = {layer->range[0], layer->range[1]},
        .unit_length = layer->unit_length,
    };
}
