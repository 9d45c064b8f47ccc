import type { ReceiptState } from '../../carrier';

/** A final state, or that the message is still on its way. */
export type ReportedState = ReceiptState | 'intermediate';

/** The TLV `message_state` (SMPP 3.4, 5.2.28). A state the specification does not know is `unknown`. */
export function stateFromCode(code: number): ReportedState {
  switch (code) {
    case 0: // scheduled, since version 5.0
    case 1:
    case 6:
      return 'intermediate';
    case 2:
      return 'delivered';
    case 3:
      return 'expired';
    case 4:
      return 'deleted';
    case 5:
    case 9: // skipped, since version 5.0
      return 'undeliverable';
    case 8:
      return 'rejected';
    default:
      return 'unknown';
  }
}

/** Carriers abbreviate to seven letters, more, or not at all. */
const PREFIXES: readonly [prefix: string, state: ReportedState][] = [
  ['DELIV', 'delivered'],
  ['EXPIR', 'expired'],
  ['DELET', 'deleted'],
  ['UNDEL', 'undeliverable'],
  ['FAIL', 'undeliverable'],
  ['SKIP', 'undeliverable'],
  ['REJ', 'rejected'],
  ['ACC', 'intermediate'],
  ['ENR', 'intermediate'],
  ['BUFF', 'intermediate'],
  ['SCHED', 'intermediate'],
];

/** The word after `stat:` in a receipt's text. */
export function stateFromWord(word: string): ReportedState {
  const upper = word.slice(0, 16).toUpperCase();
  return PREFIXES.find(([prefix]) => upper.startsWith(prefix))?.[1] ?? 'unknown';
}
