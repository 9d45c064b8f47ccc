import { benchKey } from '@heliograph/bench-data';
import { EMAIL_CONTENT, EMAIL_SENDER } from '../../../calls/email-calls';
import { smsBulk } from '../../../calls/noise-calls';
import { callV1, importContacts } from '../../../import-contacts';
import type { NeighboursCase } from '../neighbours-case';
import { countedBy, countWork, startCalls, untilAdmitted } from '../noise';
import { emailDelivery, inboundChat, smsDelivery } from '../operations-of-b';
import type { Stack } from '../stack';

const BULK = 1_000;
const QUEUED_EMAILS = 2_000;
const CAMPAIGN_CONTACTS = 2_000;
const QUEUED_SMS = 15_000;
const BULK_CONNECTIONS = 2;
const INBOUND_PER_SECOND = 1_000;
const INBOUND_CONNECTIONS = 50;
/** The numbers of messages of a case start here, so that they differ from those of the calls. */
const FIRST_SMS = 10_000_000;

export const QUEUE_CASES: readonly NeighboursCase[] = [
  {
    row: 4,
    noise: `${QUEUED_EMAILS} queued emails and a campaign to ${CAMPAIGN_CONTACTS} contacts`,
    unit: 'emails',
    services: ['email-api', 'email-worker', 'account-api', 'account-worker'],
    prepare: (stack) => importCampaignContacts(stack),
    start: async (stack) => {
      for (let first = 0; first < QUEUED_EMAILS; first += BULK) await queueEmails(stack, first);
      await startCampaign(stack);
      return countWork(
        stack,
        `SELECT count(*) FROM email.recipients AS r JOIN email.messages AS m ON m.id = r.message_id
         WHERE m.organization_id = $1 AND r.state = 'sent'`,
      );
    },
    operations: (stack) => [emailDelivery(stack)],
  },
  {
    row: 5,
    noise: `${QUEUED_SMS} queued SMS, and more`,
    unit: 'SMS',
    services: ['sms-api', 'sms-worker'],
    start: async (stack) => {
      for (let first = 0; first < QUEUED_SMS; first += BULK) {
        await callAsA(`${stack.urlOf('sms-api', first)}/api/v1/sms/bulk`, smsBulk(FIRST_SMS + first, BULK));
      }
      const sent = countWork(
        stack,
        `SELECT count(*) FROM sms.messages WHERE organization_id = $1 AND status IN ('sent', 'delivered')`,
      );
      const more = await startCalls(stack, {
        service: 'sms-api',
        kind: 'smsBulks',
        path: '/api/v1/sms/bulk',
        connections: BULK_CONNECTIONS,
      });
      return countedBy(sent, more);
    },
    operations: (stack) => [smsDelivery(stack)],
  },
  {
    row: 7,
    noise: `${INBOUND_PER_SECOND} inbound chat messages per second`,
    unit: 'events in the feed',
    services: ['chatapp-hook', 'chatapp-worker', 'account-worker'],
    start: async (stack) => {
      const stored = countWork(stack, 'SELECT count(*) FROM webhooks.events WHERE organization_id = $1');
      const calls = await startCalls(stack, {
        service: 'chatapp-hook',
        kind: 'updates',
        path: '/api/chatapp/webhook',
        connections: INBOUND_CONNECTIONS,
        perSecond: INBOUND_PER_SECOND,
      });
      return countedBy(stored, calls);
    },
    operations: (stack) => [inboundChat(stack)],
  },
];

async function importCampaignContacts(stack: Stack): Promise<void> {
  const [port = 0] = stack.portsOf('account-api');
  await importContacts(port, benchKey(0), { rows: CAMPAIGN_CONTACTS });
}

async function queueEmails(stack: Stack, first: number): Promise<void> {
  const recipients = Array.from({ length: BULK }, (_, index) => ({ to: `queued-${first + index}@elsewhere.example` }));
  await callAsA(`${stack.urlOf('email-api', first)}/api/v1/email/bulk`, {
    from: EMAIL_SENDER,
    ...EMAIL_CONTENT,
    recipients,
  });
}

async function startCampaign(stack: Stack): Promise<void> {
  await callAsA(`${stack.urlOf('email-api', 0)}/api/v1/email/campaigns`, {
    name: 'Bench',
    from: EMAIL_SENDER,
    audience: { filter: {} },
    ...EMAIL_CONTENT,
  });
}

async function callAsA(url: string, body: object): Promise<void> {
  await untilAdmitted(() => callV1(url, benchKey(0), { body: JSON.stringify(body), type: 'application/json' }));
}
