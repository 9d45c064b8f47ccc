import { randomBytes } from 'node:crypto';

/** Unique; told apart from our own ids by its prefix. */
export function newMessageId(): string {
  return `camid.${randomBytes(30).toString('base64')}`;
}
