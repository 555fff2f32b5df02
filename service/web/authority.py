"""The certificate of a house's own authority as a file: a phone takes it from here to trust the house."""

from __future__ import annotations

from flask import Flask, Response

PATH = "/authority.crt"
"""The path of the certificate."""


def install(app: Flask, der: bytes) -> None:
    """Serve an authority's certificate (DER, X.690). It is public; its fingerprint comes another way."""

    def send() -> Response:
        headers = {"Content-Disposition": 'attachment; filename="cloche.crt"', "Cache-Control": "no-cache"}
        return Response(der, 200, headers, content_type="application/x-x509-ca-cert")

    app.add_url_rule(PATH, "authority", send)
