/* The functions over ranks that a user kernel becomes whose file defines USW_MPI: kernel_end.h includes this.
 *
 *   K_mpi(n, arguments, variables, comm, options)            every rank gets the results: usw_mpi_kernel_allreduce()
 *   K_mpi_fresh(...)                                         the same, with variables that begin with the identity
 *   K_mpi_parts(parts, count, variables, comm, options)      over parts that K_part() makes: usw_mpi_kernel_allreduce_parts()
 *   K_mpi_parts_fresh(...)                                   the same, with variables that begin with the identity
 *   K_mpi_parts_reduce(parts, count, variables, root, comm, options)     usw_mpi_kernel_reduce_parts()
 *   K_mpi_parts_start(parts, count, variables, comm, options, &request)  usw_mpi_kernel_iallreduce_parts(); then usw_mpi_wait()
 *   K_mpi_parts_init(parts, count, variables, comm, options, &request)   usw_mpi_kernel_init_parts(); then usw_mpi_start()
 *   K_mpi_reduce(n, arguments, variables, root, comm, options)     usw_mpi_kernel_reduce()
 *   K_mpi_start(n, arguments, variables, comm, options, &request)  usw_mpi_kernel_iallreduce(); then usw_mpi_wait()
 *   K_mpi_init(n, arguments, variables, comm, options, &request)   usw_mpi_kernel_init(); then usw_mpi_start() */
/** Runs the kernel over the items of all ranks: arguments in list order, then a variable per reducer.
 *  @return as usw_mpi_kernel_allreduce(). */
usw_status_t USW_F(_mpi)(USW_FUNCTION_PARAMETERS MPI_Comm usw_comm, const usw_options_t *usw_options) USW_NOT_INLINED
    USW_REDUCERS(USW_R_READS, USW_S_READS);
usw_status_t USW_F(_mpi)(USW_FUNCTION_PARAMETERS MPI_Comm usw_comm, const usw_options_t *usw_options) {
  USW_FUNCTION_WORDS;
  return usw_mpi_kernel_allreduce(&USW_F(_kernel), usw_n, usw_words, usw_variables, usw_comm, usw_options);
}

/** The same with all variables beginning with the identity: they need not be initialized.
 *  @return as usw_mpi_kernel_allreduce(). */
usw_status_t USW_F(_mpi_fresh)(USW_FUNCTION_PARAMETERS MPI_Comm usw_comm,
                               const usw_options_t *usw_options) USW_NOT_INLINED;
usw_status_t USW_F(_mpi_fresh)(USW_FUNCTION_PARAMETERS MPI_Comm usw_comm, const usw_options_t *usw_options) {
  const usw_options_t usw_from_identity = usw_options_from_identity(usw_options);
  return USW_F(_mpi)(USW_FUNCTION_NAMES usw_comm, &usw_from_identity);
}

#if USW_PARTS
/** Runs the kernel over the items of all parts of all ranks. @return as usw_mpi_kernel_allreduce_parts(). */
usw_status_t USW_F(_mpi_parts)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                               USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) MPI_Comm usw_comm,
                               const usw_options_t *usw_options);
usw_status_t USW_F(_mpi_parts)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                               USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) MPI_Comm usw_comm,
                               const usw_options_t *usw_options) {
  USW_PARTS_VARIABLES;
  return usw_mpi_kernel_allreduce_parts(&USW_F(_kernel), usw_parts, usw_part_count, usw_variables, usw_comm,
                                        usw_options);
}

/** The same with all variables beginning with the identity. @return as usw_mpi_kernel_allreduce_parts(). */
usw_status_t USW_F(_mpi_parts_fresh)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                     USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) MPI_Comm usw_comm,
                                     const usw_options_t *usw_options);
usw_status_t USW_F(_mpi_parts_fresh)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                     USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) MPI_Comm usw_comm,
                                     const usw_options_t *usw_options) {
  const usw_options_t usw_from_identity = usw_options_from_identity(usw_options);
  return USW_F(_mpi_parts)(usw_parts, usw_part_count, USW_REDUCERS(USW_NAME_OF_VARIABLE, USW_NAME_OF_SPAN) usw_comm,
                           &usw_from_identity);
}

