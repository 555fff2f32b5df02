/**
 * Hashes, keys and ciphers of the kitchen, by noble. Python's stand-ins for pycryptodome (`web/python/Crypto`) and
 * its Ed25519 (`crypto.edwards`) call these. Nothing here decides what is valid, and nothing keeps a secret.
 */
import { gcm } from "@noble/ciphers/aes.js";
import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { expand, extract } from "@noble/hashes/hkdf.js";
import { scrypt } from "@noble/hashes/scrypt.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { tuplehash256 } from "@noble/hashes/sha3-addons.js";
import { bytes, little, type Bytes } from "./bytes";

type Point = InstanceType<typeof ed25519.Point>;
type ManyBytes = Bytes[] | { toJs(): Uint8Array[] };

const MOST_MEMORY = 2 ** 30 + 2 ** 20;
const MOST_KEYS = 4096;
const keys = new Map<string, Point>();

/** The point of a public key. It is kept: a record names the same few keys again and again. */
function keyOf(data: Uint8Array): Point {
  const name = String.fromCharCode(...data);
  const known = keys.get(name);
  if (known) return known;
  const point = ed25519.Point.fromBytes(data, false);
  if (keys.size >= MOST_KEYS) keys.clear();
  keys.set(name, point);
  return point;
}

export const hashes = {
  tuple_hash(custom: Bytes, parts: ManyBytes, length: number): Uint8Array {
    const given = Array.isArray(parts) ? parts : parts.toJs();
    return tuplehash256(given.map(bytes), { dkLen: length, personalization: bytes(custom) });
  },
  keccak: (data: Bytes): Uint8Array => keccak_256(bytes(data)),
  hkdf_extract: (salt: Bytes, secret: Bytes): Uint8Array => extract(sha256, bytes(secret), bytes(salt)),
  hkdf_expand: (key: Bytes, info: Bytes, length: number): Uint8Array =>
    expand(sha256, bytes(key), bytes(info), length),
  scrypt: (password: Bytes, salt: Bytes, n: number, r: number, p: number, length: number): Uint8Array =>
    scrypt(bytes(password), bytes(salt), { N: n, r, p, dkLen: length, maxmem: MOST_MEMORY }),

  // Ed25519 (crypto.edwards)
  /** The canonical encoding of the point of 32 bytes; undefined if there is none. */
  ed_canonical(data: Bytes): Uint8Array | undefined {
    try {
      return keyOf(bytes(data)).toBytes();
    } catch {
      return undefined;
    }
  },
  ed_prime_order(data: Bytes): boolean {
    const point = keyOf(bytes(data));
    return !point.is0() && point.isTorsionFree();
  },
  /** s B - k A, encoded. Both scalars have 32 bytes, the lowest first, and are below the order. Not for secrets. */
  ed_difference(s: Bytes, k: Bytes, data: Bytes): Uint8Array {
    const point = keyOf(bytes(data));
    const first = ed25519.Point.BASE.multiplyUnsafe(little(bytes(s)));
    return first.subtract(point.multiplyUnsafe(little(bytes(k)))).toBytes();
  },
  ed_public: (secret: Bytes): Uint8Array => ed25519.getPublicKey(bytes(secret)),
  ed_sign: (secret: Bytes, message: Bytes): Uint8Array => ed25519.sign(bytes(message), bytes(secret)),

  // X25519 and AES-256-GCM
  x_public: (secret: Bytes): Uint8Array => x25519.getPublicKey(bytes(secret)),
  x_shared: (secret: Bytes, other: Bytes): Uint8Array => x25519.getSharedSecret(bytes(secret), bytes(other)),
  gcm_seal: (key: Bytes, nonce: Bytes, aad: Bytes, plain: Bytes): Uint8Array =>
    gcm(bytes(key), bytes(nonce), bytes(aad)).encrypt(bytes(plain)),
  /** The plain bytes; undefined if the box or its data were changed. */
  gcm_open(key: Bytes, nonce: Bytes, aad: Bytes, box: Bytes): Uint8Array | undefined {
    try {
      return gcm(bytes(key), bytes(nonce), bytes(aad)).decrypt(bytes(box));
    } catch {
      return undefined;
    }
  },
};
