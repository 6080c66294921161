/* The order change: the configs of pictures change, checked as configs are. */
#include "base/parallel/parallel.h"
#include "io/config/document/document.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 512 };

/* An order, sorted by pictures. Texts are borrowed. */
typedef struct plan {
    int count[IO_MAX_PICTURES];
    const char **texts[IO_MAX_PICTURES]; /* [count] of MOST_TEXTS */
    io_config *configs[IO_MAX_PICTURES]; /* NULL: it does not change */
    bool is_removed[IO_MAX_PICTURES];
    int nadded;
    const char *fragments[IO_MAX_PICTURES]; /* [nadded], of new pictures */
    insitu_picture added[IO_MAX_PICTURES];  /* [nadded] */
    io_document *section;                   /* the times of all pictures, under way */
    io_in_situ *in_situ;                    /* the same, checked */
} plan;

/* ---- Pictures ---------------------------------------------------------------------- */

static status fail_picture(const insitu_session *session, const char *text)
{
    char known[512] = "";
    size_t used = 0;
    for (int n = 0; n < session->npictures && used < sizeof known; n++) {
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                 n > 0 ? ", " : "", session->pictures[n].name);
    }
    return base_fail(
        STATUS_USAGE,
        "'%.60s': begin with pictures.NAME., or with pictures.NAME= before a "
        "fragment; pictures.+= adds a picture; the pictures are %s",
        text, known);
}

static const char prefix[] = "pictures.";

/*
 * The picture that a text is for, and the text without the name: "pictures.front.clip="
 * or, for a fragment, "pictures.front=". A single picture needs no name.
 */
static status find_picture(const insitu_session *session, const char *text, int *index,
                           const char **rest)
{
    const char *name = text + sizeof prefix - 1;
    if (strncmp(text, prefix, sizeof prefix - 1) != 0) {
        *index = 0;
        *rest = text;
        return session->npictures == 1 ? STATUS_OK : fail_picture(session, text);
    }
    const size_t length = strcspn(name, ".=");
    for (int n = 0; n < session->npictures; n++) {
        const char *known = session->pictures[n].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0 &&
            name[length] != '\0') {
            *index = n;
            *rest = name + length + 1;
            return STATUS_OK;
        }
    }
    return fail_picture(session, text);
}

static status add_text(plan *p, int n, const char *text)
{
    if (p->count[n] == MOST_TEXTS) {
        return base_fail(STATUS_USAGE, "a change has at most %d texts", MOST_TEXTS);
    }
    if (!p->texts[n]) {
        p->texts[n] = calloc(MOST_TEXTS, sizeof **p->texts);
    }
    if (!p->texts[n]) {
        return base_fail_memory(MOST_TEXTS * sizeof **p->texts, "a change");
    }
    p->texts[n][p->count[n]++] = text;
    return STATUS_OK;
}

/* "pictures.+={name: near}": returns the fragment, or NULL. */
static const char *find_addition(const char *text)
{
    const size_t length = sizeof prefix - 1;
    return strncmp(text, prefix, length) == 0 && text[length] == '+' &&
                   text[length + 1] == '='
               ? text + length + 2
               : NULL;
}

static status sort_texts(const insitu_session *session, const char *texts, plan *p)
{
    status s = STATUS_OK;
    for (const char *text = texts; *text != '\0' && s == STATUS_OK;
         text += strlen(text) + 1) {
        int n = 0;
        const char *rest = text, *addition = find_addition(text);
        if (addition && p->nadded == IO_MAX_PICTURES) {
            return base_fail(STATUS_USAGE, "there are at most %d pictures",
                             IO_MAX_PICTURES);
        }
        if (addition) {
            p->fragments[p->nadded++] = addition;
            continue;
        }
        s = find_picture(session, text, &n, &rest);
        if (s == STATUS_OK && rest[-1] == '=' && strcmp(rest, "null") == 0) {
            p->is_removed[n] = true;
        } else if (s == STATUS_OK) {
            s = add_text(p, n, rest);
        }
    }
    return s;
}

/* ---- The order --------------------------------------------------------------------- */

