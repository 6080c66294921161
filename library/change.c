/* The order change: the configs of pictures change, checked as configs are. */
#include "base/parallel/parallel.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 512 };

/* The texts of an order, sorted by pictures; borrowed. */
typedef struct plan {
    int count[IO_MAX_PICTURES];
    const char **texts[IO_MAX_PICTURES]; /* [count] of MOST_TEXTS */
    io_config *configs[IO_MAX_PICTURES];
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
        "fragment; the pictures are %s",
        text, known);
}

/*
 * The picture that a text is for, and the text without the name: "pictures.front.clip="
 * or, for a fragment, "pictures.front=". A single picture needs no name.
 */
static status find_picture(const insitu_session *session, const char *text, int *index,
                           const char **rest)
{
    static const char prefix[] = "pictures.";
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

static status sort_texts(const insitu_session *session, const char *texts, plan *p)
{
    for (const char *text = texts; *text != '\0'; text += strlen(text) + 1) {
        int n = 0;
        const char *rest = text;
        status s = find_picture(session, text, &n, &rest);
        if (s != STATUS_OK) {
            return s;
        }
        if (p->count[n] == MOST_TEXTS) {
            return base_fail(STATUS_USAGE, "a change has at most %d texts", MOST_TEXTS);
        }
        if (!p->texts[n]) {
            p->texts[n] = calloc(MOST_TEXTS, sizeof **p->texts);
        }
        if (!p->texts[n]) {
            return base_fail_memory(MOST_TEXTS * sizeof **p->texts, "a change");
        }
        p->texts[n][p->count[n]++] = rest;
    }
    return STATUS_OK;
}

/* ---- The order --------------------------------------------------------------------- */

static status make_configs(const insitu_session *session, const char *texts, plan *p)
{
    status s = sort_texts(session, texts, p);
    for (int n = 0; n < session->npictures && s == STATUS_OK; n++) {
        if (p->count[n] > 0) {
            s = insitu_picture_plan(session, &session->pictures[n], p->count[n],
                                    p->texts[n], &p->configs[n]);
        }
    }
    return s;
}

static void take_configs(insitu_session *session, plan *p, size_t size, char *message)
{
    size_t used = (size_t)snprintf(message, size, "changed:");
    for (int n = 0; n < session->npictures; n++) {
        if (p->configs[n]) {
            insitu_picture_take(session, &session->pictures[n], &p->configs[n]);
            used += used < size ? (size_t)snprintf(message + used, size - used, " %s",
                                                   session->pictures[n].name)
                                : 0;
        }
    }
    insitu_parameters_relist(session);
    insitu_pictures_publish(session);
}

status insitu_change(void *context, const char *texts, size_t size, char *message)
{
    insitu_session *session = context;
    plan p = {.count = {0}};
    status s = parallel_agree(session->comm, make_configs(session, texts, &p));
    if (s == STATUS_OK) {
        take_configs(session, &p, size, message);
    }
    for (int n = 0; n < IO_MAX_PICTURES; n++) {
        io_config_destroy(&p.configs[n]);
        free(p.texts[n]);
    }
    return s;
}
