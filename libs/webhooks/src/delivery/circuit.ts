/** When an endpoint that fails is no longer called, and for how long. */
export const CIRCUIT = {
  /** Failures in a row that open the circuit. */
  opensAfter: 10,
  /** After the failure that opens it, and after each failed probe; the last one repeats. */
  pausesSeconds: [5, 10, 20, 40, 80, 160, 300],
} as const;
