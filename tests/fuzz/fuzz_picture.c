#include "fuzz_picture.h"

#include "fuzz_layers.h"
#include "fuzz_triangles.h"
#include "render/scene.h"
#include "support/random.h"

#include <stdlib.h>

/* Lights of all kinds. Together they are no brighter than a picture may be. */
static render_shade make_shade(const fuzz_case *c)
{
    uint64_t state = fuzz_hash(c->eye.seed, 7, 8, 9);
    render_shade shade = {.ambient = 0.2f,
                          .diffuse = 0.4f,
                          .specular = 0.4f,
                          .shininess = 1 + random_below(&state, 100),
                          .per_gradient = (float)random_between(&state, 0.1, 10.0),
                          .nlights = 1 + random_below(&state, 3)};
    for (int n = 0; n < shade.nlights; n++) {
        render_light *light = &shade.lights[n];
        vec3 to = vec3_make(0.0, 0.0, 0.0);
        for (int a = 0; a < 3; a++) {
            to.v[a] = random_between(&state, -1.0, 1.0);
            light->color[a] = (float)(random_between(&state, 0.0, 1.0) / shade.nlights);
        }
        light->kind = (render_light_kind)random_below(&state, 3);
        to = light->kind == RENDER_LIGHT_POSITION ? vec3_scale(to, 3.0 * c->shape.scale)
                                                  : vec3_normalize(to);
        for (int a = 0; a < 3; a++) {
            light->at[a] = (float)to.v[a];
        }
    }
    return shade;
}

static status prepare(fuzz_scene *scene)
{
    const fuzz_case *c = scene->c;
    status s = fuzz_grid_create(c, &scene->grid);
    if (s != STATUS_OK) {
        return s;
    }
    fuzz_points_create(c, scene->grid, &scene->points);
    s = render_transfer_create(&scene->points.points, &scene->transfer);
    if (s != STATUS_OK) {
        return s;
    }
    scene->shade = make_shade(c);
    scene->view = fuzz_view_create(c, scene->grid);
    return render_camera_create(&scene->view, c->side, c->side,
                                scene->grid->layout->origin, &scene->camera);
}

status fuzz_scene_create(const fuzz_case *c, fuzz_scene **out)
{
    fuzz_scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        return base_fail_memory(sizeof *scene, "a scene");
    }
    scene->c = c;
    status s = prepare(scene);
    if (s != STATUS_OK) {
        fuzz_scene_destroy(&scene);
        return s;
    }
    *out = scene;
    return STATUS_OK;
}

void fuzz_scene_destroy(fuzz_scene **scene)
{
    if (!*scene) {
        return;
    }
    render_transfer_destroy(&(*scene)->transfer);
    fuzz_grid_destroy(&(*scene)->grid);
    free(*scene);
    *scene = NULL;
}

bool fuzz_scene_excess(const fuzz_scene *scene, int64_t pixel)
{
    const double most = 3.0;
    int side = scene->c->side;
    render_ray ray =
        render_camera_ray(&scene->camera, (int)(pixel % side), (int)(pixel / side));
    fuzz_triangles *triangles = NULL;
    fuzz_sight sight = {.unclear = true};
    if (fuzz_triangles_create(scene->grid, 0, &triangles) == STATUS_OK) {
        fuzz_triangles_follow(triangles, scene->transfer, &ray, &sight);
    }
    fuzz_triangles_destroy(&triangles);
    double rgb[3], extinction;
    render_transfer_evaluate(scene->transfer, scene->c->field.low, rgb, &extinction);
    return sight.unclear || sight.distance * extinction > most;
}

status fuzz_picture_draw(const fuzz_scene *scene, const grid_store *store, box3 clip,
                         const fuzz_way *way, fuzz_picture *out)
{
    fuzz_picture p = {0};
    fuzz_layers layers = {.count = 0};
    status s = image_create(scene->c->side, scene->c->side, true, &p.img);
    if (s == STATUS_OK && scene->c->layered) {
        s = fuzz_layers_draw(scene, store, clip, way->threads, &layers);
    }
    const render_style style = {.nlayers = layers.count,
                                .layers = layers.lists,
                                .method = way->method,
                                .trilinear = scene->c->trilinear,
                                .quadratic = scene->c->quadratic,
                                .shade = scene->c->shaded ? &scene->shade : NULL};
    render_scene *drawn = NULL;
    s = s == STATUS_OK ? render_scene_create(store, &drawn) : s;
    for (int n = 0; s == STATUS_OK && n <= way->before; n++) {
        image_clear(p.img);
        s = render_scene_draw(drawn,
                              &(render_request){.kernel = way->kernel,
                                                .style = &style,
                                                .transfer = scene->transfer,
                                                .camera = &scene->camera,
                                                .clip = clip,
                                                .threads = way->threads,
                                                .keep = way->keep},
                              p.img, &p.counters);
    }
    render_scene_destroy(&drawn);
    fuzz_layers_clear(&layers);
    if (s != STATUS_OK) {
        image_destroy(&p.img);
        return s;
    }
    *out = p;
    return STATUS_OK;
}

void fuzz_picture_clear(fuzz_picture *picture)
{
    image_destroy(&picture->img);
}

const walk_kernel *fuzz_kernel_fastest(void)
{
    return render_walk_kernels()[0];
}
