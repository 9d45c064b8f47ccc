import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export type StopSignal = (typeof SIGNALS)[number];

/**
 * SIGTERM and SIGINT of this process. Until there is a handler, they end the process at once with the exit code of a process that the
 * signal ended: the kernel ignores signals without a handler for process 1 of a container.
 *
 */
class StopSignals {
  private handler: (signal: StopSignal) => void = exit;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.handler(signal));
  }

  /** Ends the process at once. */
  exit(signal: StopSignal): never {
    return exit(signal);
  }

  /**
   * Returns a signal for work that can be rolled back. SIGTERM or SIGINT aborts it with the `StopSignal` as its reason. The process exits
   * `exitAfterMs` later, or at the second signal.
   */
  aborting(exitAfterMs: number): AbortSignal {
    const stop = new AbortController();
    this.handle((signal) => {
      if (stop.signal.aborted) this.exit(signal);
      stop.abort(signal);
      setTimeout(() => this.exit(signal), exitAfterMs).unref();
    });
    return stop.signal;
  }

  /** Replaces the handler. It is called for every signal, also if a stop is already in progress. */
  handle(handler: (signal: StopSignal) => void): void {
    this.handler = handler;
  }
}

function exit(signal: StopSignal): never {
  process.exit(128 + constants.signals[signal]);
}

export type { StopSignals };

/**
 * The signals are handled from the import of this module. It is the first import of the main modules, because the modules of a
 * service take a second to load; therefore this library imports nothing but Node.js. Other modules import its types only.
 */
export const stopSignals = new StopSignals();
