# Writes OUTPUT, a C file that includes HEADER, with the files PARTS of FOLDER, or absolute paths, as arrays
# of bytes. The array of page.js is PREFIX_page_js; a zero follows its last byte. With SIZES,
# PREFIX_page_js_size counts the others. With TABLE, the arrays are static, and TABLE lists them with the
# type and the path of their URL, as TABLE_TYPE (run/live/assets.h).
#   cmake -DPARTS=page.html;page.js -DFOLDER=… -DHEADER=page.h -DPREFIX=report -DOUTPUT=… -P embed.cmake
set(type_html "text/html; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(text "/* Made by embed.cmake. */\n#include \"${HEADER}\"\n")
set(storage "")
set(rows "")
if(TABLE)
  set(storage "static ")
endif()
foreach(part ${PARTS})
  get_filename_component(path ${part} ABSOLUTE BASE_DIR ${FOLDER})
  get_filename_component(name ${part} NAME)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
    bytes "${bytes}")
  string(MAKE_C_IDENTIFIER "${PREFIX}_${name}" id)
  string(APPEND text "${storage}const unsigned char ${id}[] = {${bytes}0x00};\n")
  if(SIZES)
    string(APPEND text "const size_t ${id}_size = sizeof ${id} - 1;\n")
  endif()
  string(REGEX MATCH "[a-z]+$" kind ${name})
  string(REGEX REPLACE "^index.html$" "" name ${name})
  string(APPEND rows "    {\"/${name}\", \"${type_${kind}}\", ${id}, sizeof ${id} - 1},\n")
endforeach()
if(TABLE)
  string(APPEND text "const ${TABLE_TYPE} ${TABLE}[] = {\n${rows}    {0},\n};\n")
endif()
file(WRITE ${OUTPUT} "${text}")
