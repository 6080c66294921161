# The flow solver: known answers, and the same bits for any number of ranks.
add_library(karman_test_solver STATIC test_solver_support.c)
target_link_libraries(karman_test_solver PUBLIC karman_test_io karman_solver
  PRIVATE karman_options)
foreach(name flow exact)
  add_executable(test_solver_${name} test_solver_${name}.c)
  target_link_libraries(test_solver_${name} PRIVATE karman_test_solver)
endforeach()
karman_mpi_test(mpi-solver_flow RANKS 1 2 3 4 TIMEOUT 120
  COMMAND $<TARGET_FILE:test_solver_flow>)
karman_mpi_test(mpi-solver_exact RANKS 1 2 TIMEOUT 120
  COMMAND $<TARGET_FILE:test_solver_exact>)

# What the program says of configs that cannot be.
function(karman_solver_complaint name regex)
  add_test(NAME solver-${name} COMMAND karman-solver
    ${PROJECT_SOURCE_DIR}/configs/cylinder.yaml ${ARGN})
  set_tests_properties(solver-${name} PROPERTIES LABELS mpi TIMEOUT 60
    PASS_REGULAR_EXPRESSION "${regex}" ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endfunction()
karman_solver_complaint(unknown-key "--set flow.mahc=1: unknown key 'mahc'"
  --set flow.mahc=1)
karman_solver_complaint(too-fast "flow.mach is 3: it must be more than" --set flow.mach=3)
karman_solver_complaint(two-ends "time needs either end or steps" --set time.steps=3)
karman_solver_complaint(no-restart "nowhere.h5' cannot be opened" --set restart=nowhere.h5)
karman_solver_complaint(two-grids "grid needs either cylinder or file" --set grid.file=a.h5)

# The vortex street itself takes some minutes.
option(KARMAN_LONG_TESTS "Run tests that take minutes, too" OFF)
if(KARMAN_LONG_TESTS)
  add_test(NAME solver-vortex-street COMMAND karman-solver
    ${PROJECT_SOURCE_DIR}/configs/cylinder.yaml --set grid.cylinder.ni=48
    --set grid.cylinder.nj=36 --set grid.cylinder.stretching=1.17 --set time.end=100
    --set "output={every: 0, monitor_every: 10}")
  # 0.183 is C. H. K. Williamson's value for parallel shedding; 5 % more or less.
  set_tests_properties(solver-vortex-street PROPERTIES LABELS long TIMEOUT 3600
    PASS_REGULAR_EXPRESSION "Strouhal number 0.1(7[4-9]|8[0-9]|9[0-2])"
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endif()
