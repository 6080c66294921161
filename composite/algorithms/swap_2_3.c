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
 * the c children take turns, larger ones first: piece i of the child with turn t becomes
 * piece n = c i + t of the node. Then each new piece lies within its owner's old one:
 *
 *   The node has m = c s + l members, so l children have a = s + 1 and turns t < l, the
 *   others a = s and t >= l. Piece n of m lies within piece i of a if i m <= n a and
 *   (n + 1) a <= (i + 1) m. With these a both are true, as 0 <= i < a: for a = s the
 *   first one is i l <= t s, and the second (t + 1) s <= c s + (i + 1) l. For a = s + 1
 *   they are i l <= c i + t a, and (c - l) (i - s) <= (l - t - 1) a.
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

static int count_children(node parent)
{
    return parent.size <= 2 * (parent.most / 3) ? 2 : 3;
}

/* The first position of a child, counted from the parent's; of `count`: the end. */
static int find_begin(node parent, int count, int child)
{
    /* Constants, as this is called very often. */
    const int64_t all = (int64_t)child * parent.size;
    return (int)(count == 2 ? all / 2 : all / 3);
}

static node make_child(node parent, int count, int child)
{
    const int begin = find_begin(parent, count, child);
    return (node){parent.first + begin, find_begin(parent, count, child + 1) - begin,
                  parent.height - 1, parent.most / 3};
}

static family make_family(node parent)
{
    family all = {.parent = parent, .count = count_children(parent)};
    for (int i = 0; i < all.count; i++) {
        all.child[i] = make_child(parent, all.count, i);
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

/* The piece of the parent that goes to the owner of piece `piece` of a child. Larger
 * children are the last ones, and have the first turns. */
static int find_new_piece(const family *all, int child, int piece)
{
    return all->count * piece + (child + all->parent.size) % all->count;
}

/* The position that holds a piece of a node of 2^height positions: the bits of the piece
 * lead down the tree, the lowest one first. */
static int find_holder_of_swap(node at, int piece)
{
    int position = 0;
    for (int bit = 0; bit < at.height; bit++) {
        position = 2 * position + (piece >> bit & 1);
    }
    return at.first + position;
}

/* The child of `count` whose turn it is at a piece, and in *piece its old one. */
static inline node take_turn(node parent, int count, int *piece)
{
    const int larger = parent.size % count;
    const int child = (*piece % count + count - larger) % count;
    *piece /= count;
    return make_child(parent, count, child);
}

/* The position that holds a piece of a node after the node's round. */
static int find_holder(node at, int piece)
{
    while (at.size != 1 << at.height) {
        at =
            count_children(at) == 2 ? take_turn(at, 2, &piece) : take_turn(at, 3, &piece);
    }
    return find_holder_of_swap(at, piece);
}

/* ---- Rounds ---- */

/* Data common to all messages of a position in the round of a node. */
typedef struct swap {
    const family *all;
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
    const composite_op op = {.round = at->all->parent.height - 1,
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
    const node own = at->all->child[at->child];
    const composite_range range = composite_share(at->image, own.size, at->old_piece);
    if (range.pix0 == range.pix1) {
        return 0;
    }
    const node parent = at->all->parent;
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
        composite_share(at->image, at->all->parent.size, at->new_piece);
    if (range.pix0 == range.pix1) {
        return 0;
    }
    int ended = 0;
    for (int step = 0; step < at->all->count - 1 && !ended; step++) {
        int other = composite_outward(at->all->count, at->child, step);
        ended = visit_receives_from(at, at->all->child[other], range);
    }
    return ended;
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    (void)params;
    family path[MOST_HEIGHT]; /* inner nodes with the position, by height - 1 */
    int child[MOST_HEIGHT];   /* the position's own */
    node own = make_root(problem->size);
    const int height = own.height;
    while (own.height > 0) {
        const int round = own.height - 1;
        path[round] = make_family(own);
        child[round] = find_child(&path[round], position);
        own = path[round].child[child[round]];
    }
    swap at = {.position = position,
               .image = {0, problem->pixels},
               .visit = visit,
               .context = context};
    int ended = 0;
    for (int round = 0; round < height && !ended; round++) {
        at.all = &path[round];
        at.child = child[round];
        at.old_piece = at.new_piece; /* 0 at first: all of the image */
        at.new_piece = find_new_piece(at.all, at.child, at.old_piece);
        if (round >= problem->first_round) {
            ended = visit_sends(&at);
            ended = ended ? ended : visit_receives(&at);
        }
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
