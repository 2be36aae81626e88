// As main.c, with the words of the command line in UTF-8, and '/' between folders.
#include "app/command_line.h"
#include "base/signals.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// after windows.h
#include <shellapi.h>

static char *narrow(const wchar_t *word)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, word, -1, NULL, 0, NULL, NULL);
    char *text = HeapAlloc(GetProcessHeap(), 0, (size_t)size + 1);
    if (!text)
        return NULL;
    WideCharToMultiByte(CP_UTF8, 0, word, -1, text, size, NULL, NULL);
    for (char *at = text; *at; at++)
        if (*at == '\\')
            *at = '/';
    return text;
}

int main(void)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **words = wide ? HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, ((size_t)count + 1) * sizeof *words) : NULL;
    bool whole = words != NULL;
    for (int i = 0; whole && i < count; i++)
        whole = (words[i] = narrow(wide[i])) != NULL;
    if (!whole || count < 1) {
        fputs("springtide: there is not enough memory for the command line\n", stderr);
        return TIDE_EXIT_FAILED;
    }
    // The same bytes as elsewhere.
    setmode(0, O_BINARY);
    setmode(1, O_BINARY);
    setmode(2, O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    tide_signals_take();
    tide_exit status = tide_command_line_run(count - 1, words + 1);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("springtide: standard output cannot be written; is its disk full?\n", stderr);
        return status ? (int)status : TIDE_EXIT_FAILED;
    }
    return (int)status;
}
