# The flow solver: known answers, and the same bits for any number of ranks.
add_library(karman_test_solver STATIC test_solver_support.c)
target_link_libraries(karman_test_solver PUBLIC karman_test_io karman_flow
  PRIVATE karman_options)
foreach(name flow exact)
  add_executable(test_solver_${name} test_solver_${name}.c)
  target_link_libraries(test_solver_${name} PRIVATE karman_test_solver)
endforeach()
karman_mpi_test(mpi-solver_flow RANKS 1 2 3 4
  COMMAND $<TARGET_FILE:test_solver_flow>)
karman_mpi_test(mpi-solver_exact RANKS 1 2
  COMMAND $<TARGET_FILE:test_solver_exact>)

# The solver's messages about impossible configs.
function(karman_solver_complaint name regex)
  add_test(NAME solver-${name} COMMAND karman-solver
    ${PROJECT_SOURCE_DIR}/configs/cylinder.yaml ${ARGN})
  set_tests_properties(solver-${name} PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
    PASS_REGULAR_EXPRESSION "${regex}" ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endfunction()
karman_solver_complaint(unknown-key "--set flow.mahc=1: unknown key 'mahc'"
  --set flow.mahc=1)
karman_solver_complaint(too-fast "flow.mach must be above 0.001 and at most 0.7, is 3" --set flow.mach=3)
karman_solver_complaint(two-ends "time needs either end or steps" --set time.steps=3)
karman_solver_complaint(section "unknown key 'time' in the config, or a section without keys" --set time=4)
karman_solver_complaint(no-yaml "--set time={cfl: 1: not YAML: " --set "time={cfl: 1")
karman_solver_complaint(missing-key "grid.boundaries.1.kind is missing: give .wall., " --set grid.cylinder=null
  --set grid.file=a.h5 --set "grid.boundaries=[{block: a, face: i_min, kind: slip, velocity: [0, 0, 1]}]"
  --set "grid.boundaries.+={block: a, face: i_max}")
karman_solver_complaint(two-numbers "grid.boundaries.0.velocity: expected .x, y, z." --set grid.cylinder=null
  --set grid.file=a.h5 --set "grid.boundaries.+={block: a, face: i_min, kind: wall, velocity: [0, 1]}")
karman_solver_complaint(no-restart "nowhere.h5' cannot be opened" --set restart=nowhere.h5)
add_test(NAME solver-of-pictures
  COMMAND karman-solver ${PROJECT_SOURCE_DIR}/configs/karman.yaml)
set_tests_properties(solver-of-pictures PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
  PASS_REGULAR_EXPRESSION "karman.yaml is a config of pictures, not of a flow: karman render "
  ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
karman_solver_complaint(two-grids "grid needs either cylinder or file" --set grid.file=a.h5)

# From a config to a file, and on from that file: an O-grid too coarse for any physics.
set(small --set grid.cylinder.ni=24 --set grid.cylinder.nj=10
  --set grid.cylinder.stretching=1.5 --set output.every=3
  --set output.file=${CMAKE_CURRENT_BINARY_DIR}/small.h5
  --set output.monitors=${CMAKE_CURRENT_BINARY_DIR}/small.csv --set output.monitor_every=1)
karman_mpi_test(solver-run RANKS 3 COMMAND $<TARGET_FILE:karman-solver>
  ${PROJECT_SOURCE_DIR}/configs/cylinder.yaml ${small} --set "time={cfl: 1, steps: 7}")
karman_mpi_test(solver-restart RANKS 2 COMMAND $<TARGET_FILE:karman-solver>
  ${PROJECT_SOURCE_DIR}/configs/cylinder.yaml ${small} --set "time={cfl: 1, steps: 10}"
  --set restart=${CMAKE_CURRENT_BINARY_DIR}/small.h5)
add_test(NAME solver-steps COMMAND karman-program info ${CMAKE_CURRENT_BINARY_DIR}/small.h5)
set_tests_properties(solver-steps PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
  PASS_REGULAR_EXPRESSION "steps +5\n +3 .*\n +10 " ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}"
  FIXTURES_REQUIRED solver-restart)
set_tests_properties(solver-run-3 PROPERTIES FIXTURES_SETUP solver-run)
set_tests_properties(solver-restart-2 PROPERTIES FIXTURES_REQUIRED solver-run
  FIXTURES_SETUP solver-restart)

# Killed while it writes checkpoints.
add_executable(solver_kill_at kill_at.c ${PROJECT_SOURCE_DIR}/examples/solver/main.c)
target_link_libraries(solver_kill_at
  PRIVATE karman_options karman_flow OpenMP::OpenMP_C)
add_executable(check_steps check_steps.c)
target_link_libraries(check_steps PRIVATE karman_options PkgConfig::HDF5 MPI::MPI_C)
add_test(NAME solver-killed COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/solver_killed.sh
  $<TARGET_FILE:karman-solver> $<TARGET_FILE:solver_kill_at> $<TARGET_FILE:check_steps>
  ${PROJECT_SOURCE_DIR}/configs/cylinder.yaml ${CMAKE_CURRENT_BINARY_DIR}/killed ${KARMAN_MPIEXEC})
set_tests_properties(solver-killed PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
  ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")

# On a coarse grid vortices are shed a tenth too slowly, but they are shed.
add_test(NAME solver-shedding COMMAND karman-solver
  ${PROJECT_SOURCE_DIR}/configs/cylinder.yaml --set grid.cylinder.ni=40
  --set grid.cylinder.nj=26 --set grid.cylinder.stretching=1.22 --set flow.disturbance=0.5
  --set time.end=40 --set "output={every: 0, monitor_every: 10}")
set_tests_properties(solver-shedding PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
  PASS_REGULAR_EXPRESSION "Strouhal number 0.1[5-9].* periods, lift .-0.[3-7]"
  ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")

# The right Strouhal number takes some minutes.
if(KARMAN_LONG_TESTS)
  add_test(NAME solver-vortex-street COMMAND karman-solver
    ${PROJECT_SOURCE_DIR}/configs/cylinder.yaml --set time.end=60
    --set "output={every: 0, monitor_every: 10}")
  # 0.183, by C. H. K. Williamson's fit for parallel shedding, 0.2665 - 1.018 / sqrt(Re), within 5
  # %.
  set_tests_properties(solver-vortex-street PROPERTIES LABELS long TIMEOUT 3600
    PASS_REGULAR_EXPRESSION "Strouhal number 0.1(7[4-9]|8[0-9]|9[0-2])"
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endif()
