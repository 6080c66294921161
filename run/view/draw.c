/* Pictures. */
#include "base/parallel/parallel.h"
#include "frame/shown/shown.h"
#include "io/picture/pixels.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

enum { TOO_LATE = 409, QUALITY = 80 };

static json_t *list_warnings(const view_state *state)
{
    json_t *list = json_array();
    for (int n = 0; n < state->nwarnings; n++) {
        json_array_append_new(list, json_string(state->warnings[n]));
    }
    return list;
}

static char *describe(const view_state *state, const frame_shown *shown,
                      const frame_result *frame)
{
    json_t *note = json_pack(
        "{s:I, s:f, s:f, s:b, s:i, s:i, s:o}", "step", (json_int_t)frame->step, "time",
        frame->time, "seconds", frame->seconds, "blank", frame->is_blank, "width",
        shown->width, "height", shown->height, "warnings", list_warnings(state));
    char *text = note ? json_dumps(note, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    json_decref(note);
    return text;
}

/* Rank 0's part; takes the picture's bytes. */
static void hand_over(const view_state *state, const json_t *order, frame_shown *shown,
                      const frame_result *frame, view_result *result)
{
    const json_t *quality = json_object_get(order, "quality");
    const int asked =
        json_is_integer(quality) ? (int)json_integer_value(quality) : QUALITY;
    *result = (view_result){.type = "image/png",
                            .bytes = (char *)shown->bytes,
                            .size = shown->size,
                            .note = describe(state, shown, frame),
                            .width = shown->width,
                            .height = shown->height,
                            .pixel_bytes = shown->pixel_bytes};
    if (shown->wants_pixels) {
        result->quality = asked < 1 ? 1 : asked > 100 ? 100 : asked;
    }
    shown->bytes = NULL;
}

static status show(view_state *state, const json_t *order, frame_shown *shown,
                   view_result *result)
{
    frame_result frame;
    int number = 0;
    bool is_whole = false;
    status s = view_frame_find(state, order, &number);
    if (s == STATUS_OK) {
        view_stop_begin(&state->stop);
        s = frame_job_show(state->job, number, shown, &frame, &is_whole);
        view_stop_end(&state->stop);
        if (s != STATUS_OK) {
            frame_job_destroy(&state->job);
        }
    }
    if (s == STATUS_OK && state->rank == 0) {
        if (is_whole) {
            hand_over(state, order, shown, &frame, result);
        } else {
            *result = view_result_error(TOO_LATE, "a newer order has stopped this one");
        }
    }
    frame_shown_clear(shown);
    return s;
}

status view_order_draw(view_state *state, const json_t *order, view_result *result)
{
    const json_t *asked = json_object_get(order, "scale");
    const char *form = json_string_value(json_object_get(order, "form"));
    const double scale = json_is_number(asked) ? json_number_value(asked) : 1.0;
    frame_shown shown = {.wants_pixels =
                             form && strcmp(form, "jpeg") == 0 && io_jpeg_is_available()};
    io_config *config = NULL;
    status s = scale > 0.0 && scale <= 1.0
                   ? view_config_make(state, order, scale, &config)
                   : base_fail(STATUS_USAGE, "the scale of a picture is above 0 and at "
                                             "most 1");
    s = parallel_agree(state->comm, s);
    s = s == STATUS_OK ? view_config_take(state, &config) : s;
    io_config_destroy(&config);
    return s == STATUS_OK ? show(state, order, &shown, result) : s;
}
