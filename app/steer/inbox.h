/*
 * The orders that wait in a run directory, by name: looked for in parts, so that neither
 * thousands of them nor thousands of other files hold the program up. No MPI calls;
 * local; rank 0.
 */
#ifndef APP_STEER_INBOX_H
#define APP_STEER_INBOX_H

#include "order.h"

#include <dirent.h>

/* Seconds between two looks into the directory. */
#define STEER_LOOK_PERIOD 0.02

enum {
    STEER_MAX_INBOX = 1024, /* names that are known at a time */
    /* Names that are read in a second, and orders that are taken: so few that a program
     * loses some one and five per cent of its time. At one look there are no more than
     * STEER_MAX_, however long ago the one before was. */
    STEER_NAMES_PER_SECOND = 25600,
    STEER_MAX_NAMES = 4096,
    STEER_ORDERS_PER_SECOND = 400,
    STEER_MAX_PER_POLL = 64
};

/* Zero is the beginning. */
typedef struct steer_inbox {
    DIR *listing;               /* a pass through the directory is under way; or NULL */
    char after[STEER_MAX_FILE]; /* the pass is for names behind this one */
    bool is_full;               /* it has found more names than there is room for */
    int found;                  /* names of the pass */
    char files[STEER_MAX_INBOX][STEER_MAX_FILE];
    short sorted[STEER_MAX_INBOX]; /* [found]: indices of files, by name */
    int count, next;               /* of a finished pass: the names that may be taken */
    int stuck;                     /* of them: orders that could not be removed */
    double looked;                 /* when, or 0 */
    double names, orders;          /* that may still be read and taken */
} steer_inbox;

/* Looks on into `folder` (the path of orders/), at most every STEER_LOOK_PERIOD. Names
 * can be taken once a pass has seen all of the directory, the least ones first. Returns
 * how many names were read. */
int steer_inbox_look(steer_inbox *inbox, const char *folder, double now);

/* The same for a whole pass, at any time. */
void steer_inbox_look_through(steer_inbox *inbox, const char *folder);

/* The next name, or NULL: there is none, or enough were taken for now. Borrowed until the
 * next look. */
const char *steer_inbox_take(steer_inbox *inbox);

/* Counts what `orders` of those that were taken took altogether, where that was more than
 * an order's share of the program's time: then fewer are taken at the next looks. */
void steer_inbox_charge(steer_inbox *inbox, int orders, double seconds);

/* Whether names that are known wait for a later poll. */
bool steer_inbox_waits(const steer_inbox *inbox);

/* The name that was taken stays where it is, as it cannot be removed. Where so many do
 * that they fill the inbox, later passes go on behind them, so that others get their
 * turn. */
void steer_inbox_stick(steer_inbox *inbox);

/* Lets go of the directory. */
void steer_inbox_clear(steer_inbox *inbox);

#endif
