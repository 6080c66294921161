/* The choice of the simulator: the way to composite that it predicts to be the fastest.
 */
#ifndef MESSAGES_SEARCH_PREDICT_H
#define MESSAGES_SEARCH_PREDICT_H

#include "composite/rules.h"
#include "messages/model/machine.h"

/* The case of a prediction: a picture on ranks that lie evenly on nodes. */
typedef struct tune_question {
    int ranks, nodes;
    int width, height;
    composite_target target;
    bool is_dense; /* all pixels of all images are active; else those of a k-d tree's
                      boxes are */
} tune_question;

/* An answer; choice.algorithm is NULL if the executor's own choice is as good. */
typedef struct tune_answer {
    composite_choice choice;
    double activity;               /* of the case, as composite_rule.activity */
    double seconds, usual_seconds; /* predicted: of the choice; of the executor's own */
} tune_answer;

/*
 * Predicts all methods, each with the usual segment and with shorter ones. The best one
 * is the answer if it beats the executor's own choice by more than a tenth, as
 * predictions are right to some 10 % (docs/messages/published-results.md). Methods beyond
 * some 30,000 messages in all are left out, so that an answer takes some tenths of a
 * second. If the executor's own choice has too many, it is the answer. Local; the same
 * answer every time. Errors: STATUS_MEMORY; STATUS_USAGE for an impossible machine.
 */
status tune_predict(const tune_question *question, const simulate_machine *machine,
                    tune_answer *answer);

#endif
