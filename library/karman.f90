! libkarman for programs in Fortran. The calls are those of karman.h, which documents them.
! They follow the conventions of Fortran: parts and vertices count from 1, names are
! character strings, cycles are integers of 4 or 8 bytes. karman_values(a) passes an array.
!
!     use karman
!     type(c_ptr) :: session
!     code = karman_open(MPI_COMM_WORLD, 'pictures.yaml', session)   ! with mpi_f08: comm%mpi_val
!     code = karman_set_block(session, 1, 'duct', [ni, nj, nk], karman_values(x), &
!                             karman_values(y), karman_values(z))
!     code = karman_set_field(session, 1, 'pressure', KARMAN_VERTEX, karman_values(p))
!     do step = 1, steps
!         ...
!         code = karman_render(session, step, time)
!         if (karman_poll_steering(session, step, time) == KARMAN_STOP) exit
!     end do
!     code = karman_close(session)
!
! karman_save(session, step, time) goes with each checkpoint, karman_restore(session, step, time)
! with a restart.
!
! Arrays need the attribute target (or pointer): karman reads the array itself, not a copy,
! until the session is closed.
module karman
    use, intrinsic :: iso_c_binding
    implicit none
    private

    public :: c_ptr, c_null_ptr
    public :: karman_open, karman_open_text, karman_close
    public :: karman_set_block, karman_drop_parts, karman_set_field
    public :: karman_save, karman_restore
    public :: karman_render, karman_poll_steering, karman_parameter, karman_parameter_callback
    public :: karman_monitor, karman_values, karman_message, karman_version

    integer(c_int), parameter, public :: KARMAN_DONE = 0, KARMAN_FAILED = 1
    integer(c_int), parameter, public :: KARMAN_USAGE = 2, KARMAN_OFF = 3
    integer(c_int), parameter, public :: KARMAN_FLOAT32 = 0, KARMAN_FLOAT64 = 1, KARMAN_INT32 = 2
    integer(c_int), parameter, public :: KARMAN_VERTEX = 0, KARMAN_ELEMENT = 1
    integer(c_int), parameter, public :: KARMAN_GO_ON = 0, KARMAN_STOP = 1

    ! Values in the program's memory. karman_values makes it.
    type, bind(C), public :: karman_array
        type(c_ptr) :: data = c_null_ptr
        integer(c_int) :: type = KARMAN_FLOAT64
        integer(c_int) :: ghosts_before(3) = 0, ghosts_after(3) = 0
        integer(c_int64_t) :: stride(3) = 0
    end type

    type, bind(C) :: block_of_c
        type(c_ptr) :: name
        integer(c_int64_t) :: size(3), first(3), count(3)
        type(karman_array) :: x, y, z, iblank
    end type

    ! karman_values(a [, before, after]): passes an array of rank 3, or any section of one.
    ! before and after: the numbers of ghost layers at its ends along each axis.
    interface karman_values
        module procedure values_float, values_double, values_int
    end interface

    interface karman_render
        module procedure render_int, render_long
    end interface

    interface karman_save
        module procedure save_int, save_long
    end interface

    interface karman_restore
        module procedure restore_int, restore_long
    end interface

    interface karman_poll_steering
        module procedure poll_int, poll_long
    end interface

    interface karman_monitor
        module procedure monitor_int, monitor_long
    end interface

    ! karman_parameter_callback calls it with a new value. Any result but 0 refuses it.
    abstract interface
        function karman_set_value(context, value) bind(C) result(code)
            import :: c_ptr, c_int, c_double
            type(c_ptr), value :: context
            real(c_double), value :: value
            integer(c_int) :: code
        end function
    end interface
    public :: karman_set_value

    interface
        function c_open(comm, path, session) bind(C, name='karman_open_from_fortran')
            import :: c_int, c_char, c_ptr
            integer(c_int), value :: comm
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: session
            integer(c_int) :: c_open
        end function

        function c_open_text(comm, text, session) bind(C, name='karman_open_text_from_fortran')
            import :: c_int, c_char, c_ptr
            integer(c_int), value :: comm
            character(kind=c_char), intent(in) :: text(*)
            type(c_ptr), intent(out) :: session
            integer(c_int) :: c_open_text
        end function

        function karman_close(session) bind(C, name='karman_close')
            import :: c_int, c_ptr
            type(c_ptr), intent(inout) :: session
            integer(c_int) :: karman_close
        end function

        function c_set_block(session, part, block) bind(C, name='karman_set_block')
            import :: c_int, c_ptr, block_of_c
            type(c_ptr), value :: session
            integer(c_int), value :: part
            type(block_of_c), intent(in) :: block
            integer(c_int) :: c_set_block
        end function

        function c_drop_parts(session, first) bind(C, name='karman_drop_parts')
            import :: c_int, c_ptr
            type(c_ptr), value :: session
            integer(c_int), value :: first
            integer(c_int) :: c_drop_parts
        end function

        function c_set_field(session, part, name, association, values) &
            bind(C, name='karman_set_field')
            import :: c_int, c_char, c_ptr, karman_array
            type(c_ptr), value :: session
            integer(c_int), value :: part, association
            character(kind=c_char), intent(in) :: name(*)
            type(karman_array), intent(in) :: values
            integer(c_int) :: c_set_field
        end function

        function c_render(session, cycle, time) bind(C, name='karman_render')
            import :: c_int, c_int64_t, c_double, c_ptr
            type(c_ptr), value :: session
            integer(c_int64_t), value :: cycle
            real(c_double), value :: time
            integer(c_int) :: c_render
        end function

        function c_save(session, cycle, time) bind(C, name='karman_save')
            import :: c_int, c_int64_t, c_double, c_ptr
            type(c_ptr), value :: session
            integer(c_int64_t), value :: cycle
            real(c_double), value :: time
            integer(c_int) :: c_save
        end function

        function c_restore(session, cycle, time) bind(C, name='karman_restore')
            import :: c_int, c_int64_t, c_double, c_ptr
            type(c_ptr), value :: session
            integer(c_int64_t), value :: cycle
            real(c_double), value :: time
            integer(c_int) :: c_restore
        end function

        function c_poll(session, cycle, time) bind(C, name='karman_poll_steering')
            import :: c_int, c_int64_t, c_double, c_ptr
            type(c_ptr), value :: session
            integer(c_int64_t), value :: cycle
            real(c_double), value :: time
            integer(c_int) :: c_poll
        end function

        function c_parameter(session, name, value, min, max, help) &
            bind(C, name='karman_parameter')
            import :: c_int, c_char, c_double, c_ptr
            type(c_ptr), value :: session, value
            character(kind=c_char), intent(in) :: name(*), help(*)
            real(c_double), value :: min, max
            integer(c_int) :: c_parameter
        end function

        function c_parameter_callback(session, name, value, min, max, help, set, context) &
            bind(C, name='karman_parameter_callback')
            import :: c_int, c_char, c_double, c_ptr, c_funptr
            type(c_ptr), value :: session, context
            character(kind=c_char), intent(in) :: name(*), help(*)
            real(c_double), value :: value, min, max
            type(c_funptr), value :: set
            integer(c_int) :: c_parameter_callback
        end function

        function c_monitor(session, cycle, time, count, names, values) &
            bind(C, name='karman_monitor')
            import :: c_int, c_int64_t, c_double, c_ptr
            type(c_ptr), value :: session
            integer(c_int64_t), value :: cycle
            real(c_double), value :: time
            integer(c_int), value :: count
            type(c_ptr), intent(in) :: names(*)
            real(c_double), intent(in) :: values(*)
            integer(c_int) :: c_monitor
        end function

        function c_message() bind(C, name='karman_message')
            import :: c_ptr
            type(c_ptr) :: c_message
        end function

        function c_version() bind(C, name='karman_version')
            import :: c_ptr
            type(c_ptr) :: c_version
        end function

        function c_strlen(text) bind(C, name='strlen')
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
            integer(c_size_t) :: c_strlen
        end function
    end interface

