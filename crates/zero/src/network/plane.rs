//! Quantised activations of several boards, as convolutions read them.

use super::layer::LANES;

/// The 7-bit activations of several boards, `[board][row][column][channel]`.
///
/// A plane that convolutions of 3×3 read has a column of zeros on either side of each board; rows
/// beyond it are left out of the sums instead.
pub(super) struct Plane {
    pub(super) numbers: Vec<u8>,
    pub(super) channels: usize,
    width: usize,
    margin: usize,
}

impl Plane {
    /// Zeros.
    pub(super) fn new(boards: usize, width: usize, channels: usize, margin: usize) -> Plane {
        let numbers = vec![0; boards * width * (width + 2 * margin) * channels];
        Plane { numbers, channels, width, margin }
    }

    /// Numbers from a row to the next.
    #[inline(always)]
    pub(super) fn row_stride(&self) -> usize {
        (self.width + 2 * self.margin) * self.channels
    }

    /// Where a row begins, its margin included. Rows are counted over all boards.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> usize {
        row * self.row_stride()
    }

    /// Where the numbers of a square begin.
    #[inline(always)]
    pub(super) fn square(&self, row: usize, column: usize) -> usize {
        self.row(row) + (self.margin + column) * self.channels
    }

    /// The numbers of a square.
    #[inline(always)]
    pub(super) fn square_mut(&mut self, row: usize, column: usize) -> &mut [u8] {
        let start = self.square(row, column);
        &mut self.numbers[start..start + self.channels]
    }

    /// Vector `group` of the channels of each square of a row, and of what follows.
    #[inline(always)]
    pub(super) fn vectors(
        &mut self,
        row: usize,
        group: usize,
    ) -> impl Iterator<Item = &mut [u8; LANES]> {
        let start = self.square(row, 0);
        vectors(&mut self.numbers[start..], self.channels, group)
    }

    /// The mean of each channel over all squares of a board, then the greatest of each, in units
    /// of `step`.
    #[inline(always)]
    pub(super) fn pool(&self, board: usize, step: f32, pooled: &mut [f32]) {
        let squares = (self.width * self.width) as f32;
        let (means, greatest) = pooled.split_at_mut(self.channels);
        let pooled = means.as_chunks_mut().0.iter_mut().zip(greatest.as_chunks_mut().0);
        for (group, (means, greatest)) in pooled.enumerate() {
            let (mut sum, mut most) = ([0_u16; LANES], [0_u8; LANES]);
            for row in 0..self.width {
                let start = self.square(board * self.width + row, 0) + group * LANES;
                for numbers in self.numbers[start..].chunks(self.channels).take(self.width) {
                    let numbers: [u8; LANES] = *numbers.first_chunk().expect("as many numbers");
                    for i in 0..LANES {
                        sum[i] += u16::from(numbers[i]);
                        most[i] = most[i].max(numbers[i]);
                    }
                }
            }
            *means = sum.map(|sum| f32::from(sum) * step / squares);
            *greatest = most.map(|most| f32::from(most) * step);
        }
    }
}

/// Vector `group` of the channels of each square, from the first one of `squares` on.
#[inline(always)]
pub(super) fn vectors<T>(
    squares: &mut [T],
    channels: usize,
    group: usize,
) -> impl Iterator<Item = &mut [T; LANES]> {
    squares.chunks_exact_mut(channels).map(
        #[inline(always)]
        move |square| square[group * LANES..].first_chunk_mut().expect("as many channels"),
    )
}
