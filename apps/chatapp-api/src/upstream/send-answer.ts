import type { Exchanged } from './exchange';
import { errorOf, readRefusal, type UpstreamRefusal } from './refusal';

/** The result of a send. */
export type SendAnswer =
  | {
      kind: 'taken';
      upstreamId: string;
      /** The phone number in the form of the provider: a plus and digits. */
      upstreamNumber: string | null;
    }
  /** The provider has certainly not accepted the message. */
  | { kind: 'refused'; error: UpstreamRefusal }
  /** The provider may have accepted the message. */
  | { kind: 'unanswered'; reason: string };

const MAX_ID = 512;

export function readSendAnswer(answer: Exchanged, secret: string): SendAnswer {
  const { status, json } = answer;
  if (status < 200 || status > 299 || errorOf(json)) return { kind: 'refused', error: readRefusal(answer, secret) };
  const { messages, contacts } = (json ?? {}) as { messages?: unknown; contacts?: unknown };
  const id = firstOf(messages, 'id');
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID) {
    return { kind: 'unanswered', reason: 'the response contains no message id' };
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
