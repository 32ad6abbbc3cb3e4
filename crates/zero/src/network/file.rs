//! The file formats of networks, trained and quantised; `docs/guide/formats.md` describes them.

use super::float::{FloatNetwork, MOST, ParametersError};
use super::layer::{Dense, LANES, Layer, Line};
use super::quantize::{LEAST_STEP, MOST_STEP};
use super::shape::{HIDDEN, OUTPUTS, PLANES, POLICY, Shape, ShapeError, VALUE};
use super::{Activation, Block, Network};
use isrever_board::{Rule, Size};
use std::fmt;

const MAGIC: [u8; 8] = *b"ISRZERO\x1a";

/// The formats: numbers in floating point, and quantised ones.
const TRAINED: u8 = 1;
const QUANTIZED: u8 = 2;

const HEADER: usize = 20;
/// Where the checksum begins.
const CHECKSUM: usize = 16;

/// The greatest scale: the greatest unit of weights times the greatest step of inputs.
const MOST_SCALE: f32 = 1e6;

/// Why bytes cannot be read as a network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NetworkError {
    /// They do not start with the header of a network.
    NotNetwork,
    /// The format is unknown, or that of the other kind of network.
    Format {
        /// The format's number.
        found: u8,
        /// The one that was expected.
        expected: u8,
    },
    /// The rule is unknown.
    Rule(u8),
    /// There is no board of this width.
    Width(u8),
    /// No network has this shape.
    Shape(ShapeError),
    /// There are too many or too few bytes for the shape.
    Length {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The bytes were changed.
    Damaged,
    /// A number is not finite, or too large or too small.
    Number(f32),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::NotNetwork => {
                f.write_str("not a file of a network; expected one by python -m isrever.zero")
            }
            NetworkError::Format { found: TRAINED, .. } => {
                f.write_str("a network in floating point; expected a quantised one")
            }
            NetworkError::Format { found: QUANTIZED, .. } => {
                f.write_str("a quantised network; expected one in floating point")
            }
            NetworkError::Format { found, expected } => {
                write!(f, "a network of format {found}; expected format {expected}")
            }
            NetworkError::Rule(rule) => {
                write!(f, "a network for rule number {rule}; expected 0 or 1")
            }
            NetworkError::Width(width) => {
                write!(f, "a network for boards {width} squares wide; expected 4, 6 or 8")
            }
            NetworkError::Shape(error) => error.fmt(f),
            NetworkError::Length { found, expected } => {
                write!(f, "a network of {found} bytes; expected {expected}")
            }
            NetworkError::Damaged => {
                f.write_str("a network that was changed; expected it as it was written")
            }
            NetworkError::Number(number) => {
                write!(f, "a network with the number {number}; expected finite numbers")
            }
        }
    }
}

impl std::error::Error for NetworkError {}

impl FloatNetwork {
    /// Reads what [`FloatNetwork::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<FloatNetwork, NetworkError> {
        let (rule, shape, content) = open(bytes, TRAINED, |shape| 4 * shape.parameter_count())?;
        let parameters: Vec<f32> = floats(content).collect();
        FloatNetwork::new(rule, shape, &parameters).map_err(|error| match error {
            ParametersError::Count(..) => NetworkError::Damaged,
            ParametersError::Number(_, number) => NetworkError::Number(number),
        })
    }

    /// The network as bytes: a header, and [`FloatNetwork::parameters`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let parameters = self.parameters();
        let content = parameters.iter().flat_map(|number| number.to_le_bytes());
        close(TRAINED, self.rule(), self.shape(), content.collect())
    }
}

impl Network {
    /// Reads what [`Network::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let (rule, shape, content) = open(bytes, QUANTIZED, length)?;
        let mut reader = Reader(content);
        let channels = shape.channels();
        let network = Network {
            rule,
            shape,
            steps: reader.floats(Activation::count(shape), LEAST_STEP, MOST_STEP)?,
            stem: reader.dense(9 * PLANES, channels)?,
            blocks: (0..shape.blocks())
                .map(|block| {
                    Ok(Block {
                        first: reader.layer(9, channels, channels)?,
                        second: reader.layer(9, channels, channels)?,
                        pool: Shape::is_pooled(block)
                            .then(|| reader.dense(2 * channels, channels))
                            .transpose()?,
                    })
                })
                .collect::<Result<_, NetworkError>>()?,
            heads: reader.layer(1, channels, POLICY + VALUE)?,
            policy_pool: reader.dense(2 * POLICY, POLICY)?,
            policy_second: reader.layer(1, POLICY, POLICY)?,
            policy_logits: reader.dense(POLICY, 1)?,
            value_hidden: reader.layer(1, shape.size().cells() * VALUE, HIDDEN)?,
            value_out: reader.dense(HIDDEN, OUTPUTS)?,
        };
        debug_assert!(reader.0.is_empty(), "the length was checked");
        Ok(network)
    }

    /// The network as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer(Vec::with_capacity(length(self.shape)));
        writer.floats(&self.steps);
        writer.dense(&self.stem);
        for block in &self.blocks {
            writer.layer(&block.first);
            writer.layer(&block.second);
            block.pool.iter().for_each(|pool| writer.dense(pool));
        }
        writer.layer(&self.heads);
        writer.dense(&self.policy_pool);
        writer.layer(&self.policy_second);
        writer.dense(&self.policy_logits);
        writer.layer(&self.value_hidden);
        writer.dense(&self.value_out);
        close(QUANTIZED, self.rule, self.shape, writer.0)
    }
}

