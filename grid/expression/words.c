/* The words of expressions. */
#include "expression.h"

#include <string.h>

const expression_word expression_words[EXPRESSION_FUNCTIONS] = {
    [EXPRESSION_ADD] = {NULL, "nn", 'n'},
    [EXPRESSION_SUBTRACT] = {NULL, "nn", 'n'},
    [EXPRESSION_MULTIPLY] = {NULL, "11", '1'}, /* or a vector times a number */
    [EXPRESSION_DIVIDE] = {NULL, "n1", 'n'},
    [EXPRESSION_POWER] = {NULL, "11", '1'},
    [EXPRESSION_NEGATE] = {NULL, "n", 'n'},
    [EXPRESSION_LESS] = {NULL, "11", '1'},
    [EXPRESSION_LESS_EQUAL] = {NULL, "11", '1'},
    [EXPRESSION_EQUAL] = {NULL, "11", '1'},
    [EXPRESSION_UNEQUAL] = {NULL, "11", '1'},
    [EXPRESSION_AND] = {NULL, "11", '1'},
    [EXPRESSION_OR] = {NULL, "11", '1'},
    [EXPRESSION_NOT] = {NULL, "1", '1'},
    [EXPRESSION_IF] = {"if", "1nn", 'n'},
    [EXPRESSION_MIN] = {"min", "11", '1'},
    [EXPRESSION_MAX] = {"max", "11", '1'},
    [EXPRESSION_CLAMP] = {"clamp", "111", '1'},
    [EXPRESSION_ABS] = {"abs", "1", '1'},
    [EXPRESSION_SIGN] = {"sign", "1", '1'},
    [EXPRESSION_FLOOR] = {"floor", "1", '1'},
    [EXPRESSION_CEIL] = {"ceil", "1", '1'},
    [EXPRESSION_ROUND] = {"round", "1", '1'},
    [EXPRESSION_MOD] = {"mod", "11", '1'},
    [EXPRESSION_SQRT] = {"sqrt", "1", '1'},
    [EXPRESSION_CBRT] = {"cbrt", "1", '1'},
    [EXPRESSION_EXP] = {"exp", "1", '1'},
    [EXPRESSION_LOG] = {"log", "1", '1'},
    [EXPRESSION_LOG10] = {"log10", "1", '1'},
    [EXPRESSION_LOG2] = {"log2", "1", '1'},
    [EXPRESSION_SIN] = {"sin", "1", '1'},
    [EXPRESSION_COS] = {"cos", "1", '1'},
    [EXPRESSION_TAN] = {"tan", "1", '1'},
    [EXPRESSION_ASIN] = {"asin", "1", '1'},
    [EXPRESSION_ACOS] = {"acos", "1", '1'},
    [EXPRESSION_ATAN] = {"atan", "1", '1'},
    [EXPRESSION_ATAN2] = {"atan2", "11", '1'},
    [EXPRESSION_SINH] = {"sinh", "1", '1'},
    [EXPRESSION_COSH] = {"cosh", "1", '1'},
    [EXPRESSION_TANH] = {"tanh", "1", '1'},
    [EXPRESSION_VEC] = {"vec", "111", '3'},
    [EXPRESSION_MAG] = {"mag", "3", '1'},
    [EXPRESSION_UNIT] = {"unit", "3", '3'},
    [EXPRESSION_DOT] = {"dot", "33", '1'},
    [EXPRESSION_CROSS] = {"cross", "33", '3'},
    [EXPRESSION_GRAD] = {"grad", "1", '3'},
    [EXPRESSION_DIV] = {"div", "3", '1'},
    [EXPRESSION_CURL] = {"curl", "3", '3'},
    [EXPRESSION_Q] = {"q", "3", '1'},
    [EXPRESSION_LAMBDA2] = {"lambda2", "3", '1'},
    [EXPRESSION_PREVIOUS] = {"previous", "n", 'n'},
    [EXPRESSION_MEAN] = {"mean", "n..", 'n'},
    [EXPRESSION_OTHER] = {"other", "n", 'n'},
};

expression_function expression_find(const char *name)
{
    int f = 0;
    while (f < EXPRESSION_FUNCTIONS &&
           (!expression_words[f].name || strcmp(expression_words[f].name, name) != 0)) {
        f++;
    }
    return (expression_function)f;
}
