# Files that many ranks write together: data sets and timings.
add_executable(test_output_ranks test_output_ranks.c)
target_link_libraries(test_output_ranks PRIVATE karman_test_support karman_datasets karman_io karman_options
  PkgConfig::JANSSON)
karman_mpi_test(mpi-output RANKS ${KARMAN_FEW_RANKS}
  COMMAND $<TARGET_FILE:test_output_ranks>)
# The edges of a picture that is divided among ranks.
add_executable(test_edges_ranks test_edges_ranks.c)
target_link_libraries(test_edges_ranks PRIVATE karman_test_io karman_test_support karman_session karman_frame ${KARMAN_PARTS} MPI::MPI_C m)
karman_mpi_test(mpi-edges RANKS ${KARMAN_TEST_RANKS}
  COMMAND $<TARGET_FILE:test_edges_ranks>)
