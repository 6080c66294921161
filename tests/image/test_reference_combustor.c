/* The reference renderer compared with the trusted pixels of the combustor. It has to be
 * far closer to them than the tolerance of the fast renderer. */
#include "reference/difference.h"
#include "reference/reference.h"
#include "reference/trusted.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_SKIPPED = 77 };

static const double ray_step = 0.01;
static const difference limits = {.mean = 0.001, .percentile99 = 0.005, .worst = 0.05};
static const double longest_error = 1e-3; /* of a path through the grid */

/* Renders the pixels of a set; fills in differences ([count][4]: rgb, transmittance) and
 * returns the largest difference of path lengths. */
static double compare_set(reference_scene *scene, const trusted_view *view,
                          const trusted_set *set, double *differences)
{
    double longest = 0.0;
    scene->camera.columns = scene->camera.rows = set->size;
    for (int p = 0; p < set->count; p++) {
        const trusted_pixel *pixel = &set->pixels[p];
        reference_pixel ours = reference_ray_render(
            scene,
            reference_camera_ray(&scene->camera, pixel->column + 0.5, pixel->row + 0.5));
        for (int c = 0; c < 3; c++) {
            double rgb = ours.rgb[c] + ours.transmittance * view->background[c];
            differences[4 * p + c] = rgb - pixel->rgb[c];
        }
        differences[4 * p + 3] = ours.transmittance - pixel->transmittance;
        double error = ours.length > pixel->length ? ours.length - pixel->length
                                                   : pixel->length - ours.length;
        longest = error > longest ? error : longest;
    }
    return longest;
}

static bool check_set(reference_scene *scene, const trusted_view *view,
                      const trusted_set *set)
{
    double *differences = calloc((size_t)set->count * 4 + 1, sizeof *differences);
    if (!differences) {
        return false;
    }
    double longest = compare_set(scene, view, set, differences);
    difference d = difference_summarize((int64_t)set->count * 4, differences);
    free(differences);
    bool good =
        set->count > 0 && difference_is_within(&d, &limits) && longest <= longest_error;
    printf("%-6s %4d pixels of %4d x %-4d mean %.6f (<= %g) p99 %.6f (<= %g) worst %.6f "
           "(<= %g) of 255, path length %.2e (<= %g)\n",
           good ? "ok" : "FAILED", set->count, set->size, set->size, d.mean, limits.mean,
           d.percentile99, limits.percentile99, d.worst, limits.worst, longest,
           longest_error);
    return good;
}

static int compare_all(const reference_grid *grid, const trusted_view *view)
{
    reference_locator *locator = NULL;
    if (reference_locator_create(grid, &locator) != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        return EXIT_FAILURE;
    }
    reference_scene scene = {.grid = grid,
                             .locator = locator,
                             .transfer = trusted_view_transfer(view),
                             .camera = view->camera,
                             .step = ray_step};
    int failed = view->nsets == 0;
    for (int n = 0; n < view->nsets; n++) {
        failed += !check_set(&scene, view, &view->sets[n]);
    }
    reference_locator_destroy(&locator);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s VIEW.json DATA.h5\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (access(argv[1], R_OK) != 0 || access(argv[2], R_OK) != 0) {
        printf("skipped: %s and %s are not both here\n", argv[1], argv[2]);
        return EXIT_SKIPPED;
    }
    const reference_paths paths = {.x = {"/grid/x", "/grid/y", "/grid/z"},
                                   .scalar = "/flow/density"};
    trusted_view view = {0};
    reference_grid grid = {0};
    int code = EXIT_FAILURE;
    if (trusted_view_read(argv[1], &view) == STATUS_OK &&
        reference_grid_read_paths(argv[2], &paths, &grid) == STATUS_OK) {
        code = compare_all(&grid, &view);
    } else {
        fprintf(stderr, "%s\n", base_fail_message());
    }
    trusted_view_clear(&view);
    reference_grid_clear(&grid);
    return code;
}
