/** One mail to one recipient, ready to leave. */
export interface OutboundMail {
  /** Envelope sender: the return path. */
  from: string;
  /** Envelope recipient. */
  to: string;
  /** The whole message, CRLF. */
  raw: Buffer;
}

/** How handing a mail to the backend ended. */
export type SubmitOutcome =
  | { kind: 'accepted' }
  /** 5yz: never. `suppresses`: the address itself is at fault. */
  | { kind: 'refused'; reason: string; suppresses: boolean }
  /** 4yz, or the backend is away: again later. No copy left. */
  | { kind: 'deferred'; reason: string }
  /** The content left and no answer came: the backend may have the mail. */
  | { kind: 'uncertain'; reason: string };

/** What nodemailer says of a failed submission. */
interface SmtpFailure {
  message: string;
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

const MAX_REASON_LENGTH = 500;
const ENHANCED_STATUS = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/;
/** RFC 3463: class X.1 is the address. */
const DEAD_ADDRESS = /^5\.1\./;
/** What the backend says before it has heard of the mail tells of us or of itself, not of the mail. */
const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** `wholeMailLeft`: all of the content was written, the closing dot included. */
export function outcomeOf(failure: unknown, wholeMailLeft: boolean): SubmitOutcome {
  const { message, code, command = '', response = '', responseCode } = failure as SmtpFailure;
  const reason = oneLine(response || message);
  if (responseCode === undefined) {
    if (wholeMailLeft) return { kind: 'uncertain', reason };
    // Larger than the backend takes, or an envelope that cannot be said.
    const isImpossible = code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'API');
    return isImpossible ? { kind: 'refused', reason, suppresses: false } : { kind: 'deferred', reason };
  }
  if (responseCode < 500 || !ABOUT_THE_MAIL.has(command)) return { kind: 'deferred', reason };
  const status = ENHANCED_STATUS.exec(response)?.[1] ?? '';
  return { kind: 'refused', reason, suppresses: command === 'RCPT TO' && DEAD_ADDRESS.test(status) };
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_LENGTH);
}
