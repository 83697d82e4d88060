! Functions with a dimension against the language's own: every dimension of ranks 1 to 4, kinds, sections, failures, addresses.
program axes
  use check
  use upsweep
  use, intrinsic :: iso_c_binding
  implicit none
  type :: point
    real(real64) :: x
    real(real32) :: weight
    real(real64) :: y
  end type
  type :: wave ! 24 bytes, no multiple of an amplitude's
    complex(real64) :: amplitude
    real(real64) :: phase
  end type

  call rank_1()
  call rank_2()
  call rank_3()
  call rank_4()
  call kinds()
  call logicals()
  call complexes()
  call structures()
  call sections()
  call nothing()
  call with_options()
  call failing()
  call addresses()
  call check_report()

contains

  ! Small whole numbers in no order, without ties for the extremes of a line.
  subroutine fill(values)
    real(real64), intent(out) :: values(:)
    integer :: i
    values = [(real(modulo(i * 37, 101) - 50, real64), i = 1, size(values))]
  end subroutine

  subroutine check_all(expected, got, what)
    real(real64), intent(in) :: expected(:), got(:)
    character(len=*), intent(in) :: what
    integer :: i
    call check_equal(size(expected, kind=int64), size(got, kind=int64), what // ", size")
    do i = 1, min(size(expected), size(got))
      call check_equal(expected(i), got(i), what)
    end do
  end subroutine

  subroutine rank_1()
    real(real64) :: x(11)
    type(usw_located_f64) :: found
    call fill(x)
    call check_equal(sum(x, dim=1), usw_sum(x, dim=1), "rank 1")
    found = usw_argmax(x, 1)
    call check_equal(int(maxloc(x, dim=1), int64), found%index, "rank 1, maxloc")
    call check_equal(sum(x(9:1:-3), dim=1), usw_sum(x(9:1:-3), 1), "rank 1, backwards")
  end subroutine

  subroutine rank_2()
    real(real64) :: x(5, 7), y(5, 7)
    integer :: dim
    call fill_2(x)
    y = 2 * x + 1
    do dim = 1, 2
      call check_all(sum(x, dim), usw_sum(x, dim), "sum of rank 2")
      call check_all(minval(x, dim), usw_min(x, dim), "min of rank 2")
      call check_all(maxval(x, dim), usw_max(x, dim), "max of rank 2")
      call check_all(sum(x * y, dim), usw_dot(x, y, dim), "dot of rank 2")
      call check_all(sum(abs(x), dim), usw_norm1(x, dim), "norm1 of rank 2")
      call check_all(maxval(abs(x), dim), usw_norm_inf(x, dim), "norm_inf of rank 2")
      call check_true(all(count(abs(x) > 0, dim) == usw_count(x, dim)), "count of rank 2")
    end do
  end subroutine

  subroutine fill_2(x)
    real(real64), intent(out) :: x(:, :)
    real(real64) :: values(size(x))
    call fill(values)
    x = reshape(values, shape(x))
  end subroutine

  subroutine rank_3()
    real(real64) :: values(3 * 4 * 5), x(3, 4, 5)
    integer :: dim
    call fill(values)
    x = reshape(values, shape(x))
    do dim = 1, 3
      call check_true(all(shape(usw_sum(x, dim)) == shape(sum(x, dim))), "shape of rank 3")
      call check_all(flat(sum(x, dim)), flat(usw_sum(x, dim)), "sum of rank 3")
      call check_all(flat(maxval(x, dim)), flat(usw_max(x, dim)), "max of rank 3")
    end do
  end subroutine

  pure function flat(x)
    real(real64), intent(in) :: x(:, :)
    real(real64) :: flat(size(x))
    flat = reshape(x, [size(x)])
  end function

  subroutine rank_4()
    real(real64) :: values(3 * 4 * 2 * 5), x(3, 4, 2, 5)
    integer :: dim
    call fill(values)
    x = reshape(values, shape(x))
    do dim = 1, 4
      call check_true(all(shape(usw_sum(x, dim)) == shape(sum(x, dim))), "shape of rank 4")
      call check_true(all(abs(usw_sum(x, dim) - sum(x, dim)) <= 0), "sum of rank 4")
    end do
  end subroutine

  subroutine kinds()
    integer(int8) :: a(3, 2)
    integer(int32) :: c(3, 2)
    integer(int64) :: d(3, 2)
    real(real32) :: x(3, 2)
    integer :: dim
    a = reshape([100_int8, 27_int8, -3_int8, 100_int8, -3_int8, 5_int8], shape(a))
    c = a
    d = a
    x = real(a)
    do dim = 1, 2
      call check_true(all(usw_sum(a, dim) == sum(d, dim)), "sum int8")
      call check_true(all(usw_prod(c, dim) == product(d, dim)), "prod int32")
      call check_true(all(usw_max(a, dim) == maxval(a, dim)) .and. kind(usw_max(a, dim)) == int8, "max int8")
      call check_true(all(usw_bit_and(c, dim) == iall(c, dim)), "bit_and int32")
      call check_true(all(usw_bit_or(c, dim) == iany(c, dim)), "bit_or int32")
      call check_true(all(usw_bit_xor(d, dim) == iparity(d, dim)), "bit_xor int64")
      call check_true(all(abs(usw_sum(x, dim) - sum(x, dim)) <= 0) .and. kind(usw_sum(x, dim)) == real32, "sum real32")
    end do
  end subroutine

  subroutine logicals()
    logical(c_bool) :: x(2, 3)
    integer :: dim
    x = reshape([.true._c_bool, .false._c_bool, .true._c_bool, .true._c_bool, .false._c_bool, .false._c_bool], shape(x))
    do dim = 1, 2
      call check_true(logical(all(usw_all(x, dim) .eqv. all(x, dim))), "all logical")
      call check_true(logical(all(usw_any(x, dim) .eqv. any(x, dim))), "any logical")
      call check_true(all(usw_count(x, dim) == count(x, dim)), "count logical")
    end do
  end subroutine

  subroutine complexes()
    complex(real64) :: x(2, 2)
    integer :: dim
    x = reshape([(3d0, 4d0), (0d0, 1d0), (-1d0, 0d0), (2d0, -2d0)], shape(x))
    do dim = 1, 2
      call check_true(all(abs(usw_sum(x, dim) - sum(x, dim)) <= 0), "sum complex64")
      call check_true(all(abs(usw_dotc(x, x, dim) - sum(conjg(x) * x, dim)) <= 0), "dotc complex64")
    end do
  end subroutine

  subroutine structures()
    real(real64) :: x(5, 7)
    type(usw_describe_f64), allocatable :: described(:)
    type(usw_extremes_f64), allocatable :: both(:)
    type(usw_located_f64), allocatable :: least(:), greatest(:)
    integer :: dim
    call fill_2(x)
    allocate (described(0), both(0), least(0), greatest(0))
    do dim = 1, 2
      least = usw_argmin(x, dim)
      greatest = usw_argmax(x, dim)
      both = usw_minmax(x, dim)
      described = usw_describe(x, dim)
      call check_true(all(least%index == minloc(x, dim)), "argmin is minloc")
      call check_true(all(greatest%index == maxloc(x, dim)), "argmax is maxloc")
      call check_all(maxval(x, dim), greatest%value, "value of argmax")
      call check_all(minval(x, dim), both%minimum, "minmax")
      call check_true(all(described%count == size(x, dim)), "describe, count")
      call check_true(all(described%maximum_index == maxloc(x, dim)), "describe, index")
      call check_true(all(abs(described%mean - sum(x, dim) / size(x, dim)) < 1d-12), "describe, mean")
    end do
  end subroutine

  subroutine sections()
    real(real64) :: x(6, 9)
    type(point) :: points(3, 4)
    type(wave) :: waves(3, 4)
    type(usw_report) :: report
    integer :: dim
    call fill_2(x)
    points%x = x(1:3, 1:4)
    points%weight = real(x(1:3, 1:4), real32)
    points%y = -points%x
    waves%amplitude = cmplx(points%x, points%y, real64)
    waves%phase = 1000
    do dim = 1, 2
      call check_all(sum(x(2:5, 3:8), dim), usw_sum(x(2:5, 3:8), dim), "a block")
      call check_all(sum(x(::2, 9:1:-3), dim), usw_sum(x(::2, 9:1:-3), dim, report=report), "strides")
      call check_equal(9_int64 * 8, report%bytes, "strides, bytes read: nothing is copied")
      call check_all(sum(transpose(x), dim), usw_sum(transpose(x), dim), "an expression")
      call check_all(sum(x(3:3, :), dim), usw_sum(x(3:3, :), dim), "one row")
      call check_all(sum(x(::2, 1:2) * x(6:1:-2, 8:9), dim), usw_dot(x(::2, 1:2), x(6:1:-2, 8:9), dim), "two sections")
      call check_all(sum(points%x, dim), usw_sum(points%x, dim), "a member")
      call check_all(real(sum(points%weight, dim), real64), real(usw_sum(points%weight, dim), real64), "a member, other size")
      call check_all(sum(points(::2, 4:1:-1)%y, dim), usw_sum(points(::2, 4:1:-1)%y, dim), "a member of a section")
      call check_true(all(abs(usw_sum(waves%amplitude, dim) - sum(waves%amplitude, dim)) <= 0), "a member, copied")
    end do
  end subroutine

  subroutine nothing()
    real(real64) :: x(0, 3)
    type(usw_located_f64) :: found(3)
    integer(c_int) :: stat
    call check_all(sum(x, 1), usw_sum(x, 1), "no items")
    call check_all(sum(x, 2), usw_sum(x, 2), "no results")
    stat = USW_ERROR_STATE
    call check_equal(0_int64, size(usw_sum(x, 2, stat=stat), kind=int64), "no results, size")
    call check_true(stat == USW_OK, "no results, stat")
    found = usw_argmin(x, 1)
    call check_true(all(found%index == 0), "index of no items")
  end subroutine

  subroutine with_options()
    real(real64) :: x(3, 2)
    type(usw_options) :: options
    type(usw_report) :: report
    integer(c_int) :: stat
    x = reshape([1d0, 2d0, 4d0, 8d0, 16d0, 32d0], shape(x))
    options%place = USW_HOST
    options%accuracy = USW_REPRODUCIBLE
    call check_all(sum(x, 1), usw_sum(x, 1, options, report, stat), "with options")
    call check_true(report%place == USW_HOST .and. stat == USW_OK, "report and stat")
    call check_equal(63d0, usw_sum(x, options), "options without a dimension")
  end subroutine

  subroutine failing()
    real(real64) :: x(3, 2)
    integer(c_int) :: stat
    character(len=1) :: number
    integer :: dim
    x = 1
    do dim = 0, 3, 3
      stat = USW_OK
      call check_equal(0_int64, size(usw_sum(x, dim, stat=stat), kind=int64), "no such dimension, size")
      call check_true(stat == USW_ERROR_INVALID, "no such dimension, stat")
      write (number, "(i1)") dim
      call check_true(usw_error_text() == "dim is " // number // ", the array has 2 dimensions", "no such dimension, text")
    end do
    call check_all([0d0, 0d0], usw_sum(x, 1, usw_options(place=USW_DEVICE, device=12345), stat=stat), "no such device")
    call check_true(stat == USW_ERROR_DEVICE, "no such device, stat")
    call check_all([0d0, 0d0], usw_dot(x, x(1:2, :), 1, stat=stat), "extents differ")
    call check_true(stat == USW_ERROR_INVALID, "extents differ, stat")
    call check_true(index(usw_error_text(), "extent") > 0, "extents differ, text: " // usw_error_text())
  end subroutine

  subroutine addresses()
    real(real64), target :: x(2, 3), results(2)
    type(usw_array) :: array
    integer(c_int) :: stat
    x = reshape([1d0, 2d0, 4d0, 8d0, 16d0, 32d0], shape(x))
    array%data = c_loc(x)
    array%type = USW_F64
    array%rank = 2
    array%extent(1:2) = [3, 2]
    array%stride(1:2) = [2, 1]
    call usw_reduce_axes(USW_OP_PLUS, array, 1_c_int32_t, c_loc(results))
    call check_all(sum(x, 2), results, "by address")
    call usw_reduce_axes_pair(USW_OP_DOT, array, array, 1_c_int32_t, c_loc(results))
    call check_all(sum(x * x, 2), results, "two arrays by address")
    call usw_reduce_axes(USW_OP_PLUS, array, 4_c_int32_t, c_loc(results), stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "no such axis by address")
    call usw_reduce_axes(USW_OP_DOT, array, 1_c_int32_t, c_loc(results), stat=stat)
    call check_true(stat == USW_ERROR_UNSUPPORTED, "dot of one array, stat")
    call check_true(index(usw_error_text(), "takes x and y") > 0, "dot of one array, text: " // usw_error_text())
    call usw_reduce_axes_pair(USW_OP_PLUS, array, array, 1_c_int32_t, c_loc(results), stat=stat)
    call check_true(stat == USW_ERROR_UNSUPPORTED, "sum of two arrays, stat")
    call check_true(index(usw_error_text(), "takes x alone") > 0, "sum of two arrays, text: " // usw_error_text())
  end subroutine

end program
