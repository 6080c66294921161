# Starts of programs: under different launchers, and with different thread support of MPI.
add_executable(solver_one_thread one_thread.c ${PROJECT_SOURCE_DIR}/examples/solver/main.c)
target_link_libraries(solver_one_thread
  PRIVATE karman_options karman_flow OpenMP::OpenMP_C)
target_link_options(solver_one_thread PRIVATE LINKER:--wrap=MPI_Init_thread)
add_executable(insitu_host insitu_host.c)
target_link_libraries(insitu_host PRIVATE karman_session karman_frame ${KARMAN_PARTS} MPI::MPI_C karman_options)
add_test(NAME start
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/start.sh $<TARGET_FILE:karman-program>
    $<TARGET_FILE:karman-solver> $<TARGET_FILE:karman-dataset> $<TARGET_FILE:solver_one_thread>
    $<TARGET_FILE:insitu_host>
    ${PROJECT_BINARY_DIR}/tests/image/datasets/karman.h5 ${CMAKE_CURRENT_BINARY_DIR}/start
    ${KARMAN_MPIEXEC})
set_tests_properties(start PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
  FIXTURES_REQUIRED dataset-karman ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
