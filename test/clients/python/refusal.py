"""Sends a large request by one of the clients and prints the status and code of the answer: CLIENT CASE URL KEY."""

import sys

import httpx
import requests

client, what, url, key = sys.argv[1:]
BYTES = 30_000_000
HEADERS = {"Authorization": f"Bearer {key}"}
CHUNKED = {**HEADERS, "Content-Type": "multipart/form-data; boundary=limit"}
SENDERS = {"requests": (requests.post, "data"), "httpx": (httpx.post, "content")}


def pieces():
    yield b'--limit\r\nContent-Disposition: form-data; name="file"; filename="large.png"\r\n\r\n'
    for _ in range(BYTES // 100_000):
        yield bytes(100_000)
    yield b"\r\n--limit--\r\n"


post, body = SENDERS[client]
if what == "too large, chunked":
    answer = post(url, headers=CHUNKED, timeout=30, **{body: pieces()})
elif what == "invalid config":
    # Small enough that only the config is wrong.
    files = {"file": ("large.png", bytes(20_000_000))}
    answer = post(url, headers=HEADERS, timeout=30, data={"config": '{"mode": "splines"}'}, files=files)
else:
    answer = post(url, headers=HEADERS, timeout=30, files={"file": ("large.png", bytes(BYTES))})
print(answer.status_code, answer.json()["code"])
