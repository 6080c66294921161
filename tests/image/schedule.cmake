# The command line of karman schedule.
foreach(ranks 1 3)
  add_test(NAME image-schedule-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/schedule.sh $<TARGET_FILE:karman-program>
      ${CMAKE_CURRENT_BINARY_DIR}/schedule-${ranks} ${KARMAN_MPIEXEC} -n ${ranks})
  set_tests_properties(image-schedule-${ranks} PROPERTIES LABELS image TIMEOUT 240 PROCESSORS 2
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endforeach()
