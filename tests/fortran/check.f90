! Checks: counted, and printed when they fail.
module check
  use, intrinsic :: iso_fortran_env
  implicit none
  integer :: checks = 0, failures = 0
  interface check_equal
    procedure equal_integers, equal_reals, equal_complexes
  end interface
contains
  subroutine check_true(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    checks = checks + 1
    if (ok) return
    failures = failures + 1
    print "(a)", "failed: " // what
  end subroutine

  subroutine equal_integers(expected, got, what)
    integer(int64), intent(in) :: expected, got
    character(len=*), intent(in) :: what
    call check_true(expected == got, what)
    if (expected /= got) print *, "  expected", expected, "got", got
  end subroutine

  ! Test data are small integers: sums are exact.
  subroutine equal_reals(expected, got, what)
    real(real64), intent(in) :: expected, got
    character(len=*), intent(in) :: what
    call check_true(abs(expected - got) <= 0, what)
    if (abs(expected - got) > 0) print *, "  expected", expected, "got", got
  end subroutine

  subroutine equal_complexes(expected, got, what)
    complex(real64), intent(in) :: expected, got
    character(len=*), intent(in) :: what
    call check_true(abs(expected - got) <= 0, what)
    if (abs(expected - got) > 0) print *, "  expected", expected, "got", got
  end subroutine

  subroutine check_report()
    print "(i0, a, i0, a)", checks, " checks, ", failures, " failed"
    if (checks == 0 .or. failures > 0) error stop 1
  end subroutine
end module
