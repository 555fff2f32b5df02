/** A text as a QR code. Its encoder is fetched with the first one. */
import { useLoaded } from "./ui";

/** Modules of silence around the code: scanners want four. */
const QUIET = 4;

/** The path of all dark modules, one square each. */
export function modules(matrix: readonly (readonly boolean[])[]): string {
  return matrix.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join("");
}

export function QrCode({ text, label }: { text: string; label: string }) {
  const matrix = useLoaded(() => import("qr").then(({ default: encode }) => encode(text, "raw", { border: 0, ecc: "medium" })), [text]).value;
  if (!matrix) return null; // the text itself stands beside it
  const size = matrix.length + 2 * QUIET;
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={modules(matrix)} />
    </svg>
  );
}
