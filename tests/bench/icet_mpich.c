/*
 * IceT's core knows no MPI: it communicates through a table of functions. The functions
 * here do what those of IceT's own MPI layer do (K. Moreland, W. Kendall, T. Peterka, J.
 * Huang: An image compositing solution at scale, SC 2011), over the MPI that karman is
 * linked with, so that both can be measured in one process. What would block is posted
 * and polled by parallel_wait, which shares the processor.
 */
#include "icet_mpich.h"

#include "base/parallel/parallel.h"

#include <stdio.h>
#include <stdlib.h>

/* Says that what this rank contributes lies in its place of the result; IceT defines this
 * value in a header that is not installed. */
#define IN_PLACE_COLLECT ((const void *)-1)

enum { REQUEST_MAGIC = 0xC0331 };

static const struct IceTCommunicatorStruct functions;

static int64_t messages_started;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        /* IceT has no way to hand this on. */
        fprintf(stderr, "bench_composite: out of memory in IceT's communication\n");
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return memory;
}

/* Takes comm over. */
static IceTCommunicator wrap(MPI_Comm comm)
{
    IceTCommunicator self = allocate(sizeof *self);
    MPI_Comm *data = allocate(sizeof *data);
    *self = functions;
    *data = comm;
    self->data = data;
    return self;
}

static MPI_Comm unwrap(IceTCommunicator self)
{
    return *(MPI_Comm *)self->data;
}

static MPI_Datatype to_mpi(IceTEnum type)
{
    switch (type) {
    case ICET_BOOLEAN:
    case ICET_BYTE:
        return MPI_BYTE;
    case ICET_SHORT:
        return MPI_SHORT;
    case ICET_INT:
        return MPI_INT;
    case ICET_FLOAT:
        return MPI_FLOAT;
    case ICET_DOUBLE:
        return MPI_DOUBLE;
    default:
        fprintf(stderr, "bench_composite: IceT sends the unknown type %#x\n", type);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return MPI_DATATYPE_NULL;
    }
}

static const void *to_mpi_source(const void *data)
{
    return data == IN_PLACE_COLLECT ? MPI_IN_PLACE : data;
}

/* ---- Communicators ----------------------------------------------------------------- */

static IceTCommunicator duplicate(IceTCommunicator self)
{
    MPI_Comm copy;
    MPI_Comm_dup(unwrap(self), &copy);
    return wrap(copy);
}

static void destroy(IceTCommunicator self)
{
    MPI_Comm_free(self->data);
    free(self->data);
    free(self);
}

static IceTCommunicator subset(IceTCommunicator self, int count, const IceTInt32 *ranks)
{
    MPI_Group all, some;
    MPI_Comm comm;
    MPI_Comm_group(unwrap(self), &all);
    MPI_Group_incl(all, count, ranks, &some);
    MPI_Comm_create(unwrap(self), some, &comm);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return comm == MPI_COMM_NULL ? ICET_COMM_NULL : wrap(comm);
}

static int comm_size(IceTCommunicator self)
{
    return parallel_size(unwrap(self));
}

static int comm_rank(IceTCommunicator self)
{
    return parallel_rank(unwrap(self));
}

/* ---- Messages ---------------------------------------------------------------------- */

static void send_message(IceTCommunicator self, const void *data, int count,
                         IceTEnum type, int to, int tag)
{
    MPI_Request request;
    messages_started++;
    MPI_Isend(data, count, to_mpi(type), to, tag, unwrap(self), &request);
    parallel_wait(&request);
}

static void receive_message(IceTCommunicator self, void *data, int count, IceTEnum type,
                            int from, int tag)
{
    MPI_Request request;
    MPI_Irecv(data, count, to_mpi(type), from, tag, unwrap(self), &request);
    parallel_wait(&request);
}

static void exchange_messages(IceTCommunicator self, const void *sent, int send_count,
                              IceTEnum send_type, int to, int send_tag, void *received,
                              int receive_count, IceTEnum receive_type, int from,
                              int receive_tag)
{
    MPI_Request requests[2];
    MPI_Irecv(received, receive_count, to_mpi(receive_type), from, receive_tag,
              unwrap(self), &requests[0]);
    messages_started++;
    MPI_Isend(sent, send_count, to_mpi(send_type), to, send_tag, unwrap(self),
              &requests[1]);
    parallel_wait(&requests[1]);
    parallel_wait(&requests[0]);
}

/* ---- Collectives ------------------------------------------------------------------- */

static void barrier(IceTCommunicator self)
{
    MPI_Request request;
    MPI_Ibarrier(unwrap(self), &request);
    parallel_wait(&request);
}

