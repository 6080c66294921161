/*
 * 2-3 swap: binary swap for any number of positions, without idle ones.
 *
 * Positions are the leaves of a tree. Its inner nodes have 2 or 3 children, and all
 * leaves have the same depth, floor(log2(size)). Rounds go up the tree. After the round
 * of a node with m positions, each of these holds one of m equal pieces of the picture,
 * with the images of all m. For 5 positions, a node of 2 and one of 3:
 *
 *                round 0                round 1
 *      pos 0     left    | of 2         2nd of 5
 *      pos 1     right   |              4th
 *      pos 2     left    |              1st
 *      pos 3     middle  | of 3         3rd
 *      pos 4     right   |              5th
 *
 * The old pieces of the children, such as halves and thirds, have different borders. So a
 * position sends to each of the others the part of its old piece that lies in their new
 * piece, and receives the rest of its own. Any assignment of new pieces would do. Here
 * the members of a node are sorted by the centres of their old pieces, and take the new
 * ones in that order. Then each new piece lies within its owner's old one:
 *
 *   Let a child have a members, and the other children b in all. The owner of piece i of
 *   the child gets piece i + n of the node, if n members of other children come first.
 *   The new piece lies within the old one if i b <= n a <= (i + 1) b. A child with c
 *   members adds to n the number (i + 1/2) c / a, rounded. The error is 1/2 at most, and
 *   exactly 1/2 only if two centres are equal. So with one other child n a is at least
 *   i b + (b - a) / 2. That suffices: sizes differ by one at most, and n a and i b are
 *   integers. With two others it can fail only if both have a - 1 members and both errors
 *   are exactly 1/2. But then (2 j + 1) a = (2 i + 1) (a - 1) for some j; one side is odd
 *   and the other is even. The upper bound is the mirror image.
 *
 * So pixels are sent only to be merged: size - 1 images in all, the least possible. For
 * 2^n positions it is binary swap.
 *
 * A node has 2 children if the leaves below can have the same depth, else 3. So nodes of
 * 3 are near the leaves, where few positions take part.
 *
 * H. Yu, C. Wang, K.-L. Ma, "Massively parallel volume rendering using 2-3 swap image
 * compositing", SC 2008.
 */
#include "algorithms.h"

/* ---- The tree ---- */

enum { MOST_HEIGHT = 30, MOST_CHILDREN = 3 };

/* Positions [first, first + size), with leaves `height` levels below:
 * 2^height <= size <= most = 3^height. */
typedef struct node {
    int first, size, height;
    int64_t most;
} node;

/* An inner node and its children, whose sizes are as equal as can be. */
typedef struct family {
    node parent;
    int count; /* children: 2 or 3 */
    node child[MOST_CHILDREN];
} family;

static node make_root(int size)
{
    node root = {.size = size, .most = 1};
    while (size >> root.height > 1) {
        root.height++;
        root.most *= 3;
    }
    return root;
}

static family make_family(node parent)
{
    const int64_t most = parent.most / 3;
    const int size = parent.size;
    family all = {.parent = parent, .count = size <= 2 * most ? 2 : 3};
    /* Shares of a half, or of a third: constants, as this is called very often. */
    const int second = all.count == 2 ? size / 2 : size / 3;
    const int third = all.count == 2 ? size : (int)((int64_t)size * 2 / 3);
    const int begin[] = {0, second, third, size};
    for (int i = 0; i < all.count; i++) {
        all.child[i] = (node){parent.first + begin[i], begin[i + 1] - begin[i],
                              parent.height - 1, most};
    }
    return all;
}

/* The number of the child that contains a position. */
static int find_child(const family *all, int position)
{
    int child = 0;
    while (position >= all->child[child].first + all->child[child].size) {
        child++;
    }
    return child;
}

/* ---- Owners of pieces ---- */

/*
 * The piece of the parent that goes to the owner of piece `piece` of a child. It is the
 * place of that piece if all pieces of the children are sorted by their centres
 * (2 piece + 1) / (2 size), with the first child first for equal centres. Of another
 * child with n members, the pieces j with (2 j + 1) / n below (2 piece + 1) / size come
 * before.
 */
static int find_new_piece(const family *all, int child, int piece)
{
    const int64_t size = all->child[child].size;
    int64_t place = piece;
    for (int other = 0; other < all->count; other++) {
        if (other != child) {
            int64_t centre = all->child[other].size * (2 * (int64_t)piece + 1);
            int64_t ties = other < child ? 1 : 0;
            place += (centre + size - 1 + ties) / (2 * size);
        }
    }
    return (int)place;
}

/* The piece of a child whose owner gets a piece of the parent; -1 if that goes to another
 * child. New pieces lie within old ones, so there is one candidate only. */
static int find_old_piece(const family *all, int child, int piece)
{
    const int old = (int)((int64_t)piece * all->child[child].size / all->parent.size);
    return find_new_piece(all, child, old) == piece ? old : -1;
}

