! Sections of arrays in, values out, from Fortran.
!   gfortran sum.f90 $(pkg-config --cflags --libs upsweep-fortran) -o sum
program sums
  use upsweep
  use, intrinsic :: iso_fortran_env
  implicit none
  real(real64) :: x(4, 3), s
  type(usw_located_f64) :: most
  integer :: i
  x = reshape([(real(i, real64), i = 1, 12)], shape(x))
  s = usw_sum(x(2, :))
  most = usw_argmax(x)
  print "(a, f0.1, a, i0)", "Fortran: sum of a row ", s, ", largest at ", most%index
  if (nint(s) /= 18 .or. most%index /= 12) error stop 1
end program
