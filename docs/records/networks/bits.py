"""Bitboards as signed 64-bit numbers. Works on numpy arrays and torch tensors alike."""


def signed(x):
    """The signed number with the bits of `x`."""
    return x - (1 << 64) if x >> 63 else x


INNER = 0x7E7E7E7E7E7E7E7E
DIRECTIONS = ((1, INNER), (7, INNER), (8, -1), (9, INNER))


def shr(x, n):
    """Shifts zeros in from the left."""
    return (x >> n) & ((1 << (64 - n)) - 1)


def moves(p, o):
    """The squares where the side with `p` may play."""
    found = p & 0
    for d, mask in DIRECTIONS:
        m = o & mask
        f = m & (p << d)
        b = m & shr(p, d)
        for _ in range(5):
            f = f | (m & (f << d))
            b = b | (m & shr(b, d))
        found = found | (f << d) | shr(b, d)
    return found & ~(p | o)


def flips(p, o, x):
    """The discs that turn when the side with `p` plays on the bit `x`."""
    turned = p & 0
    for d, mask in DIRECTIONS:
        m = o & mask
        f = m & (x << d)
        b = m & shr(x, d)
        for _ in range(5):
            f = f | (m & (f << d))
            b = b | (m & shr(b, d))
        turned = turned | f * (((f << d) & p) != 0)
        turned = turned | b * ((shr(b, d) & p) != 0)
    return turned


def count(x):
    """How many bits are set."""
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    x = x + (x >> 8)
    x = x + (x >> 16)
    x = x + (x >> 32)
    return x & 0x7F


def mirror_rows(x):
    """a1 goes to a8."""
    x = (shr(x, 8) & 0x00FF00FF00FF00FF) | ((x & 0x00FF00FF00FF00FF) << 8)
    x = (shr(x, 16) & 0x0000FFFF0000FFFF) | ((x & 0x0000FFFF0000FFFF) << 16)
    return shr(x, 32) | (x << 32)


def mirror_columns(x):
    """a1 goes to h1."""
    for n, mask in ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F)):
        x = (shr(x, n) & mask) | ((x & mask) << n)
    return x


def transpose(x):
    """b1 goes to a2."""
    for n, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        t = (x ^ shr(x, n)) & mask
        x = x ^ t ^ (t << n)
    return x


def image(x, g):
    """Where symmetry `g` of 0 to 7 takes the squares, as `Symmetry` in the Rust code numbers them."""
    if g & 4:
        x = transpose(x)
    if g & 1:
        x = mirror_columns(x)
    if g & 2:
        x = mirror_rows(x)
    return x


def image_of_square(s, g):
    """The same for one square's number."""
    c, r = s & 7, s >> 3
    if g & 4:
        c, r = r, c
    if g & 1:
        c = 7 - c
    if g & 2:
        r = 7 - r
    return 8 * r + c


def odd_quadrants(p, o):
    """How many quadrants have an odd number of empty squares."""
    e = ~(p | o)
    q = 0x0F0F0F0F
    return sum(count(shr(e, s) & q) & 1 if s else count(e & q) & 1 for s in (0, 4, 32, 36))


def hashed(p, o):
    """One number for a board; equal boards have equal numbers, others nearly never."""
    a = signed(0x9E3779B97F4A7C15)
    b = signed(0xC2B2AE3D27D4EB4F)
    h = (p ^ shr(p, 29)) * a + (o ^ shr(o, 31)) * b
    h = (h ^ shr(h, 32)) * a
    return h ^ shr(h, 29)
