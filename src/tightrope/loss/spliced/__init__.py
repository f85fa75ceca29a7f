"""The loss that covers both orders of a fixed-size Gaussian sample."""
