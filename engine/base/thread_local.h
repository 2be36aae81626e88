#ifndef TIDE_BASE_THREAD_LOCAL_H
#define TIDE_BASE_THREAD_LOCAL_H

// TIDE_THREAD_LOCAL: a static variable that each thread has for itself. The TLS model avoids memory that is allocated
// on first use. WebAssembly without threads has no such variables.
#if defined(__EMSCRIPTEN__) && !defined(_REENTRANT)
#define TIDE_THREAD_LOCAL
#else
#define TIDE_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#endif

#endif
