#include "page.h"

#include "base/version.h"
#include "frame/tuning/signature.h"
#include "frame/tuning/tuning.h"
#include "io/json/json.h"
#include "messages/page/page.h"
#include "messages/simulate/tuned_machine.h"

#include <stdlib.h>

void traffic_find_machine(simulate_machine *machine)
{
    char *path = frame_tuning_path(NULL);
    frame_signature signature;
    int nodes = 0;
    *machine = simulate_machine_usual();
    frame_signature_find(&signature);
    if (path &&
        (messages_tuning_machine(path, &signature, machine, &nodes) != STATUS_OK ||
         nodes == 0)) {
        base_fail_set_message(
            ""); /* a file without a machine is no failure of the page */
        *machine = simulate_machine_usual();
    }
    free(path);
}

/* The images of all positions: those of the picture are by ranks. */
static json_t *order_images(const json_t *picture, const json_t *order)
{
    const json_t *images = json_object_get(picture, "images");
    json_t *all = json_array(), *copy = json_copy((json_t *)picture);
    int failed = 0;
    size_t q;
    const json_t *rank;
    json_array_foreach(order, q, rank)
    {
        const size_t number = (size_t)json_integer_value(rank);
        failed |= json_array_append(all, json_array_get(images, number));
    }
    failed |= json_object_set_new(copy, "images", all);
    return io_json_finish(copy, failed);
}

json_t *traffic_page_data(json_t *frame, const json_t *picture)
{
    const char *name = json_string_value(json_object_get(frame, "algorithm"));
    json_t *data = json_pack(
        "{s:s++, s:{s:s, s:s, s:O, s:O}, s:O}", "made", "karman ", base_version(), "",
        "state", "op", name ? "compositing" : "assembling", "alg",
        name ? name : "rectangles", "size", json_object_get(frame, "size"), "count",
        json_object_get(frame, "pixels"), "frame", frame);
    if (data && picture) {
        json_t *images = order_images(picture, json_object_get(frame, "order"));
        if (json_object_set_new(data, "picture", images)) {
            json_decref(data);
            return NULL;
        }
    }
    return data;
}

status traffic_write_page(const char *path, const char *source, const json_t *timings,
                          const json_t *picture)
{
    simulate_comparison of = {.path = source, .segment = -1};
    const size_t frames = json_array_size(json_object_get(timings, "frames"));
    json_t *frame = NULL;
    traffic_find_machine(&of.machine);
    status s = traffic_describe_frame(&of, timings, frames - 1, &frame);
    if (s != STATUS_OK) {
        return s;
    }
    json_t *data = traffic_page_data(frame, picture);
    s = data ? player_write(path, data) : base_fail_memory(4096, "the page of a frame");
    json_decref(data);
    json_decref(frame);
    return s;
}

/* Each message occupies its ports for the usual latency and the time of its bytes, one
 * after another, as on pages that compute (messages/collective/browser). */
static simulate_machine machine_of_page(void)
{
    simulate_machine machine = simulate_machine_usual();
    machine.between.overhead += machine.between.latency;
    machine.between.latency = machine.within.latency = 0;
    machine.is_fifo = true;
    return machine;
}

status traffic_write_case(const char *path, const simulate_case *of)
{
    const simulate_machine machine = machine_of_page();
    json_t *frame = NULL;
    status s = traffic_describe_case(of, &machine, &frame);
    if (s != STATUS_OK) {
        return s;
    }
    json_t *data = traffic_page_data(frame, NULL);
    s = data ? player_write(path, data)
             : base_fail_memory(4096, "the page of a schedule");
    json_decref(data);
    json_decref(frame);
    return s;
}
