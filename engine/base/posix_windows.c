#include "base/posix_windows.h"

#include "base/memory.h"

#undef stat
#undef fopen
#undef freopen
#undef open
#undef access
#undef rename
#undef unlink
#undef remove
#undef mkdir
#undef rmdir
#undef getenv
#undef DIR
#undef dirent
#undef sysconf

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// after windows.h
#include <ntsecapi.h>

typedef wchar_t wide_path[PATH_MAX];

// --- names -----------------------------------------------------------------------------------------------------------

static bool widen(const char *path, wide_path wide)
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, PATH_MAX))
        return true;
    errno = strlen(path) >= PATH_MAX ? ENAMETOOLONG : EILSEQ;
    return false;
}

static bool narrow(const wchar_t *wide, char *path, size_t size)
{
    if (!WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)size, NULL, NULL))
        return false;
    for (char *at = path; *at; at++)
        if (*at == '\\')
            *at = '/';
    return true;
}

static int fail(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_NOT_READY:
        errno = ENOENT;
        break;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    case ERROR_DIRECTORY:
        errno = ENOTDIR;
        break;
    case ERROR_DIR_NOT_EMPTY:
        errno = ENOTEMPTY;
        break;
    default:
        errno = EACCES;
    }
    return -1;
}

// A device, such as "con" or "nul.txt", is in every folder.
static bool is_device(const char *path)
{
    static const char *const devices[] = { "con", "prn", "aux", "nul", "conin$", "conout$" };
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (strchr("/\\:", *at))
            name = at + 1;
    size_t length = strcspn(name, ". ");
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (strlen(devices[i]) == length && _strnicmp(name, devices[i], length) == 0)
            return true;
    return length == 4 && (_strnicmp(name, "com", 3) == 0 || _strnicmp(name, "lpt", 3) == 0) && name[3] >= '0' &&
           name[3] <= '9';
}

char *tide_windows_realpath(const char *path, char *resolved)
{
    wide_path wide, whole;
    if (!widen(path, wide))
        return NULL;
    HANDLE file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        fail();
        return NULL;
    }
    DWORD length = GetFinalPathNameByHandleW(file, whole, PATH_MAX, FILE_NAME_NORMALIZED);
    CloseHandle(file);
    if (!length || length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    const wchar_t *from = whole;
    if (wcsncmp(from, L"\\\\?\\UNC\\", 8) == 0) {
        whole[6] = L'\\';
        from = whole + 6;
    } else if (wcsncmp(from, L"\\\\?\\", 4) == 0)
        from += 4;
    return narrow(from, resolved, PATH_MAX) ? resolved : NULL;
}

// --- files -----------------------------------------------------------------------------------------------------------

