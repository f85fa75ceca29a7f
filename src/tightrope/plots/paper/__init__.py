"""The figures of Chen, Pandey and Awan (2026): data apart from drawing."""
