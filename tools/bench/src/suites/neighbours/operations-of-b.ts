import { userEmail, USER_PASSWORD } from '@heliograph/bench-data';
import { HUB_SIGNATURE_HEADER } from '@heliograph/secrets';
import { chatappNumber, signedUpdate } from '../../calls/chatapp-calls';
import { EMAIL_CONTENT } from '../../calls/email-calls';
import { clientAddress, smsContent, smsNumber } from '../../calls/noise-calls';
import { question } from '../bots/content';
import { callAsB } from './calls-of-b';
import { untilTrue, type Operation } from './operations';
import { FIRST_QUIET_SENDER, QUIET_BOT, QUIET_SENDER } from './seed-neighbours';
import type { Stack } from './stack';

const CALL_EVERY_MS = 50;
const LOGIN_EVERY_MS = 100;
const DELIVERY_EVERY_MS = 250;
const IMPORT_EVERY_MS = 1_000;
const IMPORT_ROWS = 10;
/** Recipients of B have the numbers from here on. */
const FIRST_RECIPIENT = 50_000_000;
/** Clients of B have the addresses from this one on. */
const FIRST_ADDRESS = 12_000_000;

type Created = { id: string };

/** An operation that ends with the response to a call. */
function call(name: string, run: Operation['run'], everyMs = CALL_EVERY_MS): Operation {
  return { name, everyMs, endToEnd: false, run };
}

/** An operation that ends with its delivery. */
function delivery(name: string, run: Operation['run'], everyMs = DELIVERY_EVERY_MS): Operation {
  return { name, everyMs, endToEnd: true, run };
}

export function emailSend(stack: Stack): Operation {
  return call('send an email', async (number, signal) => {
    await sendEmail(stack, number, signal);
  });
}

export function emailList(stack: Stack): Operation {
  return call('list emails', async (number, signal) => {
    await callAsB(`${stack.urlOf('email-api', number)}/api/v1/email/messages?limit=20`, undefined, {}, signal);
  });
}

export function emailDelivery(stack: Stack): Operation {
  return delivery('an email is sent', async (number, signal) => {
    const { id } = await sendEmail(stack, number, signal);
    await untilTrue(
      () => stack.hasRow(`SELECT FROM email.recipients WHERE message_id = $1 AND state = 'sent'`, [id]),
      signal,
    );
  });
}

export function smsSend(stack: Stack): Operation {
  return call('send an SMS', async (number, signal) => {
    await sendSms(stack, number, signal);
  });
}

export function smsDelivery(stack: Stack): Operation {
  return delivery('an SMS is sent', async (number, signal) => {
    const { id } = await sendSms(stack, number, signal);
    await untilTrue(
      () => stack.hasRow(`SELECT FROM sms.messages WHERE id = $1 AND status IN ('sent', 'delivered')`, [id]),
      signal,
    );
  });
}

export function contactCreation(stack: Stack): Operation {
  return call('create a contact', async (number, signal) => {
    await createContact(stack, number, signal);
  });
}

export function contactList(stack: Stack): Operation {
  return call('list contacts', async (number, signal) => {
    await callAsB(`${stack.urlOf('account-api', number)}/api/v1/contacts?limit=20`, undefined, {}, signal);
  });
}

/** The event of a new contact in the feed of B. */
export function eventInFeed(stack: Stack): Operation {
  return delivery('an event is in the feed', async (number, signal) => {
    const { id } = await createContact(stack, number, signal);
    await untilTrue(() => hasEvent(stack, 'contact.created', id), signal);
  });
}

/** The event of a new contact at the endpoint of B. */
export function webhookDelivery(stack: Stack): Operation {
  return delivery('a webhook is delivered', async (number, signal) => {
    const { id } = await createContact(stack, number, signal);
    await untilTrue(
      () =>
        stack.hasRow(
          `SELECT FROM webhooks.deliveries AS d JOIN webhooks.events AS e ON e.id = d.event_id
           WHERE d.organization_id = $1 AND d.status = 'delivered' AND e.body::text LIKE '%' || $2 || '%'`,
          [stack.neighbours.b.organizationId, id],
        ),
      signal,
    );
  });
}

