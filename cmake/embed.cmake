# Writes OUTPUT, a C file that includes HEADER, with the files PARTS of FOLDER as arrays of bytes. The
# array of page.js is PREFIX_page_js; a zero follows its last byte. With SIZES, PREFIX_page_js_size counts
# the others. A part may also be an absolute path.
#   cmake -DPARTS=page.html;page.js -DFOLDER=… -DHEADER=page.h -DPREFIX=report -DOUTPUT=… -P embed.cmake
set(text "/* Made by embed.cmake. */\n#include \"${HEADER}\"\n")
foreach(part ${PARTS})
  get_filename_component(path ${part} ABSOLUTE BASE_DIR ${FOLDER})
  get_filename_component(name ${part} NAME)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
    bytes "${bytes}")
  string(REPLACE . _ name ${name})
  string(APPEND text "const unsigned char ${PREFIX}_${name}[] = {${bytes}0x00};\n")
  if(SIZES)
    string(APPEND text "const size_t ${PREFIX}_${name}_size = sizeof ${PREFIX}_${name} - 1;\n")
  endif()
endforeach()
file(WRITE ${OUTPUT} "${text}")
