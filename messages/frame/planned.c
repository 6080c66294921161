#include "planned.h"

#include "composite/finished.h"

#include <math.h>

/* The simulator's events on their way into notes. */
typedef struct planning {
    const simulate_case *of;
    traffic_notes *notes;
} planning;

/* Whether two positions share a node: then pixels are read in place. */
static bool are_near(const simulate_case *of, int a, int b)
{
    const composite_nodes *nodes = of->nodes;
    return nodes && nodes->node[nodes->team[a]] == nodes->node[nodes->team[b]];
}

/* A simulate_visit_event. */
static void take(const simulate_event *event, void *context)
{
    static const traffic_kind kinds[SIMULATE_EVENT_KINDS] = {
        TRAFFIC_SEND, TRAFFIC_RECEIVE, TRAFFIC_BLEND};
    const planning *p = context;
    const traffic_kind kind = kinds[event->kind];
    const bool sends = kind == TRAFFIC_SEND;
    const bool in_place = are_near(p->of, event->position, event->peer);
    const bool counts = sends || (in_place && kind == TRAFFIC_BLEND);
    traffic_note_add(p->notes,
                     (traffic_note){.key = {.round = event->round == SIMULATE_GATHER_ROUND
                                                         ? COMPOSITE_GATHER_ROUND
                                                         : event->round,
                                            .src = sends ? event->position : event->peer,
                                            .dst = sends ? event->peer : event->position},
                                    .run = TRAFFIC_PLANNED,
                                    .kind = kind,
                                    .begin = event->begin,
                                    .end = event->end,
                                    .bytes = counts ? event->bytes : 0,
                                    .in_place = in_place});
    traffic_bar_add(&p->notes->bars[TRAFFIC_PLANNED][kind],
                    (traffic_bar){event->position, event->begin, event->end},
                    &p->notes->failed);
}

status traffic_plan(const simulate_case *of, const simulate_machine *machine,
                    traffic_notes *notes, double *finish, double *seconds)
{
    planning p = {of, notes};
    simulate_case watched = *of;
    simulate_simulator *simulator = NULL;
    simulate_result result;
    watched.visit = take;
    watched.context = &p;
    status s = simulate_create(&simulator);
    s = s == STATUS_OK ? simulate_run(simulator, &watched, machine, &result) : s;
    for (int q = 0; s == STATUS_OK && q < of->problem.size; q++) {
        finish[q] = result.ranks ? result.ranks[q].finish : result.seconds;
    }
    if (s == STATUS_OK) {
        *seconds = result.seconds;
    }
    simulate_destroy(&simulator);
    return s;
}
