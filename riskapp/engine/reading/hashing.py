"""Dividing texts into parts by their hash: equal texts always fall into the same part."""

import zlib

import numpy as np
import numpy.typing as npt
import pyarrow as pa

LONG = 1 << 10
MIX = np.uint64(0x9E3779B97F4A7C15)
TURN = np.uint64(0xD6E8FEB86659FD93)
HALF = np.uint64(32)


def parts_of(values: pa.Array, parts: int) -> npt.NDArray[np.int64]:
    """The part (0 … parts - 1) of every text of an array without nulls.

    Short texts are hashed eight bytes at a time, all texts together; the few long ones one by one.
    """
    starts, lengths, raw = layout(values)
    state = lengths.astype(np.uint64) * MIX
    short = np.flatnonzero((lengths > 0) & (lengths <= LONG))
    state[short] = _mixed(state[short], starts[short], lengths[short], raw)
    long = np.flatnonzero(lengths > LONG)
    sums = [
        zlib.crc32(raw[start : start + length].tobytes())
        for start, length in zip(starts[long], lengths[long], strict=True)
    ]
    state[long] ^= np.array(sums, np.uint64) * MIX
    state = (state ^ (state >> HALF)) * TURN
    return ((state >> HALF) % np.uint64(parts)).astype(np.int64)


def layout(values: pa.Array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Where every text of an array starts, how many bytes it has, and the bytes."""
    kind = np.int64 if pa.types.is_large_string(values.type) else np.int32
    _, offsets, content = values.buffers()
    ends = np.frombuffer(offsets, dtype=kind)[values.offset : values.offset + len(values) + 1].astype(np.int64)
    raw = np.frombuffer(content, dtype=np.uint8) if content is not None else np.zeros(0, np.uint8)
    return ends[:-1], np.diff(ends), raw


def _mixed(
    state: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int64],
    raw: npt.NDArray[np.uint8],
) -> npt.NDArray[np.uint64]:
    order = np.argsort(-lengths, kind="stable")  # so that the texts that go on are always the first ones
    state, starts, lengths = state[order], starts[order], lengths[order]
    padded = np.concatenate([raw, np.zeros(8, np.uint8)])
    words = np.ndarray((len(raw) + 1,), np.uint64, padded.data, strides=(1,))
    for done in range(0, int(lengths[0]) if len(lengths) else 0, 8):
        going = int(np.searchsorted(-lengths, -done))
        left = np.minimum(lengths[:going] - done, 8).astype(np.uint64)
        word = words[starts[:going] + done] << ((np.uint64(8) - left) * np.uint64(8))
        state[:going] = (state[:going] ^ word) * MIX
        state[:going] ^= state[:going] >> HALF
    result = np.empty_like(state)
    result[order] = state
    return result
