/** Playing: which step to show after how much time. Steps are shown as they are, nothing is invented between them. */

import type { Film } from "./film";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

const FRAMES = new Set(["frame", "dynamics", "impulse"]);
const FRAMES_A_SECOND = 60;
const TURNS_A_SECOND = 4;
const SHORT = 90; // frames; fewer are played more slowly, or they would be over at once
const SHORT_A_SECOND = 15;
const MOST_A_SECOND = 480;

/** Return how many steps are played in a second at speed 1: long films of frames in real time, turns one by one. */
export function pace(film: Film): number {
  const steps = film.steps.slice(1);
  const frames = steps.filter((step) => FRAMES.has(step.act)).length;
  if (2 * frames < steps.length) return TURNS_A_SECOND;
  const numbers = new Set(steps.map((step) => step.frame)).size || 1;
  const rate = numbers < SHORT ? SHORT_A_SECOND : FRAMES_A_SECOND;
  return Math.min(MOST_A_SECOND, rate * Math.max(1, Math.round(steps.length / numbers)));
}

export class Player {
  playing = false;
  speed = 1;
  private due = 0; // steps that are due, with a fraction
  private last = 0;

  constructor(private readonly rate: number) {}

  start(time: number): void {
    this.playing = true;
    this.due = 0;
    this.last = time;
  }

  stop(): void {
    this.playing = false;
  }

  /** Return by how many steps to go on at a time, in milliseconds. */
  tick(time: number): number {
    this.due += (Math.min(500, time - this.last) / 1000) * this.rate * this.speed;
    this.last = time;
    const whole = Math.floor(this.due + 1e-3);
    this.due -= whole;
    return whole;
  }
}
