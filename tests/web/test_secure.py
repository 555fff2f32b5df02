"""A house with a certificate of its own, in Chromium: a secure context, so that the page may keep keys."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from hashlib import sha256

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.stack import Stack
from tests.web.site_kit import HERE, chromium, need_node

SECONDS = 240


def test_a_house_with_tls_is_a_secure_context(open_stack) -> None:
    need_node()
    browser = chromium(whole=True)
    house: Stack = open_stack(tls=1, host="127.0.0.1")
    made = x509.load_pem_x509_certificate((house.data / "tls" / "house.pem").read_bytes())
    public = made.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    spki = b64encode(sha256(public).digest()).decode()
    command = ["node", HERE / "secure.mjs", house.url, browser, spki]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["stranger"] == {"error": "net::ERR_CERT_AUTHORITY_INVALID"}
    assert found["friend"] == {"secure": True, "digest": 32, "files": "directory", "worker": True}
