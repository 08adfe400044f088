"""Simulated colour blindness: colours as people with it see them, and the contrast of two colours.

Colours are converted to the light that a display emits, filtered as the eyes of a person with colour blindness do it,
and compared in CIELAB, a space in which distances are about as large as they look.
"""

from __future__ import annotations

from renderers.theme import Colour

VISION_MATRICES = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
    "greyscale": ((0.2126, 0.7152, 0.0722),) * 3,
}
"""Matrices that map linear RGB to what is seen without one kind of cone, and to grey.

From Machado, Oliveira and Fernandes (2009), severity 1.
"""


def perceived_lab(colour: Colour, vision: str) -> tuple[float, float, float]:
    """Return a colour in CIE L*a*b* as seen with this kind of vision."""
    linear = [_linear_channel(value / 255) for value in colour]
    red, green, blue = (
        min(max(sum(part * value for part, value in zip(row, linear, strict=True)), 0.0), 1.0)
        for row in VISION_MATRICES[vision]
    )
    x = _lab_curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = _lab_curve(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _lab_curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast(first: Colour, second: Colour) -> float:
    """Return the contrast ratio of two colours by WCAG: 1 for equal lightness, 21 for black on white."""
    darker, lighter = sorted(
        sum(share * _linear_channel(value / 255) for share, value in zip((0.2126, 0.7152, 0.0722), colour, strict=True))
        for colour in (first, second)
    )
    return (lighter + 0.05) / (darker + 0.05)


def _linear_channel(value: float) -> float:
    """Return the brightness of an sRGB channel, both from 0 to 1."""
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _lab_curve(value: float) -> float:
    """Return the response of the eye to a brightness, as CIELAB defines it."""
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116
