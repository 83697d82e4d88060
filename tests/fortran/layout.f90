! The structures of the module against those of C.
program layout
  use check
  use upsweep
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_size_t) function c_size_of_options() bind(c)
      import :: c_size_t
    end function
    integer(c_size_t) function c_size_of_report() bind(c)
      import :: c_size_t
    end function
    subroutine c_fill_options(options) bind(c)
      import :: usw_options
      type(usw_options), intent(inout) :: options
    end subroutine
    subroutine c_fill_report(report) bind(c)
      import :: usw_report
      type(usw_report), intent(inout) :: report
    end subroutine
    subroutine c_fill_describe(described) bind(c)
      import :: usw_describe_i16
      type(usw_describe_i16), intent(inout) :: described
    end subroutine
  end interface
  type(usw_options) :: options
  type(usw_report) :: report
  type(usw_describe_i16) :: described
  integer :: i

  call check_equal(int(c_size_of_options(), int64), int(c_sizeof(options), int64), "size of usw_options")
  call check_equal(int(c_size_of_report(), int64), int(c_sizeof(report), int64), "size of usw_report")
  call c_fill_options(options)
  call check_true(options%place == 1 .and. options%device == 2 .and. options%strategy == 3, "options, first")
  call check_true(options%accuracy == 4 .and. options%nan == 5 .and. options%teams == 6, "options, second")
  call check_true(options%initialize_to_identity == 7, "options%initialize_to_identity")
  call check_true(all(options%stride == [(7 + i, i = 1, size(options%stride))]), "options%stride")
  call check_true(options%work_group_load == 99, "options%work_group_load")
  call check_true(options%recheck == 100, "options%recheck")
  call check_true(options%devices == USW_ALL_DEVICES, "options%devices")
  call c_fill_report(report)
  call check_true(report%place == 1 .and. report%device == 2 .and. report%strategy == 3, "report, first")
  call check_true(report%teams == 4 .and. report%team_size == 5, "report, second")
  call check_true(report%bytes == 6 .and. report%time_ns == 7 .and. report%kept == 8, "report, third")
  call check_true(usw_report_target(report) == "x86_64", "report%target")
  call c_fill_describe(described)
  call check_true(described%count == 1 .and. described%minimum == 4 .and. described%maximum == 5, "describe, values")
  call check_equal(2d0, described%mean, "describe, mean")
  call check_equal(3d0, described%variance, "describe, variance")
  call check_true(described%minimum_index == 6 .and. described%maximum_index == 7, "describe, indices")
  call check_report()
end program
