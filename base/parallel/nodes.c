#include "nodes.h"

#include "parallel.h"

int parallel_test_node_size = 0;
bool parallel_test_node_dealt = false;

static void cut_for_test(MPI_Comm *node)
{
    const int rank = parallel_rank(*node);
    const int size = parallel_test_node_size;
    const int nodes = (parallel_size(*node) + size - 1) / size;
    MPI_Comm part;
    MPI_Comm_split(*node, parallel_test_node_dealt ? rank % nodes : rank / size, 0,
                   &part);
    MPI_Comm_free(node);
    *node = part;
}

void parallel_split_nodes(MPI_Comm comm, MPI_Comm *node)
{
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node);
    if (parallel_test_node_size > 0) {
        cut_for_test(node);
    }
}

int parallel_node_size(MPI_Comm comm)
{
    MPI_Comm node;
    parallel_split_nodes(comm, &node);
    const int size = parallel_size(node);
    MPI_Comm_free(&node);
    return size;
}

void parallel_number_nodes(MPI_Comm comm, MPI_Comm node, int *numbers)
{
    int first = parallel_rank(comm);
    MPI_Request request;
    parallel_bcast(&first, 1, MPI_INT, 0, node);
    MPI_Iallgather(&first, 1, MPI_INT, numbers, 1, MPI_INT, comm, &request);
    parallel_wait(&request);
}
