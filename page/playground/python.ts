/** Calls of the Python side: one worker, questions by number. */

import type { Film } from "../src/film";

export interface Shown {
  film: Film;
  letters: string;
  moves: string;
  solved: boolean;
  title: string;
  note: string;
}

export interface Found {
  moves: string | null;
  pushes: number;
  states: number;
  seconds: number;
  outcome: string;
  missing: string;
}

export interface Times {
  pyodide: number;
  all: number;
}

export class Python {
  times: Times | null = null;
  private worker: Worker | null = null;
  private number = 0;
  private readonly waiting = new Map<number, [(value: unknown) => void, (problem: Error) => void]>();

  constructor(private readonly failed: (problem: string) => void) {
    this.start();
  }

  /** Return the result of a method of playground.py; rejects with its problem. */
  call<T>(name: string, ...given: unknown[]): Promise<T> {
    return new Promise<T>((done, fail) => {
      this.waiting.set(++this.number, [done as (value: unknown) => void, fail]);
      this.worker!.postMessage({ id: this.number, name, given });
    });
  }

  /** End what runs, even a loop without end, and start anew without a game. */
  restart(): void {
    this.worker?.terminate();
    for (const [, fail] of this.waiting.values()) fail(new Error("stopped"));
    this.waiting.clear();
    this.start();
  }

  private start(): void {
    this.worker = new Worker("worker.js", { type: "module" });
    this.worker.onerror = (event) => this.failed(event.message);
    this.worker.onmessage = ({ data }) => {
      if (data.problem) this.failed(data.problem);
      if (data.times) this.times = data.times;
      const [done, fail] = this.waiting.get(data.id) ?? [];
      this.waiting.delete(data.id);
      if (!done || !fail) return;
      const result = JSON.parse(data.text);
      if (result.problem === undefined) done(result);
      else fail(new Error(result.problem));
    };
  }
}
