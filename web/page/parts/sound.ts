/**
 * Short sounds, synthesised here: nothing is fetched, so the page's policy needs no word about them. They are off until
 * a player wants them, and each says what is also to be seen.
 */
import { settings } from "../settings";

export interface Tone {
  /** Seconds after the start of the sound. */
  at: number;
  /** Frequency in hertz at the start, and at the end where it glides. */
  hz: number;
  to?: number;
  /** Seconds until it has died away. */
  for: number;
  /** Loudness at its loudest, of 1. */
  gain: number;
  shape: OscillatorType;
}

/** A lid comes down; a lid rises; the clock at 20 and at 5 seconds. */
export const SOUNDS = {
  lid: [
    { at: 0, hz: 190, to: 90, for: 0.14, gain: 0.3, shape: "sine" },
    { at: 0.01, hz: 1244, for: 0.5, gain: 0.05, shape: "triangle" },
    { at: 0.01, hz: 1871, for: 0.35, gain: 0.03, shape: "triangle" },
  ],
  reveal: [
    { at: 0, hz: 523, to: 540, for: 0.22, gain: 0.1, shape: "triangle" },
    { at: 0.09, hz: 784, to: 800, for: 0.4, gain: 0.1, shape: "triangle" },
  ],
  clock20: [{ at: 0, hz: 880, for: 0.18, gain: 0.12, shape: "sine" }],
  clock5: [
    { at: 0, hz: 988, for: 0.12, gain: 0.16, shape: "sine" },
    { at: 0.17, hz: 988, for: 0.12, gain: 0.16, shape: "sine" },
  ],
} as const satisfies Record<string, readonly Tone[]>;

export type SoundName = keyof typeof SOUNDS;

/** Seconds after which a sound comes too late: a browser may hold it back until somebody touches the page. */
const LATE = 0.3;

function ring(context: AudioContext, tones: readonly Tone[]): void {
  for (const { at, hz, to, for: length, gain, shape } of tones) {
    const begin = context.currentTime + at;
    const voice = new OscillatorNode(context, { type: shape, frequency: hz });
    const level = new GainNode(context, { gain: 0 });
    if (to !== undefined) voice.frequency.exponentialRampToValueAtTime(to, begin + length);
    level.gain.setValueAtTime(0.0001, begin);
    level.gain.exponentialRampToValueAtTime(gain, begin + 0.012);
    level.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    voice.connect(level).connect(context.destination);
    voice.start(begin);
    voice.stop(begin + length + 0.02);
  }
}

let open: AudioContext | null = null;

/** Let a sound be heard, if the player wants any and the browser has them. */
export function sound(name: SoundName): void {
  if (!settings.value.sound || typeof AudioContext === "undefined") return;
  const context = (open ??= new AudioContext());
  const asked = performance.now();
  context.resume().then(
    () => {
      if (performance.now() - asked <= LATE * 1000) ring(context, SOUNDS[name]);
    },
    () => undefined, // the browser plays nothing
  );
}
