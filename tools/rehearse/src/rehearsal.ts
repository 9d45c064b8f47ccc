/** One row of the table of a rehearsal. */
export interface Finding {
  /** What was measured or checked, such as `failed requests`. */
  subject: string;
  /** The measured value with its unit. */
  measured: string;
  /** The value that the row must have, such as `0` or `below 120 s`. Empty: for information only. */
  required: string;
  passed: boolean;
}

export interface RehearsalContext {
  /** The folder of the workspace. */
  root: string;
  /** The arguments after the name of the rehearsal. */
  args: readonly string[];
  /** Prints one line of progress. */
  log: (text: string) => void;
  /** Registers work for the end of the rehearsal, also after an error or a signal. The last registered work runs first. */
  onEnd: (cleanUp: () => Promise<void> | void) => void;
}

export interface Rehearsal {
  /** One sentence for the list of rehearsals. */
  summary: string;
  /** Resolves with the rows of the table. */
  run: (context: RehearsalContext) => Promise<Finding[]>;
}

/** A row that only informs. */
export function information(subject: string, measured: string): Finding {
  return { subject, measured, required: '', passed: true };
}

/** A row for a number that must not exceed a limit. */
export function atMost(subject: string, value: number, limit: number, unit = ''): Finding {
  return {
    subject,
    measured: withUnit(value, unit),
    required: limit === 0 ? '0' : `at most ${withUnit(limit, unit)}`,
    passed: value <= limit,
  };
}

/** A row for something that must be true. `measured` is what was seen. */
export function holds(subject: string, passed: boolean, measured = passed ? 'yes' : 'no'): Finding {
  return { subject, measured, required: 'yes', passed };
}

function withUnit(value: number, unit: string): string {
  const text = Number.isInteger(value) ? String(value) : value.toFixed(2);
  return unit === '' ? text : `${text} ${unit}`;
}
