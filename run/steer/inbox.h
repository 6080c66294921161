/*
 * The inbox of a run directory: names of the orders that wait. A pass through the
 * directory is spread over several looks, so that thousands of files in it do not hold
 * the program up. No MPI calls; local; rank 0.
 */
#ifndef RUN_STEER_INBOX_H
#define RUN_STEER_INBOX_H

#include "order.h"

#include <dirent.h>

/* Seconds between two looks into the directory. */
#define STEER_LOOK_PERIOD 0.02

enum {
    STEER_MAX_INBOX = 1024, /* names that the inbox holds at a time */
    /* Limits of the names read and of the orders taken in a second: together they cost
     * the program at most one to five per cent of its time. One look handles no more than
     * STEER_MAX_..., however long ago the previous look was. */
    STEER_NAMES_PER_SECOND = 25600,
    STEER_MAX_NAMES = 4096,
    STEER_ORDERS_PER_SECOND = 400,
    STEER_MAX_PER_POLL = 64
};

/* Zero is the initial state. */
typedef struct steer_inbox {
    bool (*admits)(void *context, int handle); /* of the open folder: whether its orders
                                                  may be taken; NULL: always */
    void *context;
    DIR *listing;               /* of the pass under way, or NULL */
    char after[STEER_MAX_FILE]; /* the pass ignores names up to this one */
    bool is_full;               /* the pass has found more names than fit */
    int found;                  /* number of names that the pass has found */
    char files[STEER_MAX_INBOX][STEER_MAX_FILE];
    short sorted[STEER_MAX_INBOX]; /* [found]: indices into `files`, by name */
    int count, next;               /* of a finished pass: number of names, and the next
                                      one to take */
    int stuck;                     /* orders among them that could not be removed */
    double looked;                 /* time of the last look, or 0 */
    double names, orders;          /* allowance: names that may be read now, orders that
                                      may be taken now */
} steer_inbox;

/* Continues the pass through `folder` (the path of orders/), at most every
 * STEER_LOOK_PERIOD. After the pass has seen the whole directory, its names can be taken
 * in ascending order. Returns the number of names read. */
int steer_inbox_look(steer_inbox *inbox, const char *folder, double now);

/* The same for a whole pass, at any time. */
void steer_inbox_look_through(steer_inbox *inbox, const char *folder);

/* The next name, or NULL if there is none or the allowance is used up. Borrowed until the
 * next look. */
const char *steer_inbox_take(steer_inbox *inbox);

/* Charges for orders that took `seconds` together. If this exceeds their share of the
 * program's time, the next looks take fewer orders. */
void steer_inbox_charge(steer_inbox *inbox, int orders, double seconds);

/* Whether names are left for a later poll. */
bool steer_inbox_waits(const steer_inbox *inbox);

/* Says that the file of the last name cannot be removed. If such files fill the inbox,
 * the next pass starts behind them, so that other orders get their turn. */
void steer_inbox_stick(steer_inbox *inbox);

/* Closes the directory. */
void steer_inbox_clear(steer_inbox *inbox);

#endif
