! Plans of parts: runs over what is in the arrays by then, requests, options, results where parts are, failures.
program plans
  use check
  use upsweep
  use, intrinsic :: iso_c_binding
  implicit none
  real(real64), target :: x(6), y(6)

  call runs()
  call requests()
  call bits()
  call indices()
  call results()
  call on_a_device()
  call failing()
  call check_report()

contains

  ! x(1), x(3); nothing; x(6), x(5), x(4).
  function three_parts(place) result(parts)
    integer(c_int), intent(in) :: place
    type(usw_part) :: parts(3)
    x = [1d0, 2d0, 4d0, 8d0, 16d0, 32d0]
    y = 10
    parts(1) = usw_part(n=2, x=[c_loc(x), c_loc(y)], stride=[2, 1], place=place)
    parts(3) = usw_part(n=3, x=[c_loc(x(6)), c_loc(y(2))], stride=[-1, 1], place=place)
  end function

  subroutine runs()
    type(usw_part) :: parts(3)
    type(usw_plan) :: plan, same
    real(real64), target :: value
    integer(c_int) :: stat
    parts = three_parts(USW_HOST)
    call plan%create_parts(USW_OP_PLUS, USW_F64, parts)
    parts = usw_part() ! the plan has its own copy
    value = -1
    stat = -1
    call plan%run_parts(c_loc(value), stat)
    call check_true(stat == USW_OK, "status of a run")
    call check_equal(61d0, value, "a run")
    x(6) = 100
    same = plan
    call same%run_parts(c_loc(value))
    call check_equal(129d0, value, "a run over other elements, by a copy of the plan")
    call plan%create_parts(USW_OP_DOT, USW_F64, three_parts(USW_AUTO_PLACE)) ! in place of the other
    call plan%run_parts(c_loc(value))
    call check_equal(610d0, value, "a run of two streams")
    parts = three_parts(USW_HOST)
    call plan%create_parts(USW_OP_MULTIPLIES, USW_F64, parts(:0))
    call plan%run_parts(c_loc(value))
    call check_equal(1d0, value, "a run of no parts")
    call plan%free()
    call plan%free()
  end subroutine

  subroutine requests()
    type(usw_plan) :: plan
    type(usw_request) :: first, second
    real(real64), target, asynchronous :: sums(2)
    integer(c_int) :: stat
    sums = -1
    call plan%create_parts(USW_OP_PLUS, USW_F64, three_parts(USW_HOST))
    call plan%start_parts(c_loc(sums(1)), first)
    call plan%start_parts(c_loc(sums(2)), second, stat)
    call check_true(stat == USW_OK, "status of a start")
    call check_true(first%test(), "parts of the host have ended when they have started")
    call second%wait()
    call first%wait(stat)
    call check_true(stat == USW_OK, "status of a request")
    call check_equal(61d0, sums(1), "the first request")
    call check_equal(61d0, sums(2), "the second request")
    call first%wait(stat)
    call check_true(stat == USW_ERROR_INVALID, "a request is waited for once")
    stat = USW_OK
    call check_true(.not. second%test(stat), "no request")
    call check_true(stat == USW_ERROR_INVALID, "status of no request")
    call plan%free()
  end subroutine

  ! Options come with the plan.
  subroutine bits()
    real(real64), target :: elements(1000), value
    type(usw_options) :: options
    type(usw_plan) :: plan
    integer :: i
    elements = [(sin(real(i, real64)) * 10d0**modulo(i, 17), i = 1, size(elements))]
    options%accuracy = USW_REPRODUCIBLE
    call plan%create_parts(USW_OP_PLUS, USW_F64, &
      [usw_part(n=300, x=[c_loc(elements), c_null_ptr]), usw_part(n=700, x=[c_loc(elements(301)), c_null_ptr])], options)
    call plan%run_parts(c_loc(value))
    call check_equal(transfer(usw_sum(elements, options), 0_int64), transfer(value, 0_int64), "bits of one array")
    call plan%free()
  end subroutine

  subroutine indices()
    type(usw_located_f64), target :: found
    type(usw_plan) :: plan
    call plan%create_parts(USW_OP_ARGMAX, USW_F64, three_parts(USW_HOST))
    call plan%run_parts(c_loc(found))
    call check_equal(2_int64, found%index, "C's index over parts")
    call check_equal(32d0, found%value, "the largest of parts")
    call plan%free()
  end subroutine

  subroutine results()
    type(usw_part) :: parts(3)
    type(usw_plan) :: plan
    type(usw_request) :: request
    real(real64), target :: value, there
    parts = three_parts(USW_HOST)
    parts(2)%result = c_loc(there)
    call plan%create_parts(USW_OP_PLUS, USW_F64, parts)
    there = -1
    call plan%run_parts(c_loc(value))
    call check_equal(61d0, there, "result of a part")
    there = -1
    call plan%start_parts(c_loc(value), request)
    call request%wait()
    call check_equal(61d0, there, "result of a part, started")
    call plan%free()
  end subroutine

  ! Where there is one: host memory is staged, unless the device reads it.
  subroutine on_a_device()
    type(usw_part) :: parts(3)
    type(usw_plan) :: plan
    type(usw_request) :: request
    real(real64), target, asynchronous :: value
    integer(c_int) :: stat
    parts = three_parts(USW_HOST)
    parts(3)%place = USW_DEVICE
    call plan%create_parts(USW_OP_PLUS, USW_F64, parts, usw_options(staging=USW_STAGING_ALWAYS), stat)
    if (stat /= USW_OK) then
      call check_true(stat == USW_ERROR_DEVICE, "a part on a device")
      return
    end if
    call plan%start_parts(c_loc(value), request)
    call request%wait()
    call check_equal(61d0, value, "a part on the host, one on a device")
    call plan%free()
  end subroutine

  subroutine failing()
    type(usw_part) :: parts(3)
    type(usw_plan) :: plan
    type(usw_request) :: request
    real(real64), target :: value
    integer(c_int) :: stat
    value = 7
    parts = three_parts(USW_HOST)
    parts(2) = usw_part(n=1)
    call plan%create_parts(USW_OP_PLUS, USW_F64, parts, stat=stat)
    call check_true(stat == USW_ERROR_INVALID, "a part without address")
    call check_true(index(usw_error_text(), "part 2 of 3: ") == 1, "the part is named")
    call plan%run_parts(c_loc(value), stat)
    call check_true(stat == USW_ERROR_INVALID, "a plan that was not created")
    call plan%start_parts(c_loc(value), request, stat)
    call check_true(stat == USW_ERROR_INVALID, "a start of no plan")
    call request%wait(stat)
    call check_true(stat == USW_ERROR_INVALID, "a request that was not started")
    call plan%create_parts(USW_OP_DOT, USW_F64, parts(:1), usw_options(place=USW_HOST), stat)
    call check_true(stat == USW_ERROR_INVALID, "a place in the options")
    parts = three_parts(USW_HOST)
    call plan%create_parts(USW_OP_PLUS, USW_F64, parts)
    call plan%run_parts(c_null_ptr, stat)
    call check_true(stat == USW_ERROR_INVALID, "nowhere to write to")
    call check_equal(7d0, value, "value after failures")
    call plan%free()
  end subroutine
end program
