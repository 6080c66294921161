# Reads that fail.
add_executable(karman_failing_reads fail_read.c $<TARGET_OBJECTS:room.app>)
target_link_libraries(karman_failing_reads
  PRIVATE karman_options karman_about karman_collectives karman_compare karman_convert karman_follow karman_info karman_live karman_pieces karman_tune karman_schedule karman_app ${KARMAN_PARTS} PkgConfig::JANSSON)
target_link_options(karman_failing_reads PRIVATE LINKER:--wrap=pread,--wrap=fread,--wrap=main)
foreach(error EIO CUT)
  add_test(NAME failing-reads-${error}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fail_reads.sh $<TARGET_FILE:karman_failing_reads>
      $<TARGET_FILE:karman-dataset> ${CMAKE_CURRENT_BINARY_DIR}/failing-reads-${error} ${error})
  set_tests_properties(failing-reads-${error} PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endforeach()
