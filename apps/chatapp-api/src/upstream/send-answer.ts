import type { Exchanged } from './exchange';
import { errorOf, readRefusal, type UpstreamRefusal } from './refusal';

/** What came of a send. */
export type SendAnswer =
  | {
      kind: 'taken';
      upstreamId: string;
      /** As the upstream knows the number, digits after a plus. */
      upstreamNumber: string | null;
    }
  /** It has surely not been taken. */
  | { kind: 'refused'; error: UpstreamRefusal }
  /** It may have been taken. */
  | { kind: 'unanswered'; reason: string };

const MAX_ID = 512;

export function readSendAnswer(answer: Exchanged, secret: string): SendAnswer {
  const { status, json } = answer;
  if (status < 200 || status > 299 || errorOf(json)) return { kind: 'refused', error: readRefusal(answer, secret) };
  const { messages, contacts } = (json ?? {}) as { messages?: unknown; contacts?: unknown };
  const id = firstOf(messages, 'id');
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID) {
    return { kind: 'unanswered', reason: 'the answer names no message' };
  }
  const number = firstOf(contacts, 'wa_id');
  return { kind: 'taken', upstreamId: id, upstreamNumber: isDigits(number) ? `+${number}` : null };
}

function firstOf(list: unknown, field: string): unknown {
  const [first] = Array.isArray(list) ? (list as unknown[]) : [];
  return typeof first === 'object' && first !== null ? (first as Record<string, unknown>)[field] : undefined;
}

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && /^\d{5,20}$/.test(value);
}
