# Partition by screen, end to end.
foreach(ranks 3)
  add_test(NAME image-screen-series-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/screen.sh $<TARGET_FILE:karman-program>
      ${dataset_folder}/karman-steps.h5 ${dataset_folder}/boundary-layer.h5
      ${CMAKE_CURRENT_BINARY_DIR}/screen-${ranks}
      ${KARMAN_MPIEXEC} ${ranks})
  set_tests_properties(image-screen-series-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    FIXTURES_REQUIRED "dataset-karman-steps;dataset-boundary-layer"
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endforeach()

add_executable(test_screen_moves test_screen_moves.c)
target_link_libraries(test_screen_moves PRIVATE karman_test_support karman_options karman_session karman_frame ${KARMAN_PARTS}
  MPI::MPI_C m)
set(moves_folder ${PROJECT_BINARY_DIR}/tests/image/screen-moves)
file(MAKE_DIRECTORY ${moves_folder})
karman_mpi_test(image-screen-moves LABEL image RANKS 2 5
  COMMAND $<TARGET_FILE:test_screen_moves> ${dataset_folder}/karman-steps.h5 ${moves_folder})
foreach(ranks 2 5)
  set_tests_properties(image-screen-moves-${ranks} PROPERTIES
    FIXTURES_REQUIRED dataset-karman-steps)
endforeach()