/// Bytes of a quantised network behind the header.
fn length(shape: Shape) -> usize {
    let of_layer = |layer: super::LayerShape| {
        let name = layer.name.as_str();
        let is_float = ["stem", "policy.logits", "value.out"].contains(&name);
        match is_float || name.ends_with(".pool") {
            true => 4 * (layer.weights() + layer.outputs),
            false => layer.weights() + 8 * layer.outputs,
        }
    };
    4 * Activation::count(shape) + shape.layers().into_iter().map(of_layer).sum::<usize>()
}

/// Checks the header, and gives what is behind it.
fn open(
    bytes: &[u8],
    expected: u8,
    length: impl Fn(Shape) -> usize,
) -> Result<(Rule, Shape, &[u8]), NetworkError> {
    let (header, content) = bytes.split_first_chunk::<HEADER>().ok_or(NetworkError::NotNetwork)?;
    if header[..8] != MAGIC {
        return Err(NetworkError::NotNetwork);
    }
    if header[8] != expected {
        return Err(NetworkError::Format { found: header[8], expected });
    }
    let rule = Rule::from_byte(header[9]).ok_or(NetworkError::Rule(header[9]))?;
    let size = Size::new(header[10].into()).map_err(|_| NetworkError::Width(header[10]))?;
    let channels = u16::from_le_bytes([header[12], header[13]]);
    let shape = Shape::new(size, header[11].into(), channels.into());
    let shape = shape.map_err(NetworkError::Shape)?;
    if content.len() != length(shape) {
        let expected = HEADER + length(shape);
        return Err(NetworkError::Length { found: bytes.len(), expected });
    }
    if checksum(&header[..CHECKSUM], content).to_le_bytes() != header[CHECKSUM..] {
        return Err(NetworkError::Damaged);
    }
    Ok((rule, shape, content))
}

/// Puts the header before the content.
fn close(format: u8, rule: Rule, shape: Shape, content: Vec<u8>) -> Vec<u8> {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8] = format;
    header[9] = rule.to_byte();
    header[10] = shape.size().width();
    header[11] = shape.blocks() as u8;
    header[12..14].copy_from_slice(&(shape.channels() as u16).to_le_bytes());
    let sum = checksum(&header[..CHECKSUM], &content);
    header[CHECKSUM..].copy_from_slice(&sum.to_le_bytes());
    [&header[..], &content].concat()
}

/// The checksum of everything but itself.
fn checksum(header: &[u8], content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(content);
    hasher.finalize()
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes))
}

/// What is left of the content.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(NetworkError::Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn floats(&mut self, count: usize, least: f32, most: f32) -> Result<Vec<f32>, NetworkError> {
        let numbers: Vec<f32> = floats(self.bytes(4 * count)?).collect();
        match numbers.iter().find(|number| !(least..=most).contains(*number)) {
            Some(&number) => Err(NetworkError::Number(number)),
            None => Ok(numbers),
        }
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Result<Dense, NetworkError> {
        Ok(Dense {
            weights: self.floats(inputs * outputs, -MOST, MOST)?,
            biases: self.floats(outputs, -MOST, MOST)?,
        })
    }

    fn layer(&mut self, taps: usize, inputs: usize, outputs: usize) -> Result<Layer, NetworkError> {
        let weights = self.bytes(taps * inputs * outputs)?;
        let line = |bytes: &[u8; 4 * LANES]| Line(bytes.map(u8::cast_signed));
        Ok(Layer {
            inputs,
            lines: weights.as_chunks().0.iter().map(line).collect(),
            scales: self.floats(outputs, 0.0, MOST_SCALE)?.as_chunks().0.to_vec(),
            biases: self.floats(outputs, -MOST, MOST)?.as_chunks().0.to_vec(),
        })
    }
}

/// The content so far.
struct Writer(Vec<u8>);

impl Writer {
    fn floats(&mut self, numbers: &[f32]) {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn dense(&mut self, dense: &Dense) {
        self.floats(&dense.weights);
        self.floats(&dense.biases);
    }

    fn layer(&mut self, layer: &Layer) {
        self.0.extend(layer.lines.iter().flat_map(|line| line.0.map(i8::cast_unsigned)));
        self.floats(layer.scales.as_flattened());
        self.floats(layer.biases.as_flattened());
    }
}

#[cfg(test)]
mod tests;
