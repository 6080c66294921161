/* The gathering: finished pixels on their way to the root. */
#include "engine.h"

#include <math.h>

/* Rounds both ways keep the ports of a node busy longer than their bytes do. The rest is
 * free for finished pixels, which go one way. */
static void free_ports(simulate_simulator *sim)
{
    const double share = 1 / simulate_slowdown(sim);
    for (int node = 0; node < sim->nodes.count && share < 1; node++) {
        simulate_card *card = &sim->cards[node];
        if (card->goes_both_ways) {
            simulate_station_free(&card->out, share);
            simulate_station_free(&card->in, share);
        }
    }
}

/* The root puts the pixels in their place, as they come. Its node is the only one that
 * receives: the jobs are those of its ports. */
static status place(simulate_simulator *sim)
{
    simulate_work *work = &sim->work;
    const int root = sim->of->problem.root;
    simulate_rank *rank = &sim->ranks[root];
    for (int64_t j = 0; j < work->njobs; j++) {
        const int64_t part = work->job_parts[j], n = work->job_messages[j];
        work->jobs[j] =
            (simulate_job){.release = work->parts[part].finish,
                           .work = sim->machine->delta *
                                   simulate_payload_find(sim, &sim->messages.sends[n],
                                                         part - sim->part0[n])
                                       .bytes,
                           .flow = j};
    }
    const status s =
        simulate_station_serve(&sim->cores[sim->hosts.of[root]], 1, SIMULATE_FIFO,
                               work->jobs, work->njobs, &sim->scratch);
    for (int64_t j = 0; j < work->njobs; j++) {
        rank->finish = fmax(rank->finish, work->jobs[j].finish);
    }
    return s;
}

status simulate_gather_run(simulate_simulator *sim)
{
    const int n = sim->messages.gather_round;
    simulate_round *round = &sim->rounds[sim->nrounds++];
    *round = (simulate_round){.round = SIMULATE_GATHER_ROUND,
                              .messages = sim->round0[n + 1] - sim->round0[n]};
    free_ports(sim);
    status s = round->messages > 0 ? simulate_round_pass(sim, n) : STATUS_OK;
    s = s == STATUS_OK && round->messages > 0 ? place(sim) : s;
    round->finish = sim->ranks[sim->of->problem.root].finish;
    return s;
}
