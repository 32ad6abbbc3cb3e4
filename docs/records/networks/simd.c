// The value of integer.py by the instructions of AVX2 and of AVX-512 with VNNI: same numbers? how long?
// cc -O3 -march=native simd.c -o simd && simd FOLDER, with what simd.py wrote there.
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { W = 64, LANES = 58, S = 30 };
static int8_t *table, *w1, *w2; // w1, w2: by four inputs, then neurons, then the four
static int16_t *other, *wz, *wx;
static int32_t *b1, *b2, *bo, *rows, *want;
static int hidden, value_shift;

static void *get(const char *dir, const char *name, size_t *bytes) {
    char path[500];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "rb");
    if (!f) { perror(path); exit(1); }
    fseek(f, 0, SEEK_END);
    size_t n = ftell(f);
    rewind(f);
    void *p = aligned_alloc(64, (n + 63) / 64 * 64);
    if (fread(p, 1, n, f) != n) exit(1);
    if (bytes) *bytes = n;
    return fclose(f), p;
}

static inline int clamp(int v) { return v < -16384 ? -16384 : v > 16384 ? 16384 : v; }

static inline int sum8(__m256i v) {
    __m128i x = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(x, _mm_shuffle_epi32(x, 0xb1)));
}

// Rows are within 31: four are added as bytes.
static inline void sum_avx2(const int32_t *r, __m256i acc[4]) {
    for (int k = 0; k < 4; k++) acc[k] = _mm256_load_si256((void *)(other + r[LANES] * W + 16 * k));
    for (int j = 1; j < 3; j++)
        for (int k = 0; k < 4; k++)
            acc[k] = _mm256_add_epi16(acc[k], _mm256_load_si256((void *)(other + r[LANES + j] * W + 16 * k)));
#pragma GCC unroll 15
    for (int i = 0; i < LANES; i += 4) {
        __m256i a = _mm256_load_si256((void *)(table + (size_t)r[i] * W)), b = _mm256_load_si256((void *)(table + (size_t)r[i] * W + 32));
#pragma GCC unroll 3
        for (int j = i + 1; j < (i + 4 < LANES ? i + 4 : LANES); j++) {
            a = _mm256_add_epi8(a, _mm256_load_si256((void *)(table + (size_t)r[j] * W)));
            b = _mm256_add_epi8(b, _mm256_load_si256((void *)(table + (size_t)r[j] * W + 32)));
        }
        acc[0] = _mm256_add_epi16(acc[0], _mm256_cvtepi8_epi16(_mm256_castsi256_si128(a)));
        acc[1] = _mm256_add_epi16(acc[1], _mm256_cvtepi8_epi16(_mm256_extracti128_si256(a, 1)));
        acc[2] = _mm256_add_epi16(acc[2], _mm256_cvtepi8_epi16(_mm256_castsi256_si128(b)));
        acc[3] = _mm256_add_epi16(acc[3], _mm256_cvtepi8_epi16(_mm256_extracti128_si256(b, 1)));
    }
}

