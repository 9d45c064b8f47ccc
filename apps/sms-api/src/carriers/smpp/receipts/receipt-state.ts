import type { ReceiptState } from '../../carrier';
import type { ReceiptText } from './receipt-text';

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
  ['DLV', 'delivered'],
  ['EXPIR', 'expired'],
  ['DELET', 'deleted'],
  ['UNDEL', 'undeliverable'],
  ['UNDLV', 'undeliverable'],
  ['FAIL', 'undeliverable'],
  ['SKIP', 'undeliverable'],
  ['REJ', 'rejected'],
  ['ACC', 'intermediate'],
  ['ENR', 'intermediate'],
  ['BUFF', 'intermediate'],
  ['SCHED', 'intermediate'],
  ['PEND', 'intermediate'],
  ['QUEUE', 'intermediate'],
];

/** Whether the code is one of a sent message. SMPP 3.4 does not define 0, which some carriers send as a filler. */
export function isDefinedCode(code: number): boolean {
  return code >= 1 && code <= 9;
}

/** Maps the word after `stat:` in a receipt text. Some carriers write the code of `message_state` instead. */
export function stateFromWord(word: string): ReportedState {
  if (/^\d{1,3}$/.test(word)) return stateFromCode(Number(word));
  const upper = word.slice(0, 16).toUpperCase();
  return PREFIXES.find(([prefix]) => upper.startsWith(prefix))?.[1] ?? 'unknown';
}

/**
 * The state of a final receipt whose text has no `stat:`, by its error code and its numbers of submitted and delivered
 * messages. Null if the text has neither these fields nor a done date.
 */
export function stateFromCounts({
  err,
  sub,
  dlvrd,
  doneAt,
}: Pick<ReceiptText, 'err' | 'sub' | 'dlvrd' | 'doneAt'>): ReportedState | null {
  if (err === null && dlvrd === null) return doneAt === null ? null : 'unknown';
  if (err !== null && !/^0+$/.test(err)) return 'undeliverable';
  if (dlvrd === null) return 'delivered';
  const delivered = Number(dlvrd);
  if (delivered > 0 && delivered >= Number(sub ?? 1)) return 'delivered';
  return err === null ? 'undeliverable' : 'unknown';
}
