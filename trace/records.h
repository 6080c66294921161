/* Records: the points, times and values that particles leave behind. */
#ifndef TRACE_RECORDS_H
#define TRACE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

/* One point of a particle's path. Plain data: it is sent to all ranks. */
typedef struct trace_record {
    int64_t particle;
    int64_t place; /* among the records of the particle */
    int64_t ended; /* 1: not a point, but the notice that the particle has ended */
    double x[3];   /* relative to the layout's origin */
    double time;   /* of the flow */
    double age;    /* since its release; below 0 against the flow */
    double value;  /* of the field */
} trace_record;

/* A list that grows; all zero at first. */
typedef struct trace_records {
    int64_t count, capacity;
    trace_record *items;
    bool failed; /* memory ran out: later records are lost */
} trace_records;

void trace_records_add(trace_records *records, const trace_record *record);
void trace_records_clear(trace_records *records);

/* Sorts by particle, then by place. */
void trace_records_sort(trace_records *records);

#endif
