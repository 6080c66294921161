/*
 * Repeating a run from its log: orders are given again at the cycle at which they took
 * effect, in as many polls as then. The log's lines from one poll have the same `batch`.
 * A halted program polls often: each poll gives it one batch, so that it redraws between
 * two batches as in the earlier run. A running program polls once a step: the poll gives
 * it all orders that are due.
 */
#include "log.h"
#include "run.h"
#include "state.h"

#include "base/parallel/parallel.h"

static int64_t number_of(const json_t *line, const char *key)
{
    return json_integer_value(json_object_get(line, key));
}

status steer_run_replay(steer_run *run, const char *path)
{
    json_t *lines = NULL;
    status s = run->rank == 0 ? steer_log_read(path, &lines) : STATUS_OK;
    s = parallel_agree(run->comm, s);
    if (s != STATUS_OK) {
        json_decref(lines);
        return s;
    }
    if (run->rank == 0) {
        json_decref(run->replay.lines);
        run->replay = (steer_replay){.lines = lines, .batch = -1};
    }
    return STATUS_OK;
}

bool steer_replay_next(steer_run *run, steer_letter *letter)
{
    steer_replay *replay = &run->replay;
    const json_t *line = json_array_get(replay->lines, replay->next);
    if (!line || number_of(line, "cycle") > run->cycle) {
        return false;
    }
    int64_t batch = number_of(line, "batch");
    bool is_first = replay->batch < 0 || replay->batch == batch;
    if (!is_first && run->state == STEER_HALTED) {
        return false;
    }
    replay->batch = batch;
    replay->next++;
    letter->file[0] = '\0';
    letter->json = json_incref(json_object_get(line, "order"));
    return true;
}
