import { randomBytes } from 'node:crypto';

/** A unique id. The prefix distinguishes it from the ids of the services. */
export function newMessageId(): string {
  return `camid.${randomBytes(30).toString('base64')}`;
}
