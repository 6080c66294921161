#include "contents.h"
#include "io/catalog.h"
#include "io/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_block(const io_source *source, const grid_layout *layout, int number)
{
    const grid_block *block = &layout->blocks[number];
    const int copies = grid_layout_last_copy(layout, number) - number + 1;
    bool ring[3];
    for (int axis = 0; axis < 3; axis++) {
        ring[axis] = io_source_is_ring(source, number, axis);
    }
    printf("  %-20s %5" PRId64 " x %" PRId64 " x %" PRId64 " vertices", block->name,
           block->n[0] - ring[0], block->n[1] - ring[1], block->n[2] - ring[2]);
    for (int axis = 0; axis < 3; axis++) {
        if (block->closed[axis]) {
            printf(", closed along %c%s", "ijk"[axis],
                   ring[axis] ? " by karman (the first plane is not repeated)" : "");
        }
    }
    if (copies > 1) {
        printf(", %d copies", copies);
    }
    printf("%s%s%s\n", io_source_views(source)[number].on ? ", transformed" : "",
           block->left_handed ? ", left-handed" : "",
           block->has_iblank ? ", iblank" : "");
}

static void print_grid(const info *in)
{
    const grid_layout *layout = in->layout;
    const grid_census *census = &layout->census;
    box3 bounds = info_bounds(layout);
    printf("blocks    %d\n", layout->nblocks);
    for (int block = 0; block < layout->nblocks; block++) {
        if (layout->blocks[block].copy == 0) {
            print_block(in->source, layout, block);
        }
    }
    printf("vertices  %" PRId64 " (%s)\n", grid_layout_vertices(layout),
           io_source_double_coordinates(in->source) ? "float64" : "float32");
    printf("cells     %" PRId64 ": %" PRId64 " blanked, %" PRId64 " inverted, %" PRId64
           " of no volume\n",
           census->cells, census->blanked, census->inverted, census->zero_volume);
    if (census->inverted > 0) {
        const int64_t *at = census->inverted_at;
        printf("inverted  first at i = %" PRId64 ", j = %" PRId64 ", k = %" PRId64
               " of block '%s': field cell_volume is below 0 there\n",
               at[0], at[1], at[2], layout->blocks[census->inverted_block].name);
    }
    for (int axis = 0; axis < 3; axis++) {
        printf("%-9s %c from %.9g to %.9g\n", axis == 0 ? "bounds" : "", "xyz"[axis],
               bounds.lo.v[axis], bounds.hi.v[axis]);
    }
    printf("memory    %.1f MiB to render one field (%d bytes a vertex)\n",
           (double)info_memory(layout) / (1024.0 * 1024.0), BYTES_PER_VERTEX);
    const int64_t nodes = info_nodes(layout);
    printf("needs     %" PRId64
           " node%s of 64 GB, half of them for pictures and reading\n",
           nodes, nodes == 1 ? "" : "s");
}

/* Prints the blocks that come at a step, or change their size, and those that go. */
static void print_changes(const io_source *source, int step)
{
    const grid_block *blocks;
    const int count = io_source_all_blocks(source, &blocks);
    const char *between = "";
    printf("  step %" PRId64 ": ", io_source_steps(source)[step].number);
    for (int b = 0; b < count; b++) {
        if (io_source_has_block(source, step, b) &&
            !io_source_has_block(source, step - 1, b)) {
            printf("%s%s %" PRId64 " x %" PRId64 " x %" PRId64, between, blocks[b].name,
                   blocks[b].n[0], blocks[b].n[1], blocks[b].n[2]);
            between = ", ";
        }
    }
    for (int b = 0; b < count; b++) {
        bool stays = !io_source_has_block(source, step - 1, b);
        for (int other = 0; other < count && !stays; other++) {
            stays = io_source_has_block(source, step, other) &&
                    strcmp(blocks[other].name, blocks[b].name) == 0;
        }
        if (!stays) {
            printf("%swithout %s", between, blocks[b].name);
            between = ", ";
        }
    }
    printf("\n");
}

/* Prints how the grid changes from step to step. */
static void print_motion(const io_source *source)
{
    enum { FEW = 12 };
    const int steps = io_source_step_count(source);
    if (!io_source_moves(source)) {
        return;
    }
    int changes = 0;
    printf("moving    %d grids; sizes and bounds above are those of step %" PRId64 "\n",
           io_source_grid(source, steps - 1) + 1,
           io_source_steps(source)[io_source_grid_step(source)].number);
    for (int step = 1; step < steps; step++) {
        const bool changes_here = info_has_other_blocks(source, step);
        changes += changes_here;
        if (changes_here && changes <= FEW) {
            print_changes(source, step);
        }
    }
    if (changes > FEW) {
        printf("  and at %d more: --json has all\n", changes - FEW);
    }
}

static void print_step(const char *before, const io_step *step)
{
    printf("  %s%-8" PRId64 " time %g\n", before, step->number, step->time);
}

/* Prints "every 10, 0.5 in time", or the least and the largest differences of steps. */
static void print_spacing(int count, const io_step *steps)
{
    int64_t least = INT64_MAX, most = 0;
    double shortest = INFINITY, longest = -INFINITY;
    for (int n = 1; n < count; n++) {
        const int64_t numbers = steps[n].number - steps[n - 1].number;
        const double time = steps[n].time - steps[n - 1].time;
        least = numbers < least ? numbers : least;
        most = numbers > most ? numbers : most;
        shortest = time < shortest ? time : shortest;
        longest = time > longest ? time : longest;
    }
    printf("  every %" PRId64, least);
    if (most > least) {
        printf(" to %" PRId64, most);
    }
    printf(", %g", shortest);
    if (longest - shortest > 1e-6 * fabs(longest)) {
        printf(" to %g", longest);
    }
    printf(" in time\n");
}

