"""What Schemathesis cannot make up by itself: files. It still changes and leaves out everything else of a request."""

import os
from pathlib import Path

import schemathesis
from hypothesis import strategies

PICTURES = Path(os.environ["TRACESMITH_PICTURES"])
SUFFIXES = (".bmp", ".gif", ".jpg", ".png", ".webp")
pictures = [path.read_bytes() for path in sorted(PICTURES.iterdir()) if path.suffix in SUFFIXES]
small = strategies.sampled_from([picture for picture in pictures if len(picture) < 16 * 1024])


@strategies.composite
def damaged(draw):
    """A picture that ends early, or with some bytes of it replaced."""
    picture = bytearray(draw(small))
    del picture[draw(strategies.integers(0, len(picture))) :]
    places = strategies.integers(0, max(0, len(picture) - 1))
    for place in draw(strategies.lists(places, max_size=8)):
        picture[place : place + 1] = bytes([draw(strategies.integers(0, 255))])
    return bytes(picture)


FILES = {"pictures": strategies.sampled_from(pictures), "damaged": damaged() | strategies.binary(max_size=256)}
schemathesis.openapi.format("binary", FILES[os.environ["TRACESMITH_FILES"]])
