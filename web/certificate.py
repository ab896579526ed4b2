"""A self-signed certificate: browsers give access to their camera only over HTTPS."""

from __future__ import annotations

import datetime
import ipaddress
import os
import socket
import subprocess
from pathlib import Path

from companion.errors import BadInput

DAYS = 365
RENEWED = 30  # days before its end


def own_addresses() -> list[str]:
    """This machine's addresses in its network, the likeliest first."""
    found = []
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asking:  # nothing is sent; this selects the interface
                asking.connect((far, 9))
                found.append(str(asking.getsockname()[0]))
        except OSError:
            continue
    return [address for address in found if not ipaddress.ip_address(address).is_loopback]


def names() -> list[str]:
    own = socket.gethostname()
    return list(dict.fromkeys(["localhost", own, f"{own.partition('.')[0]}.local", "127.0.0.1", *own_addresses()]))


def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def certificate(folder: Path) -> tuple[Path, Path]:
    """Certificate and key in this folder; new ones if they are missing, expire soon or name other addresses."""
    file, key, known = (folder / name for name in ("https.pem", "https-key.pem", "https-names.txt"))
    wanted = "\n".join(names())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = file.stat().st_mtime + (DAYS - RENEWED) * 86_400 > datetime.datetime.now().timestamp()
        if fresh and key.exists() and known.read_text() == wanted:
            return file, key
    except OSError:
        pass
    try:
        with os.fdopen(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"):
            pass  # create the key file with its permissions before anything is written
        _make(file, key)
        known.write_text(wanted)
    except OSError as error:
        raise BadInput(str(folder), "cannot-open", error=error.strerror) from None
    return file, key


def _make(file: Path, key: Path) -> None:
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import NameOID
    except ImportError:
        _with_openssl(file, key)
        return
    known = [x509.IPAddress(ipaddress.ip_address(one)) if is_address(one) else x509.DNSName(one) for one in names()]
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Board Companion")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName(known), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(private, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    key.write_bytes(private.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    file.write_bytes(made.public_bytes(pem))


def _with_openssl(file: Path, key: Path) -> None:
    kinds = [f"IP:{name}" if is_address(name) else f"DNS:{name}" for name in names()]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-keyout", str(key), "-out", str(file), "-days", str(DAYS), "-subj", "/CN=Board Companion"]
    try:
        subprocess.run([*command, "-addext", f"subjectAltName={','.join(kinds)}"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        raise BadInput("--https", "no-https") from None
