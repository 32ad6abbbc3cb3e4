// The page's sounds, made when they are needed: a disc that is placed, discs that turn, the end of a
// game. There are no files. Off unless a person has switched them on.

/** A tone: when it begins and how long it is, in seconds, its pitch and how loud it is. */
interface Tone {
  readonly at: number;
  readonly length: number;
  readonly pitch: number;
  readonly volume: number;
  readonly shape: OscillatorType;
}

/** The most discs that are heard to turn. */
const MOST_TURNS = 6;

let isOn = false;
let context: AudioContext | null = null;

export function setSound(wanted: boolean): void {
  isOn = wanted;
}

/** A disc was placed and turned others, as many as this. */
export function soundMove(turned: number): void {
  const turns = Array.from({ length: Math.min(turned, MOST_TURNS) }, (_, at): Tone => ({ at: 0.09 + at * 0.045, length: 0.035, pitch: 760 + 40 * at, volume: 0.05, shape: "triangle" }));
  play([{ at: 0, length: 0.07, pitch: 210, volume: 0.22, shape: "sine" }, { at: 0, length: 0.02, pitch: 1300, volume: 0.06, shape: "triangle" }, ...turns]);
}

/** A game has ended. */
export function soundEnd(): void {
  play([392, 494, 587].map((pitch, at) => ({ at: at * 0.16, length: 0.3, pitch, volume: 0.12, shape: "sine" as const })));
}

function play(tones: readonly Tone[]): void {
  if (!isOn || typeof AudioContext === "undefined") return;
  // Browsers let a page be heard only after a person has done something on it.
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const now = context.currentTime;
  for (const { at, length, pitch, volume, shape } of tones) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = shape;
    oscillator.frequency.value = pitch;
    gain.gain.setValueAtTime(volume, now + at);
    gain.gain.exponentialRampToValueAtTime(0.0001, now + at + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(now + at);
    oscillator.stop(now + at + length);
  }
}
