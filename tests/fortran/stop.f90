! A call that fails and has no stat.
program stop_without_stat
  use upsweep
  use, intrinsic :: iso_fortran_env
  implicit none
  real(real64) :: x(3)
  x = 1
  print *, usw_sum(x, options=usw_options(place=USW_DEVICE, device=12345))
  print *, "still here"
end program
