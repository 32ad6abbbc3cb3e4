"""The names of layers."""


class ReLU: ...
