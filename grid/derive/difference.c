/* Differences of two steps or data sets, which pictures show on both sides of 0. */
#include "grid/expression/expression.h"
#include "grid/recipe.h"

#include <string.h>

static int count_arguments(const expression_node *n)
{
    return n->kind == EXPRESSION_CALL
               ? (int)strlen(expression_words[n->function].arguments)
               : n->kind == EXPRESSION_COMPONENT;
}

/* Whether a part of an expression takes values of another step or of other data. */
static bool is_elsewhere(const expression *tree, int node)
{
    const expression_node *n = &tree->nodes[node];
    bool is = n->kind == EXPRESSION_CALL &&
              (n->function == EXPRESSION_PREVIOUS || n->function == EXPRESSION_OTHER);
    for (int a = 0; a < count_arguments(n) && !is; a++) {
        is = n->arguments[a] >= 0 && is_elsewhere(tree, n->arguments[a]);
    }
    return is;
}

static bool is_difference(const expression *tree, int node)
{
    const expression_node *n = &tree->nodes[node];
    if (n->kind == EXPRESSION_COMPONENT) {
        return is_difference(tree, n->arguments[0]);
    }
    if (n->kind != EXPRESSION_CALL) {
        return false;
    }
    switch (n->function) {
    case EXPRESSION_SUBTRACT:
        return is_elsewhere(tree, n->arguments[0]) != is_elsewhere(tree, n->arguments[1]);
    case EXPRESSION_DIVIDE:
    case EXPRESSION_NEGATE:
        return is_difference(tree, n->arguments[0]);
    case EXPRESSION_MULTIPLY:
        return is_difference(tree, n->arguments[0]) ||
               is_difference(tree, n->arguments[1]);
    default:
        return false;
    }
}

bool grid_recipe_is_difference(const char *name, grid_terms terms)
{
    const char *text = NULL;
    expression *tree = NULL;
    for (int n = 0; n < terms.ndefinitions; n++) {
        text = strcmp(terms.definitions[n].name, name) == 0 ? terms.definitions[n].text
                                                            : text;
    }
    const bool is = text && expression_parse(name, text, &tree) == STATUS_OK &&
                    is_difference(tree, tree->root);
    if (text && !tree) {
        base_fail_set_message(""); /* its recipe says why */
    }
    expression_destroy(&tree);
    return is;
}