/* The position that holds a piece of a node of 2^height positions: its children take
 * turns at new pieces, so that the bits of the piece lead down the tree, the lowest one
 * first.
 */
static int find_holder_of_swap(node at, int piece)
{
    int position = 0;
    for (int bit = 0; bit < at.height; bit++) {
        position = 2 * position + (piece >> bit & 1);
    }
    return at.first + position;
}

/* The position that holds a piece of a node after the node's round. */
static int find_holder(node at, int piece)
{
    if (at.size == 1 << at.height) {
        return find_holder_of_swap(at, piece);
    }
    while (at.height > 0) {
        const family all = make_family(at);
        int child = 0;
        int old = find_old_piece(&all, child, piece);
        while (old < 0) {
            old = find_old_piece(&all, ++child, piece);
        }
        at = all.child[child];
        piece = old;
    }
    return at.first;
}

/* ---- Rounds ---- */

/* Data common to all messages of a position in the round of a node. */
typedef struct swap {
    family all;
    int child; /* the position's own */
    int position;
    composite_range image;
    int old_piece; /* its piece of the child, before the round */
    int new_piece; /* its piece of the parent, after the round */
    composite_visit *visit;
    void *context;
} swap;

static composite_range intersect(composite_range a, composite_range b)
{
    return (composite_range){a.pix0 > b.pix0 ? a.pix0 : b.pix0,
                             a.pix1 < b.pix1 ? a.pix1 : b.pix1};
}

static int visit_message(const swap *at, int src, int dst, node run,
                         composite_range range)
{
    const composite_op op = {.round = at->all.parent.height - 1,
                             .src = src,
                             .dst = dst,
                             .run0 = run.first,
                             .run1 = run.first + run.size};
    return composite_visit_range(op, range, at->visit, at->context);
}

/* The first and the last of `pieces` pieces that share pixels with a range, which is not
 * empty. */
static void find_pieces(const swap *at, int pieces, composite_range range, int *first,
                        int *last)
{
    *first = composite_share_find(at->image.pix1, pieces, range.pix0);
    *last = composite_share_find(at->image.pix1, pieces, range.pix1 - 1);
}

/* Sends the old piece, except for the new one, which is a part of it. */
static int visit_sends(const swap *at)
{
    const node own = at->all.child[at->child];
    const composite_range range = composite_share(at->image, own.size, at->old_piece);
    if (range.pix0 == range.pix1) {
        return 0;
    }
    const node parent = at->all.parent;
    int first, last;
    find_pieces(at, parent.size, range, &first, &last);
    int ended = 0;
    for (int piece = first; piece <= last && !ended; piece++) {
        if (piece != at->new_piece) {
            composite_range share = composite_share(at->image, parent.size, piece);
            ended = visit_message(at, at->position, find_holder(parent, piece), own,
                                  intersect(share, range));
        }
    }
    return ended;
}

/* Receives the pixels of the new piece, `range`, from the members of another child. */
static int visit_receives_from(const swap *at, node from, composite_range range)
{
    int first, last;
    find_pieces(at, from.size, range, &first, &last);
    int ended = 0;
    for (int piece = first; piece <= last && !ended; piece++) {
        composite_range share = composite_share(at->image, from.size, piece);
        ended = visit_message(at, find_holder(from, piece), at->position, from,
                              intersect(share, range));
    }
    return ended;
}

/* Receives from the other children, outward, so that neighbouring runs merge. */
static int visit_receives(const swap *at)
{
    const composite_range range =
        composite_share(at->image, at->all.parent.size, at->new_piece);
    if (range.pix0 == range.pix1) {
        return 0;
    }
    int ended = 0;
    for (int step = 0; step < at->all.count - 1 && !ended; step++) {
        int other = composite_outward(at->all.count, at->child, step);
        ended = visit_receives_from(at, at->all.child[other], range);
    }
    return ended;
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    (void)params;
    node path[MOST_HEIGHT]; /* inner nodes with the position, by height - 1 */
    node own = make_root(problem->size);
    const int height = own.height;
    while (own.height > 0) {
        const family all = make_family(own);
        path[own.height - 1] = own;
        own = all.child[find_child(&all, position)];
    }
    swap at = {.position = position,
               .image = {0, problem->pixels},
               .visit = visit,
               .context = context};
    int ended = 0;
    for (int round = 0; round < height && !ended; round++) {
        at.all = make_family(path[round]);
        at.child = find_child(&at.all, position);
        at.old_piece = at.new_piece; /* 0 at first: all of the image */
        at.new_piece = find_new_piece(&at.all, at.child, at.old_piece);
        ended = visit_sends(&at);
        ended = ended ? ended : visit_receives(&at);
    }
    return ended;
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    (void)problem;
    return composite_params_reject(composite_swap_2_3.name, params);
}

const composite_algorithm composite_swap_2_3 = {
    .name = "2-3-swap",
    .summary = "groups of 2 or 3 swap pieces up a tree: binary swap for any size",
    .source = "Yu, Wang, Ma 2008",
    .check_params = check_params,
    .generate = generate,
};
