#include "marks.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lists ---- */

status marks_add_text(marks *to, const annotate_mark *mark)
{
    annotate_mark *grown =
        base_array_reserve(to->texts, &to->text_capacity, to->ntexts + 1, sizeof *grown);
    char *text = strdup(mark->text);
    to->texts = grown ? grown : to->texts;
    if (!grown || !text) {
        free(text);
        return base_fail_memory(sizeof *mark, "annotations");
    }
    to->texts[to->ntexts] = *mark;
    to->texts[to->ntexts++].text = text;
    return STATUS_OK;
}

status marks_add_stroke(marks *to, const annotate_stroke *stroke)
{
    annotate_stroke *grown = base_array_reserve(to->strokes, &to->stroke_capacity,
                                                to->nstrokes + 1, sizeof *grown);
    if (!grown) {
        return base_fail_memory(sizeof *stroke, "annotations");
    }
    to->strokes = grown;
    to->strokes[to->nstrokes++] = *stroke;
    return STATUS_OK;
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
