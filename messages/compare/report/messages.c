#include "messages.h"

#include "io/json/json.h"
#include "messages/frame/page.h"

enum { FRAMES = 2 };

/* The data of a frame's page; null if the frame has no events that fit. */
static json_t *describe_frame(const simulate_comparison *of, const json_t *timings,
                              size_t number)
{
    const json_t *frame = json_array_get(json_object_get(timings, "frames"), number);
    json_t *traffic = NULL, *data = NULL;
    if (json_object_get(frame, "events") &&
        traffic_describe_frame(of, timings, number, &traffic) == STATUS_OK) {
        data = traffic_page_data(traffic, NULL);
        json_decref(traffic);
        return data;
    }
    base_fail_set_message(""); /* the report goes on without it */
    return json_null();
}

static json_t *describe_case(const simulate_comparison *of, const compare_row *row)
{
    const json_t *timings = json_object_get(row->first, "timings");
    const size_t frames = json_array_size(compare_row_frames(row));
    json_t *all = json_array();
    int failed = 0;
    for (size_t n = 0; n < FRAMES && n < frames; n++) {
        failed |= json_array_append_new(all, describe_frame(of, timings, n));
    }
    return io_json_finish(all, failed);
}

json_t *compare_messages_create(const compare_table *table)
{
    simulate_comparison of = {.path = "a run", .segment = -1};
    json_t *all = json_array();
    int failed = 0;
    traffic_find_machine(&of.machine);
    for (int n = 0; n < table->count; n++) {
        if (table->rows[n].is_there) {
            failed |= json_array_append_new(all, describe_case(&of, &table->rows[n]));
        }
    }
    return io_json_finish(all, failed);
}
