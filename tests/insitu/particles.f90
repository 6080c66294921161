! Particles of a program in Fortran, saved with a checkpoint and restored after a restart.
!
!   particles CONFIG FIRST LAST
!
! Plays the steps FIRST to LAST of a swirl in a box, and saves the particles at step 3. With
! FIRST above 0 it goes on with those that were saved at step FIRST.
program particles
    use mpi
    use, intrinsic :: iso_fortran_env, only: int64
    use karman
    implicit none
    integer, parameter :: n = 13
    double precision, allocatable, target, dimension(:, :, :) :: x, y, z, u, v, w
    integer :: rank, ranks, threads, lowest, planes, first, last, i, j, k, step, code, error
    character(256) :: config, word
    type(c_ptr) :: session

    call MPI_Init_thread(MPI_THREAD_FUNNELED, threads, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call get_command_argument(1, config)
    call get_command_argument(2, word)
    read (word, *) first
    call get_command_argument(3, word)
    read (word, *) last

    ! Ranks share the planes between them.
    lowest = (n - 1)*rank/ranks
    planes = (n - 1)*(rank + 1)/ranks - lowest + 1
    allocate (x(n, n, planes), y(n, n, planes), z(n, n, planes))
    allocate (u(n, n, planes), v(n, n, planes), w(n, n, planes))
    do concurrent(i=1:n, j=1:n, k=1:planes)
        x(i, j, k) = (i - 1)/dble(n - 1)
        y(i, j, k) = (j - 1)/dble(n - 1) + 0.1d0*x(i, j, k)
        z(i, j, k) = (lowest + k - 1)/dble(n - 1)
    end do

    call check(karman_open(MPI_COMM_WORLD, config, session), 'opening')
    call check(karman_set_block(session, 1, 'box', [n, n, n], karman_values(x), &
                                karman_values(y), karman_values(z), &
                                first=[1, 1, lowest + 1], count=[n, n, planes]), 'a block')
    call check(karman_set_field(session, 1, 'velocity_x', KARMAN_VERTEX, karman_values(u)), 'u')
    call check(karman_set_field(session, 1, 'velocity_y', KARMAN_VERTEX, karman_values(v)), 'v')
    call check(karman_set_field(session, 1, 'velocity_z', KARMAN_VERTEX, karman_values(w)), 'w')
    if (first > 0) then
        call flow(first)
        call check(karman_restore(session, first, 0.1d0*first), 'restoring')
    end if
    do step = first, last
        call flow(step)
        call check(karman_render(session, int(step, int64), 0.1d0*step), 'a step')
        if (step == 3) call check(karman_save(session, int(step, int64), 0.1d0*step), 'saving')
    end do
    ! There is no such checkpoint: the particles set out anew, and the program hears of it.
    code = karman_restore(session, last, 0.1d0*last)
    if (code /= KARMAN_FAILED) call check(KARMAN_USAGE, 'a checkpoint that there is not')
    call check(karman_close(session), 'closing')
    call MPI_Finalize(error)

contains

    ! The velocity at a step.
    subroutine flow(at)
        integer, intent(in) :: at
        u = -(y - 0.5d0)*(1 + 0.1d0*at)
        v = (x - 0.5d0)*(1 + 0.1d0*at)
        w = 0.2d0*x
    end subroutine

    subroutine check(got, what)
        integer, intent(in) :: got
        character(*), intent(in) :: what
        if (got == KARMAN_DONE) return
        print *, 'rank', rank, ': ', what, ': code', got, ' ', karman_message()
        call MPI_Abort(MPI_COMM_WORLD, 1, error)
    end subroutine
end program
