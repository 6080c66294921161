#include "events.h"

#include "system.h"

#include <stdatomic.h>
#include <stddef.h>

void base_events_add(base_events *events, base_event event)
{
    /* The count stops growing soon above the limit: it must not overflow. */
    if (events && atomic_load(&events->count) < BASE_MOST_EVENTS) {
        const int place = atomic_fetch_add(&events->count, 1);
        if (place < BASE_MOST_EVENTS) {
            events->items[place] = event;
        }
    }
}

double base_events_now(const base_events *events)
{
    return events ? base_clock() : 0.0;
}

int base_events_count(const base_events *events)
{
    const int count = atomic_load(&events->count);
    return count < BASE_MOST_EVENTS ? count : BASE_MOST_EVENTS;
}