static struct timespec time_of(FILETIME time)
{
    const int64_t from_1601_to_1970 = 116444736000000000;
    int64_t ticks = ((int64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - from_1601_to_1970; // of 100 ns
    return (struct timespec) { .tv_sec = ticks / 10000000, .tv_nsec = (long)(ticks % 10000000 * 100) };
}

static int describe(HANDLE file, tide_windows_stat *status)
{
    BY_HANDLE_FILE_INFORMATION info;
    DWORD kind = GetFileType(file);
    *status = (tide_windows_stat) { 0 };
    if (kind != FILE_TYPE_DISK) {
        status->st_mode = kind == FILE_TYPE_PIPE ? S_IFIFO : S_IFCHR;
        return 0;
    }
    if (!GetFileInformationByHandle(file, &info))
        return fail();
    bool folder = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    status->st_dev = 0; // the volume has another number after a rename in Wine, and the index names the file
    status->st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    status->st_mode = (folder ? S_IFDIR : S_IFREG) | (info.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? 0444 : 0666);
    status->st_size = (int64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    status->st_mtim = status->st_ctim = time_of(info.ftLastWriteTime);
    return 0;
}

int tide_windows_stat_path(const char *path, tide_windows_stat *status)
{
    wide_path wide;
    if (!widen(path, wide))
        return -1;
    if (is_device(path)) {
        *status = (tide_windows_stat) { .st_mode = S_IFCHR | 0666 };
        return 0;
    }
    HANDLE file = CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return fail();
    int result = describe(file, status);
    CloseHandle(file);
    return result;
}

int tide_windows_stat_file(int fd, tide_windows_stat *status)
{
    return describe((HANDLE)_get_osfhandle(fd), status);
}

FILE *tide_windows_fopen(const char *path, const char *mode)
{
    wide_path wide;
    wchar_t wide_mode[16] = { 0 };
    bool anew = strchr(mode, 'x') != NULL; // msvcrt does not know it
    for (size_t i = 0, at = 0; mode[i] && at < 12; i++)
        if (!strchr("xe", mode[i]))
            wide_mode[at++] = (wchar_t)mode[i];
    if (!strchr(mode, 'b'))
        wcscat(wide_mode, L"b"); // a line ends with the same byte everywhere
    if (!widen(path, wide))
        return NULL;
    if (anew) {
        HANDLE file = CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file == INVALID_HANDLE_VALUE) {
            fail();
            return NULL;
        }
        CloseHandle(file);
    }
    return _wfopen(wide, wide_mode);
}

FILE *tide_windows_freopen(const char *path, const char *mode, FILE *file)
{
    wide_path wide;
    wchar_t wide_mode[16] = { 0 };
    for (size_t i = 0; mode[i] && i < 15; i++)
        wide_mode[i] = (wchar_t)mode[i];
    return widen(path, wide) ? _wfreopen(wide, wide_mode, file) : NULL;
}

// A file that is open can be renamed and removed, as elsewhere.
int tide_windows_open(const char *path, int flags, ...)
{
    wide_path wide;
    if (!widen(path, wide))
        return -1;
    DWORD access_wanted = flags & O_RDWR     ? GENERIC_READ | GENERIC_WRITE | DELETE
                          : flags & O_WRONLY ? GENERIC_WRITE | DELETE
                                             : GENERIC_READ;
    DWORD how = flags & O_CREAT ? flags & O_EXCL    ? CREATE_NEW
                                  : flags & O_TRUNC ? CREATE_ALWAYS
                                                    : OPEN_ALWAYS
                                : OPEN_EXISTING;
    HANDLE file = CreateFileW(wide, access_wanted, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, how,
                              FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return fail();
    int fd = _open_osfhandle((intptr_t)file, (flags & O_APPEND) | _O_BINARY | _O_NOINHERIT);
    if (fd < 0)
        CloseHandle(file);
    return fd;
}

int tide_windows_access(const char *path, int mode)
{
    wide_path wide;
    if (!widen(path, wide))
        return -1;
    DWORD attributes = GetFileAttributesW(wide);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return fail();
    bool folder = attributes & FILE_ATTRIBUTE_DIRECTORY;
    if ((mode & W_OK) && (attributes & FILE_ATTRIBUTE_READONLY) && !folder) {
        errno = EACCES;
        return -1;
    }
    return 0;
}

int tide_windows_rename(const char *from, const char *to)
{
    wide_path old_name, new_name;
    if (!widen(from, old_name) || !widen(to, new_name))
        return -1;
    return MoveFileExW(old_name, new_name, MOVEFILE_REPLACE_EXISTING | MOVEFILE_COPY_ALLOWED) ? 0 : fail();
}

int tide_windows_unlink(const char *path)
{
    wide_path wide;
    return !widen(path, wide) ? -1 : DeleteFileW(wide) ? 0 : fail();
}

int tide_windows_mkdir(const char *path)
{
    wide_path wide;
    return !widen(path, wide) ? -1 : CreateDirectoryW(wide, NULL) ? 0 : fail();
}

int tide_windows_rmdir(const char *path)
{
    wide_path wide;
    return !widen(path, wide) ? -1 : RemoveDirectoryW(wide) ? 0 : fail();
}

int tide_windows_random(void *bytes, size_t size)
{
    return RtlGenRandom(bytes, (ULONG)size) ? 0 : -1;
}

char *tide_windows_mkdtemp(char *pattern)
{
    size_t length = strlen(pattern);
    for (int attempt = 0; length >= 6 && attempt < 16; attempt++) {
        uint32_t bits = 0;
        if (tide_windows_random(&bits, sizeof bits) < 0)
            return NULL;
        for (size_t i = length - 6; i < length; i++, bits >>= 5)
            pattern[i] = "abcdefghijklmnopqrstuvwxyz234567"[bits & 31];
        if (tide_windows_mkdir(pattern) == 0)
            return pattern;
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

// --- folders ---------------------------------------------------------------------------------------------------------

struct tide_windows_folder {
    HANDLE search;
    WIN32_FIND_DATAW found;
    struct tide_windows_entry entry;
    bool first;
};

tide_windows_folder *tide_windows_opendir(const char *path)
{
    char pattern[PATH_MAX];
    wide_path wide;
    if (snprintf(pattern, sizeof pattern, "%s/*", path) >= PATH_MAX || !widen(pattern, wide))
        return NULL;
    tide_windows_folder *folder = tide_allocate_zeroed(1, sizeof *folder);
    if (!folder)
        return NULL;
    folder->search = FindFirstFileW(wide, &folder->found);
    folder->first = true;
    if (folder->search == INVALID_HANDLE_VALUE) {
        fail();
        tide_free(folder);
        return NULL;
    }
    return folder;
}

struct tide_windows_entry *tide_windows_readdir(tide_windows_folder *folder)
{
    if (!folder->first && !FindNextFileW(folder->search, &folder->found))
        return NULL;
    folder->first = false;
    return narrow(folder->found.cFileName, folder->entry.d_name, sizeof folder->entry.d_name) ? &folder->entry : NULL;
}

int tide_windows_closedir(tide_windows_folder *folder)
{
    FindClose(folder->search);
    tide_free(folder);
    return 0;
}

// --- the machine -----------------------------------------------------------------------------------------------------

long long tide_windows_sysconf(int name)
{
    SYSTEM_INFO info;
    MEMORYSTATUSEX memory = { .dwLength = sizeof memory };
    GetSystemInfo(&info);
    if (name == _SC_NPROCESSORS_ONLN)
        return info.dwNumberOfProcessors;
    if (name == _SC_PAGESIZE)
        return info.dwPageSize;
    return GlobalMemoryStatusEx(&memory) ? (long long)(memory.ullTotalPhys / info.dwPageSize) : -1;
}

const char *tide_windows_getenv(const char *name)
{
    enum { SLOTS = 16, LONGEST = 4096 };
    static struct {
        char name[32], value[LONGEST];
    } slots[SLOTS]; // of the names that the engine asks for; they stay as they were when first asked for
    static SRWLOCK lock = SRWLOCK_INIT;
    static const char *const others[][2] = { { "TMPDIR", "TEMP" }, { "HOME", "USERPROFILE" } };
    const char *value = NULL;
    AcquireSRWLockExclusive(&lock);
    for (int i = 0; i < SLOTS && !value; i++) {
        wchar_t wide_name[32], wide[LONGEST];
        if (slots[i].name[0] && strcmp(slots[i].name, name) != 0)
            continue;
        DWORD length = 0;
        const char *asked = name;
        for (size_t o = 0; o <= sizeof others / sizeof *others && !length; o++) {
            if (MultiByteToWideChar(CP_UTF8, 0, asked, -1, wide_name, 32))
                length = GetEnvironmentVariableW(wide_name, wide, LONGEST);
            if (o < sizeof others / sizeof *others)
                asked = strcmp(others[o][0], name) == 0 ? others[o][1] : name;
        }
        if (!length || length >= LONGEST || strlen(name) >= sizeof slots[i].name ||
            !narrow(wide, slots[i].value, LONGEST))
            break;
        strcpy(slots[i].name, name);
        value = slots[i].value;
    }
    ReleaseSRWLockExclusive(&lock);
    return value;
}

int tide_windows_dladdr(const void *address, Dl_info *info)
{
    HMODULE file = NULL;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       (LPCWSTR)address, &file);
    info->dli_fbase = file;
    return file != NULL;
}

const void *tide_windows_memmem(const void *bytes, size_t size, const void *sought, size_t length)
{
    const char *at = bytes;
    for (size_t i = 0; length <= size && i <= size - length; i++)
        if (memcmp(at + i, sought, length) == 0)
            return at + i;
    return NULL;
}

char *tide_windows_strsep(char **rest, const char *separators)
{
    char *word = *rest;
    if (!word)
        return NULL;
    char *end = word + strcspn(word, separators);
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    return word;
}
