/* Stations: the ports of a network card, or the cores of a processor, which serve jobs.
 * Private to messages/model. */
#ifndef MESSAGES_MODEL_STATION_H
#define MESSAGES_MODEL_STATION_H

#include "composite/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* One job. Jobs of a flow follow each other in the list and are served in that order. */
typedef struct simulate_job {
    double release;       /* s: it cannot begin before; undefined afterwards */
    double work;          /* s of one server */
    double start, finish; /* out */
    int64_t flow;
} simulate_job;

/* A time of which a station has given a share away, [begin, end). */
typedef struct simulate_busy {
    double begin, end;
    double share; /* in (0, 1] */
} simulate_busy;

enum { SIMULATE_MOST_BUSY = 8 };

/*
 * The times at which a station serves jobs of earlier rounds, ascending and apart. They
 * go first: later jobs have what is left of it. A station remembers few times; before
 * there are more, it joins the two with the narrowest gap. Zero is idle.
 */
typedef struct simulate_station {
    int nbusy;
    simulate_busy busy[SIMULATE_MOST_BUSY];
} simulate_station;

/* The way in which a station serves several flows. */
typedef enum simulate_order {
    SIMULATE_FAIR, /* all at once: each gets an equal share, at most one server */
    SIMULATE_FIFO  /* jobs one after another, each by one server, by their release */
} simulate_order;

/* Memory of simulate_station_serve. Zero, with `memory` set, is empty. */
typedef struct simulate_scratch {
    composite_memory *memory; /* borrowed */
    struct simulate_flow *flows;
    int64_t flows_capacity;
    int64_t *heap;    /* flows by the time at which they end, or begin */
    int64_t *waiting; /* the same for flows that are not released */
    int64_t heap_capacity, waiting_capacity;
    simulate_busy *periods;
    int64_t nperiods, periods_capacity;
    double *servers; /* the time at which each is free */
    int64_t servers_capacity;
} simulate_scratch;

/*
 * Serves jobs [count] by `servers` >= 1, and adds the time that they take to the station.
 * With SIMULATE_FAIR n flows share the servers as processors share time (processor
 * sharing; L. Kleinrock, Queueing Systems II, 1976). Local. Errors: STATUS_MEMORY.
 */
status simulate_station_serve(simulate_station *station, int servers,
                              simulate_order order, simulate_job *jobs, int64_t count,
                              simulate_scratch *scratch);

/* The time that the station has left before `t`. Local. */
double simulate_station_left(const simulate_station *station, double t);

/* Takes `work` of the time that the station has left between `begin` and `end`, all of it
 * evenly. Local. */
void simulate_station_take(simulate_station *station, double begin, double end,
                           double work);

/* Leaves this share of all times that the station has given away; the rest is free again.
 * Local. */
void simulate_station_free(simulate_station *station, double share);

void simulate_scratch_clear(simulate_scratch *scratch);

#endif
