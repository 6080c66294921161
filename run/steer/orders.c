/* Orders on rank 0: finds, reads, checks and answers them. */
#include "alive.h"
#include "state.h"

#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Looking ----------------------------------------------------------------------- */

/* Reports, once, that orders are not read, as others than those that may give them can
 * write there. */
static void report_open(steer_run *run)
{
    if (!run->has_said_open) {
        base_log_warning(
            "'%s/orders' is no folder of this user, or others may write into "
            "it: no orders are taken until that is changed",
            run->folder.path);
        run->has_said_open = true;
    }
}

/* The inbox's `admits`. */
static bool is_guarded(void *context, int handle)
{
    steer_run *run = context;
    const bool guarded = steer_orders_is_guarded(&run->folder, handle);
    if (!guarded) {
        report_open(run);
    }
    return guarded;
}

void steer_orders_look(steer_run *run, double now)
{
    char path[STEER_MAX_PATH];
    if (steer_path_join(run->folder.path, "orders", path)) {
        run->inbox->admits = is_guarded;
        run->inbox->context = run;
        steer_inbox_look(run->inbox, path, now);
    }
}

/* Whether the file is of somebody who may give orders. */
static bool is_from_giver(const steer_run *run, const char *path)
{
    struct stat about;
    return run->folder.group_orders || lstat(path, &about) != 0 ||
           about.st_uid == geteuid() || about.st_uid == 0;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* Reports, once, an order whose file cannot be removed. Such orders are not carried out,
 * as every poll would do so again. */
static void report_stuck(steer_run *run, const char *path)
{
    if (!run->has_said_stuck) {
        base_log_warning("the order '%s' cannot be removed (%s), and is not carried out",
                         path, strerror(errno));
        run->has_said_stuck = true;
    }
}

static json_t *parse_order(const char *text, size_t size)
{
    json_error_t error;
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!json) {
        base_fail(STATUS_USAGE, "the order is not JSON: %s (line %d)", error.text,
                  error.line);
    }
    return json;
}

/* Reads and removes an order's file. If it is not JSON, letter->json is NULL and the
 * failure message tells its sender why. False if the file is gone, or cannot be
 * removed. */
static bool open_letter(steer_run *run, const char *file, steer_letter *letter)
{
    char name[STEER_MAX_FILE + 16], path[STEER_MAX_PATH], *text = NULL;
    size_t size = 0;
    snprintf(name, sizeof name, "orders/%s", file);
    if (!steer_path_join(run->folder.path, name, path)) {
        return false;
    }
    status s = is_from_giver(run, path)
                   ? steer_file_read(path, STEER_MAX_ORDER_BYTES, &text, &size)
                   : base_fail(STATUS_INPUT, "the order is of another user: the key "
                                             "in_situ.orders lets the group give orders");
    if (unlink(path) != 0) {
        if (errno != ENOENT) {
            report_stuck(run, path);
            steer_inbox_stick(run->inbox);
        }
        base_fail_set_message("");
        free(text);
        return false;
    }
    snprintf(letter->file, sizeof letter->file, "%s", file);
    letter->json = s == STATUS_OK ? parse_order(text, size) : NULL;
    free(text);
    return true;
}

static bool next_letter(steer_run *run, steer_letter *letter)
{
    *letter = (steer_letter){.file = "", .json = NULL};
    if (steer_replay_next(run, letter)) {
        return true;
    }
    const char *file;
    while ((file = steer_inbox_take(run->inbox))) {
        if (open_letter(run, file, letter)) {
            return true;
        }
    }
    return false;
}

steer_order steer_orders_next(steer_run *run, steer_letter *letter)
{
    const steer_order nothing = {.verb = STEER_NOTHING};
    while (next_letter(run, letter)) {
        steer_order order;
        if (letter->json && steer_order_check(letter->json, &run->table, run->state,
                                              &order) == STATUS_OK) {
            return order;
        }
        steer_orders_answer(run, letter, false, base_fail_message());
        base_fail_set_message("");
    }
    return nothing;
}

/* ---- Answering --------------------------------------------------------------------- */

static void remove_answer(steer_run *run, const char *file)
{
    char name[STEER_MAX_FILE + 16], path[STEER_MAX_PATH];
    snprintf(name, sizeof name, "answers/%s", file);
    if (steer_path_join(run->folder.path, name, path)) {
        unlink(path);
    }
}

static void drop_first(steer_run *run)
{
    steer_answers *answers = run->answers;
    remove_answer(run, answers->at[answers->first].file);
    answers->first = (answers->first + 1) % STEER_MAX_ANSWERS;
    answers->count--;
}

void steer_answers_expire(steer_run *run, double now)
{
    const steer_answers *answers = run->answers;
    for (int n = 0; n < STEER_MAX_PER_POLL && answers->count > 0 &&
                    now - answers->at[answers->first].written > STEER_ANSWER_LIFE;
         n++) {
        drop_first(run);
    }
}

static void write_answer(steer_run *run, const char *file, bool accepted,
                         const char *message)
{
    steer_answers *answers = run->answers;
    if (answers->count == STEER_MAX_ANSWERS) {
        drop_first(run);
    }
    char name[STEER_MAX_FILE + 16];
    snprintf(name, sizeof name, "answers/%s", file);
    json_t *json = json_pack("{s:b, s:I, s:o, s:o}", "accepted", accepted, "cycle",
                             (json_int_t)run->cycle, "time", steer_number(run->time),
                             "message", steer_string(message));
    if (steer_folder_write(&run->folder, name, json)) {
        int last = (answers->first + answers->count++) % STEER_MAX_ANSWERS;
        snprintf(answers->at[last].file, sizeof answers->at[last].file, "%s", file);
        answers->at[last].written = steer_now();
    }
    json_decref(json);
}

void steer_orders_answer(steer_run *run, steer_letter *letter, bool accepted,
                         const char *message)
{
    const char *said = *message != '\0' ? message : "the program refuses it";
    json_t *order = letter->json ? letter->json : json_null();
    steer_lines_add(&run->shown.log,
                    json_pack("{s:s, s:b, s:I, s:o, s:I, s:o, s:f, s:s, s:o}", "event",
                              letter->file[0] != '\0' ? "order" : "repeated", "accepted",
                              accepted, "cycle", (json_int_t)run->cycle, "time",
                              steer_number(run->time), "batch", (json_int_t)run->batch,
                              "message", steer_string(said), "at", steer_now(), "file",
                              letter->file, "order", order));
    /* The log is written first, so that it has the order when the answer arrives. */
    steer_lines_flush(&run->shown.log, &run->folder);
    if (letter->file[0] != '\0') {
        write_answer(run, letter->file, accepted, said);
    } else if (!accepted) {
        base_log_warning("an order of the log that is repeated is refused: %s", said);
    }
    *letter = (steer_letter){.file = "", .json = NULL};
}

void steer_orders_refuse_old(steer_run *run)
{
    char path[STEER_MAX_PATH];
    if (!steer_path_join(run->folder.path, "orders", path)) {
        return;
    }
    do {
        steer_inbox_look_through(run->inbox, path);
        while (steer_inbox_waits(run->inbox)) {
            steer_letter letter;
            run->inbox->orders = 1.0; /* no limit, as the program does not run yet */
            if (open_letter(run, steer_inbox_take(run->inbox), &letter)) {
                base_fail_set_message("");
                steer_orders_answer(run, &letter, false,
                                    "the program ended before it read the order");
            }
        }
    } while (run->inbox->is_full);
    *run->inbox = (steer_inbox){.looked = 0.0};
}