/** The same whose results one rank wants. @return as usw_mpi_kernel_reduce_parts(). */
usw_status_t USW_F(_mpi_parts_reduce)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                      USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) int usw_root,
                                      MPI_Comm usw_comm, const usw_options_t *usw_options);
usw_status_t USW_F(_mpi_parts_reduce)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                      USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) int usw_root,
                                      MPI_Comm usw_comm, const usw_options_t *usw_options) {
  USW_PARTS_VARIABLES;
  return usw_mpi_kernel_reduce_parts(&USW_F(_kernel), usw_parts, usw_part_count, usw_variables, usw_root, usw_comm,
                                     usw_options);
}

/** Starts it: usw_mpi_wait() ends it. @return as usw_mpi_kernel_iallreduce_parts(). */
usw_status_t USW_F(_mpi_parts_start)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                     USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) MPI_Comm usw_comm,
                                     const usw_options_t *usw_options, usw_mpi_request_t *usw_request_out);
usw_status_t USW_F(_mpi_parts_start)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                     USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) MPI_Comm usw_comm,
                                     const usw_options_t *usw_options, usw_mpi_request_t *usw_request_out) {
  USW_PARTS_VARIABLES;
  return usw_mpi_kernel_iallreduce_parts(&USW_F(_kernel), usw_parts, usw_part_count, usw_variables, usw_comm,
                                         usw_options, usw_request_out);
}

/** Makes a request that usw_mpi_start() starts. @return as usw_mpi_kernel_init_parts(). */
usw_status_t USW_F(_mpi_parts_init)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                    USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) MPI_Comm usw_comm,
                                    const usw_options_t *usw_options, usw_mpi_request_t *usw_request_out);
usw_status_t USW_F(_mpi_parts_init)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                    USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) MPI_Comm usw_comm,
                                    const usw_options_t *usw_options, usw_mpi_request_t *usw_request_out) {
  USW_PARTS_VARIABLES;
  return usw_mpi_kernel_init_parts(&USW_F(_kernel), usw_parts, usw_part_count, usw_variables, usw_comm, usw_options,
                                   usw_request_out);
}
#endif

/** The same whose results one rank wants. @return as usw_mpi_kernel_reduce(). */
usw_status_t USW_F(_mpi_reduce)(USW_FUNCTION_PARAMETERS int usw_root, MPI_Comm usw_comm,
                                const usw_options_t *usw_options);
usw_status_t USW_F(_mpi_reduce)(USW_FUNCTION_PARAMETERS int usw_root, MPI_Comm usw_comm,
                                const usw_options_t *usw_options) {
  USW_FUNCTION_WORDS;
  return usw_mpi_kernel_reduce(&USW_F(_kernel), usw_n, usw_words, usw_variables, usw_root, usw_comm, usw_options);
}

/** Starts it: usw_mpi_wait() ends it. @return as usw_mpi_kernel_iallreduce(). */
usw_status_t USW_F(_mpi_start)(USW_FUNCTION_PARAMETERS MPI_Comm usw_comm, const usw_options_t *usw_options,
                               usw_mpi_request_t *usw_request_out);
usw_status_t USW_F(_mpi_start)(USW_FUNCTION_PARAMETERS MPI_Comm usw_comm, const usw_options_t *usw_options,
                               usw_mpi_request_t *usw_request_out) {
  USW_FUNCTION_WORDS;
  return usw_mpi_kernel_iallreduce(&USW_F(_kernel), usw_n, usw_words, usw_variables, usw_comm, usw_options,
                                   usw_request_out);
}

/** Makes a request that usw_mpi_start() starts. @return as usw_mpi_kernel_init(). */
usw_status_t USW_F(_mpi_init)(USW_FUNCTION_PARAMETERS MPI_Comm usw_comm, const usw_options_t *usw_options,
                              usw_mpi_request_t *usw_request_out);
usw_status_t USW_F(_mpi_init)(USW_FUNCTION_PARAMETERS MPI_Comm usw_comm, const usw_options_t *usw_options,
                              usw_mpi_request_t *usw_request_out) {
  USW_FUNCTION_WORDS;
  return usw_mpi_kernel_init(&USW_F(_kernel), usw_n, usw_words, usw_variables, usw_comm, usw_options, usw_request_out);
}
