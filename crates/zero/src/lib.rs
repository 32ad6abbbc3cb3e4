//! AlphaZero: a tree search guided by a network that learned from games against itself.
//!
//! What is here: a [`Network`] and what it says about a board ([`Evaluation`]), the
//! tree that a search grows ([`Tree`]) and the ways to choose in it, and games
//! against itself ([`SelfPlay`]), and the agent ([`Zero`]). What is not: the training
//! of networks, which is Python's (`isrever.zero`).

mod agent;
mod bottom;
mod embedded;
mod evaluation;
mod gumbel;
mod network;
mod puct;
mod selfplay;
mod tree;

pub use agent::{Zero, ZeroSettings, load_network};
pub use bottom::Bottom;
pub use evaluation::Evaluation;
pub use gumbel::Halving;
pub use network::{
    FloatNetwork, LayerShape, Network, NetworkError, ParametersError, Shape, ShapeError, Simd,
};
pub use selfplay::{Finished, Plan, PlanError, Sample, SelfPlay};
pub use tree::{Edge, Guide, Stakes, Tree, Visit};
