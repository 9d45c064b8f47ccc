import { MacSigner } from '@heliograph/secrets';
import type { RecipientRef } from '../events/recipient-event';
import { fromBase32, toBase32 } from './base32';
import { REF_BYTES, refFromBytes, refToBytes } from './recipient-ref-bytes';

export interface ClickedLink extends RecipientRef {
  /** Target of the link, as written by the sender. */
  url: string;
}

/** The target of a tracked link, encoded once for all recipients. */
export interface ClickTarget {
  bytes: Buffer;
  /** The last part of the token. The signature and the recipient before it fill a whole number of base64 groups. */
  encoded: string;
}

/** Length of a signature: 96 bits cannot be guessed, and fit into the local part of an email address. */
const MAC_BYTES = 12;
const MIN_SECRET_LENGTH = 16;
const MAX_SECRETS = 5;
const OPENS = '/email/t/o/';
const OPENS_END = '.gif';
const CLICKS = '/email/t/c/';
const UNSUBSCRIBES = '/email/u/';

const MAIL_TOKEN_LENGTH = ((MAC_BYTES + REF_BYTES) * 8) / 5;
const WEB_TOKEN_LENGTH = ((MAC_BYTES + REF_BYTES) * 8) / 6;
/** Longer links are not rewritten, because proxies limit the length of the request line. */
export const MAX_CLICK_URL_BYTES = 4_096;
const MAX_CLICK_TOKEN_LENGTH = Math.ceil(((MAC_BYTES + REF_BYTES + MAX_CLICK_URL_BYTES) * 8) / 6);

/** Maximum line length of a mail (RFC 5322, 2.1.1). */
const MAX_MESSAGE_ID_LENGTH = 998;
const OWN_PATH = new RegExp(`^(?:${OPENS}|${CLICKS}|${UNSUBSCRIBES})[\\w-]{${WEB_TOKEN_LENGTH},}`);
const MESSAGE_ID = new RegExp(`<?([a-z2-7]{${MAIL_TOKEN_LENGTH}})@[^@<>\\s]{1,255}>?`, 'i');

/** True if the path contains a token of this service. */
export function isTokenPath(path: string): boolean {
  return OWN_PATH.test(path);
}

/**
 * Creates and verifies signed tokens that identify one recipient of a send: in envelope senders and Message-IDs, which
 * mail servers return to us, and in the links of a mail. Parsing returns null for tokens that were not signed for the
 * same purpose.
 */
export class RecipientTokens {
  private readonly returns: MacSigner;
  private readonly messageIds: MacSigner;
  private readonly opens: MacSigner;
  private readonly clicks: MacSigner;
  private readonly unsubscribes: MacSigner;

  /** The first secret signs, all secrets verify. Throws if a secret is too short. */
  constructor(secrets: readonly string[]) {
    if (secrets.length === 0 || secrets.length > MAX_SECRETS) {
      throw new Error(`1 to ${MAX_SECRETS} token secrets are required`);
    }
    if (secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
      throw new Error(`a token secret must have at least ${MIN_SECRET_LENGTH} characters`);
    }
    this.returns = signerOf(secrets, 'return path');
    this.messageIds = signerOf(secrets, 'message id');
    this.opens = signerOf(secrets, 'open');
    this.clicks = signerOf(secrets, 'click');
    this.unsubscribes = signerOf(secrets, 'unsubscribe');
  }

  /** The local part of the envelope sender (VERP): 48 case-insensitive characters. */
  returnPathOf(ref: RecipientRef): string {
    return toBase32(this.returns.seal(refToBytes(ref)));
  }

  readReturnPath(localPart: string): RecipientRef | null {
    return openMailToken(localPart, this.returns);
  }

  /** The part of the Message-ID before the domain. */
  mailTokenOf(ref: RecipientRef): string {
    return toBase32(this.messageIds.seal(refToBytes(ref)));
  }

  /** Returns the Message-ID with angle brackets. */
  messageIdOf(ref: RecipientRef, domain: string): string {
    return `<${this.mailTokenOf(ref)}@${domain}>`;
  }

  /** Parses the value of a Message-ID header, with or without angle brackets. */
  readMessageId(text: string): RecipientRef | null {
    const token = MESSAGE_ID.exec(text.slice(0, MAX_MESSAGE_ID_LENGTH))?.[1];
    return token === undefined ? null : openMailToken(token, this.messageIds);
  }

  openPath(ref: RecipientRef): string {
    return OPENS + toWebToken(this.opens.seal(refToBytes(ref))) + OPENS_END;
  }

  /** Parses the last segment of the path. */
  readOpen(segment: string): RecipientRef | null {
    return segment.endsWith(OPENS_END) ? openWebToken(segment.slice(0, -OPENS_END.length), this.opens) : null;
  }

  /** Throws a RangeError if the link is longer than MAX_CLICK_URL_BYTES. */
  clickTargetOf(url: string): ClickTarget {
    const bytes = Buffer.from(url);
    if (bytes.length > MAX_CLICK_URL_BYTES) throw new RangeError('the link is too long for tracking');
    return { bytes, encoded: toWebToken(bytes) };
  }

  clickPath(ref: RecipientRef, { bytes, encoded }: ClickTarget): string {
    const recipient = refToBytes(ref);
    return CLICKS + toWebToken(Buffer.concat([this.clicks.sign(recipient, bytes), recipient])) + encoded;
  }

  /** Parses the last segment of the path. */
  readClick(segment: string): ClickedLink | null {
    if (segment.length > MAX_CLICK_TOKEN_LENGTH) return null;
    const sealed = fromWebToken(segment);
    const content = sealed && this.clicks.open(sealed);
    if (!content || content.length <= REF_BYTES) return null;
    return { ...refFromBytes(content), url: content.toString('utf8', REF_BYTES) };
  }

  unsubscribePath(ref: RecipientRef): string {
    return UNSUBSCRIBES + toWebToken(this.unsubscribes.seal(refToBytes(ref)));
  }

  /** Parses the last segment of the path. */
  readUnsubscribe(segment: string): RecipientRef | null {
    return openWebToken(segment, this.unsubscribes);
  }

  /** Parses a List-Unsubscribe header and finds the URL of this service in it. */
  readUnsubscribeHeader(text: string): RecipientRef | null {
    const start = text.indexOf(UNSUBSCRIBES);
    if (start < 0) return null;
    const tokenAt = start + UNSUBSCRIBES.length;
    return this.readUnsubscribe(text.slice(tokenAt, tokenAt + WEB_TOKEN_LENGTH));
  }
}

function signerOf(secrets: readonly string[], purpose: string): MacSigner {
  return new MacSigner(secrets, `heliograph email token: ${purpose}`, MAC_BYTES);
}

function openMailToken(token: string, signer: MacSigner): RecipientRef | null {
  if (token.length !== MAIL_TOKEN_LENGTH) return null;
  const sealed = fromBase32(token);
  const content = sealed && signer.open(sealed);
  return content && refFromBytes(content);
}

function openWebToken(token: string, signer: MacSigner): RecipientRef | null {
  if (token.length !== WEB_TOKEN_LENGTH) return null;
  const sealed = fromWebToken(token);
  const content = sealed && signer.open(sealed);
  return content && refFromBytes(content);
}

function toWebToken(bytes: Buffer): string {
  return bytes.toString('base64url');
}

/** Returns null for non-canonical encodings, because Node ignores invalid base64 characters. */
function fromWebToken(token: string): Buffer | null {
  const bytes = Buffer.from(token, 'base64url');
  return toWebToken(bytes) === token ? bytes : null;
}
