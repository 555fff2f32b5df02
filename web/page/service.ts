/** The service worker: it keeps the files of this build. A new build waits until the player asks for it. */
import { signal } from "@preact/signals";
import { serviceAddress } from "./trust";

/** True if another build waits to be used. */
export const newBuild = signal(false);
let waiting: ServiceWorker | null = null;

export async function registerService(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  try {
    const registration = await navigator.serviceWorker.register(serviceAddress(), { scope: "/" });
    const look = () => {
      if (!registration.waiting || !navigator.serviceWorker.controller) return;
      waiting = registration.waiting;
      newBuild.value = true;
    };
    look();
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", look);
    });
  } catch {
    // plain http, or a private window: the page works without it
  }
}

/** Change to the new build. Not offered during a match. */
export function changeBuild(): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting?.postMessage("change");
}

/** The eight characters of this build, as the house's files say. */
export function build(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="cloche-build"]')?.content ?? "dev";
}