static inline int dense_avx2(__m256i acc[4], int st) {
    __m256i x[4], out = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
    for (int k = 0; k < 4; k++) {
        __m256i a = _mm256_min_epi16(_mm256_max_epi16(acc[k], _mm256_setzero_si256()), _mm256_set1_epi16(511));
        a = _mm256_slli_epi16(a, 3);
        x[k] = _mm256_mulhi_epi16(a, a); // a * a >> 10
        out = _mm256_add_epi32(out, _mm256_madd_epi16(x[k], _mm256_load_si256((void *)(wx + st * W + 16 * k))));
    }
    if (hidden) {
        _Alignas(64) uint8_t bytes[64], u[32];
        _mm256_store_si256((void *)bytes, _mm256_permute4x64_epi64(_mm256_packus_epi16(x[0], x[1]), 0xd8));
        _mm256_store_si256((void *)(bytes + 32), _mm256_permute4x64_epi64(_mm256_packus_epi16(x[2], x[3]), 0xd8));
        __m256i s0 = _mm256_load_si256((void *)(b1 + st * 16)), s1 = _mm256_load_si256((void *)(b1 + st * 16 + 8));
        const int8_t *w = w1 + st * 16 * W;
        for (int g = 0; g < 16; g++, w += 64) {
            __m256i v = _mm256_set1_epi32(((int32_t *)bytes)[g]);
            s0 = _mm256_add_epi32(s0, _mm256_madd_epi16(_mm256_maddubs_epi16(v, _mm256_load_si256((void *)w)), ones));
            s1 = _mm256_add_epi32(s1, _mm256_madd_epi16(_mm256_maddubs_epi16(v, _mm256_load_si256((void *)(w + 32))), ones));
        }
        __m256i t = _mm256_permute4x64_epi64(_mm256_packs_epi32(_mm256_srai_epi32(s0, 2), _mm256_srai_epi32(s1, 2)), 0xd8);
        t = _mm256_max_epi16(_mm256_min_epi16(t, _mm256_set1_epi16(4095)), _mm256_set1_epi16(-4095));
        __m256i lin = _mm256_srli_epi16(_mm256_max_epi16(t, _mm256_setzero_si256()), 4), sq = _mm256_mulhi_epi16(t, t);
        _mm256_store_si256((void *)u, _mm256_permute4x64_epi64(_mm256_packus_epi16(lin, sq), 0xd8));
        __m256i z[4];
        for (int k = 0; k < 4; k++) z[k] = _mm256_load_si256((void *)(b2 + st * 32 + 8 * k));
        w = w2 + st * 32 * 32;
        for (int g = 0; g < 8; g++, w += 128) {
            __m256i v = _mm256_set1_epi32(((int32_t *)u)[g]);
            for (int k = 0; k < 4; k++)
                z[k] = _mm256_add_epi32(z[k], _mm256_madd_epi16(_mm256_maddubs_epi16(v, _mm256_load_si256((void *)(w + 32 * k))), ones));
        }
        for (int k = 0; k < 4; k += 2) {
            __m256i h = _mm256_permute4x64_epi64(_mm256_packs_epi32(_mm256_srai_epi32(z[k], 6), _mm256_srai_epi32(z[k + 1], 6)), 0xd8);
            h = _mm256_min_epi16(_mm256_max_epi16(h, _mm256_setzero_si256()), _mm256_set1_epi16(255));
            out = _mm256_add_epi32(out, _mm256_madd_epi16(h, _mm256_load_si256((void *)(wz + st * 32 + 8 * k))));
        }
    }
    return clamp((sum8(out) + bo[st]) >> value_shift);
}

static inline void sum_512(const int32_t *r, __m512i acc[2]) {
    for (int k = 0; k < 2; k++) acc[k] = _mm512_load_si512(other + r[LANES] * W + 32 * k);
    for (int j = 1; j < 3; j++)
        for (int k = 0; k < 2; k++) acc[k] = _mm512_add_epi16(acc[k], _mm512_load_si512(other + r[LANES + j] * W + 32 * k));
#pragma GCC unroll 15
    for (int i = 0; i < LANES; i += 4) {
        __m512i a = _mm512_load_si512(table + (size_t)r[i] * W);
#pragma GCC unroll 3
        for (int j = i + 1; j < (i + 4 < LANES ? i + 4 : LANES); j++) a = _mm512_add_epi8(a, _mm512_load_si512(table + (size_t)r[j] * W));
        acc[0] = _mm512_add_epi16(acc[0], _mm512_cvtepi8_epi16(_mm512_castsi512_si256(a)));
        acc[1] = _mm512_add_epi16(acc[1], _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64(a, 1)));
    }
}

