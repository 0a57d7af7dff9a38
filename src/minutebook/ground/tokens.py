"""Tokens are counted the same way everywhere: a documented estimate, no tokenizer is downloaded."""


def tokens(text: str | bytes) -> int:
    """UTF-8 length / 4, rounded up."""
    size = len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return -(-size // 4)
