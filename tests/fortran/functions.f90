! The generic functions over every kind, ranks and sections, options, failures, addresses.
program functions
  use check
  use upsweep
  use, intrinsic :: ieee_arithmetic
  use, intrinsic :: iso_c_binding
  implicit none
  type :: point
    real(real64) :: x
    real(real32) :: weight
    real(real64) :: y
  end type

  call integers()
  call reals()
  call complexes()
  call logicals()
  call ranks()
  call sections()
  call with_options()
  call failing()
  call addresses()
  call parts()
  call sets()
  call partials()
  call check_report()

contains

  subroutine integers()
    integer(int8) :: a(5)
    integer(int16) :: b(5)
    integer(int32) :: c(5)
    integer(int64) :: d(5)
    type(usw_located_i32) :: least
    type(usw_extremes_i16) :: both
    type(usw_describe_i8) :: described
    a = [100_int8, 27_int8, -3_int8, 100_int8, -3_int8]
    b = a
    c = a
    d = a
    call check_equal(221_int64, usw_sum(a), "sum int8")
    call check_equal(221_int64, usw_sum(b), "sum int16")
    call check_equal(221_int64, usw_sum(c), "sum int32")
    call check_equal(221_int64, usw_sum(d), "sum int64")
    call check_equal(product(d), usw_prod(a), "prod int8")
    call check_equal(-3_int64, int(usw_min(a), int64), "min int8")
    call check_true(kind(usw_min(b)) == int16, "min keeps the kind")
    call check_true(usw_max(b) == 100, "max int16")
    call check_equal(int(iall(c), int64), int(usw_bit_and(c), int64), "bit_and int32")
    call check_equal(iany(d), usw_bit_or(d), "bit_or int64")
    call check_equal(iparity(d), usw_bit_xor(d), "bit_xor int64")
    call check_equal(dot_product(d, d), usw_dot(a, a), "dot int8")
    call check_equal(4_int64, usw_count([1_int32, 0_int32, 3_int32, 4_int32, 5_int32]), "count int32")
    call check_true(logical(usw_all(a)), "all int8")
    call check_true(logical(usw_any(b)), "any int16")
    call check_true(.not. logical(usw_all([0_int64])), "all int64")
    least = usw_argmin(c)
    call check_equal(-3_int64, int(least%value, int64), "argmin value")
    call check_equal(3_int64, least%index, "argmin index is minloc's")
    both = usw_minmax(b)
    call check_true(both%minimum == -3 .and. both%maximum == 100, "minmax int16")
    described = usw_describe(a)
    call check_equal(5_int64, described%count, "describe count")
    call check_equal(44.2d0, described%mean, "describe mean")
    call check_true(described%minimum_index == 3 .and. described%maximum_index == 1, "describe indices")
  end subroutine

  subroutine reals()
    real(real32) :: x(7)
    real(real64) :: y(7)
    type(usw_located_f64) :: greatest
    integer :: i
    x = [(real(i - 4, real32), i = 1, 7)]
    y = 2 * x
    y(3) = 30
    call check_true(kind(usw_sum(x)) == real32 .and. kind(usw_norm2(y)) == real64, "kinds of results")
    call check_equal(0d0, real(usw_sum(x), real64), "sum real32")
    call check_equal(sum(y), usw_sum(y), "sum real64")
    call check_equal(-3d0, real(usw_min(x), real64), "min real32")
    call check_equal(30d0, usw_max(y), "max real64")
    call check_equal(12d0, real(usw_norm1(x), real64), "norm1 real32")
    call check_equal(5d0, usw_norm2([3d0, 4d0]), "norm2 real64")
    call check_equal(3d0, real(usw_norm_inf(x), real64), "norm_inf real32")
    call check_equal(dot_product(y, y), usw_dot(y, y), "dot real64")
    call check_equal(1d0, usw_prod([0.5d0, 2d0]), "prod real64")
    greatest = usw_argmax(y)
    call check_equal(3_int64, greatest%index, "argmax index is maxloc's")
    greatest = usw_argmax(y(1:0))
    call check_equal(0_int64, greatest%index, "argmax index of nothing")
  end subroutine

  subroutine complexes()
    complex(real32) :: x(3)
    complex(real64) :: y(3)
    x = [(3.0, 4.0), (0.0, 1.0), (-1.0, 0.0)]
    y = x
    call check_equal(sum(y), cmplx(usw_sum(x), kind=real64), "sum complex32")
    call check_equal(product(y), usw_prod(y), "prod complex64")
    call check_equal(sum(y * y), usw_dot(y, y), "dot complex64")
    call check_equal(dot_product(y, y), usw_dotc(y, y), "dotc is dot_product")
    call check_equal(7d0, real(usw_norm1(x), real64), "norm1 complex32")
    call check_equal(5d0, usw_norm_inf(y), "norm_inf complex64")
    call check_equal(2_int64, usw_count([(0d0, 0d0), (0d0, 1d0), (1d0, 0d0)]), "count complex64")
  end subroutine

  subroutine logicals()
    logical(c_bool) :: x(4)
    x = [.true._c_bool, .false._c_bool, .true._c_bool, .true._c_bool]
    call check_true(.not. logical(usw_all(x)), "all logical")
    call check_true(logical(usw_any(x)), "any logical")
    call check_equal(3_int64, usw_count(x), "count logical")
  end subroutine

  subroutine ranks()
    real(real64) :: x(3, 4, 2)
    type(usw_located_f64) :: found
    integer :: i
    x = reshape([(real(i, real64), i = 1, 24)], shape(x))
    x(2, 3, 2) = 1000
    call check_equal(sum(x), usw_sum(x), "rank 3")
    call check_equal(sum(x(:, :, 1)), usw_sum(x(:, :, 1)), "rank 2, contiguous section")
    call check_equal(5d0, usw_sum(5d0), "scalar")
    call check_equal(0d0, usw_sum(x(1:0, :, :)), "nothing")
    call check_equal(0d0, usw_sum([real(real64) ::]), "a constructor without elements")
    found = usw_argmax(x)
    call check_equal(int(2 + 3 * (2 + 4 * 1), int64), found%index, "index in array element order")
  end subroutine

  subroutine sections()
    real(real64) :: x(3, 4, 2), line(10)
    type(point) :: points(5)
    type(usw_report) :: report
    integer :: i
    x = reshape([(real(i, real64), i = 1, 24)], shape(x))
    line = [(real(i, real64), i = 1, 10)]
    call check_equal(25d0, usw_sum(line(1:10:2)), "every second")
    call check_equal(22d0, usw_sum(line(10:1:-3), report=report), "backwards")
    call check_equal(32_int64, report%bytes, "backwards, bytes read")
    call check_equal(dot_product(line(1:10:2), line(10:1:-2)), usw_dot(line(1:10:2), line(10:1:-2)), "two strides")
    call check_equal(sum(x(2, :, 1)), usw_sum(x(2, :, 1)), "a row")
    call check_equal(sum(x(2, :, :)), usw_sum(x(2, :, :)), "rank 2, copied")
    call check_equal(sum(x(1:3:2, 2:4:2, :)), usw_sum(x(1:3:2, 2:4:2, :)), "rank 3, copied")
    points%x = [1d0, 2d0, 3d0, 4d0, 5d0]
    points%weight = real(points%x, real32)
    points%y = -points%x
    call check_equal(15d0, usw_sum(points%x), "a member")
    call check_equal(15d0, real(usw_sum(points%weight), real64), "a member, by another size")
    call check_equal(-9d0, usw_sum(points(1:5:2)%y), "a member of a section")
  end subroutine

  subroutine with_options()
    real(real64) :: x(3), nan
    type(usw_report) :: report
    type(usw_options) :: options
    integer(c_int) :: stat
    nan = ieee_value(nan, ieee_quiet_nan)
    x = [1d0, nan, -2d0]
    options%nan = USW_NAN_IGNORE
    options%place = USW_HOST
    call check_equal(-2d0, usw_min(x, options, report, stat), "min without NaN")
    call check_equal(int(USW_OK, int64), int(stat, int64), "stat")
    call check_true(report%place == USW_HOST .and. report%strategy == USW_STRATEGY_HOST, "report")
    call check_true(usw_report_target(report) == "host", "report's target")
    call check_true(ieee_is_nan(usw_min(x)), "min with NaN")
    call check_equal(-1d0, usw_sum(x, options, report, stat), "sum without NaN")
    call check_equal(2_int64, report%kept, "numbers kept")
  end subroutine

  subroutine failing()
    integer(c_int) :: stat
    type(usw_located_f64) :: found
    real(real64) :: x(3)
    x = 1
    call check_equal(0d0, usw_sum(x, usw_options(place=USW_DEVICE, device=12345), stat=stat), "value of a failure")
    call check_equal(int(USW_ERROR_DEVICE, int64), int(stat, int64), "no such device")
    call check_true(index(usw_error_text(), "12345") > 0, "text names the device: " // usw_error_text())
    found = usw_argmin(x, usw_options(place=USW_DEVICE, device=12345), stat=stat)
    call check_equal(0_int64, found%index, "index of a failure")
    call check_equal(0d0, usw_dot(x, x(1:2), stat=stat), "lengths differ")
    call check_equal(int(USW_ERROR_INVALID, int64), int(stat, int64), "lengths differ, stat")
    call check_true(usw_error_text() == "x and y have different numbers of elements", "lengths differ, text")
  end subroutine

  subroutine addresses()
    integer(int8), target :: bytes(4)
    integer(int64), target :: total
    real(real64), target :: x(4), value
    type(usw_located_f64), target :: found
    bytes = [-1_int8, -1_int8, 1_int8, 0_int8]
    call usw_reduce(USW_OP_PLUS, USW_U8, c_loc(bytes), 4_c_size_t, c_loc(total))
    call check_equal(511_int64, total, "unsigned bytes by address")
    x = [1d0, 2d0, 4d0, 8d0]
    call usw_reduce(USW_OP_ARGMAX, USW_F64, c_loc(x), 4_c_size_t, c_loc(found))
    call check_equal(3_int64, found%index, "C's index by address")
    call usw_reduce(USW_OP_PLUS, USW_F64, c_loc(x), 2_c_size_t, c_loc(value), usw_options(stride=[3, 0, 0, 0, 0, 0, 0, 0]))
    call check_equal(9d0, value, "stride by address")
    call usw_reduce_pair(USW_OP_DOT, USW_F64, c_loc(x), c_loc(x), 4_c_size_t, c_loc(value))
    call check_equal(85d0, value, "dot by address")
    call check_true(usw_version() >= 100, "version")
    call check_true(usw_gpu_count() >= 0, "GPUs")
  end subroutine

  ! Parts by address: strides, places, two streams, no elements, failures.
  subroutine parts()
    real(real64), target :: x(6), value, there
    type(usw_located_f64), target :: found
    type(usw_part) :: each(3)
    type(usw_report) :: report
    integer(c_int) :: stat
    x = [1d0, 2d0, 4d0, 8d0, 16d0, 32d0]
    each(1) = usw_part(n=2, x=[c_loc(x), c_loc(x(3))], stride=[2, 1], place=USW_HOST)
    each(3) = usw_part(n=3, x=[c_loc(x(6)), c_loc(x)], stride=[-1, 1])
    call usw_reduce_parts(USW_OP_PLUS, USW_F64, each, c_loc(value), usw_options(accuracy=USW_EXACT), report)
    call check_equal(61d0, value, "sum of parts")
    call check_true(report%bytes == 40, "report of parts")
    call usw_reduce_parts(USW_OP_DOT, USW_F64, each, c_loc(value))
    call check_equal(4 + 32d0 + 32 + 32 + 32, value, "dot of parts")
    each(2)%result = c_loc(there)
    call usw_reduce_parts(USW_OP_PLUS, USW_F64, each, c_loc(value))
    call check_equal(61d0, there, "result of a part")
    call usw_reduce_parts(USW_OP_ARGMAX, USW_F64, each, c_loc(found), stat=stat)
    call check_equal(2_int64, found%index, "C's index over parts")
    call check_true(stat == USW_OK, "status of parts")
    call usw_reduce_parts(USW_OP_MULTIPLIES, USW_F64, each(:0), c_loc(value))
    call check_equal(1d0, value, "product of no parts")
    each(2) = usw_part(n=1)
    call usw_reduce_parts(USW_OP_PLUS, USW_F64, each, c_loc(value), stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "a part without address")
    call check_true(index(usw_error_text(), "part 2 of 3: ") == 1, "the part is named")
    call check_equal(1d0, value, "value after a failure")
  end subroutine

  ! Reductions that run together.
  subroutine sets()
    integer(int32), target :: a(6), keys(6), least
    real(real64), target :: x(6), total, bins(3)
    integer(int64), target :: count_of_bits
    type(usw_set) :: set
    type(usw_report) :: report
    integer(c_int) :: stat
    a = [5, 3, 9, -2, 7, 1]
    x = [1d0, 2d0, 4d0, 8d0, 16d0, 32d0]
    keys = [0, 2, 0, 2, 2, 0]
    least = 0
    total = 100
    bins = [0d0, 10d0, 20d0]
    count_of_bits = 1
    call set%run(0_c_size_t, stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "a set without reducers")
    call set%add(USW_OP_MINIMUM, USW_I32, c_loc(a), c_loc(least))
    call set%add(USW_OP_PLUS, USW_F64, c_loc(x), c_loc(total), stride=2_c_intptr_t)
    call set%add_span(USW_OP_PLUS, USW_F64, c_loc(x), USW_I32, c_loc(keys), c_loc(bins), 3_c_size_t)
    call set%add(USW_OP_PLUS, USW_I32, c_loc(keys), c_loc(count_of_bits), initialize_to_identity=.true.)
    call set%add(USW_OP_PLUS, USW_F64, c_loc(x), c_loc(bins(2)), stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "a variable in another's span")
    call set%run(3_c_size_t, report=report)
    call check_equal(0_int64, int(least, int64), "the original value is the least")
    call check_equal(121d0, total, "the original value and every other element")
    call check_equal(5d0, bins(1), "bin 0")
    call check_equal(10d0, bins(2), "a bin that nothing comes to")
    call check_equal(22d0, bins(3), "bin 2")
    call check_equal(2_int64, count_of_bits, "from the identity")
    call check_equal(3_int64 * (4 + 8 + 12 + 4), report%bytes, "report")
    call set%free()
    call set%free()
  end subroutine
  ! Two ranks and their blocks.
  subroutine partials()
    type(usw_partial) :: part, total
    type(usw_options) :: options
    real(real64), target :: x(7), s
    integer(int8), allocatable :: block(:)
    integer(int64), target :: found(2)
    integer(c_int) :: stat
    x = [1.0_real64, 1.0e100_real64, 1.0_real64, -1.0e100_real64, 0.5_real64, -3.0_real64, 2.0_real64]
    options%accuracy = USW_REPRODUCIBLE
    call total%create(USW_OP_PLUS, USW_F64, options)
    call total%add(c_loc(x), 3_c_size_t)
    call part%create(USW_OP_PLUS, USW_F64, options)
    call part%add(c_loc(x(4)), 4_c_size_t)
    call part%export(block)
    call check_true(size(block) == usw_partial_export_bytes(USW_OP_PLUS, USW_F64, options), "the size of a block")
    call part%import(block)
    call total%merge(part)
    call total%result(c_loc(s))
    call check_equal(transfer(usw_sum(x, options), 0_int64), transfer(s, 0_int64), "bits of merged partials")
    block(41) = not(block(41))
    call part%import(block, stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "a damaged block")
    call part%merge(total, stat)
    call check_true(stat == USW_ERROR_INVALID, "an object that holds nothing")
    call total%create(USW_OP_ARGMIN, USW_F64)
    call total%begin_at(10_c_int64_t)
    call total%add(c_loc(x), 7_c_size_t)
    call total%result(c_loc(found))
    call check_equal(13_int64, found(2), "an index that begins at 10")
    call total%free()
    call part%free()
  end subroutine

end program
