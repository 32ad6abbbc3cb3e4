//! The shape of a network: its board, its blocks and channels, and the layers that follow from them.

use isrever_board::Size;
use std::fmt;

/// Input planes: own discs, the opponent's, own legal moves, the opponent's, ones.
pub(super) const PLANES: usize = 5;
/// Channels of the policy head.
pub(super) const POLICY: usize = 32;
/// Channels of the value head.
pub(super) const VALUE: usize = 16;
/// Hidden units of the value head.
pub(super) const HIDDEN: usize = 128;
/// Outputs of the value head: logits of win, draw and loss, and the score.
pub(super) const OUTPUTS: usize = 4;

/// The board, the residual blocks and the channels of a network.
///
/// ```
/// use isrever_board::Size;
/// use isrever_zero::Shape;
///
/// let shape = Shape::new(Size::EIGHT, 8, 96)?;
/// assert_eq!(shape.to_string(), "8 blocks of 96 channels on 8×8");
/// assert!(Shape::new(Size::EIGHT, 8, 90).is_err());
/// # Ok::<(), isrever_zero::ShapeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    size: Size,
    blocks: usize,
    channels: usize,
}

/// A shape that no network may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// The board has no bits.
    Size(Size),
    /// There are no blocks, or too many.
    Blocks(usize),
    /// The channels are no multiple of 16, or too many.
    Channels(usize),
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::Size(size) => {
                write!(f, "a network for {size}×{size}; expected 4×4, 6×6 or 8×8")
            }
            ShapeError::Blocks(blocks) => {
                write!(f, "a network of {blocks} blocks; expected 1 to {}", Shape::MOST_BLOCKS)
            }
            ShapeError::Channels(channels) => {
                let most = Shape::MOST_CHANNELS;
                write!(
                    f,
                    "a network of {channels} channels; expected a multiple of 16 up to {most}"
                )
            }
        }
    }
}

impl std::error::Error for ShapeError {}

/// A layer: for each output a weighted sum of the inputs, of one square or of nine, and a bias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerShape {
    /// Its name, such as `block2.pool`.
    pub name: String,
    /// Squares that an output looks at: 9 for a 3×3 convolution, else 1.
    pub taps: usize,
    /// Inputs for each of these squares.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
}

impl LayerShape {
    /// The number of weights, `[tap][input][output]`.
    pub fn weights(&self) -> usize {
        self.taps * self.inputs * self.outputs
    }
}

impl Shape {
    /// The most residual blocks.
    pub const MOST_BLOCKS: usize = 64;
    /// The most channels.
    pub const MOST_CHANNELS: usize = 512;

    /// A shape for boards of `size`.
    ///
    /// # Errors
    /// If the board is larger than 8×8, if there are no blocks or more than
    /// [`Shape::MOST_BLOCKS`], or if the channels are no multiple of 16 up to
    /// [`Shape::MOST_CHANNELS`].
    pub fn new(size: Size, blocks: usize, channels: usize) -> Result<Shape, ShapeError> {
        if !size.has_bits() {
            return Err(ShapeError::Size(size));
        }
        if !(1..=Shape::MOST_BLOCKS).contains(&blocks) {
            return Err(ShapeError::Blocks(blocks));
        }
        if !(16..=Shape::MOST_CHANNELS).contains(&channels) || !channels.is_multiple_of(16) {
            return Err(ShapeError::Channels(channels));
        }
        Ok(Shape { size, blocks, channels })
    }

    /// The board.
    pub fn size(self) -> Size {
        self.size
    }

    /// The residual blocks.
    pub fn blocks(self) -> usize {
        self.blocks
    }

    /// The channels of the stem and of the blocks.
    pub fn channels(self) -> usize {
        self.channels
    }

    /// Whether a block adds what it finds on the whole board: every third does.
    pub(super) fn is_pooled(block: usize) -> bool {
        block % 3 == 2
    }

    /// The layers in the order of [`FloatNetwork::parameters`](crate::FloatNetwork::parameters):
    /// the stem, the blocks, the policy head, the value head.
    pub fn layers(self) -> Vec<LayerShape> {
        let channels = self.channels;
        let mut layers = Vec::new();
        let mut add = |name: String, taps, inputs, outputs| {
            layers.push(LayerShape { name, taps, inputs, outputs });
        };
        add("stem".to_owned(), 9, PLANES, channels);
        for block in 0..self.blocks {
            add(format!("block{block}.first"), 9, channels, channels);
            add(format!("block{block}.second"), 9, channels, channels);
            if Shape::is_pooled(block) {
                add(format!("block{block}.pool"), 1, 2 * channels, channels);
            }
        }
        add("policy.first".to_owned(), 1, channels, POLICY);
        add("policy.pool".to_owned(), 1, 2 * POLICY, POLICY);
        add("policy.second".to_owned(), 1, POLICY, POLICY);
        add("policy.logits".to_owned(), 1, POLICY, 1);
        add("value.first".to_owned(), 1, channels, VALUE);
        add("value.hidden".to_owned(), 1, self.size.cells() * VALUE, HIDDEN);
        add("value.out".to_owned(), 1, HIDDEN, OUTPUTS);
        layers
    }

    /// How many numbers a network of this shape has.
    pub fn parameter_count(self) -> usize {
        self.layers().iter().map(|layer| layer.weights() + layer.outputs).sum()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { size, blocks, channels } = self;
        write!(f, "{blocks} blocks of {channels} channels on {size}×{size}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silly_shapes_are_refused() {
        let ten = Size::new(10).unwrap();
        assert_eq!(Shape::new(ten, 2, 16), Err(ShapeError::Size(ten)));
        for blocks in [0, 65, usize::MAX] {
            assert_eq!(Shape::new(Size::SIX, blocks, 16), Err(ShapeError::Blocks(blocks)));
        }
        for channels in [0, 15, 24, 528, usize::MAX] {
            assert_eq!(Shape::new(Size::SIX, 2, channels), Err(ShapeError::Channels(channels)));
        }
    }

    #[test]
    fn layers_have_the_documented_order_and_numbers() {
        let shape = Shape::new(Size::FOUR, 3, 16).unwrap();
        let layers = shape.layers();
        let names: Vec<_> = layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names[..3], ["stem", "block0.first", "block0.second"]);
        assert_eq!(names[5..9], ["block2.first", "block2.second", "block2.pool", "policy.first"]);
        assert_eq!(names[9..12], ["policy.pool", "policy.second", "policy.logits"]);
        assert_eq!(names[12..], ["value.first", "value.hidden", "value.out"]);
        let trunk = 45 * 16 + 16 + 6 * (144 * 16 + 16) + (32 * 16 + 16);
        let policy = 16 * 32 + 32 + 64 * 32 + 32 + 32 * 32 + 32 + 32 + 1;
        let value = 16 * 16 + 16 + 256 * 128 + 128 + 128 * 4 + 4;
        assert_eq!(shape.parameter_count(), trunk + policy + value);
    }
}
