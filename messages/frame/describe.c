#include "describe.h"

#include "bars.h"
#include "base/array.h"
#include "composite/finished.h"
#include "io/json/json.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 512, MOST_GROUPS = 96, TIMES = 5 };

static const char *const run_names[TRAFFIC_RUNS] = {"measured", "planned"};

int traffic_row_step(int size)
{
    return (size + MOST_ROWS - 1) / MOST_ROWS;
}

/* ---- Ticks ------------------------------------------------------------------------- */

/* The end of all that the page shows, in s. */
static double find_end(const traffic_page *page)
{
    double end = 1e-9;
    for (int run = 0; run < TRAFFIC_RUNS; run++) {
        const traffic_side *side = &page->sides[run];
        end = side->is_there ? fmax(end, side->seconds) : end;
        for (int q = 0; side->is_there && q < page->size; q++) {
            end = fmax(end, side->finish[q]);
        }
        for (int64_t i = 0; side->is_there && i < page->count; i++) {
            end = fmax(end, page->messages[i].times[run].done);
        }
    }
    return end;
}

/* The last round of the schedule, and one more for the gathering. */
static int find_last(const traffic_page *page)
{
    int last = 0;
    for (int64_t i = 0; i < page->count; i++) {
        const int round = page->messages[i].key.round;
        last = round != COMPOSITE_GATHER_ROUND && round + 1 > last ? round + 1 : last;
    }
    return last;
}

/* ---- Messages ---------------------------------------------------------------------- */

/* Round, source and destination of each message, packed. */
static json_t *describe_table(const traffic_page *page, int last)
{
    double *values = malloc((3 * (size_t)page->count + 1) * sizeof *values);
    if (!values) {
        return NULL;
    }
    for (int64_t i = 0; i < page->count; i++) {
        const traffic_key key = page->messages[i].key;
        values[3 * i] = key.round == COMPOSITE_GATHER_ROUND ? last : key.round;
        values[3 * i + 1] = key.src;
        values[3 * i + 2] = key.dst;
    }
    json_t *value = traffic_pack(3 * page->count, values, 2);
    free(values);
    return value;
}

/* Bytes of messages, their five times in ticks, and whether their pixels are read in
 * place. Those without pixels have 0 bytes. */
static int add_messages(const traffic_page *page, int run, double tick, json_t *to)
{
    double *bytes = malloc(((size_t)page->count + 1) * sizeof *bytes);
    double *times = malloc((TIMES * (size_t)page->count + 1) * sizeof *times);
    double *near = malloc(((size_t)page->count + 1) * sizeof *near);
    int failed = !bytes || !times || !near;
    for (int64_t i = 0; !failed && i < page->count; i++) {
        const traffic_times *of = &page->messages[i].times[run];
        const double all[TIMES] = {of->sent, of->left, of->came, of->combines, of->done};
        bytes[i] = of->bytes;
        near[i] = of->in_place;
        for (int n = 0; n < TIMES; n++) {
            times[TIMES * i + n] = traffic_tick(all[n], tick);
        }
    }
    failed |=
        failed || json_object_set_new(to, "bytes", traffic_pack(page->count, bytes, 4));
    failed |= failed || json_object_set_new(to, "times",
                                            traffic_pack(TIMES * page->count, times, 2));
    failed |=
        failed || json_object_set_new(to, "near", traffic_pack(page->count, near, 2));
    free(near);
    free(times);
    free(bytes);
    return failed;
}

/* Bytes from each group of positions to each other one, packed [groups][groups]. */
static int add_matrix(const traffic_page *page, int run, int groups, json_t *to)
{
    double *cells = calloc((size_t)groups * (size_t)groups, sizeof *cells);
    if (!cells) {
        return 1;
    }
    for (int64_t i = 0; i < page->count; i++) {
        const traffic_key key = page->messages[i].key;
        const int64_t src = (int64_t)key.src * groups / page->size;
        const int64_t dst = (int64_t)key.dst * groups / page->size;
        cells[src * groups + dst] += page->messages[i].times[run].bytes;
    }
    const int failed = json_object_set_new(
        to, "matrix", traffic_pack((int64_t)groups * groups, cells, 4));
    free(cells);
    return failed;
}

