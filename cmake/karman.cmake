# Compiler settings that every target shares, and the helpers that declare libraries and tests.

add_library(karman_options INTERFACE)
target_compile_definitions(karman_options INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(karman_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Wmissing-prototypes
  # Products must round the same way wherever they are written: the ray caster's predicates
  # rely on it (render/cell.h).
  -ffp-contract=off
  # Neither changes a result; both let the compiler turn comparisons and square roots into SIMD.
  -fno-math-errno -fno-trapping-math)
if(KARMAN_WERROR)
  target_compile_options(karman_options INTERFACE -Werror)
endif()
if(KARMAN_SANITIZE STREQUAL "thread")
  target_compile_options(karman_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(karman_options INTERFACE -fsanitize=thread)
elseif(KARMAN_SANITIZE)
  target_compile_options(karman_options INTERFACE
    -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(karman_options INTERFACE -fsanitize=address,undefined)
endif()

# karman_library(FOLDER source…): the static library karman_FOLDER.
#
# Sources say #include "folder/file.h". Each folder is visible through an include root of its
# own, which reaches only the targets that link its library: including a folder that the
# architecture forbids does not compile.
function(karman_library folder)
  set(root ${PROJECT_BINARY_DIR}/include/${folder})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${root}/${folder} SYMBOLIC)
  add_library(karman_${folder} STATIC ${ARGN})
  target_include_directories(karman_${folder} PUBLIC $<BUILD_INTERFACE:${root}>)
  target_link_libraries(karman_${folder} PRIVATE karman_options)
endfunction()

# What ends a hang, in seconds: in a test without MPI, and in any other. A machine that is ten times
# slower than usual takes less; no test passes or fails on a time.
set(KARMAN_UNIT_TIMEOUT 300)
set(KARMAN_TIMEOUT 900)

# karman_unit_test(NAME LIBRARIES lib… SOURCES file… [TIMEOUT seconds]): a cmocka program that runs
# without MPI.
function(karman_unit_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LIBRARIES;SOURCES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} karman_options PkgConfig::CMOCKA m)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT ${KARMAN_UNIT_TIMEOUT})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${ARG_TIMEOUT})
endfunction()

# karman_skipped_test(NAME REASON): in the place of tests that cannot be here, so that they are missed.
function(karman_skipped_test name reason)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
  set_tests_properties(${name} PROPERTIES LABELS image TIMEOUT ${KARMAN_UNIT_TIMEOUT}
    SKIP_REGULAR_EXPRESSION "^skipped: ")
endfunction()

# karman_test_processors(NAME RANKS [THREADS]): how much of a machine with two processors a test
# takes, so that `ctest -j 2` runs two tests of one rank and one thread side by side.
function(karman_test_processors name ranks)
  set(processors 1)
  if(ranks GREATER 1 OR (ARGC GREATER 2 AND ARGV2 GREATER 1))
    set(processors 2)
  endif()
  set_tests_properties(${name} PROPERTIES PROCESSORS ${processors})
endfunction()

# karman_launcher(VARIABLE RANKS): what comes before a program in a script; nothing for one rank.
function(karman_launcher variable ranks)
  set(launcher "")
  if(ranks GREATER 1)
    set(launcher ${KARMAN_MPIEXEC} -n ${ranks})
  endif()
  set(${variable} "${launcher}" PARENT_SCOPE)
endfunction()

# karman_mpi_test(NAME RANKS n… COMMAND cmd… [LABEL label] [THREADS n] [TIMEOUT seconds]): one ctest
# entry NAME-n for every rank count. The program waits politely when ranks outnumber cores. THREADS:
# of a rank, where the program starts more than one.
function(karman_mpi_test name)
  cmake_parse_arguments(ARG "" "LABEL;THREADS;TIMEOUT" "RANKS;COMMAND" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL mpi)
  endif()
  if(NOT ARG_THREADS)
    set(ARG_THREADS 1)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT ${KARMAN_TIMEOUT})
  endif()
  foreach(ranks ${ARG_RANKS})
    add_test(NAME ${name}-${ranks}
      COMMAND ${KARMAN_MPIEXEC} -n ${ranks} ${ARG_COMMAND})
    set_tests_properties(${name}-${ranks} PROPERTIES
      LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
    karman_test_processors(${name}-${ranks} ${ranks} ${ARG_THREADS})
  endforeach()
endfunction()
