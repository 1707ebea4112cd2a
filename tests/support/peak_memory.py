"""The memory that Python takes for a call."""

import tracemalloc

FEW_BYTES = 20_000_000


def peak_while(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
