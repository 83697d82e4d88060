! The sum of an array whose parts the ranks of an MPI program have: the same bits for any number of ranks.
!   mpifort mpi_sum.f90 $(pkg-config --cflags --libs upsweep-mpi-fortran) -o mpi_sum && mpirun -n 3 ./mpi_sum
program sum_of_ranks
  use mpi_f08
  use upsweep
  use upsweep_mpi
  use, intrinsic :: iso_fortran_env
  implicit none
  integer(int64), parameter :: n = 1000003
  integer :: rank, ranks
  integer(int64) :: i
  real(real64) :: s
  type(usw_options) :: options
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  options%accuracy = USW_REPRODUCIBLE
  s = usw_mpi_sum([(1.0_real64 / i - 0.5_real64, i = n * rank / ranks + 1, n * (rank + 1) / ranks)], MPI_COMM_WORLD, options)
  if (rank == 0) print "(a, i0, a, f0.6, a, z16)", "sum of ", ranks, " ranks: ", s, ", bits ", s
  call MPI_Finalize()
end program
