import { address, id, oneOf } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

const TYPES = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'];

/** Events of emails. The time range applies to the events, which are sorted by their email. */
export const EMAIL_EVENTS: KeysetOptions = {
  columns: {
    message_id: 'm.id',
    to: 'e.address',
    type: 'e.type',
    url: 'e.url',
    reason: 'e.reason',
    campaign_id: 'm.campaign_id',
    occurred_at: 'e.occurred_at',
  },
  filters: {
    type: oneOf('e.type', TYPES),
    to: address((value) => `lower(e.address) = ${value}`),
    message_id: id('m.id'),
    campaign_id: id('m.campaign_id'),
  },
  // OFFSET prevents the planner from joining all events with all emails.
  from: `email.messages AS m
    CROSS JOIN LATERAL (
      SELECT e.id, e.type, e.url, e.reason, e.occurred_at, r.address FROM email.events AS e
      JOIN email.recipients AS r ON r.message_id = e.message_id AND r.position = e.position
      WHERE e.message_id = m.id OFFSET 0) AS e`,
  id: 'm.id',
  tieBreaker: 'e.id',
  time: 'e.occurred_at',
  isTimeLater: true,
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

export const emailEvents = keysetSource(EMAIL_EVENTS);
