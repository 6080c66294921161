/* The table of a transfer function: rows agree with each other. */
#include "render/transfer/table.h"

#include "check.h"

/* Steps of colour and extinction that no even spacing of nodes meets. */
static render_transfer *create_steps(void)
{
    static const double opacities[][2] = {
        {0, 6.67}, {0.36071, 6.67}, {0.36071, 1.5}, {0.70446, 1.5}, {0.70446, 17.5}};
    static const double colors[][4] = {{0, 0.560, 0.259, 0.562},
                                       {0.36071, 0.469, 0.972, 0.024},
                                       {0.36071, 0.654, 0.011, 0.659},
                                       {0.70446, 0.021, 0.905, 0.046},
                                       {0.70446, 0.477, 0.117, 0.735}};
    const render_transfer_points points = {.ncolors = 5,
                                           .colors = colors,
                                           .nopacities = 5,
                                           .opacities = opacities,
                                           .opacities_are_extinction = true,
                                           .positions_are_data = true,
                                           .unit_length = 1.0};
    render_transfer *transfer = NULL;
    if (render_transfer_create(&points, &transfer) != STATUS_OK) {
        fail_msg("no transfer function: %s", base_fail_message());
    }
    return transfer;
}

/* The integral of a row's lines over its half of an interval; sign: of g there. */
static double row_integral(const transfer_row *row, double sign, int n)
{
    const double k = (double)row->extinction, rise = sign * (double)row->extinction_slope;
    if (n == 0) {
        return k + 0.5 * rise;
    }
    const double color = (double)row->color[n - 1],
                 turn = sign * (double)row->color_slope[n - 1];
    return k * color + 0.5 * (k * turn + rise * color) + rise * turn / 3.0;
}

/* Else parts that end within an interval would not add up to others that end at nodes. */
static void lines_within_intervals_have_the_integrals_from_node_to_node(void **unused)
{
    (void)unused;
    render_transfer *transfer = create_steps();
    const transfer_table *table = &transfer->table;
    float most_misfit = 0.0f;
    for (int row = 1; row < (int)table->count; row += 2) {
        const transfer_row *low = &table->rows[row], *high = low + 1;
        const double size = (double)fmaxf(low->extinction, high->extinction);
        most_misfit = fmaxf(most_misfit, fmaxf(low->misfit, high->misfit));
        for (int n = 0; n < 4; n++) {
            check_near("integral", (uint64_t)row, high->integral[n] - low->integral[n],
                       row_integral(low, 1.0, n) + row_integral(high, -1.0, n),
                       2.0 + 1e-5 * size);
        }
    }
    assert_true(most_misfit > 0.0f); /* a step lies between nodes */
    render_transfer_destroy(&transfer);
}

static void lines_within_intervals_keep_to_what_there_is(void **unused)
{
    (void)unused;
    render_transfer *transfer = create_steps();
    const transfer_table *table = &transfer->table;
    for (int row = 0; row < (int)table->count + 2; row++) {
        const transfer_row *at = &table->rows[row];
        check_within("extinction", (uint64_t)row, 0.0, INFINITY, (double)at->extinction);
        for (int c = 0; c < 3; c++) {
            check_within("colour", (uint64_t)row, 0.0, 1.0, (double)at->color[c]);
        }
    }
    render_transfer_destroy(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_within_intervals_have_the_integrals_from_node_to_node),
        cmocka_unit_test(lines_within_intervals_keep_to_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
