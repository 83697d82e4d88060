! Fortran over ranks: functions and subroutines of all kinds of results, integers and type(MPI_Comm) as communicators, addresses, parts,
! requests, mistakes.
program mpi_fortran
  use check
  use mpi_f08
  use upsweep
  use upsweep_mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: total = 42 ! elements of all ranks
  integer :: rank, ranks, world
  character(len=8) :: argument ! the number of ranks: started by another library's mpiexec each is alone
  real(real64), allocatable, target :: x(:)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  world = MPI_COMM_WORLD%MPI_VAL
  call get_command_argument(1, argument)
  call check_true(ranks == iachar(argument(1:1)) - iachar("0"), "the number of ranks")
  x = own_part()
  call values()
  call kinds()
  call forms()
  call addresses()
  call requests()
  call typed()
  call typed_structures()
  call typed_requests()
  call requests_again()
  call mistakes()
  call mistakes_of_requests()
  call parts()
  call parts_later()
  call mistakes_of_parts()
  call MPI_Finalize()
  call check_report()

contains

  ! This rank's part of 1 ... total: rank 1 has none where there are more than two.
  function own_part() result(part)
    real(real64), allocatable :: part(:)
    integer :: others, place, i
    others = merge(ranks - 1, ranks, ranks > 2)
    place = merge(rank - 1, rank, ranks > 2 .and. rank > 1)
    part = [(real(i, real64), i = total * place / others + 1, total * (place + 1) / others)]
    if (ranks > 2 .and. rank == 1) part = [real(real64) ::]
  end function

  subroutine values()
    type(usw_located_f64) :: least, most
    type(usw_describe_f64) :: described
    type(usw_extremes_f64) :: both
    call check_equal(total * (total + 1) / 2.0_real64, usw_mpi_sum(x, MPI_COMM_WORLD), "sum")
    call check_equal(real(total, real64), usw_mpi_max(x, world), "max, an integer as communicator")
    call check_equal(1.0_real64, usw_mpi_min(x, MPI_COMM_WORLD), "min")
    call check_equal(total * (total + 1) * (2 * total + 1) / 6.0_real64, usw_mpi_dot(x, x, MPI_COMM_WORLD), "dot")
    call check_equal(total * (total + 1) / 2.0_real64, usw_mpi_dot(x, 0 * x + 1, world), "dot, integer")
    least = usw_mpi_argmin(-x, MPI_COMM_WORLD)
    call check_equal(-real(total, real64), least%value, "argmin")
    call check_equal(int(total, int64), least%index, "its index")
    most = usw_mpi_argmax([real(real64) ::], world)
    call check_equal(0_int64, most%index, "argmax of nothing")
    described = usw_mpi_describe(x, world)
    call check_equal((total + 1) / 2.0_real64, described%mean, "mean")
    call check_equal(int(total, int64), described%count, "count")
    call check_equal(1_int64, described%minimum_index, "where the minimum is")
    call check_equal(int(total, int64), described%maximum_index, "where the maximum is")
    both = usw_mpi_minmax(x, MPI_COMM_WORLD)
    call check_equal(1.0_real64, both%minimum, "minmax")
    call check_equal(real(total, real64), both%maximum, "minmax")
  end subroutine

  subroutine kinds()
    integer(int8) :: small(3)
    complex(real32) :: z(2)
    logical(c_bool) :: flags(2)
    small = 100_int8
    z = (1.0, 2.0)
    flags = .true._c_bool
    call check_equal(300_int64 * ranks, usw_mpi_sum(small, MPI_COMM_WORLD), "sum of int8")
    call check_equal(cmplx(2 * ranks, 4 * ranks, real64), cmplx(usw_mpi_sum(z, world), kind=real64), "complex")
    call check_equal(cmplx(10 * ranks, 0, real64), cmplx(usw_mpi_dotc(z, z, MPI_COMM_WORLD), kind=real64), "dotc")
    if (rank == ranks - 1) flags(2) = .false._c_bool
    call check_true(.not. logical(usw_mpi_all(flags, MPI_COMM_WORLD)), "all")
    call check_true(logical(usw_mpi_any(flags, world)), "any")
    call check_equal(2_int64 * ranks - 1, usw_mpi_count(flags, world), "count")
  end subroutine

  subroutine forms()
    real(real64) :: table(3, 4)
    type(usw_options) :: options
    type(usw_report) :: report
    integer(c_int) :: stat
    table = rank + 1
    options%accuracy = USW_REPRODUCIBLE
    call check_equal(6.0_real64 * ranks * (ranks + 1), usw_mpi_sum(table, MPI_COMM_WORLD, options, report, stat), "a table")
    call check_true(stat == USW_OK, "stat")
    call check_equal(96_int64, int(report%bytes, int64), "report")
    call check_equal(ranks * (ranks + 1.0_real64), usw_mpi_sum(table(1, 4:1:-2), world, options, report), "a section")
    call check_equal(16_int64, int(report%bytes, int64), "report of a section")
    call check_true(usw_mpi_device(MPI_COMM_WORLD) >= -1, "device")
    call check_true(usw_mpi_device(world, stat) >= -1, "device, integer")
  end subroutine

  subroutine addresses()
    real(real64), target :: value, two(2)
    integer(int64) :: local
    integer :: owner
    two = [1, rank + 1]
    value = -1
    call usw_mpi_allreduce(USW_OP_PLUS, USW_F64, c_loc(two), 2_c_size_t, c_loc(value), MPI_COMM_WORLD)
    call check_equal(ranks + ranks * (ranks + 1) / 2.0_real64, value, "by address")
    call usw_mpi_allreduce_pair(USW_OP_DOT, USW_F64, c_loc(two), c_loc(two), 2_c_size_t, c_loc(value), world)
    call check_equal(ranks + ranks * (ranks + 1) * (2 * ranks + 1) / 6.0_real64, value, "pair by address")
    value = -1
    call usw_mpi_reduce(USW_OP_MAXIMUM, USW_F64, c_loc(two), 2_c_size_t, c_loc(value), ranks - 1, MPI_COMM_WORLD)
    call check_equal(merge(real(ranks, real64), -1.0_real64, rank == ranks - 1), value, "reduce")
    call usw_mpi_scan(USW_OP_PLUS, USW_F64, c_loc(two(2)), 1_c_size_t, c_loc(value), MPI_COMM_WORLD)
    call check_equal((rank + 1) * (rank + 2) / 2.0_real64, value, "scan")
    call usw_mpi_exscan(USW_OP_PLUS, USW_F64, c_loc(two(2)), 1_c_size_t, c_loc(value), world)
    call check_equal(rank * (rank + 1) / 2.0_real64, value, "exscan")
    call usw_mpi_locate(size(x, kind=c_size_t), int(total, int64), owner, local, MPI_COMM_WORLD)
    call check_equal(int(ranks - 1, int64), int(owner, int64), "locate")
    if (rank == owner) call check_equal(size(x, kind=int64), local, "locate: index")
    call usw_mpi_locate(size(x, kind=c_size_t), 0_int64, owner, local, world)
    call check_true(owner == -1 .and. local == 0, "locate nothing")
  end subroutine

  subroutine requests()
    type(usw_mpi_request) :: once, again
    real(real64), target, asynchronous :: sum, squares
    integer :: k
    integer(c_int) :: stat
    call usw_mpi_iallreduce(USW_OP_PLUS, USW_F64, address(), size(x, kind=c_size_t), c_loc(sum), MPI_COMM_WORLD, once)
    call usw_mpi_allreduce_init(USW_OP_DOT, USW_F64, address(), size(x, kind=c_size_t), c_loc(squares), world, again, &
      y=address())
    call once%wait()
    call check_equal(total * (total + 1) / 2.0_real64, sum, "iallreduce")
    do k = 1, 2
      call again%start()
      do while (.not. again%test())
      end do
      call again%wait(stat)
      call check_equal(total * (total + 1) * (2 * total + 1) / 6.0_real64, squares, "a request that comes again")
    end do
    call again%free()
    call again%free()
    call again%wait(stat)
    call check_true(stat == USW_ERROR_INVALID, "no request")
  end subroutine

  type(c_ptr) function address()
    address = c_null_ptr
    if (size(x) > 0) address = c_loc(x)
  end function

  ! Subroutines of arrays, whose value has the type of the result.
  subroutine typed()
    integer(int8) :: small(2)
    integer(int64) :: long
    real(real64) :: value, table(3, 4)
    logical(c_bool) :: is_any
    type(usw_options) :: options
    type(usw_report) :: report
    integer(c_int) :: stat
    value = -1
    call usw_mpi_reduce(USW_OP_PLUS, x, value, ranks - 1, MPI_COMM_WORLD)
    call check_equal(merge(total * (total + 1) / 2.0_real64, -1.0_real64, rank == ranks - 1), value, "reduce of an array")
    small = int(rank + 100, int8)
    long = -1
    call usw_mpi_scan(USW_OP_PLUS, small, long, world)
    call check_equal((rank + 1) * (200_int64 + rank), long, "scan of int8")
    call usw_mpi_exscan(USW_OP_COUNT, small, long, MPI_COMM_WORLD)
    call check_equal(2_int64 * rank, long, "exscan: count")
    call usw_mpi_exscan(USW_OP_MAXIMUM, small, small(1), world)
    call check_equal(int(merge(-128, 99 + rank, rank == 0), int64), int(small(1), int64), "exscan: maximum of int8")
    call usw_mpi_scan(USW_OP_LOGICAL_OR, [0.0, real(rank)], is_any, world)
    call check_true(logical(is_any) .eqv. rank > 0, "scan: any")
    table = rank + 1
    options%accuracy = USW_REPRODUCIBLE
    call usw_mpi_scan(USW_OP_PLUS, table(1, 4:1:-2), value, MPI_COMM_WORLD, options, report, stat)
    call check_equal((rank + 1) * (rank + 2.0_real64), value, "scan of a section")
    call check_true(stat == USW_OK, "its stat")
    call check_equal(16_int64, int(report%bytes, int64), "its report")
    call usw_mpi_reduce(USW_OP_MINIMUM, table(::2, :), value, 0, world, stat=stat)
    call check_equal(merge(1.0_real64, (rank + 1) * (rank + 2.0_real64), rank == 0), value, "reduce of a section")
  end subroutine

  ! Indices count from 1, once, and where nothing is written they stay.
  subroutine typed_structures()
    type(usw_located_f64) :: found
    type(usw_describe_f64) :: described
    type(usw_extremes_f64) :: both
    complex(real64) :: z
    found%index = 77
    call usw_mpi_reduce(USW_OP_ARGMAX, x, found, 0, MPI_COMM_WORLD)
    call check_equal(merge(int(total, int64), 77_int64, rank == 0), found%index, "reduce: argmax")
    call usw_mpi_scan(USW_OP_ARGMIN, -x, found, world)
    call check_equal(int(-found%value, int64), found%index, "scan: argmin")
    call usw_mpi_exscan(USW_OP_ARGMIN, [real(real64) ::], found, world)
    call check_equal(0_int64, found%index, "exscan: argmin of nothing")
    call usw_mpi_scan(USW_OP_DESCRIBE, x, described, MPI_COMM_WORLD)
    call check_equal(int(described%maximum, int64), described%maximum_index, "scan: describe")
    call check_equal(1_int64, described%minimum_index, "scan: describe")
    call usw_mpi_scan(USW_OP_MINMAX, [1.0_real64, rank + 1.0_real64], both, world)
    call check_equal(rank + 1.0_real64, both%maximum, "scan: minmax")
    call usw_mpi_reduce(USW_OP_MULTIPLIES, [(0.0_real64, 1.0_real64)], z, 0, MPI_COMM_WORLD)
    if (rank == 0) call check_equal((0.0_real64, 1.0_real64)**ranks, z, "reduce: complex")
  end subroutine

  subroutine typed_requests()
    type(usw_mpi_request) :: first, second, third
    type(usw_located_f64), target, asynchronous :: most
    real(real64), target, asynchronous :: squares
    complex(real32), target, asynchronous :: z
    type(usw_options) :: options
    integer(c_int) :: stat
    options%accuracy = USW_REPRODUCIBLE
    call usw_mpi_iallreduce(USW_OP_ARGMAX, x, most, MPI_COMM_WORLD, first)
    call usw_mpi_iallreduce(USW_OP_DOT, x, squares, world, second, options, x, stat)
    call check_true(stat == USW_OK, "iallreduce: stat")
    call usw_mpi_iallreduce(USW_OP_DOTC, [(1.0, 2.0)], z, world, third, y=[(1.0, 2.0)])
    call first%wait()
    call check_equal(int(total, int64), most%index, "iallreduce: argmax")
    call second%wait(stat)
    call check_equal(total * (total + 1) * (2 * total + 1) / 6.0_real64, squares, "iallreduce: dot")
    call third%wait()
    call check_equal(5.0_real64 * ranks, real(z, real64), "iallreduce: dotc")
    call usw_mpi_iallreduce(USW_OP_ARGMAX, USW_F64, address(), size(x, kind=c_size_t), c_loc(most), world, first)
    call first%wait()
    call check_equal(total - 1_int64, most%index, "iallreduce by address, whose indices count from 0")
  end subroutine

  subroutine requests_again()
    type(usw_mpi_request) :: sum, place
    real(real64), target :: own(6), value
    type(usw_located_f64), target :: least
    integer :: k
    call usw_mpi_allreduce_init(USW_OP_PLUS, own(6:1:-2), value, MPI_COMM_WORLD, sum)
    call usw_mpi_allreduce_init(USW_OP_ARGMIN, own, least, world, place)
    do k = 1, 3
      own = 100
      own(2 * k) = -rank - k
      call sum%start()
      call place%start()
      call sum%wait()
      call place%wait()
      call check_equal((200.0_real64 - k) * ranks - ranks * (ranks - 1) / 2, value, "a request of an array that changes")
      call check_equal(6_int64 * (ranks - 1) + 2 * k, least%index, "its index")
    end do
    call sum%free()
    call place%free()
  end subroutine

  ! Two parts of this rank: 1, rank + 1 and 3, from the end of own, and what others hold.
  function two_parts(own, others) result(each)
    real(real64), intent(in), target :: own(3), others(2)
    type(usw_part) :: each(2)
    each(1) = usw_part(n=3, x=[c_loc(own(3)), c_null_ptr], stride=[-1, 0])
    each(2) = usw_part(n=2, x=[c_loc(others), c_null_ptr], place=USW_HOST)
  end function

  subroutine parts()
    real(real64), target :: own(3), others(2), value
    type(usw_located_f64), target :: most
    type(usw_part) :: each(2), none(0)
    type(usw_options) :: options
    type(usw_report) :: report
    integer(c_int) :: stat
    own = [3, rank + 1, 1]
    others = [-4, 8]
    each = two_parts(own, others)
    call usw_mpi_allreduce_parts(USW_OP_PLUS, USW_F64, each, c_loc(value), MPI_COMM_WORLD)
    call check_equal(8.0_real64 * ranks + ranks * (ranks + 1) / 2, value, "parts")
    options%accuracy = USW_REPRODUCIBLE
    call usw_mpi_allreduce_parts(USW_OP_ARGMAX, USW_F64, each, c_loc(most), world, options, report, stat)
    call check_equal(4_int64, most%index, "the first of equal parts' maxima, from 0")
    call check_true(stat == USW_OK, "stat of parts")
    call check_equal(40_int64, int(report%bytes, int64), "report of parts")
    value = -1
    call usw_mpi_reduce_parts(USW_OP_PLUS, USW_F64, each, c_loc(value), ranks - 1, MPI_COMM_WORLD, options)
    call check_equal(merge(8.0_real64 * ranks + ranks * (ranks + 1) / 2, -1.0_real64, rank == ranks - 1), value, &
      "reduce of parts")
    call usw_mpi_scan_parts(USW_OP_PLUS, USW_F64, each, c_loc(value), world)
    call check_equal(8.0_real64 * (rank + 1) + (rank + 1) * (rank + 2) / 2, value, "scan of parts")
    call usw_mpi_exscan_parts(USW_OP_PLUS, USW_F64, each, c_loc(value), MPI_COMM_WORLD, stat=stat)
    call check_equal(8.0_real64 * rank + rank * (rank + 1) / 2, value, "exscan of parts")
    each(1)%x(2) = each(1)%x(1)
    each(1)%stride(2) = -1
    each(2)%n = 0
    call usw_mpi_allreduce_parts(USW_OP_DOT, USW_F64, each, c_loc(value), world)
    call check_equal(10.0_real64 * ranks + ranks * (ranks + 1) * (2 * ranks + 1) / 6, value, "dot of parts")
    call usw_mpi_allreduce_parts(USW_OP_PLUS, USW_F64, none, c_loc(value), world)
    call check_equal(0.0_real64, value, "no parts")
  end subroutine

  ! Parts of requests are copied; each start reads their elements.
  subroutine parts_later()
    type(usw_mpi_request) :: once, again
    real(real64), target, asynchronous :: own(3), others(2), sum, most
    type(usw_part) :: each(2)
    integer :: k
    own = 0
    others = 1
    each = two_parts(own, others)
    call usw_mpi_iallreduce_parts(USW_OP_PLUS, USW_F64, each, c_loc(sum), MPI_COMM_WORLD, once)
    call usw_mpi_allreduce_parts_init(USW_OP_MAXIMUM, USW_F64, each, c_loc(most), world, again)
    each%n = 0
    call once%wait()
    call check_equal(2.0_real64 * ranks, sum, "iallreduce of parts")
    do k = 5, 6
      own(1) = k + rank
      call again%start()
      call again%wait()
      call check_equal(k + ranks - 1.0_real64, most, "a request of parts that comes again")
    end do
    call again%free()
  end subroutine

  subroutine mistakes_of_parts()
    real(real64), target :: own(3), others(2), value
    type(usw_mpi_request) :: request
    type(usw_options) :: options
    type(usw_part) :: each(2)
    integer(c_int) :: stat
    own = 1
    others = 1
    value = -1
    each = two_parts(own, others)
    if (rank == ranks - 1) each(2)%x = c_null_ptr
    call usw_mpi_allreduce_parts(USW_OP_PLUS, USW_F64, each, c_loc(value), MPI_COMM_WORLD, stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "a part at no address")
    call check_true(index(usw_error_text(), "part 2 of 2") > 0, "its text")
    call usw_mpi_iallreduce_parts(USW_OP_PLUS, USW_F64, each, c_loc(value), world, request)
    call request%wait(stat)
    call check_true(stat == USW_ERROR_INVALID, "a part at no address, later")
    each = two_parts(own, others)
    options%stride(1) = merge(2, 0, rank == ranks - 1)
    call usw_mpi_scan_parts(USW_OP_PLUS, USW_F64, each, c_loc(value), world, options, stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "parts and a stride of all")
    call check_equal(-1.0_real64, value, "a value that mistakes of parts leave")
  end subroutine

  subroutine mistakes_of_requests()
    type(usw_mpi_request) :: request
    real(real64), target :: table(3, 4), value
    integer(int8) :: small(2)
    integer(c_int) :: stat
    logical :: is_wrong
    is_wrong = rank == ranks - 1
    table = 1
    value = -1
    call usw_mpi_iallreduce(USW_OP_PLUS, table(::2, :), value, world, request)
    call request%wait()
    call check_equal(8.0_real64 * ranks, value, "iallreduce of what is copied")
    if (is_wrong) then
      call usw_mpi_allreduce_init(USW_OP_PLUS, table(::2, :), value, world, request)
    else
      call usw_mpi_allreduce_init(USW_OP_PLUS, table(:, :), value, world, request)
    end if
    call request%start()
    call request%wait(stat)
    call check_true(stat == USW_ERROR_INVALID, "starts of what would be copied")
    call request%free()
    call usw_mpi_iallreduce(USW_OP_DOT, table(:, 1), value, world, request, y=table(1:merge(2, 3, is_wrong), 2))
    call request%wait(stat)
    call check_true(stat == USW_ERROR_INVALID, "iallreduce of two sizes")
    call check_equal(8.0_real64 * ranks, value, "a value that mistakes leave")
    small = 1
    call usw_mpi_scan(USW_OP_PLUS, small, small(2), world, stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "the sum of int8 is no int8")
    call usw_mpi_iallreduce(USW_OP_ARGMIN, table, value, world, request, stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "an argmin is no number")
    call request%wait(stat)
    call check_true(stat == USW_ERROR_INVALID .and. small(2) == 1, "nor is there a request")
  end subroutine

  ! Of one rank: all fail.
  subroutine mistakes()
    real(real64) :: y(3)
    integer(c_int) :: stat
    logical :: is_wrong
    is_wrong = rank == ranks - 1
    y = 1
    call check_equal(0.0_real64, usw_mpi_dot(y, y(1:merge(2, 3, is_wrong)), MPI_COMM_WORLD, stat=stat), "dot of two sizes")
    call check_true(stat == USW_ERROR_INVALID, "stat of two sizes")
    call check_equal(0.0_real64, usw_mpi_sum(y, MPI_COMM_NULL, stat=stat), "no communicator")
    call check_true(stat == USW_ERROR_INVALID, "its stat")
    call check_true(index(usw_error_text(), "MPI_COMM_NULL") > 0, "its text")
  end subroutine
end program
