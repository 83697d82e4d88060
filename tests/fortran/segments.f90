! Functions with segments against the language's own: every kind of segments, element types, sections, failures, addresses.
program segments
  use check
  use upsweep
  use, intrinsic :: iso_c_binding
  implicit none

  call by_offsets()
  call by_pairs()
  call of_length()
  call kinds()
  call sections()
  call nothing()
  call with_options()
  call failing()
  call addresses()
  call check_report()

contains

  subroutine check_all(expected, got, what)
    real(real64), intent(in) :: expected(:), got(:)
    character(len=*), intent(in) :: what
    integer :: i
    call check_equal(size(expected, kind=int64), size(got, kind=int64), what // ", size")
    do i = 1, min(size(expected), size(got))
      call check_equal(expected(i), got(i), what)
    end do
  end subroutine

  ! A sparse matrix's rows, as Fortran codes have them: from 1, the last offset behind the last element.
  subroutine by_offsets()
    real(real64) :: x(7), y(7)
    integer(int32) :: offsets(4)
    type(usw_segments) :: rows
    type(usw_located_f64) :: found(3)
    integer :: i
    x = [3d0, 1d0, 2d0, 9d0, 7d0, 11d0, 5d0]
    y = [(real(i, real64), i = 1, 7)]
    offsets = [1, 4, 4, 8]
    rows = usw_segments_by_offsets(offsets)
    offsets = 0 ! they were copied
    call check_all([6d0, 0d0, 32d0], usw_sum(x, rows), "sum")
    call check_all([6d0, 0d0, 32d0], usw_sum(x, usw_segments_by_offsets([1_int64, 4_int64, 4_int64, 8_int64])), "sum, int64")
    call check_all([3d0, 11d0], usw_max(x, usw_segments_by_offsets([1, 4, 7])), "max, not to the end")
    call check_all([dot_product(x(1:3), y(1:3)), 0d0, dot_product(x(4:7), y(4:7))], usw_dot(x, y, rows), "dot")
    call check_true(all(usw_count(x - 9, rows) == [3, 0, 3]), "count")
    found = usw_argmax(x, rows)
    call check_true(all(found%index == [1, 0, 3]), "argmax, index")
    call check_equal(11d0, found(3)%value, "argmax, value")
  end subroutine

  subroutine by_pairs()
    real(real64) :: x(5)
    integer(int32) :: begins(2), ends(2)
    x = [1d0, 2d0, 3d0, 4d0, 5d0]
    begins = [3, 1]
    ends = [6, 5]
    call check_all([12d0, 10d0], usw_sum(x, usw_segments_by_pairs(begins, ends)), "pairs")
    call check_all([12d0, 10d0], usw_sum(x, usw_segments_by_pairs(int(begins, int64), int(ends, int64))), "pairs, int64")
  end subroutine

  subroutine of_length()
    real(real64) :: x(6)
    x = [1d0, 2d0, 3d0, 4d0, 5d0, 6d0]
    call check_all([3d0, 7d0, 11d0], usw_sum(x, usw_segments_of_length(2_c_size_t, 3_c_size_t)), "of one length")
  end subroutine

  subroutine kinds()
    integer(int8) :: a(3)
    real(real32) :: x(3)
    complex(real64) :: z(3)
    logical(c_bool) :: l(3)
    type(usw_segments) :: rows
    rows = usw_segments_by_offsets([1, 3, 4])
    a = [100_int8, 100_int8, -3_int8]
    x = real(a)
    z = cmplx(x, 1, real64)
    l = [.true., .false., .true.]
    call check_true(all(usw_sum(a, rows) == [200_int64, -3_int64]), "sum int8")
    call check_true(kind(usw_sum(a, rows)) == int64 .and. kind(usw_max(a, rows)) == int8, "kinds")
    call check_all([200d0, -3d0], real(usw_sum(x, rows), real64), "sum real32")
    call check_all([2d0, 1d0], aimag(usw_sum(z, rows)), "sum complex128")
    call check_true(logical(all(usw_all(l, rows) .eqv. [.false., .true.])), "all logical")
  end subroutine

  subroutine sections()
    real(real64) :: x(6)
    x = [1d0, 2d0, 3d0, 4d0, 5d0, 6d0]
    call check_all([6d0, 9d0], usw_sum(x(6:1:-1), usw_segments_by_offsets([1, 2, 4])), "backwards")
    call check_all([4d0, 5d0], usw_sum(x(1::2), usw_segments_by_offsets([1, 3, 4])), "a section")
    call check_all([1d0, 21d0], usw_dot(x(1::2), x(1:3), usw_segments_by_offsets([1, 2, 4])), "dot")
  end subroutine

  subroutine nothing()
    real(real64) :: x(0), y(2)
    y = 1
    call check_true(size(usw_sum(y, usw_segments_by_offsets([1]))) == 0, "no segments")
    call check_all([0d0], usw_sum(x, usw_segments_by_offsets([1, 1])), "no elements")
    call check_true(size(usw_sum(x, usw_segments_of_length(3_c_size_t, 0_c_size_t))) == 0, "neither")
  end subroutine

  subroutine with_options()
    real(real64) :: x(4)
    type(usw_options) :: options
    type(usw_report) :: report
    integer(c_int) :: stat
    x = 1
    options%stride = 7 ! not looked at
    options%place = USW_HOST
    stat = -1
    call check_all([4d0], usw_sum(x, usw_segments_by_offsets([1, 5]), options, report, stat), "options")
    call check_true(stat == USW_OK .and. report%place == USW_HOST, "report")
  end subroutine

  subroutine check_failure(x, rows, text, culprit)
    real(real64), intent(in) :: x(:)
    type(usw_segments), intent(in) :: rows
    character(len=*), intent(in) :: text, culprit ! what is tried, and what the error text has
    integer(c_int) :: stat
    stat = USW_OK
    call check_true(all(abs(usw_sum(x, rows, stat=stat)) <= 0), text // ", values")
    call check_true(stat == USW_ERROR_INVALID, text // ", status")
    call check_true(index(usw_error_text(), culprit) > 0, text // ", text: " // usw_error_text())
  end subroutine

  subroutine failing()
    real(real64) :: x(4)
    integer(c_int) :: stat
    integer :: none(0)
    x = 1
    call check_failure(x, usw_segments_by_offsets([0, 2, 4]), "an offset that counts from 0", "segment 0 ")
    call check_failure(x, usw_segments_by_offsets([1, 2, 6]), "an offset behind the array", "segment 1 ")
    call check_failure(x, usw_segments_by_offsets([1, 3, 2]), "offsets that fall", "segment 1 ")
    call check_failure(x, usw_segments_by_offsets(none), "no offsets", "there are no offsets")
    call check_failure(x, usw_segments_by_pairs([1, 2], [3]), "different numbers", "begins and ends have different")
    call check_true(all(abs(usw_dot(x, x(1:3), usw_segments_by_offsets([1, 3]), stat=stat)) <= 0), "different sizes")
    call check_true(stat == USW_ERROR_INVALID, "different sizes, status")
    call check_true(usw_error_text() == "x and y have different numbers of elements", "different sizes, text")
  end subroutine

  subroutine addresses()
    real(real64), target :: x(7), totals(3)
    integer(int32), target :: offsets(4), from_1(4)
    integer(int64), target :: begins(2), ends(2)
    type(usw_located_f64), target :: found(3)
    type(usw_segments) :: rows
    type(usw_options) :: options
    integer(c_int) :: stat
    x = [3d0, 1d0, 2d0, 9d0, 7d0, 11d0, 5d0]
    offsets = [0, 3, 3, 7]
    rows = usw_segments_by_offsets(USW_I32, c_loc(offsets), 3_c_size_t)
    call usw_reduce_segments(USW_OP_PLUS, USW_F64, c_loc(x), 7_c_size_t, rows, c_loc(totals))
    call check_all([6d0, 0d0, 32d0], totals, "reduce_segments")
    call usw_reduce_segments_pair(USW_OP_DOT, USW_F64, c_loc(x), c_loc(x), 7_c_size_t, rows, c_loc(totals))
    call check_all([14d0, 0d0, 276d0], totals, "reduce_segments_pair")
    call usw_reduce_segments(USW_OP_ARGMAX, USW_F64, c_loc(x), 7_c_size_t, rows, c_loc(found))
    call check_true(all(found%index == [0, -1, 2]), "reduce_segments, indices of C")
    call check_all([6d0, 0d0, 32d0], usw_sum(x, rows), "an array with offsets by address")
    begins = [4, 0]
    ends = [7, 5]
    rows = usw_segments_by_pairs(USW_I64, c_loc(begins), c_loc(ends), 2_c_size_t)
    options%stride(1) = -1 ! x(7), x(6), ...
    call usw_reduce_segments(USW_OP_PLUS, USW_F64, c_loc(x(7)), 7_c_size_t, rows, c_loc(totals), options)
    call check_all([6d0, 34d0], totals(1:2), "reduce_segments with strides, pairs")
    from_1 = offsets + 1
    rows = usw_segments_by_offsets(USW_I32, c_loc(from_1), 3_c_size_t)
    call usw_reduce_segments(USW_OP_PLUS, USW_F64, c_loc(x), 7_c_size_t, rows, c_loc(totals), stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "offsets from 1 by address are refused")
  end subroutine
end program
