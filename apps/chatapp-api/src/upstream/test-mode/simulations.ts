/** What happens to a message to a simulated number. */
export type Simulation =
  /** The provider accepts the message and reports these statuses. */
  | { kind: 'taken'; statuses: readonly ('sent' | 'delivered' | 'read')[] }
  /** The provider accepts the message and reports that it failed. */
  | { kind: 'failed'; code: number; title: string }
  /** The provider refuses the message at once. */
  | { kind: 'refused'; status: number; code: number; title: string }
  | { kind: 'slow' | 'unanswered' };

export const DELIVERED: Extract<Simulation, { kind: 'taken' }> = { kind: 'taken', statuses: ['sent', 'delivered'] };

/** By the last two digits of the number; docs/guides/test-mode.md lists them. Messages to other numbers are delivered. */
export const SIMULATIONS: Readonly<Record<string, Simulation>> = {
  '01': { kind: 'refused', status: 400, code: 131009, title: 'Parameter value is not valid' },
  '10': { kind: 'failed', code: 131026, title: 'Message undeliverable' },
  '11': { kind: 'failed', code: 131047, title: 'Re-engagement message' },
  '12': { kind: 'failed', code: 131049, title: 'The message was not delivered, to keep the ecosystem healthy' },
  '13': { kind: 'failed', code: 131050, title: 'The recipient has stopped marketing messages' },
  '14': { kind: 'failed', code: 131000, title: 'Something went wrong' },
  '20': { kind: 'refused', status: 429, code: 130429, title: 'Rate limit hit' },
  '21': { kind: 'slow' },
  '22': { kind: 'unanswered' },
  '23': { kind: 'taken', statuses: [] },
  '24': { kind: 'taken', statuses: ['sent', 'delivered', 'read'] },
};
