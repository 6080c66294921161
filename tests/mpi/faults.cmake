# The program when memory runs out. Its own allocations go to fail_allocation.c, those of libraries
# do not.
add_executable(karman_short_of_memory fail_allocation.c $<TARGET_OBJECTS:room.app>)
target_link_libraries(karman_short_of_memory
  PRIVATE ${KARMAN_PROGRAM})
target_link_options(karman_short_of_memory PRIVATE
  LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup)
set(stride 9)
if(KARMAN_LONG_TESTS)
  set(stride 1)
elseif(KARMAN_SANITIZE)
  set(stride 11) # runs take several times as long
endif()
foreach(mode now later)
  set(name failing-allocations)
  set(step ${stride})
  if(mode STREQUAL later)
    set(name failing-allocations-later) # most of it is as above
    math(EXPR step "3 * ${stride}")
  endif()
  add_test(NAME ${name}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fail_allocations.sh
      $<TARGET_FILE:karman_short_of_memory> $<TARGET_FILE:karman-dataset>
      ${CMAKE_CURRENT_BINARY_DIR}/${name} ${step} ${KARMAN_MPIEXEC} ${mode})
  set_tests_properties(${name} PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endforeach()

# Its pages.
math(EXPR step "12 * ${stride} + 1")
add_test(NAME failing-allocations-pages
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fail_pages.sh
    $<TARGET_FILE:karman_short_of_memory> $<TARGET_FILE:karman-dataset>
    ${CMAKE_CURRENT_BINARY_DIR}/failing-allocations-pages ${step} ${KARMAN_MPIEXEC})
set_tests_properties(failing-allocations-pages PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
  ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
