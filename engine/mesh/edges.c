// The table of distinct edges: the higher neighbours of each vertex, sorted.
#include "mesh/connectivity.h"

#include "base/memory.h"
#include "base/stop.h"

static uint64_t pair_count(const tide_mesh_tuples *list)
{
    return (uint64_t)list->count * list->width * (list->width - 1) / 2;
}

// Visits each pair of each tuple: counts it at its lower vertex or, with `upper`, stores its higher vertex there.
static void visit_pairs(const tide_mesh_tuples *list, uint32_t *places, uint32_t *upper)
{
    const uint32_t *tuple = list->indices;
    for (uint32_t item = 0; item < list->count; item++, tuple += list->width)
        for (uint32_t i = 1; i < list->width; i++)
            for (uint32_t j = 0; j < i; j++) {
                uint32_t low = tuple[i] < tuple[j] ? tuple[i] : tuple[j];
                uint32_t place = places[low]++;
                if (upper)
                    upper[place] = low == tuple[i] ? tuple[j] : tuple[i];
            }
}

static void sift_down(uint32_t *heap, uint32_t root, uint32_t count)
{
    uint32_t value = heap[root];
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= value)
            break;
        heap[root] = heap[child];
    }
    heap[root] = value;
}

// Sorts a row. Most rows are short and sorted by insertion; heapsort is for vertices with many edges.
static void sort_row(uint32_t *row, uint32_t count)
{
    if (count <= 48) {
        for (uint32_t i = 1; i < count; i++) {
            uint32_t value = row[i], j = i;
            for (; j > 0 && row[j - 1] > value; j--)
                row[j] = row[j - 1];
            row[j] = value;
        }
        return;
    }
    for (uint32_t root = count / 2; root-- > 0;)
        sift_down(row, root, count);
    for (uint32_t last = count - 1; last > 0; last--) {
        uint32_t largest = row[0];
        row[0] = row[last];
        row[last] = largest;
        sift_down(row, 0, last);
    }
}

// Sorts each row, removes duplicates and closes the gaps between rows.
static void make_distinct(tide_mesh_edge_table *table)
{
    uint32_t kept = 0, begin = 0;
    for (uint32_t vertex = 0; vertex < table->vertex_count; vertex++) {
        uint32_t end = table->starts[vertex + 1];
        sort_row(table->upper + begin, end - begin);
        table->starts[vertex] = kept;
        for (uint32_t i = begin; i < end; i++)
            if (i == begin || table->upper[i] != table->upper[i - 1])
                table->upper[kept++] = table->upper[i];
        begin = end;
    }
    table->starts[table->vertex_count] = table->count = kept;
}

tide_status tide_mesh_edge_table_create(uint32_t vertex_count, const tide_mesh_tuples *lists, size_t list_count,
                                        tide_mesh_edge_table *table, tide_error *error)
{
    uint64_t pairs = 0;
    for (size_t i = 0; i < list_count; i++)
        pairs += pair_count(&lists[i]);
    tide_mesh_edge_table made = { .vertex_count = vertex_count };
    if (pairs < UINT32_MAX) {
        made.starts = tide_allocate_zeroed((size_t)vertex_count + 2, sizeof *made.starts);
        made.upper = tide_allocate_array(pairs, sizeof *made.upper);
    }
    if (tide_stop_requested()) {
        tide_mesh_edge_table_destroy(&made);
        return tide_stop_check("mesh edges", error);
    }
    if (!made.starts || !made.upper) {
        tide_mesh_edge_table_destroy(&made);
        return tide_fail_memory(error, "mesh edges");
    }
    // Counts are shifted by two places: filling a row moves its start to its end, where the next row starts.
    for (size_t i = 0; i < list_count; i++)
        visit_pairs(&lists[i], made.starts + 2, NULL);
    for (uint32_t vertex = 1; vertex <= vertex_count; vertex++)
        made.starts[vertex + 1] += made.starts[vertex];
    for (size_t i = 0; i < list_count; i++)
        visit_pairs(&lists[i], made.starts + 1, made.upper);
    make_distinct(&made);
    *table = made;
    return TIDE_OK;
}

void tide_mesh_edge_table_destroy(tide_mesh_edge_table *table)
{
    tide_free(table->starts);
    tide_free(table->upper);
    *table = (tide_mesh_edge_table) { 0 };
}

uint32_t tide_mesh_edge_table_find(const tide_mesh_edge_table *table, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t begin = table->starts[low], end = table->starts[low + 1];
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (table->upper[middle] == high)
            return middle;
        if (table->upper[middle] < high)
            begin = middle + 1;
        else
            end = middle;
    }
    return TIDE_MESH_NO_EDGE;
}

uint32_t *tide_mesh_edge_table_pairs(const tide_mesh_edge_table *table)
{
    uint32_t *pairs = tide_allocate_array(table->count, 2 * sizeof *pairs);
    if (!pairs)
        return NULL;
    for (uint32_t vertex = 0; vertex < table->vertex_count; vertex++)
        for (uint32_t i = table->starts[vertex]; i < table->starts[vertex + 1]; i++) {
            pairs[2 * (size_t)i] = vertex;
            pairs[2 * (size_t)i + 1] = table->upper[i];
        }
    return pairs;
}
