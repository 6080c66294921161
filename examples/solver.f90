! A solver that draws itself. A blob is carried around a bent duct, and spreads.
program solver
    use mpi
    use karman
    implicit none
    integer, parameter :: ni = 49, nj = 17, nk = 33, steps = 60, plane = ni*nj
    double precision, allocatable, target, dimension(:, :, :) :: x, y, z, u, before
    double precision, target :: spreading = 0.1d0
    double precision :: angle, radius
    integer :: rank, ranks, threads, first, n, below, above, i, j, k, step, code, error
    character(256) :: config = 'insitu.yaml'
    type(c_ptr) :: session

    call MPI_Init_thread(MPI_THREAD_FUNNELED, threads, error) ! karman starts threads
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    if (command_argument_count() > 0) call get_command_argument(1, config)
    first = nk*rank/ranks
    n = nk*(rank + 1)/ranks - first
    below = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    above = merge(rank + 1, MPI_PROC_NULL, rank + 1 < ranks)

    ! Planes 1 to n belong to this rank. Planes 0 and n + 1 are ghost layers, copies of the
    ! neighbours' planes.
    allocate (x(ni, nj, 0:n + 1), y(ni, nj, 0:n + 1), z(ni, nj, 0:n + 1), u(ni, nj, 0:n + 1))
    do concurrent(i=1:ni, j=1:nj, k=0:n + 1)
        angle = 3.14159265d0*(i - 1)/(ni - 1)
        radius = 1 + 0.06d0*(j - 1)
        x(i, j, k) = radius*cos(angle)
        y(i, j, k) = radius*sin(angle)
        z(i, j, k) = 0.06d0*(first + k - 1)
        u(i, j, k) = exp(-0.05d0*((i - 9)**2 + (j - 9)**2 + (first + k - 17)**2))
    end do

    ! karman's part has the rank's own planes alone.
    code = karman_open(MPI_COMM_WORLD, config, session)
    code = karman_set_block(session, 1, 'duct', [ni, nj, nk], karman_values(x(:, :, 1:n)), &
                            karman_values(y(:, :, 1:n)), karman_values(z(:, :, 1:n)), &
                            first=[1, 1, first + 1], count=[ni, nj, n])
    code = karman_set_field(session, 1, 'u', KARMAN_VERTEX, karman_values(u(:, :, 1:n)))
    code = karman_parameter(session, 'solver.spreading', spreading, 0d0, 0.15d0, 'per step')

    do step = 1, steps
        before = u
        do concurrent(i=2:ni - 1, j=2:nj - 1, k=1:n)
            u(i, j, k) = before(i, j, k) - 0.3d0*(before(i, j, k) - before(i - 1, j, k)) + &
                spreading*(before(i - 1, j, k) + before(i + 1, j, k) + before(i, j - 1, k) + &
                           before(i, j + 1, k) + before(i, j, k - 1) + before(i, j, k + 1) - &
                           6*before(i, j, k))
        end do
        call MPI_Sendrecv(u(1, 1, 1), plane, MPI_DOUBLE_PRECISION, below, 0, u(1, 1, n + 1), &
                          plane, MPI_DOUBLE_PRECISION, above, 0, MPI_COMM_WORLD, &
                          MPI_STATUS_IGNORE, error)
        call MPI_Sendrecv(u(1, 1, n), plane, MPI_DOUBLE_PRECISION, above, 1, u(1, 1, 0), &
                          plane, MPI_DOUBLE_PRECISION, below, 1, MPI_COMM_WORLD, &
                          MPI_STATUS_IGNORE, error)
        code = karman_render(session, step, 0.01d0*step)
        if (karman_poll_steering(session, step, 0.01d0*step) == KARMAN_STOP) exit
    end do
    error = karman_close(session)
    call MPI_Finalize(error)
    if (code /= KARMAN_DONE) stop 1
end program
