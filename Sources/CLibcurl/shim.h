#ifndef PIPELINE_CLIBCURL_SHIM_H
#define PIPELINE_CLIBCURL_SHIM_H

#include <curl/curl.h>

#endif
