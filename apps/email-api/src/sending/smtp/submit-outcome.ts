import { toStorableText } from '@heliograph/service-kit';
import { isDeadDomain, isInvalidAddress, isUnknownMailbox } from '../../events/invalid-address';

/** A composed mail for one recipient. */
export interface OutboundMail {
  /** Envelope sender: the return path. */
  from: string;
  /** Envelope recipient. */
  to: string;
  /** The complete message with CRLF line ends. */
  raw: Buffer;
}

/** The outcome of a submission. */
export type SubmitOutcome =
  | { kind: 'accepted' }
  /** Permanent error (5yz). `suppresses`: the address is invalid. `deadDomain`: its domain has no mail server. */
  | { kind: 'refused'; reason: string; suppresses: boolean; deadDomain: boolean }
  /**
   * Temporary error (4yz) or backend unavailable. No copy was sent. `connectionEnded`: the server closed the connection
   * (421 or without a response), so the reason concerns the connection and not the mail.
   */
  | { kind: 'deferred'; reason: string; deadDomain?: boolean; connectionEnded?: boolean }
  /** The content was sent but no response was received: the backend may have accepted the mail. */
  | { kind: 'uncertain'; reason: string };

/** The error of nodemailer for a failed submission. */
interface SmtpFailure {
  message: string;
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

const MAX_REASON_LENGTH = 500;
/** RFC 5321, 3.8: the server closes the connection after this response to any command. */
const SERVICE_CLOSING = 421;
const ENHANCED_STATUS = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/;
/** Errors of other commands concern the session or the backend, not the mail. */
const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** `contentSent`: the complete content was written, including the final dot. */
export function outcomeOf(failure: unknown, contentSent: boolean): SubmitOutcome {
  const { message, code, command = '', response = '', responseCode } = failure as SmtpFailure;
  const reason = oneLine(response || message);
  if (responseCode === undefined) {
    if (contentSent) return { kind: 'uncertain', reason };
    // The mail exceeds the size limit of the backend, or the envelope is invalid.
    const isImpossible = code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'API');
    return isImpossible
      ? { kind: 'refused', reason, suppresses: false, deadDomain: false }
      : { kind: 'deferred', reason, connectionEnded: true };
  }
  const status = ENHANCED_STATUS.exec(response)?.[1] ?? null;
  const deadDomain = command === 'RCPT TO' && isDeadDomain(status, response);
  const connectionEnded = responseCode === SERVICE_CLOSING;
  if (responseCode < 500 || !ABOUT_THE_MAIL.has(command))
    return { kind: 'deferred', reason, deadDomain, connectionEnded };
  const suppresses = command === 'RCPT TO' && (isInvalidAddress(status) || isUnknownMailbox(status, response));
  return { kind: 'refused', reason, suppresses, deadDomain };
}

function oneLine(text: string): string {
  return toStorableText(text.replaceAll(/[\s\p{C}]+/gu, ' ').trim(), MAX_REASON_LENGTH);
}
