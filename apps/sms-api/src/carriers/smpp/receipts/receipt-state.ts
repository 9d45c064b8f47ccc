import type { ReceiptState } from '../../carrier';

/** A final state, or `intermediate` if delivery is still in progress. */
export type ReportedState = ReceiptState | 'intermediate';

/** Maps the TLV `message_state` (SMPP 3.4, 5.2.28). Undefined codes are `unknown`. */
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

/** Carriers abbreviate to seven or more letters, or do not abbreviate. */
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

/** Maps the word after `stat:` in a receipt text. */
export function stateFromWord(word: string): ReportedState {
  const upper = word.slice(0, 16).toUpperCase();
  return PREFIXES.find(([prefix]) => upper.startsWith(prefix))?.[1] ?? 'unknown';
}
