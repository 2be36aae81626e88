// Cache of the most recently used meshes, keyed by their construction, so that another run does not rebuild them.
#include "script/binding.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/portable.h"

#include <string.h>

enum { MAX_MESHES = 64, MAX_BYTES = 64 << 20 };

typedef struct entry {
    uint64_t kind;
    bool portable; // made in the portable mode
    void *key;
    size_t key_size, mesh_size;
    const tide_mesh *mesh;
} entry;

// Newest first.
static entry entries[MAX_MESHES];
static size_t entry_count, total_size, owners;

static size_t size_of(const tide_mesh *mesh)
{
    size_t doubles = 3 * (size_t)mesh->vertex_count + (mesh->texture ? 2 * (size_t)mesh->vertex_count : 0);
    size_t indices = 2 * (size_t)mesh->edge_count + 3 * (size_t)mesh->triangle_count +
                     4 * (size_t)mesh->tetrahedron_count + 2 * (size_t)mesh->skip_count;
    return sizeof *mesh + doubles * sizeof(double) + indices * sizeof(uint32_t);
}

static void drop_oldest(void)
{
    entry *oldest = &entries[--entry_count];
    total_size -= oldest->mesh_size;
    tide_mesh_release(oldest->mesh);
    tide_free(oldest->key);
}

void tide_mesh_cache_open(void)
{
    owners++;
}

void tide_mesh_cache_close(void)
{
    if (owners && --owners == 0)
        while (entry_count)
            drop_oldest();
}

const tide_mesh *tide_mesh_cache_find(uint64_t kind, const void *key, size_t size)
{
    for (size_t i = 0; i < entry_count; i++) {
        entry found = entries[i];
        if (found.kind != kind || found.portable != tide_portable() || found.key_size != size ||
            memcmp(found.key, key, size) != 0)
            continue;
        memmove(entries + 1, entries, i * sizeof *entries);
        entries[0] = found;
        return tide_mesh_retain(found.mesh);
    }
    return NULL;
}

void tide_mesh_cache_add(uint64_t kind, const void *key, size_t size, const tide_mesh *mesh)
{
    size_t mesh_size = size_of(mesh);
    if (mesh_size > MAX_BYTES)
        return;
    void *copy = tide_copy_bytes(key, size);
    if (!copy)
        return; // an optional entry: it may be dropped
    while (entry_count == MAX_MESHES || (entry_count && total_size + mesh_size > MAX_BYTES))
        drop_oldest();
    memmove(entries + 1, entries, entry_count * sizeof *entries);
    entries[0] = (entry) { kind, tide_portable(), copy, size, mesh_size, tide_mesh_retain(mesh) };
    entry_count++;
    total_size += mesh_size;
}
