! Scans against loops: kinds, exclusive, initial values, sections, in place, failures, addresses; reductions by key.
program scans
  use check
  use upsweep
  use, intrinsic :: iso_c_binding
  implicit none
  type :: wave ! 24 bytes, no multiple of an amplitude's
    complex(real64) :: amplitude
    real(real64) :: phase
  end type

  call sums()
  call others()
  call in_place()
  call sections()
  call structures()
  call with_options()
  call failing()
  call addresses()
  call by_key()
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

  subroutine sums()
    integer(int8) :: a(4)
    integer(int16) :: b(4)
    integer(int32) :: c(4)
    integer(int64) :: d(4), wide(4)
    real(real32) :: x(4), x_sums(4)
    complex(real32) :: y(4), y_sums(4)
    complex(real64) :: z(4), z_sums(4)
    a = [100_int8, 27_int8, -3_int8, 100_int8]
    b = a
    c = a
    d = a
    x = real(a)
    y = cmplx(a, 1)
    z = cmplx(a, 1, real64)
    call usw_cumsum(a, wide)
    call check_true(all(wide == [100, 127, 124, 224]), "cumsum int8")
    call usw_cumsum(b, wide, exclusive=.true.)
    call check_true(all(wide == [0, 100, 127, 124]), "cumsum int16, exclusive")
    call usw_cumsum(c, wide, exclusive=.true., initial=1_int64)
    call check_true(all(wide == [1, 101, 128, 125]), "cumsum int32, initial")
    call usw_cumsum(d, wide, .false.)
    call check_true(all(wide == [100, 127, 124, 224]), "cumsum int64")
    call usw_cumsum(x, x_sums, .true., 0.5)
    call check_all([0.5d0, 100.5d0, 127.5d0, 124.5d0], real(x_sums, real64), "cumsum real32")
    call usw_cumsum(y, y_sums)
    call check_all([1d0, 2d0, 3d0, 4d0], real(aimag(y_sums), real64), "cumsum complex64")
    call usw_cumsum(z, z_sums, .true., (1d0, 10d0))
    call check_all([10d0, 11d0, 12d0, 13d0], aimag(z_sums), "cumsum complex128")
    call usw_cumsum(x(1:0), x_sums(1:0))
  end subroutine

  subroutine others()
    real(real64) :: x(5), out(5)
    integer(int32) :: k(3), k_out(3)
    integer(int64) :: wide(3)
    x = [2d0, 5d0, 1d0, 7d0, 3d0]
    call usw_cumprod(x, out)
    call check_all([2d0, 10d0, 10d0, 70d0, 210d0], out, "cumprod")
    call usw_cummax(x, out)
    call check_all([2d0, 5d0, 5d0, 7d0, 7d0], out, "cummax")
    call usw_cummin(x, out)
    call check_all([2d0, 2d0, 1d0, 1d0, 1d0], out, "cummin")
    call usw_cummin(x, out, exclusive=.true., initial=4d0)
    call check_all([4d0, 2d0, 2d0, 1d0, 1d0], out, "cummin, initial")
    k = [3, -1, 4]
    call usw_cummax(k, k_out)
    call check_true(all(k_out == [3, 3, 4]), "cummax int32")
    call usw_cumprod(k, wide)
    call check_true(all(wide == [3, -3, -12]), "cumprod int32")
  end subroutine

  subroutine in_place()
    real(real64) :: x(5)
    integer(int16) :: k(3)
    x = [2d0, 5d0, 1d0, 7d0, 3d0]
    call usw_cumsum(x)
    call check_all([2d0, 7d0, 8d0, 15d0, 18d0], x, "cumsum in place")
    call usw_cumsum(x, exclusive=.true., initial=1d0)
    call check_all([1d0, 3d0, 10d0, 18d0, 33d0], x, "cumsum in place, initial")
    call usw_cummin(x(5:1:-1)) ! from the end
    call check_all([1d0, 3d0, 10d0, 18d0, 33d0], x, "cummin in place, backwards")
    call usw_cumsum(x(5:1:-2))
    call check_all([44d0, 3d0, 43d0, 18d0, 33d0], x, "cumsum in place, a section")
    k = [3_int16, 1_int16, 4_int16]
    call usw_cummax(k)
    call check_true(all(k == [3, 3, 4]), "cummax int16 in place")
  end subroutine

  subroutine sections()
    real(real64) :: x(6), out(6)
    x = [1d0, 2d0, 3d0, 4d0, 5d0, 6d0]
    out = 0
    call usw_cumsum(x(2::2), out(5:1:-2))
    call check_all([12d0, 0d0, 6d0, 0d0, 2d0, 0d0], out, "cumsum of sections")
    call usw_cumsum(x(6:1:-1), out(6:1:-1))
    call check_all([21d0, 20d0, 18d0, 15d0, 11d0, 6d0], out, "cumsum from the end")
    call usw_cumsum(x(2:2), out(3:3))
    call check_equal(2d0, out(3), "cumsum of one element")
  end subroutine

  ! Members that no stride in elements reaches are copied, and copied back.
  subroutine structures()
    type(wave) :: waves(3)
    complex(real64) :: out(3)
    waves%amplitude = [(1d0, 4d0), (2d0, 5d0), (3d0, 6d0)]
    waves%phase = -1
    call usw_cumsum(waves%amplitude, out)
    call check_all([1d0, 3d0, 6d0], real(out), "cumsum of members")
    call usw_cumsum(out, waves%amplitude)
    call check_all([4d0, 13d0, 28d0], aimag(waves%amplitude), "cumsum to members")
    call usw_cumsum(waves%amplitude, .true.)
    call check_all([0d0, 4d0, 17d0], aimag(waves%amplitude), "cumsum of members in place")
    call check_all([-1d0, -1d0, -1d0], waves%phase, "cumsum, other members")
  end subroutine

  subroutine with_options()
    real(real64) :: x(4), out(4)
    type(usw_options) :: options
    type(usw_report) :: report
    integer(c_int) :: stat
    x = 1
    options%stride = 7 ! not looked at
    options%place = USW_HOST
    stat = -1
    call usw_cumsum(x, out, options=options, report=report, stat=stat)
    call check_true(stat == USW_OK .and. report%place == USW_HOST, "cumsum, report")
    call check_all([1d0, 2d0, 3d0, 4d0], out, "cumsum, options")
  end subroutine

  subroutine check_failure(stat, expected, text)
    integer(c_int), intent(in) :: stat, expected
    character(len=*), intent(in) :: text
    call check_true(stat == expected, text // ", status")
    call check_true(index(usw_error_text(), text) > 0, text // ", text")
  end subroutine

  subroutine failing()
    real(real64) :: x(4), out(4)
    type(usw_options) :: options
    integer(c_int) :: stat
    x = 1
    out = -1
    call usw_cumsum(x, out(1:3), stat=stat)
    call check_failure(stat, USW_ERROR_INVALID, "x and out have different numbers of elements")
    call usw_cumsum(x, out, initial=1d0, stat=stat)
    call check_failure(stat, USW_ERROR_INVALID, "initial goes with exclusive=.true. only")
    options%accuracy = USW_REPRODUCIBLE
    call usw_cumsum(x, out, options=options, stat=stat)
    call check_failure(stat, USW_ERROR_UNSUPPORTED, "USW_REPRODUCIBLE")
    call check_all([-1d0, -1d0, -1d0, -1d0], out, "nothing is written")
  end subroutine

  subroutine addresses()
    real(real64), target :: x(4), out(4), initial
    type(usw_located_f64), target :: lowest(4)
    type(usw_options) :: options
    integer(c_int) :: stat
    x = [3d0, 1d0, 2d0, 1d0]
    call usw_scan_inclusive(USW_OP_PLUS, USW_F64, c_loc(x), 4_c_size_t, c_loc(out))
    call check_all([3d0, 4d0, 6d0, 7d0], out, "scan_inclusive")
    call usw_scan_exclusive(USW_OP_MAXIMUM, USW_F64, c_loc(x), 4_c_size_t, c_loc(out), c_null_ptr)
    call check_all([-huge(x), 3d0, 3d0, 3d0], max(out, -huge(x)), "scan_exclusive")
    initial = 10
    options%stride(1:2) = -1
    call usw_scan_exclusive(USW_OP_PLUS, USW_F64, c_loc(x(4)), 4_c_size_t, c_loc(out(4)), c_loc(initial), options)
    call check_all([14d0, 13d0, 11d0, 10d0], out, "scan_exclusive from the end")
    call usw_scan_inclusive(USW_OP_ARGMIN, USW_F64, c_loc(x), 4_c_size_t, c_loc(lowest))
    call check_true(all(lowest%index == [0, 1, 1, 1]), "scan_inclusive, indices of C")
    call usw_scan_inclusive(USW_OP_PLUS, USW_F64, c_null_ptr, 4_c_size_t, c_loc(out), stat=stat)
    call check_failure(stat, USW_ERROR_INVALID, "NULL")
    call usw_scan_exclusive(USW_OP_COUNT, USW_F64, c_loc(x), 4_c_size_t, c_loc(out), c_loc(initial), stat=stat)
    call check_failure(stat, USW_ERROR_UNSUPPORTED, "initial value")
  end subroutine

  subroutine by_key()
    real(real64), target :: x(6), totals(6)
    integer(int32), target :: keys(6), unique(6), spread(11)
    type(usw_options) :: options
    type(usw_report) :: report
    integer(c_size_t) :: runs
    integer(c_int) :: stat
    x = [1d0, 2d0, 3d0, 4d0, 5d0, 6d0]
    keys = [7, 7, 7, 2, 2, 7]
    totals = 0
    options%place = USW_HOST
    call usw_reduce_by_key(USW_OP_PLUS, USW_F64, c_loc(x), USW_I32, c_loc(keys), 6_c_size_t, c_loc(unique), c_loc(totals), &
      runs, options, report)
    call check_true(runs == 3 .and. report%place == USW_HOST, "reduce_by_key, runs")
    call check_true(all(unique(1:3) == [7, 2, 7]), "reduce_by_key, keys")
    call check_all([6d0, 9d0, 6d0, 0d0, 0d0, 0d0], totals, "reduce_by_key")
    spread = 0
    spread(1::2) = keys
    options%stride(2) = 2
    call usw_reduce_by_key(USW_OP_MAXIMUM, USW_F64, c_loc(x), USW_I32, c_loc(spread), 6_c_size_t, c_loc(unique), &
      c_loc(totals), runs, options)
    call check_true(runs == 3, "reduce_by_key with strides, runs")
    call check_all([3d0, 5d0, 6d0], totals(1:3), "reduce_by_key with strides")
    call usw_reduce_by_key(USW_OP_PLUS, USW_F64, c_loc(x), USW_F32, c_loc(keys), 6_c_size_t, c_loc(unique), c_loc(totals), &
      runs, stat=stat)
    call check_failure(stat, USW_ERROR_UNSUPPORTED, "no integers")
    call check_true(runs == 0, "reduce_by_key, no runs")
  end subroutine
end program