/* Makes the new section: later pictures are removed first, as numbers change. */
static status make_section(insitu_session *session, plan *p)
{
    status s = STATUS_OK;
    for (int n = session->npictures - 1; n >= 0 && s == STATUS_OK; n--) {
        s = p->is_removed[n] ? io_in_situ_remove(p->section, n) : s;
    }
    for (int n = 0; n < p->nadded && s == STATUS_OK; n++) {
        s = io_in_situ_add(p->section, &session->from, p->fragments[n],
                           &p->added[n].config);
    }
    s = s == STATUS_OK ? io_in_situ_build(p->section, &p->in_situ) : s;
    for (int n = 0; n < p->nadded && s == STATUS_OK; n++) {
        insitu_picture *picture = &p->added[n];
        picture->name = p->in_situ->pictures[p->in_situ->npictures - p->nadded + n].name;
        s = insitu_picture_check_new(session, picture);
    }
    return s == STATUS_OK ? insitu_times_check(session, p->in_situ) : s;
}

static status make_plan(insitu_session *session, plan *p)
{
    status s = io_in_situ_edit(session->config, &p->section);
    for (int n = 0; n < session->npictures && s == STATUS_OK; n++) {
        if (p->count[n] > 0) {
            s = insitu_picture_plan(session, n, p->section, p->count[n], p->texts[n],
                                    &p->configs[n]);
        }
    }
    return s == STATUS_OK ? make_section(session, p) : s;
}

static void say(size_t size, char *message, const char *word, const char *name)
{
    const size_t used = strlen(message);
    snprintf(message + used, size - used, "%s%s %s", used > 0 ? "; " : "", word, name);
}

static void take_configs(insitu_session *session, plan *p, size_t size, char *message)
{
    message[0] = '\0';
    for (int n = 0; n < session->npictures; n++) {
        insitu_picture *picture = &session->pictures[n];
        if (p->is_removed[n]) {
            say(size, message, "removed:", picture->name);
        } else if (p->count[n] > 0) {
            say(size, message, "changed:", picture->name);
        }
        if (p->configs[n]) {
            insitu_picture_take(session, picture, &p->configs[n]);
        }
    }
    for (int n = 0; n < p->nadded; n++) {
        say(size, message, "added:", p->added[n].name);
    }
    insitu_pictures_swap(session, p->is_removed, p->nadded, p->added, &p->in_situ);
    insitu_pictures_publish(session);
}

static void clear_plan(plan *p, bool is_taken)
{
    for (int n = 0; n < IO_MAX_PICTURES; n++) {
        io_config_destroy(&p->configs[n]);
        free(p->texts[n]);
        if (n < p->nadded && !is_taken) {
            insitu_picture_clear(&p->added[n]);
        }
    }
    io_document_destroy(&p->section);
    io_in_situ_destroy(&p->in_situ);
}

/* Carries a sorted order out. Collective. */
static status carry_out(insitu_session *session, status s, plan *p, size_t size,
                        char *message)
{
    s = s == STATUS_OK ? make_plan(session, p) : s;
    if (s == STATUS_OK) {
        s = insitu_pictures_room(session, p->nadded);
    }
    s = parallel_agree(session->comm, s);
    if (s == STATUS_OK) {
        take_configs(session, p, size, message);
    }
    clear_plan(p, s == STATUS_OK);
    return s;
}

status insitu_change_check(insitu_session *session, const char *texts)
{
    plan p = {.count = {0}};
    status s = sort_texts(session, texts, &p);
    s = s == STATUS_OK ? make_plan(session, &p) : s;
    clear_plan(&p, false);
    return s;
}

status insitu_change_texts(insitu_session *session, const char *texts, size_t size,
                           char *message)
{
    plan p = {.count = {0}};
    return carry_out(session, sort_texts(session, texts, &p), &p, size, message);
}

status insitu_change_picture(insitu_session *session, int index, const char *text)
{
    char message[STEER_MAX_TEXT];
    plan p = {.count = {0}};
    return carry_out(session, add_text(&p, index, text), &p, sizeof message, message);
}
