/** Bytes as they come from Python: a view of its memory that must be copied, or an array of our own. */
export type Bytes = Uint8Array | { toJs(): Uint8Array };

export function bytes(given: Bytes): Uint8Array {
  return given instanceof Uint8Array ? given : given.toJs();
}

export function same(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, i) => byte === right[i]);
}

/** The number of these bytes, the lowest first. */
export function little(data: Uint8Array): bigint {
  let found = 0n;
  for (let i = data.length - 1; i >= 0; i--) found = (found << 8n) | BigInt(data[i] ?? 0);
  return found;
}
