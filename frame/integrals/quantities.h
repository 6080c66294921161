/* Inside frame/integrals: quantities from integrals. */
#ifndef FRAME_INTEGRALS_QUANTITIES_H
#define FRAME_INTEGRALS_QUANTITIES_H

#include "frame/measure/measure.h"
#include "io/source.h"
#include "wishes.h"

/* The integrals over a place. */
typedef struct integrals_found {
    bool is_volume;
    const io_source *source;
    const frame_integrals_wish *wish;
    const integrals_fields *fields;
    frame_measure_sums all;         /* of 1 */
    const frame_measure_sums *sums; /* of each recipe of the fields */
} integrals_found;

/* Visits its quantities. Local. */
void integrals_visit(const integrals_found *found, frame_integrals_visitor *visit,
                     void *context);

#endif
