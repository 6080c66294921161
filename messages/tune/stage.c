#include "stage.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "render/view/finish.h"

#include <math.h>
#include <string.h>

/* An order of rank 0, as it travels. */
typedef struct order {
    int algorithm; /* its number; -1: the executor chooses */
    bool is_last;  /* there is nothing more to do */
    bool by_nodes;
    int segment;
    composite_encoding encoding;
    int at; /* the place of rank 0's node */
    composite_params params;
} order;

status tune_stage_open(tune_scene *scene, int threads, tune_stage *out)
{
    tune_stage stage = {
        .scene = scene, .at = scene->nodes.count / 2, .seen = scene->nodes.count / 2};
    const tune_picture *picture = &scene->picture;
    status s = composite_executor_create(scene->comm, &stage.executor);
    if (s != STATUS_OK) {
        return s;
    }
    composite_executor_set_threads(stage.executor, threads);
    s = composite_executor_image(stage.executor, picture->width, picture->height, false,
                                 &stage.img);
    if (s != STATUS_OK) {
        composite_executor_destroy(&stage.executor);
        return s;
    }
    *out = stage;
    return STATUS_OK;
}

void tune_stage_close(tune_stage *stage)
{
    composite_executor_destroy(&stage->executor);
}

/* composite_convert: as frames do it, over black. */
static void convert(const void *context, int64_t count, const float *rgba,
                    unsigned char *bytes)
{
    static const float background[3] = {0};
    (void)context;
    render_finish_rgb8(count, rgba, background, bytes);
}

static composite_request make_request(const tune_stage *stage, const order *how)
{
    const composite_algorithm *algorithm = composite_algorithm_at(how->algorithm);
    return (composite_request){.algorithm = algorithm,
                               .params = how->params,
                               .by_nodes = algorithm ? how->by_nodes : true,
                               .segment = how->segment,
                               .encoding = how->encoding,
                               .op = COMPOSITE_OVER,
                               .order = stage->scene->order,
                               .target = stage->scene->picture.target,
                               .format = {3, convert, NULL}};
}

static void wait_for_all(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    parallel_wait(&request);
}

/* Draws and composites; the time is that of the slowest rank. Collective. */
static double composite(tune_stage *stage, const order *how)
{
    const composite_request request = make_request(stage, how);
    composite_result result;
    if (how->at != stage->seen) {
        tune_scene_turn(stage->scene, how->at);
        stage->seen = how->at;
    }
    image_clear(stage->img);
    tune_scene_draw(stage->scene, stage->img);
    wait_for_all(stage->scene->comm);
    const double begin = base_clock();
    const status s =
        composite_execute(stage->executor, &request, stage->img, STATUS_OK, &result);
    const double mine = base_clock() - begin;
    double slowest;
    parallel_allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, stage->scene->comm);
    if (!stage->is_warm) {
        composite_executor_touch(stage->executor);
        stage->is_warm = true;
    }
    base_fail_set_message("");                  /* an impossible choice is no failure */
    return s == STATUS_OK ? slowest : INFINITY; /* the same status on all ranks */
}

static void tell(const tune_stage *stage, order *how)
{
    parallel_bcast(how, (int)sizeof *how, MPI_BYTE, 0, stage->scene->comm);
}

double tune_stage_run(tune_stage *stage, const composite_choice *choice)
{
    order how;
    memset(&how, 0, sizeof how); /* padding travels, too */
    how.algorithm = composite_algorithm_number(choice->algorithm);
    how.by_nodes = choice->by_nodes;
    how.segment = choice->segment;
    how.encoding = choice->encoding;
    how.at = stage->at;
    how.params = choice->params;
    tell(stage, &how);
    return composite(stage, &how);
}

void tune_stage_serve(tune_stage *stage)
{
    order how;
    for (tell(stage, &how); !how.is_last; tell(stage, &how)) {
        composite(stage, &how);
    }
}

void tune_stage_dismiss(tune_stage *stage)
{
    order how;
    memset(&how, 0, sizeof how);
    how.is_last = true;
    tell(stage, &how);
}
