/* Differences of steps or data sets, which pictures show on both sides of 0. */
#include "grid/expression/expression.h"
#include "grid/recipe.h"

#include <string.h>

static int count_arguments(const expression_node *n)
{
    return n->kind == EXPRESSION_CALL
               ? (int)strlen(expression_words[n->function].arguments)
               : n->kind == EXPRESSION_COMPONENT;
}

/* Which values of other times or data a part of an expression takes: bits by function. */
static unsigned elsewhere(const expression *tree, int node)
{
    static const unsigned bits[EXPRESSION_FUNCTIONS] = {
        [EXPRESSION_PREVIOUS] = 1, [EXPRESSION_MEAN] = 2, [EXPRESSION_OTHER] = 4};
    const expression_node *n = &tree->nodes[node];
    unsigned all = n->kind == EXPRESSION_CALL ? bits[n->function] : 0;
    for (int a = 0; a < count_arguments(n); a++) {
        all |= n->arguments[a] >= 0 ? elsewhere(tree, n->arguments[a]) : 0;
    }
    return all;
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
        return elsewhere(tree, n->arguments[0]) != elsewhere(tree, n->arguments[1]);
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

/* The tree of a definition; NULL if there is none, and its recipe says why. */
static expression *parse(const grid_definition *definition)
{
    expression *tree = NULL;
    if (expression_parse(definition->name, definition->text, &tree) != STATUS_OK) {
        base_fail_set_message("");
    }
    return tree;
}

bool grid_recipe_is_difference(const char *name, grid_terms terms)
{
    bool is = false;
    for (int n = 0; n < terms.ndefinitions; n++) {
        if (strcmp(terms.definitions[n].name, name) == 0) {
            expression *tree = parse(&terms.definitions[n]);
            is = tree && is_difference(tree, tree->root);
            expression_destroy(&tree);
        }
    }
    return is;
}

bool grid_terms_take_other(const grid_terms *terms)
{
    bool takes = false;
    for (int n = 0; n < terms->ndefinitions && !takes; n++) {
        expression *tree = parse(&terms->definitions[n]);
        for (int node = 0; tree && node < tree->count; node++) {
            takes = takes || (tree->nodes[node].kind == EXPRESSION_CALL &&
                              tree->nodes[node].function == EXPRESSION_OTHER);
        }
        expression_destroy(&tree);
    }
    return takes;
}
