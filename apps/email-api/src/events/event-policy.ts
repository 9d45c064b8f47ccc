import type { RecipientEventType } from './recipient-event';

/** Of each recipient, more opens and clicks than these come from software. Everything else happens once. */
export const MOST_RECORDED: Readonly<Record<RecipientEventType, number>> = {
  opened: 100,
  clicked: 100,
  delivered: 1,
  bounced: 1,
  complained: 1,
  unsubscribed: 1,
};

/** Days on which mail to a domain without a mail server must fail, before an address of it is suppressed. */
const DEAD_DOMAIN_DAYS = 3;

/** The days of failures after which `email.fail_domain` suppresses the address; null if they do not count. */
export function suppressAfterDays(isDeadDomain: boolean): number | null {
  return isDeadDomain ? DEAD_DOMAIN_DAYS : null;
}