/* Where messages begin and end in the list, by keys. */
static int64_t find_message(const traffic_page *page, const composite_op *op)
{
    int64_t low = 0, high = page->count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        const traffic_key key = page->messages[middle].key;
        const bool is_before = key.round != op->round ? key.round < op->round
                               : key.src != op->src   ? key.src < op->src
                                                      : key.dst < op->dst;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

/* The ends of all pieces, ascending, each once; returns how many there are. */
static int64_t list_borders(const messages_of_frame *list, double *borders)
{
    int64_t count = 0;
    for (int64_t i = 0; i < list->count; i++) {
        borders[2 * i] = (double)list->entries[i].op.pix0;
        borders[2 * i + 1] =
            (double)(list->entries[i].op.pix0 + list->entries[i].op.npix);
    }
    qsort(borders, 2 * (size_t)list->count, sizeof *borders, base_array_compare_doubles);
    for (int64_t i = 0; i < 2 * list->count; i++) {
        if (count == 0 || borders[i] > borders[count - 1]) {
            borders[count++] = borders[i];
        }
    }
    return count;
}

static double find_border(const double *borders, int64_t count, int64_t pixel)
{
    const double key = (double)pixel;
    const double *found =
        bsearch(&key, borders, (size_t)count, sizeof key, base_array_compare_doubles);
    return (double)(found - borders);
}

/* Adds the pixels of all messages: "borders", pixels, and "pieces": the number of the
 * message, and the borders at which it begins and ends. */
static int add_pieces(const traffic_page *page, json_t *to)
{
    const messages_of_frame *list = page->schedule;
    const size_t count = (size_t)list->count;
    double *values = malloc((3 * count + 1) * sizeof *values);
    double *borders = malloc((2 * count + 1) * sizeof *borders);
    int failed = !values || !borders;
    const int64_t nborders = failed ? 0 : list_borders(list, borders);
    for (int64_t i = 0; !failed && i < list->count; i++) {
        const composite_op *op = &list->entries[i].op;
        values[3 * i] = (double)find_message(page, op);
        values[3 * i + 1] = find_border(borders, nborders, op->pix0);
        values[3 * i + 2] = find_border(borders, nborders, op->pix0 + op->npix);
    }
    failed |=
        failed || json_object_set_new(to, "borders", traffic_pack(nborders, borders, 4));
    failed |= failed ||
              json_object_set_new(to, "pieces", traffic_pack(3 * list->count, values, 2));
    free(borders);
    free(values);
    return failed;
}

/* ---- Runs -------------------------------------------------------------------------- */

/* Leaves the bars of positions with a row, which get its number. */
static void keep_rows(traffic_bars *bars, int step)
{
    int64_t left = 0;
    for (int64_t i = 0; i < bars->count; i++) {
        if (bars->items[i].position % step == 0) {
            bars->items[left] = bars->items[i];
            bars->items[left++].position /= step;
        }
    }
    bars->count = left;
}

/* Adds the bars of a run, of all kinds; joins short ones if there are too many. */
static int add_bars(const traffic_page *page, int run, double tick, json_t *to)
{
    static const char *const names[] = {"send", "receive", "blend", "wait"};
    const int step = traffic_row_step(page->size), rows = (page->size + step - 1) / step;
    json_t *all = NULL;
    int64_t sum = TRAFFIC_MOST_BARS + 1;
    for (int kind = 0; kind < TRAFFIC_OP; kind++) {
        keep_rows(&page->notes->bars[run][kind], step);
    }
    for (double gap = tick; sum > TRAFFIC_MOST_BARS; gap *= 2) {
        json_decref(all);
        all = json_object();
        sum = 0;
        for (int kind = 0; kind < TRAFFIC_OP; kind++) {
            int64_t count = 0;
            json_t *bars = traffic_bars_describe(&page->notes->bars[run][kind], rows,
                                                 tick, gap, &count);
            sum += count;
            if (json_object_set_new(all, names[kind], bars)) {
                json_decref(all);
                return 1;
            }
        }
    }
    return json_object_set_new(to, "bars", all);
}

/* Adds a time of each position with a row, packed. */
static int add_rows(const traffic_page *page, const char *name, const double *times,
                    double tick, json_t *to)
{
    const int step = traffic_row_step(page->size);
    double *ticks = malloc(((size_t)page->size + 1) * sizeof *ticks);
    int rows = 0;
    for (int q = 0; ticks && q < page->size; q += step) {
        ticks[rows++] = traffic_tick(times[q], tick);
    }
    const int failed =
        !ticks || json_object_set_new(to, name, traffic_pack(rows, ticks, 2));
    free(ticks);
    return failed;
}

/* Counts of the messages that had pixels: those between nodes, and those in place. */
static int add_sums(const traffic_page *page, int run, json_t *to)
{
    double bytes[2] = {0};
    int64_t messages[2] = {0};
    for (int64_t i = 0; i < page->count; i++) {
        const traffic_times *of = &page->messages[i].times[run];
        messages[of->in_place] += of->is_there;
        bytes[of->in_place] += of->bytes;
    }
    return json_object_update_new(
        to, json_pack("{s:I, s:f, s:I, s:f, s:f}", "messages", (json_int_t)messages[0],
                      "sent", bytes[0], "reads", (json_int_t)messages[1], "read",
                      bytes[1], "seconds", page->sides[run].seconds));
}

static json_t *describe_run(const traffic_page *page, int run, double tick, int groups)
{
    json_t *all = json_object();
    int failed = add_sums(page, run, all);
    failed |= groups > 0 ? add_matrix(page, run, groups, all)
                         : add_messages(page, run, tick, all);
    failed |= add_rows(page, "begin", page->sides[run].begin, tick, all);
    failed |= add_rows(page, "finish", page->sides[run].finish, tick, all);
    return io_json_finish(all, failed | add_bars(page, run, tick, all));
}

json_t *traffic_describe(const traffic_page *page)
{
    const double tick = find_end(page) / TRAFFIC_TICKS;
    const int last = find_last(page);
    const int most = page->size < MOST_GROUPS ? page->size : MOST_GROUPS;
    const int groups = page->count > TRAFFIC_MOST_MESSAGES ? most : 0;
    json_t *all = json_pack("{s:i, s:f, s:i, s:i}", "size", page->size, "tick", tick,
                            "rows", traffic_row_step(page->size), "last", last);
    int failed = !all;
    if (groups > 0) {
        failed |= json_object_set_new(all, "groups", json_integer(groups));
    } else {
        failed |= json_object_set_new(all, "table", describe_table(page, last));
    }
    if (groups == 0 && page->has_pieces && page->schedule) {
        failed |= add_pieces(page, all);
    }
    for (int run = 0; run < TRAFFIC_RUNS; run++) {
        if (page->sides[run].is_there) {
            failed |= json_object_set_new(all, run_names[run],
                                          describe_run(page, run, tick, groups));
        }
    }
    return io_json_finish(all, failed);
}
