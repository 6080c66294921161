#include "tuned_machine.h"

#include "frame/tuning/signature.h"
#include "machine_file.h"
#include "messages/search/predict.h"

#include <limits.h>

status app_tuning_add_machine(const char *path, const app_signature *signature,
                              const simulate_machine *machine, json_t *about)
{
    json_t *object = app_machine_describe(machine);
    const status s = object && json_object_set(object, "measured", about) == 0
                         ? app_tuning_put_machine(path, signature, object)
                         : base_fail_memory(4096, "a machine");
    json_decref(object);
    return s;
}

status app_tuning_machine(const char *path, const app_signature *signature,
                          simulate_machine *machine, int *nodes)
{
    json_t *object = NULL;
    *nodes = 0;
    status s = app_tuning_get_machine(path, signature, &object);
    if (object) {
        const json_t *about = json_object_get(object, "measured");
        const json_int_t count = json_integer_value(json_object_get(about, "nodes"));
        *machine = simulate_machine_usual();
        s = app_machine_take(path, object, machine);
        *nodes = s == STATUS_OK && count >= 1 && count < INT_MAX ? (int)count : 0;
    }
    json_decref(object);
    return s;
}

/* Appends the choice of one case. */
static status simulate_one(const app_crowd *crowd, const tune_question *question,
                           const simulate_machine *machine, app_tuned_list *list)
{
    tune_answer answer;
    const status s = tune_predict(question, machine, &answer);
    if (s != STATUS_OK || !answer.choice.algorithm) {
        return s;
    }
    const app_tuned item = {
        .crowd = *crowd,
        .rule = {.target = question->target,
                 .pixels = (int64_t)question->width * question->height,
                 .activity = answer.activity,
                 .choice = answer.choice,
                 .reason = COMPOSITE_SIMULATED},
        .seconds = answer.seconds,
        .usual_seconds = answer.usual_seconds};
    return app_tuned_list_add(list, &item);
}

status app_tuning_simulate(const char *path, const app_crowd *crowd,
                           const app_tuning_pictures *pictures, app_tuned_list *list,
                           bool *is_known)
{
    app_signature signature;
    simulate_machine machine;
    int nodes;
    app_signature_find(&signature);
    status s = app_tuning_machine(path, &signature, &machine, &nodes);
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