static inline int dense_512(__m512i acc[2], int st) {
    __m512i x[2], out = _mm512_setzero_si512();
    for (int k = 0; k < 2; k++) {
        __m512i a = _mm512_min_epi16(_mm512_max_epi16(acc[k], _mm512_setzero_si512()), _mm512_set1_epi16(511));
        a = _mm512_slli_epi16(a, 3);
        x[k] = _mm512_mulhi_epi16(a, a);
        out = _mm512_dpwssd_epi32(out, x[k], _mm512_load_si512(wx + st * W + 32 * k));
    }
    if (hidden) {
        _Alignas(64) uint8_t bytes[64], u[32];
        _mm256_store_si256((void *)bytes, _mm512_cvtepi16_epi8(x[0]));
        _mm256_store_si256((void *)(bytes + 32), _mm512_cvtepi16_epi8(x[1]));
        __m512i s[2] = {_mm512_load_si512(b1 + st * 16), _mm512_setzero_si512()};
        const int8_t *w = w1 + st * 16 * W;
        for (int g = 0; g < 16; g++, w += 64) s[g & 1] = _mm512_dpbusd_epi32(s[g & 1], _mm512_set1_epi32(((int32_t *)bytes)[g]), _mm512_load_si512(w));
        __m256i t = _mm512_cvtsepi32_epi16(_mm512_srai_epi32(_mm512_add_epi32(s[0], s[1]), 2));
        t = _mm256_max_epi16(_mm256_min_epi16(t, _mm256_set1_epi16(4095)), _mm256_set1_epi16(-4095));
        __m256i lin = _mm256_srli_epi16(_mm256_max_epi16(t, _mm256_setzero_si256()), 4), sq = _mm256_mulhi_epi16(t, t);
        _mm256_store_si256((void *)u, _mm256_permute4x64_epi64(_mm256_packus_epi16(lin, sq), 0xd8));
        __m512i z0 = _mm512_load_si512(b2 + st * 32), z1 = _mm512_load_si512(b2 + st * 32 + 16);
        w = w2 + st * 32 * 32;
        for (int g = 0; g < 8; g++, w += 128) {
            __m512i v = _mm512_set1_epi32(((int32_t *)u)[g]);
            z0 = _mm512_dpbusd_epi32(z0, v, _mm512_load_si512(w));
            z1 = _mm512_dpbusd_epi32(z1, v, _mm512_load_si512(w + 64));
        }
        __m512i h = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtsepi32_epi16(_mm512_srai_epi32(z0, 6))), _mm512_cvtsepi32_epi16(_mm512_srai_epi32(z1, 6)), 1);
        h = _mm512_min_epi16(_mm512_max_epi16(h, _mm512_setzero_si512()), _mm512_set1_epi16(255));
        out = _mm512_dpwssd_epi32(out, h, _mm512_load_si512(wz + st * 32));
    }
    return clamp((_mm512_reduce_add_epi32(out) + bo[st]) >> value_shift);
}

static int by_avx2(const int32_t *r) { __m256i a[4]; sum_avx2(r, a); return dense_avx2(a, r[LANES + 3]); }
static int by_512(const int32_t *r) { __m512i a[2]; sum_512(r, a); return dense_512(a, r[LANES + 3]); }
static int only_avx2(const int32_t *r) { __m256i a[4]; sum_avx2(r, a); return sum8(_mm256_xor_si256(_mm256_xor_si256(a[0], a[1]), _mm256_xor_si256(a[2], a[3]))); }
static int only_512(const int32_t *r) { __m512i a[2]; sum_512(r, a); return _mm512_reduce_add_epi32(_mm512_xor_si512(a[0], a[1])); }

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static void measure(const char *name, int (*f)(const int32_t *), size_t n, int check) {
    size_t wrong = 0;
    if (check) for (size_t i = 0; i < n; i++) wrong += f(rows + i * 64) != want[i];
    printf("%-22s", name);
    if (check) printf(" %zu of %zu differ;", wrong, n);
    size_t few[] = {16, 100, 500, 4000};
    for (int k = 0; k < 4; k++) {
        double best = 1e9;
        volatile int sink = 0;
        int times = (int)(400000 / few[k]) + 1;
        for (int turn = 0; turn < 20; turn++) {
            double t = now();
            for (int j = 0; j < times; j++) for (size_t i = 0; i < few[k]; i++) sink += f(rows + i * 64);
            t = (now() - t) / times / few[k] * 1e9;
            if (t < best) best = t;
        }
        printf(" %zu boards %.1f ns", few[k], best);
    }
    puts("");
}

int main(int argc, char **argv) {
    const char *d = argv[1];
    size_t n;
    int32_t *shape = get(d, "shape", 0);
    hidden = shape[0], value_shift = shape[1];
    table = get(d, "table", 0), other = get(d, "other", 0), wx = get(d, "wx", 0), bo = get(d, "bo", 0);
    rows = get(d, "rows", &n), want = get(d, "want", 0);
    n /= 64 * 4;
    if (hidden) w1 = get(d, "w1", 0), w2 = get(d, "w2", 0), b1 = get(d, "b1", 0), b2 = get(d, "b2", 0), wz = get(d, "wz", 0);
    measure("AVX2", by_avx2, n, 1);
    measure("AVX2, sum alone", only_avx2, n, 0);
    measure("AVX-512 VNNI", by_512, n, 1);
    measure("AVX-512, sum alone", only_512, n, 0);
}