/** An inbound chat message, from the webhook of the provider to the feed of B. */
export function inboundChat(stack: Stack): Operation {
  return delivery('an inbound chat message is in the feed', async (number, signal) => {
    const sender = FIRST_QUIET_SENDER + number;
    const { body, signature } = signedUpdate(sender);
    const url = `${stack.urlOf('chatapp-hook', number)}/api/chatapp/webhook`;
    await callAsB(url, body, { [HUB_SIGNATURE_HEADER]: signature }, signal);
    // Each sender writes once.
    await untilTrue(() => hasEvent(stack, 'chatapp.message.received', `"+${chatappNumber(sender)}"`), signal);
  });
}

export function login(stack: Stack): Operation {
  const run: Operation['run'] = async (number, signal) => {
    await callAsB(
      `${stack.urlOf('account-api', number)}/api/auth/login`,
      { email: userEmail(0), password: USER_PASSWORD },
      { 'x-forwarded-for': clientAddress(FIRST_ADDRESS + number) },
      signal,
    );
  };
  return call('log in', run, LOGIN_EVERY_MS);
}

export function contactImport(stack: Stack): Operation {
  const run: Operation['run'] = async (number, signal) => {
    const url = `${stack.urlOf('account-api', number)}/api/v1/contacts/import`;
    const contacts = Array.from({ length: IMPORT_ROWS }, (_, row) => ({
      email: `row-${number}-${row}@quiet.example`,
      first_name: `Row ${row}`,
    }));
    const { id } = await callAsB<Created>(url, { contacts }, {}, signal);
    await untilTrue(
      () => stack.hasRow(`SELECT FROM contacts.imports WHERE id = $1 AND status = 'completed'`, [id]),
      signal,
    );
  };
  return delivery(`an import of ${IMPORT_ROWS} rows is completed`, run, IMPORT_EVERY_MS);
}

/** A question to the bot of B, each in a conversation of its own, because the turns of one conversation follow one another. */
export function botTurn(stack: Stack): Operation {
  return call('ask a bot', async (number, signal) => {
    const url = `${stack.urlOf('bot-runtime', number)}/api/v1/chat/conversations`;
    const body = { botId: QUIET_BOT, channel: 'web', message: question(number).text, client: { platform: 'web' } };
    await callAsB(url, body, {}, signal);
  });
}

function sendEmail(stack: Stack, number: number, signal: AbortSignal): Promise<Created> {
  const body = { from: QUIET_SENDER, to: `reader-${number}@quiet-readers.example`, ...EMAIL_CONTENT };
  return callAsB<Created>(`${stack.urlOf('email-api', number)}/api/v1/email/send`, body, {}, signal);
}

function sendSms(stack: Stack, number: number, signal: AbortSignal): Promise<Created> {
  const body = { ...smsContent(number), to: smsNumber(FIRST_RECIPIENT + number) };
  return callAsB<Created>(`${stack.urlOf('sms-api', number)}/api/v1/sms/send`, body, {}, signal);
}

function createContact(stack: Stack, number: number, signal: AbortSignal): Promise<Created> {
  const body = { email: `contact-${number}@quiet.example`, first_name: 'Quiet' };
  return callAsB<Created>(`${stack.urlOf('account-api', number)}/api/v1/contacts`, body, {}, signal);
}

/** Whether the feed of B has an event of a type whose body contains a text. */
function hasEvent(stack: Stack, type: string, text: string): Promise<boolean> {
  return stack.hasRow(
    `SELECT FROM webhooks.events WHERE organization_id = $1 AND type = $2 AND body::text LIKE '%' || $3 || '%'`,
    [stack.neighbours.b.organizationId, type, text],
  );
}
