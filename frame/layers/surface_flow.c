#include "surface_flow.h"

#include "base/parallel/parallel.h"
#include "io/load/load.h"
#include "io/view.h"

#include <stdlib.h>
#include <string.h>

struct surface_flow {
    const io_lic_config *config;
    grid_recipe *recipes[3]; /* of the velocity's components, at vertices */
    render_lic *lic;         /* NULL: there is no surface yet */
};

void surface_flow_drop_surface(surface_flow *flow)
{
    render_lic_destroy(&flow->lic);
}

void surface_flow_destroy(surface_flow **flow)
{
    surface_flow *f = *flow;
    if (f) {
        surface_flow_drop_surface(f);
        for (int c = 0; c < 3; c++) {
            grid_recipe_destroy(&f->recipes[c]);
        }
        free(f);
        *flow = NULL;
    }
}

status surface_flow_create(const frame_scene *scene, const frame_layer *layer,
                           surface_flow **out)
{
    surface_flow *flow = calloc(1, sizeof *flow);
    status s = flow ? STATUS_OK : base_fail_memory(sizeof *flow, "a surface");
    for (int c = 0; s == STATUS_OK && c < 3; c++) {
        flow->config = layer->config->tool->lic;
        s = layer_find_field(scene, layer, "lic.velocity", flow->config->velocity[c],
                             true, &flow->recipes[c]);
    }
    s = parallel_agree(scene->comm, s);
    if (s != STATUS_OK) {
        surface_flow_destroy(&flow);
        return s;
    }
    *out = flow;
    return STATUS_OK;
}

const render_lic *surface_flow_texture(const surface_flow *flow)
{
    return flow->lic;
}

/* ---- Exchange ---------------------------------------------------------------------- */

/* Takes the maximum of each value over all ranks. Collective. */
static void take_maxima(MPI_Comm comm, int64_t count, MPI_Datatype type, size_t size,
                        void *values)
{
    enum { PIECE = 1 << 24 };
    for (int64_t first = 0; first < count; first += PIECE) {
        const int64_t rest = count - first;
        MPI_Allreduce(MPI_IN_PLACE, (char *)values + (size_t)first * size,
                      rest < PIECE ? (int)rest : PIECE, type, MPI_MAX, comm);
    }
}

/* Makes the texture of the surface with the sheets of all ranks. Collective. */
static status make_texture(const frame_scene *scene, surface_flow *flow,
                           const render_surface *surface)
{
    layer_records records = {.size = sizeof(lic_place), .what = "a surface with `lic`"};
    lic_place *mine = NULL;
    void *all = NULL;
    int64_t total = 0;
    const lic_look look = {flow->config->length, flow->config->contrast};
    status s =
        parallel_agree(scene->comm, render_lic_list(surface, &records.count, &mine));
    records.mine = mine;
    if (s == STATUS_OK) {
        s = layer_share(scene->comm, &records, &total, &all);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(scene->comm,
                           render_lic_create(surface, &look, total, all, &flow->lic));
    }
    free(mine);
    free(all);
    return s;
}

status surface_flow_take_surface(const frame_scene *scene, surface_flow *flow,
                                 const render_surface *surface)
{
    surface_flow_drop_surface(flow);
    status s = make_texture(scene, flow, surface);
    if (s != STATUS_OK) {
        return s;
    }
    const int64_t count = render_lic_count(flow->lic);
    int32_t(*values)[4] = malloc(((size_t)count + 1) * sizeof *values);
    s = parallel_agree(scene->comm, values
                                        ? STATUS_OK
                                        : base_fail_memory((size_t)count * sizeof *values,
                                                           "the planes of a surface"));
    if (s == STATUS_OK) {
        render_lic_tell_points(flow->lic, values);
        take_maxima(scene->comm, 4 * count, MPI_INT32_T, sizeof(int32_t), values);
        render_lic_set_points(flow->lic, (const int32_t(*)[4])values);
    }
    free(values);
    return s;
}

/* ---- Velocity ---------------------------------------------------------------------- */

/* The velocity at the vertices of a store. */
typedef struct velocity_here {
    const grid_store *store;
    float (*at)[3]; /* [store->nvertices] */
} velocity_here;

/* io_load_take */
static void take_components(void *context, const io_load_part *part)
{
    const velocity_here *here = context;
    const int *n = part->brick->place.n;
    float(*at)[3] = here->at + (part->brick->vertex - here->store->vertex);
    for (int row = 0; row < (n[1] + 1) * (n[2] + 1); row++, at += n[0] + 1) {
        const int64_t from =
            row / (n[1] + 1) * part->plane + row % (n[1] + 1) * part->row;
        for (int i = 0; i <= n[0]; i++) {
            for (int r = 0; r < part->count; r++) {
                at[i][part->first + r] = part->values[r][from + i];
            }
        }
    }
}

/* Turns the velocity of the data into that of the grid. */
static void apply_views(const frame_scene *scene, const velocity_here *here)
{
    const grid_store *store = here->store;
    for (int64_t n = 0; n < store->nbricks; n++) {
        const grid_brick *brick = &store->bricks[n];
        const int *cells = brick->place.n;
        grid_view_turn(&io_source_views(scene->source)[brick->place.block],
                       (int64_t)(cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1), 3,
                       here->at[brick->vertex - store->vertex]);
    }
}

static status load_velocity(const frame_scene *scene, const surface_flow *flow, int step,
                            velocity_here *here)
{
    const grid_recipe *recipes[3] = {flow->recipes[0], flow->recipes[1],
                                     flow->recipes[2]};
    const io_load_set set = {3, recipes, take_components, here};
    const status s = io_load_values(scene->comm, scene->source, &set, step, here->store);
    apply_views(scene, here);
    return s;
}

status surface_flow_load(const frame_scene *scene, surface_flow *flow, int step,
                         const grid_store *store)
{
    const size_t vertices = (size_t)store->nvertices + 1;
    const size_t count = (size_t)render_lic_count(flow->lic);
    velocity_here here = {store, calloc(vertices, sizeof *here.at)};
    int64_t(*values)[3] = malloc((count + 1) * sizeof *values);
    status s = here.at && values ? STATUS_OK
                                 : base_fail_memory(vertices * sizeof *here.at,
                                                    "the velocity in a surface");
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK) {
        s = load_velocity(scene, flow, step, &here);
    }
    if (s == STATUS_OK) {
        render_lic_tell_flow(flow->lic, (const float(*)[3])here.at, values);
        take_maxima(scene->comm, 3 * (int64_t)count, MPI_INT64_T, sizeof(int64_t),
                    values);
        render_lic_set_flow(flow->lic, (const int64_t(*)[3])values);
    }
    free(here.at);
    free(values);
    return s;
}
