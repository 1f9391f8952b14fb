/** Playing: which step to show after how much time. Steps are shown as they are, nothing is invented between them. */

import type { Film, Step } from "./film";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

const ACTS_OF_FRAMES = new Set(["frame", "dynamics", "impulse"]);
const FRAMES_A_SECOND = 60;
const TURNS_A_SECOND = 4;
const SHORT = 90; // frames; fewer are played more slowly, or they would be over at once
const SHORT_A_SECOND = 15;

/** The steps at which playing stops for a moment, and how many of them it shows in a second at speed 1. */
export interface Pace {
  beats: number[];
  rate: number;
}

/** Return how to play a film: one of frames in real time, frame by frame; others slowly, by what can be seen. */
export function paceOf(film: Film): Pace {
  const last = film.steps.length - 1;
  const acts = film.steps.slice(1).filter((step) => step.act !== "plan");
  const frames = acts.filter((step) => ACTS_OF_FRAMES.has(step.act) && !/^turn \d/.test(step.label)).length;
  const isOfFrames = frames > 0 && 2 * frames >= acts.length;
  const beats: number[] = [];
  for (let step = 1; step <= last; step++) {
    const ends = film.steps[step].frame !== film.steps[step + 1]?.frame;
    if (step === last || (isOfFrames ? ends : isSeen(film.steps[step]))) beats.push(step);
  }
  if (!isOfFrames) return { beats, rate: TURNS_A_SECOND };
  return { beats, rate: beats.length < SHORT ? SHORT_A_SECOND : FRAMES_A_SECOND };
}

function isSeen(step: Step): boolean {
  const keys = ["moved", "turned", "shown", "hidden", "kinds", "shapes", "events", "notes"] as const;
  return keys.some((key) => step[key]) || (step.act !== "plan" && Boolean(step.results?.length));
}

export class Player {
  playing = false;
  speed = 1;
  private due = 0; // beats that are due, with a fraction
  private last = 0;

  constructor(private readonly pace: Pace) {}

  start(time: number): void {
    this.playing = true;
    this.due = 0;
    this.last = time;
  }

  stop(): void {
    this.playing = false;
  }

  /** Return the step to show at a time in milliseconds, if `step` is shown now. */
  tick(time: number, step: number): number {
    const passed = Math.max(0, Math.min(500, time - this.last)); // the picture may have begun before `start` was called
    this.due += (passed / 1000) * this.pace.rate * this.speed;
    this.last = time;
    const whole = Math.floor(this.due + 1e-3);
    this.due -= whole;
    if (!whole) return step;
    const { beats } = this.pace;
    const next = beats.findIndex((beat) => beat > step);
    return beats[Math.min(beats.length, next + whole) - 1];
  }
}
