/** The page's one Trusted Types policy: it lets the addresses of the two scripts through that the page starts. */
declare const __CLOCHE_KITCHEN__: string;
declare const __CLOCHE_SERVICE__: string;

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): {
    createScriptURL(address: string): string;
  };
}

const KITCHEN = typeof __CLOCHE_KITCHEN__ === "string" ? __CLOCHE_KITCHEN__ : "/kitchen.js";
const SERVICE = typeof __CLOCHE_SERVICE__ === "string" ? __CLOCHE_SERVICE__ : "/service.js";

function allowed(address: string): string {
  if (address === KITCHEN || address === SERVICE) return address;
  throw new TypeError(`The page starts no script at ${address}.`);
}

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy("cloche", { createScriptURL: allowed }) ?? { createScriptURL: allowed };

/** A worker with the kitchen in it. */
export function kitchenWorker(name: string): Worker {
  return new Worker(policy.createScriptURL(KITCHEN), { type: "module", name });
}

export function serviceAddress(): string {
  return policy.createScriptURL(SERVICE);
}