/* Prints all of a few steps; of many the first and the last. --json has all. */
static void print_steps(const io_source *source)
{
    enum { FEW = 12 };
    const int count = io_source_step_count(source);
    const io_step *steps = io_source_steps(source);
    printf("steps     %d\n", count);
    for (int step = 0; step < count && count <= FEW; step++) {
        print_step("", &steps[step]);
    }
    if (count > FEW) {
        print_step("first ", &steps[0]);
        print_step("last  ", &steps[count - 1]);
        print_spacing(count, steps);
    }
}

static void print_condition(const io_source *source, int condition)
{
    const io_condition *c = &io_source_conditions(source)[condition];
    printf("  %-20s %s: %s", io_source_condition_block(source, condition)->name, c->name,
           c->type[0] != '\0' ? c->type : "no type");
    if (c->family[0] != '\0') {
        printf(", family %s", c->family);
    }
    if (c->has_range) {
        printf(", vertices [%" PRId64 ", %" PRId64 ", %" PRId64 "] to [%" PRId64
               ", %" PRId64 ", %" PRId64 "]",
               c->lo[0], c->lo[1], c->lo[2], c->hi[0], c->hi[1], c->hi[2]);
    }
    printf("%s\n", c->is_wall ? ", wall" : "");
}

/* Prints the conditions of the data's own blocks. */
static void print_conditions(const io_source *source)
{
    enum { FEW = 60 };
    const io_condition *all = io_source_conditions(source);
    int walls = 0, count = 0, printed = 0;
    for (int n = 0; n < io_source_condition_count(source); n++) {
        const bool is_copy = io_source_condition_block(source, n)->copy > 0;
        count += !is_copy;
        walls += !is_copy && all[n].is_wall;
    }
    if (count > 0) {
        printf("boundary conditions %d, %d of them walls\n", count, walls);
    }
    for (int n = 0; printed < count && printed < FEW; n++) {
        if (io_source_condition_block(source, n)->copy == 0) {
            print_condition(source, n);
            printed++;
        }
    }
    if (count > FEW) {
        printf("  and %d more: --json has all\n", count - FEW);
    }
}

/* Prints the steps of a range. */
static void print_range_steps(const info *in, const field_range *r, app_info_ranges which)
{
    const io_step *steps = io_source_steps(in->source);
    int64_t first = steps[r->first].number, last = steps[r->last].number;
    if (r->first == r->last) {
        printf("  (step %" PRId64 ")", first);
    } else {
        printf("  (steps %" PRId64 " %s %" PRId64 ")", first,
               which == APP_INFO_ALL ? "to" : "and", last);
    }
}

/* Prints the values that stand for missing ones, and the packing of the others. */
static void print_unpacking(const io_unpacking *unpacking)
{
    for (int n = 0; n < unpacking->nfills; n++) {
        printf("%s %.9g", n == 0 ? ", missing" : "", io_unpacking_fill(unpacking, n));
    }
    if (unpacking->is_scaled) {
        printf(", packed x %.9g + %.9g", unpacking->scale, unpacking->offset);
    }
}

static void print_field(const info *in, int field, app_info_ranges which)
{
    const grid_field *f = &io_source_fields(in->source)[field];
    const field_range *r = &in->ranges[field];
    const io_unpacking *unpacking = io_source_unpacking(in->source, field);
    printf("  %-20s %s", f->name, f->location == GRID_CELL ? "in cells" : "at vertices");
    print_unpacking(unpacking);
    if (r->first >= 0) {
        if (r->range[0] <= r->range[1]) {
            printf("  %g to %g%s%s", r->range[0], r->range[1],
                   unpacking->unit[0] ? " " : "", unpacking->unit);
        } else {
            printf("  no finite value");
        }
        print_range_steps(in, r, which);
    }
    printf("\n");
}

static void print_fields(const info *in, app_info_ranges which)
{
    int nfields = io_source_field_count(in->source);
    const grid_field *fields = io_source_fields(in->source);
    printf("fields    %d\n", nfields);
    for (int field = 0; field < nfields; field++) {
        print_field(in, field, which);
    }
    const char *name = grid_recipe_derivable(nfields, fields, 0);
    printf("derivable %s", name ? name : "nothing");
    for (int n = 1; name && (name = grid_recipe_derivable(nfields, fields, n)); n++) {
        printf(", %s", name);
    }
    printf("\n");
}

/* Prints the facts that the source notes: lines "name<tab>value". */
static void print_notes(const char *notes)
{
    while (*notes != '\0') {
        const int name = (int)strcspn(notes, "\t");
        const int value = (int)strcspn(notes + name, "\n");
        printf("%-9.*s %.*s\n", name, notes, value - 1, notes + name + 1);
        notes += name + value + 1;
    }
}

void info_print_text(const info *in, app_info_ranges which)
{
    printf("file      %s\n", io_source_path(in->source));
    print_notes(io_source_notes(in->source));
    print_grid(in);
    print_motion(in->source);
    print_conditions(in->source);
    print_steps(in->source);
    print_fields(in, which);
}
