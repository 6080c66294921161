#include "marks.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lists ---- */

status marks_add_text(marks *to, const annotate_mark *mark)
{
    char *text = strdup(mark->text);
    if (!text || base_array_room(to->texts, to->ntexts, 1, NULL) != STATUS_OK) {
        free(text);
        return base_fail_memory(sizeof *mark, "annotations");
    }
    to->texts[to->ntexts] = *mark;
    to->texts[to->ntexts++].text = text;
    return STATUS_OK;
}

status marks_add_stroke(marks *to, const annotate_stroke *stroke)
{
    return base_array_add(to->strokes, to->nstrokes, *stroke, "annotations");
}

void marks_free(marks *of)
{
    for (int n = 0; n < of->ntexts; n++) {
        free((char *)(uintptr_t)of->texts[n].text);
    }
    free(of->texts);
    free(of->strokes);
    *of = (marks){0};
}

void marks_show(const marks *of, annotation *all)
{
    all->nmarks = of->ntexts;
    all->marks = of->texts;
    all->nstrokes = of->nstrokes;
    all->strokes = of->strokes;
}
