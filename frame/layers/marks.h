/* Lists of texts and lines for annotations of the picture. */
#ifndef FRAME_LAYERS_MARKS_H
#define FRAME_LAYERS_MARKS_H

#include "base/status.h"
#include "render/annotate/annotate.h"

#include <stdint.h>

/* Growing lists. Zero is empty. */
typedef struct marks {
    int ntexts, nstrokes;
    annotate_mark *texts;     /* [ntexts]; texts are malloc'ed */
    annotate_stroke *strokes; /* [nstrokes] */
} marks;

void marks_free(marks *of);

/* Lets an annotation show them; it borrows. */
void marks_show(const marks *of, annotation *all);

/* Appends a text, which is copied, or a line. Local. Errors: STATUS_MEMORY. */
status marks_add_text(marks *to, const annotate_mark *mark);
status marks_add_stroke(marks *to, const annotate_stroke *stroke);

#endif
