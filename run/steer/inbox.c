#include "inbox.h"

#include <limits.h>
#include <string.h>

/* Index of a new name among the names found. */
static int find_place(const steer_inbox *inbox, const char *name)
{
    int low = 0, high = inbox->found;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (strcmp(name, inbox->files[inbox->sorted[middle]]) < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Adds a name. If the inbox is full, its last name drops out. */
static void insert(steer_inbox *inbox, const char *name)
{
    if (strcmp(name, inbox->after) <= 0) {
        return;
    }
    const int at = find_place(inbox, name);
    short slot = (short)inbox->found;
    if (inbox->found == STEER_MAX_INBOX) {
        inbox->is_full = true;
        if (at == STEER_MAX_INBOX) {
            return;
        }
        slot = inbox->sorted[--inbox->found];
    }
    memmove(inbox->sorted + at + 1, inbox->sorted + at,
            (size_t)(inbox->found - at) * sizeof inbox->sorted[0]);
    inbox->sorted[at] = slot;
    inbox->found++;
    strcpy(inbox->files[slot], name); /* steer_order_is_file has checked its length */
}

/* Begins a pass. It starts behind the names of the last pass only if these filled the
 * inbox with orders that cannot be removed. */
static void begin_pass(steer_inbox *inbox, const char *folder)
{
    if (inbox->is_full && inbox->stuck > 0 && inbox->count > 0) {
        strcpy(inbox->after, inbox->files[inbox->sorted[inbox->count - 1]]);
    } else {
        inbox->after[0] = '\0';
    }
    inbox->is_full = false;
    inbox->found = inbox->count = inbox->next = inbox->stuck = 0;
    /* After a failure, publishing makes the directory again and reports it. */
    inbox->listing = opendir(folder);
    if (inbox->listing && inbox->admits &&
        !inbox->admits(inbox->context, dirfd(inbox->listing))) {
        steer_inbox_clear(inbox);
    }
}

/* Reads more names. At the end of the directory the names can be taken. */
static int read_names(steer_inbox *inbox, int most)
{
    int read = 0;
    const struct dirent *entry = NULL;
    while (read < most && (entry = readdir(inbox->listing))) {
        read++;
        if (steer_order_is_file(entry->d_name)) {
            insert(inbox, entry->d_name);
        }
    }
    if (read < most) {
        steer_inbox_clear(inbox);
        inbox->count = inbox->found;
    }
    return read;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int steer_inbox_look(steer_inbox *inbox, const char *folder, double now)
{
    double since = now - inbox->looked;
    if (since < 0.0) {
        since = STEER_LOOK_PERIOD; /* a clock that was set back must not delay orders */
    } else if (since < STEER_LOOK_PERIOD) {
        return 0;
    }
    inbox->looked = now;
    inbox->names = least(inbox->names + since * STEER_NAMES_PER_SECOND, STEER_MAX_NAMES);
    inbox->orders =
        least(inbox->orders + since * STEER_ORDERS_PER_SECOND, STEER_MAX_PER_POLL);
    if (steer_inbox_waits(inbox)) {
        return 0;
    }
    if (!inbox->listing) {
        begin_pass(inbox, folder);
    }
    const int read = inbox->listing ? read_names(inbox, (int)inbox->names) : 0;
    inbox->names -= read;
    return read;
}

void steer_inbox_look_through(steer_inbox *inbox, const char *folder)
{
    steer_inbox_clear(inbox);
    begin_pass(inbox, folder);
    if (inbox->listing) {
        read_names(inbox, INT_MAX);
    }
}

const char *steer_inbox_take(steer_inbox *inbox)
{
    if (!steer_inbox_waits(inbox) || inbox->orders < 1.0) {
        return NULL;
    }
    inbox->orders -= 1.0;
    return inbox->files[inbox->sorted[inbox->next++]];
}

void steer_inbox_charge(steer_inbox *inbox, int orders, double seconds)
{
    static const double share = 0.05; /* of the program's time */
    const double worth = seconds * STEER_ORDERS_PER_SECOND / share;
    if (worth > orders) {
        inbox->orders -= worth - orders;
    }
}

bool steer_inbox_waits(const steer_inbox *inbox)
{
    return inbox->next < inbox->count;
}

void steer_inbox_stick(steer_inbox *inbox)
{
    inbox->stuck++;
}

void steer_inbox_clear(steer_inbox *inbox)
{
    if (inbox->listing) {
        closedir(inbox->listing);
        inbox->listing = NULL;
    }
}
