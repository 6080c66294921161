# Reads and openings that fail.
add_executable(karman_failing_reads fail_read.c $<TARGET_OBJECTS:room.app>)
target_link_libraries(karman_failing_reads
  PRIVATE ${KARMAN_PROGRAM})
target_link_options(karman_failing_reads PRIVATE LINKER:--wrap=pread,--wrap=fread,--wrap=open,--wrap=fopen,--wrap=main)
foreach(error EIO CUT EMFILE)
  add_test(NAME failing-reads-${error}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fail_reads.sh $<TARGET_FILE:karman_failing_reads> $<TARGET_FILE:karman-program>
      $<TARGET_FILE:karman-dataset> ${CMAKE_CURRENT_BINARY_DIR}/failing-reads-${error} ${error})
  set_tests_properties(failing-reads-${error} PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endforeach()