static void gather(IceTCommunicator self, const void *data, int count, IceTEnum type,
                   void *all, int root)
{
    MPI_Request request;
    MPI_Igather(to_mpi_source(data), count, to_mpi(type), all, count, to_mpi(type), root,
                unwrap(self), &request);
    parallel_wait(&request);
}

static void gather_varying(IceTCommunicator self, const void *data, int count,
                           IceTEnum type, void *all, const int *counts,
                           const int *offsets, int root)
{
    MPI_Request request;
    MPI_Igatherv(to_mpi_source(data), count, to_mpi(type), all, counts, offsets,
                 to_mpi(type), root, unwrap(self), &request);
    parallel_wait(&request);
}

static void gather_at_all(IceTCommunicator self, const void *data, int count,
                          IceTEnum type, void *all)
{
    MPI_Request request;
    MPI_Iallgather(to_mpi_source(data), count, to_mpi(type), all, count, to_mpi(type),
                   unwrap(self), &request);
    parallel_wait(&request);
}

static void all_to_all(IceTCommunicator self, const void *data, int count, IceTEnum type,
                       void *all)
{
    MPI_Request request;
    MPI_Ialltoall(data, count, to_mpi(type), all, count, to_mpi(type), unwrap(self),
                  &request);
    parallel_wait(&request);
}

/* ---- Requests ---------------------------------------------------------------------- */

static IceTCommRequest wrap_request(MPI_Request request)
{
    IceTCommRequest wrapped = allocate(sizeof *wrapped);
    MPI_Request *internals = allocate(sizeof *internals);
    *internals = request;
    wrapped->magic_number = REQUEST_MAGIC;
    wrapped->internals = internals;
    return wrapped;
}

static void free_request(IceTCommRequest *request)
{
    free((*request)->internals);
    free(*request);
    *request = ICET_COMM_REQUEST_NULL;
}

static IceTCommRequest start_send(IceTCommunicator self, const void *data, int count,
                                  IceTEnum type, int to, int tag)
{
    MPI_Request request;
    messages_started++;
    MPI_Isend(data, count, to_mpi(type), to, tag, unwrap(self), &request);
    return wrap_request(request);
}

static IceTCommRequest start_receive(IceTCommunicator self, void *data, int count,
                                     IceTEnum type, int from, int tag)
{
    MPI_Request request;
    MPI_Irecv(data, count, to_mpi(type), from, tag, unwrap(self), &request);
    return wrap_request(request);
}

static void wait_request(IceTCommunicator self, IceTCommRequest *request)
{
    (void)self;
    if (*request != ICET_COMM_REQUEST_NULL) {
        parallel_wait((*request)->internals);
        free_request(request);
    }
}

/* MPI_Testany until something is done. */
static int wait_any(IceTCommunicator self, int count, IceTCommRequest *requests)
{
    int idle = 0;
    (void)self;
    MPI_Request *all = allocate(sizeof *all * (size_t)(count > 0 ? count : 1));
    for (int i = 0; i < count; i++) {
        IceTCommRequest r = requests[i];
        all[i] =
            r == ICET_COMM_REQUEST_NULL ? MPI_REQUEST_NULL : *(MPI_Request *)r->internals;
    }
    int index = MPI_UNDEFINED, done = 0;
    while (!done) {
        MPI_Testany(count, all, &index, &done, MPI_STATUS_IGNORE);
        if (!done) {
            parallel_relax(&idle);
        }
    }
    free(all);
    if (index != MPI_UNDEFINED) {
        free_request(&requests[index]);
    }
    return index;
}

static const struct IceTCommunicatorStruct functions = {.Duplicate = duplicate,
                                                        .Destroy = destroy,
                                                        .Subset = subset,
                                                        .Barrier = barrier,
                                                        .Send = send_message,
                                                        .Recv = receive_message,
                                                        .Sendrecv = exchange_messages,
                                                        .Gather = gather,
                                                        .Gatherv = gather_varying,
                                                        .Allgather = gather_at_all,
                                                        .Alltoall = all_to_all,
                                                        .Isend = start_send,
                                                        .Irecv = start_receive,
                                                        .Wait = wait_request,
                                                        .Waitany = wait_any,
                                                        .Comm_size = comm_size,
                                                        .Comm_rank = comm_rank};

IceTCommunicator icet_mpich_create(MPI_Comm comm)
{
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    return wrap(copy);
}

void icet_mpich_destroy(IceTCommunicator communicator)
{
    destroy(communicator);
}

int64_t icet_mpich_messages(void)
{
    return messages_started;
}
