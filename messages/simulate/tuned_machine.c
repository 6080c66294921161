#include "tuned_machine.h"

#include "frame/tuning/signature.h"
#include "machine_file.h"
#include "messages/search/predict.h"

#include <limits.h>

status messages_tuning_add_machine(const char *path, const frame_signature *signature,
                                   const simulate_machine *machine, json_t *about)
{
    json_t *object = messages_machine_describe(machine);
    const status s = object && json_object_set(object, "measured", about) == 0
                         ? frame_tuning_put_machine(path, signature, object)
                         : base_fail_memory(4096, "a machine");
    json_decref(object);
    return s;
}

status messages_tuning_machine(const char *path, const frame_signature *signature,
                               simulate_machine *machine, int *nodes)
{
    json_t *object = NULL;
    *nodes = 0;
    status s = frame_tuning_get_machine(path, signature, &object);
    if (object) {
        const json_t *about = json_object_get(object, "measured");
        const json_int_t count = json_integer_value(json_object_get(about, "nodes"));
        *machine = simulate_machine_usual();
        s = messages_machine_take(path, object, machine);
        *nodes = s == STATUS_OK && count >= 1 && count < INT_MAX ? (int)count : 0;
    }
    json_decref(object);
    return s;
}

/* Appends the choice of one case. */
static status simulate_one(const frame_crowd *crowd, const tune_question *question,
                           const simulate_machine *machine, frame_tuned_list *list)
{
    tune_answer answer;
    const status s = tune_predict(question, machine, &answer);
    if (s != STATUS_OK || !answer.choice.algorithm) {
        return s;
    }
    const frame_tuned item = {
        .crowd = *crowd,
        .rule = {.target = question->target,
                 .pixels = (int64_t)question->width * question->height,
                 .activity = answer.activity,
                 .choice = answer.choice,
                 .reason = COMPOSITE_SIMULATED},
        .seconds = answer.seconds,
        .usual_seconds = answer.usual_seconds};
    return frame_tuned_list_add(list, &item);
}

status messages_tuning_simulate(const char *path, const frame_crowd *crowd,
                                const frame_tuning_pictures *pictures,
                                frame_tuned_list *list, bool *is_known)
{
    frame_signature signature;
    simulate_machine machine;
    int nodes;
    frame_signature_find(&signature);
    status s = messages_tuning_machine(path, &signature, &machine, &nodes);
    *is_known = s == STATUS_OK && nodes > 1 && crowd->nodes > 1;
    for (int n = 0; n < 2 && s == STATUS_OK && *is_known; n++) {
        const tune_question question = {.ranks = crowd->ranks,
                                        .nodes = crowd->nodes,
                                        .width = pictures->width,
                                        .height = pictures->height,
                                        .target = pictures->target,
                                        .is_dense = n == 0};
        s = simulate_one(crowd, &question, &machine, list);
    }
    return s;
}
