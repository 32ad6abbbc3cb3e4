"""A stand-in for Stable-Baselines3, which needs gigabytes of PyTorch: what the package uses of it."""
