# Partition by screen, end to end.
foreach(ranks 3 8)
  add_test(NAME image-screen-series-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/screen.sh $<TARGET_FILE:karman-program>
      ${dataset_folder}/karman-steps.h5 ${dataset_folder}/boundary-layer.h5
      ${CMAKE_CURRENT_BINARY_DIR}/screen-${ranks}
      ${KARMAN_MPIEXEC} ${ranks})
  set_tests_properties(image-screen-series-${ranks} PROPERTIES LABELS image TIMEOUT 300
    PROCESSORS 2 FIXTURES_REQUIRED "dataset-karman-steps;dataset-boundary-layer"
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endforeach()