contains

    ! ---- Opening ------------------------------------------------------------------------

    function karman_open(comm, config_path, session) result(code)
        integer, intent(in) :: comm
        character(*), intent(in) :: config_path
        type(c_ptr), intent(out) :: session
        integer(c_int) :: code
        code = c_open(int(comm, c_int), trim(config_path)//c_null_char, session)
    end function

    function karman_open_text(comm, config, session) result(code)
        integer, intent(in) :: comm
        character(*), intent(in) :: config
        type(c_ptr), intent(out) :: session
        integer(c_int) :: code
        code = c_open_text(int(comm, c_int), config//c_null_char, session)
    end function

    ! ---- The grid and its fields --------------------------------------------------------

    ! Parts count from 1. size: vertices of the whole block. first: the part's lowest vertex
    ! in it, from 1. count: the part's vertices. Both leave ghosts out; default: all of it.
    ! Most simply, a part has the rank's own vertices alone, and shares none with others.
    ! Fields in elements then have one layer of ghosts behind, for the cells between parts:
    ! karman_values(e, after=[1, 1, 1]). A periodic block has its first plane once more as its
    ! last one, which is a part of its own, with a count of 1.
    function karman_set_block(session, part, name, size, x, y, z, first, count, iblank) &
        result(code)
        type(c_ptr), intent(in) :: session
        integer, intent(in) :: part, size(3)
        character(*), intent(in) :: name
        type(karman_array), intent(in) :: x, y, z
        integer, intent(in), optional :: first(3), count(3)
        type(karman_array), intent(in), optional :: iblank
        integer(c_int) :: code
        character(kind=c_char), target :: text(len(name) + 1)
        type(block_of_c) :: block
        call copy_text(name, text)
        block%name = c_loc(text)
        block%size = int(size, c_int64_t)
        block%first = 0
        block%count = 0
        if (present(first)) block%first = int(first - 1, c_int64_t)
        if (present(count)) block%count = int(count, c_int64_t)
        block%x = x
        block%y = y
        block%z = z
        if (present(iblank)) block%iblank = iblank
        code = c_set_block(session, int(part - 1, c_int), block)
    end function

    ! Removes the parts from number `first` on.
    function karman_drop_parts(session, first) result(code)
        type(c_ptr), intent(in) :: session
        integer, intent(in) :: first
        integer(c_int) :: code
        code = c_drop_parts(session, int(first - 1, c_int))
    end function

    function karman_set_field(session, part, name, association, values) result(code)
        type(c_ptr), intent(in) :: session
        integer, intent(in) :: part
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: association
        type(karman_array), intent(in) :: values
        integer(c_int) :: code
        code = c_set_field(session, int(part - 1, c_int), trim(name)//c_null_char, &
                           association, values)
    end function

    subroutine copy_text(from, to)
        character(*), intent(in) :: from
        character(kind=c_char), intent(out) :: to(:)
        integer :: n
        to = c_null_char
        do n = 1, len_trim(from)
            to(n) = from(n:n)
        end do
    end subroutine

    ! ---- Arrays -------------------------------------------------------------------------

    ! Finds the strides from the addresses of neighbours, as sections have their own strides.
    ! Along an axis with one layer any stride will do.
    function make_array(first, next, type, bytes, before, after) result(array)
        type(c_ptr), intent(in) :: first, next(3)
        integer(c_int), intent(in) :: type
        integer, intent(in) :: bytes
        integer, intent(in), optional :: before(3), after(3)
        type(karman_array) :: array
        integer :: axis
        array%data = first
        array%type = type
        do axis = 1, 3
            array%stride(axis) = (transfer(next(axis), 0_c_intptr_t) - &
                                  transfer(first, 0_c_intptr_t))/bytes
        end do
        if (all(array%stride == 0)) array%stride = 1
        if (present(before)) array%ghosts_before = int(before, c_int)
        if (present(after)) array%ghosts_after = int(after, c_int)
    end function

    function values_float(a, before, after) result(array)
        real(c_float), intent(in), target :: a(:, :, :)
        integer, intent(in), optional :: before(3), after(3)
        type(karman_array) :: array
        array = make_array(c_loc(a(1, 1, 1)), [c_loc(a(min(2, size(a, 1)), 1, 1)), &
            c_loc(a(1, min(2, size(a, 2)), 1)), c_loc(a(1, 1, min(2, size(a, 3))))], &
            KARMAN_FLOAT32, 4, before, after)
    end function

    function values_double(a, before, after) result(array)
        real(c_double), intent(in), target :: a(:, :, :)
        integer, intent(in), optional :: before(3), after(3)
        type(karman_array) :: array
        array = make_array(c_loc(a(1, 1, 1)), [c_loc(a(min(2, size(a, 1)), 1, 1)), &
            c_loc(a(1, min(2, size(a, 2)), 1)), c_loc(a(1, 1, min(2, size(a, 3))))], &
            KARMAN_FLOAT64, 8, before, after)
    end function

    function values_int(a, before, after) result(array)
        integer(c_int), intent(in), target :: a(:, :, :)
        integer, intent(in), optional :: before(3), after(3)
        type(karman_array) :: array
        array = make_array(c_loc(a(1, 1, 1)), [c_loc(a(min(2, size(a, 1)), 1, 1)), &
            c_loc(a(1, min(2, size(a, 2)), 1)), c_loc(a(1, 1, min(2, size(a, 3))))], &
            KARMAN_INT32, 4, before, after)
    end function

    ! ---- Drawing and steering -----------------------------------------------------------

    function render_int(session, cycle, time) result(code)
        type(c_ptr), intent(in) :: session
        integer(c_int32_t), intent(in) :: cycle
        real(c_double), intent(in) :: time
        integer(c_int) :: code
        code = c_render(session, int(cycle, c_int64_t), time)
    end function

    function render_long(session, cycle, time) result(code)
        type(c_ptr), intent(in) :: session
        integer(c_int64_t), intent(in) :: cycle
        real(c_double), intent(in) :: time
        integer(c_int) :: code
        code = c_render(session, cycle, time)
    end function

    function save_int(session, cycle, time) result(code)
        type(c_ptr), intent(in) :: session
        integer(c_int32_t), intent(in) :: cycle
        real(c_double), intent(in) :: time
        integer(c_int) :: code
        code = c_save(session, int(cycle, c_int64_t), time)
    end function

    function save_long(session, cycle, time) result(code)
        type(c_ptr), intent(in) :: session
        integer(c_int64_t), intent(in) :: cycle
        real(c_double), intent(in) :: time
        integer(c_int) :: code
        code = c_save(session, cycle, time)
    end function

    function restore_int(session, cycle, time) result(code)
        type(c_ptr), intent(in) :: session
        integer(c_int32_t), intent(in) :: cycle
        real(c_double), intent(in) :: time
        integer(c_int) :: code
        code = c_restore(session, int(cycle, c_int64_t), time)
    end function

    function restore_long(session, cycle, time) result(code)
        type(c_ptr), intent(in) :: session
        integer(c_int64_t), intent(in) :: cycle
        real(c_double), intent(in) :: time
        integer(c_int) :: code
        code = c_restore(session, cycle, time)
    end function

    function poll_int(session, cycle, time) result(answer)
        type(c_ptr), intent(in) :: session
        integer(c_int32_t), intent(in) :: cycle
        real(c_double), intent(in) :: time
        integer(c_int) :: answer
        answer = c_poll(session, int(cycle, c_int64_t), time)
    end function

    function poll_long(session, cycle, time) result(answer)
        type(c_ptr), intent(in) :: session
        integer(c_int64_t), intent(in) :: cycle
        real(c_double), intent(in) :: time
        integer(c_int) :: answer
        answer = c_poll(session, cycle, time)
    end function

    ! karman_poll_steering writes value, a target that must live as long as the session.
    function karman_parameter(session, name, value, min, max, help) result(code)
        type(c_ptr), intent(in) :: session
        character(*), intent(in) :: name, help
        real(c_double), intent(in), target :: value
        real(c_double), intent(in) :: min, max
        integer(c_int) :: code
        code = c_parameter(session, trim(name)//c_null_char, c_loc(value), min, max, &
                           trim(help)//c_null_char)
    end function

    function karman_parameter_callback(session, name, value, min, max, help, set, context) &
        result(code)
        type(c_ptr), intent(in) :: session
        character(*), intent(in) :: name, help
        real(c_double), intent(in) :: value, min, max
        procedure(karman_set_value) :: set
        type(c_ptr), intent(in), optional :: context
        integer(c_int) :: code
        type(c_ptr) :: given
        given = c_null_ptr
        if (present(context)) given = context
        code = c_parameter_callback(session, trim(name)//c_null_char, value, min, max, &
                                    trim(help)//c_null_char, c_funloc(set), given)
    end function

    function monitor_int(session, cycle, time, names, values) result(code)
        type(c_ptr), intent(in) :: session
        integer(c_int32_t), intent(in) :: cycle
        real(c_double), intent(in) :: time, values(:)
        character(*), intent(in) :: names(:)
        integer(c_int) :: code
        code = monitor_long(session, int(cycle, c_int64_t), time, names, values)
    end function

    function monitor_long(session, cycle, time, names, values) result(code)
        type(c_ptr), intent(in) :: session
        integer(c_int64_t), intent(in) :: cycle
        real(c_double), intent(in) :: time, values(:)
        character(*), intent(in) :: names(:)
        integer(c_int) :: code
        character(kind=c_char), target :: texts(len(names) + 1, size(names))
        type(c_ptr) :: pointers(size(names))
        integer :: n
        do n = 1, size(names)
            call copy_text(names(n), texts(:, n))
            pointers(n) = c_loc(texts(1, n))
        end do
        code = c_monitor(session, cycle, time, int(min(size(names), size(values)), c_int), &
                         pointers, values)
    end function

    ! ---- Texts --------------------------------------------------------------------------

    function karman_message() result(text)
        character(:), allocatable :: text
        text = text_of(c_message())
    end function

    function karman_version() result(text)
        character(:), allocatable :: text
        text = text_of(c_version())
    end function

    function text_of(from) result(text)
        type(c_ptr), intent(in) :: from
        character(:), allocatable :: text
        character(kind=c_char), pointer :: letters(:)
        integer :: n
        call c_f_pointer(from, letters, [c_strlen(from)])
        allocate (character(size(letters)) :: text)
        do n = 1, size(letters)
            text(n:n) = letters(n)
        end do
    end function
end module
