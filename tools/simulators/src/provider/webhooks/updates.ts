import { createHash } from 'node:crypto';
import { z } from 'zod';
import { numberSchema } from '../../control-body';
import { digitsOf } from '../../digits';
import { newMessageId } from '../messages/message-id';
import type { SentMessage } from '../messages/sent-messages';

const id = z.string().min(1).max(512);
/** Unix seconds; also as a string, as in webhooks. */
const timestamp = z
  .union([
    z.number().min(0).max(1e11),
    z
      .string()
      .regex(/^\d{1,11}$/)
      .transform(Number),
  ])
  .transform(Math.floor)
  .optional();

export const inboundSchema = z.strictObject({
  from: numberSchema,
  /** As in webhooks, such as `{type: 'text', text: {body: 'hello'}}`. */
  message: z.looseObject({ type: z.string().min(1) }),
  /** Default: a new id. */
  id: id.optional(),
  timestamp,
  /** The name in the sender's profile. */
  name: z.string().min(1).optional(),
});

export const statusSchema = z.strictObject({
  /** The id of a message, which need not exist. */
  id,
  /** `sent`, `delivered`, `read`, `failed` or any other string. */
  status: z.string().min(1),
  errors: z.array(z.record(z.string(), z.unknown())).optional(),
  timestamp,
  /** Default: that of the message. */
  recipient: numberSchema.optional(),
  /** Default: that of the message. */
  callbackData: z.string().optional(),
});

export type InboundInput = z.output<typeof inboundSchema>;
export type StatusInput = z.output<typeof statusSchema>;

/** An entry of `messages` with its profile. */
export interface InboundMessage {
  kind: 'message';
  id: string;
  from: string;
  atMs: number;
  contact: Readonly<Record<string, unknown>>;
  entry: Readonly<Record<string, unknown>>;
}

/** An entry of `statuses`. */
export interface MessageStatus {
  kind: 'status';
  id: string;
  entry: Readonly<Record<string, unknown>>;
}

export type Update = InboundMessage | MessageStatus;

export function inboundMessage(input: InboundInput, now: Date): InboundMessage {
  const from = digitsOf(input.from);
  const messageId = input.id ?? newMessageId();
  const seconds = input.timestamp ?? secondsOf(now);
  return {
    kind: 'message',
    id: messageId,
    from,
    atMs: seconds * 1_000,
    contact: { profile: { name: input.name ?? `Customer ${from.slice(-4)}` }, wa_id: from },
    entry: { ...input.message, from, id: messageId, timestamp: String(seconds) },
  };
}

/** `message` is the sent message with that id, if there is one. */
export function messageStatus(input: StatusInput, message: SentMessage | undefined, now: Date): MessageStatus {
  const { id: messageId, status, errors } = input;
  const seconds = input.timestamp ?? secondsOf(now);
  const callbackData = input.callbackData ?? message?.callbackData;
  return {
    kind: 'status',
    id: messageId,
    entry: {
      id: messageId,
      status,
      timestamp: String(seconds),
      recipient_id: input.recipient === undefined ? (message?.waId ?? '') : digitsOf(input.recipient),
      ...(callbackData == null ? {} : { biz_opaque_callback_data: callbackData }),
      ...(message && (status === 'sent' || status === 'delivered') ? billing(message, status, seconds) : {}),
      ...(errors ? { errors } : {}),
    },
  };
}

/** The conversation and the price in `sent` and `delivered`. */
function billing({ waId, category }: SentMessage, status: string, seconds: number): Record<string, unknown> {
  const expiry = status === 'sent' ? { expiration_timestamp: String(seconds + 24 * 3_600) } : {};
  return {
    conversation: {
      id: createHash('sha256').update(`${waId} ${category}`).digest('hex').slice(0, 32),
      ...expiry,
      origin: { type: category },
    },
    pricing: { billable: true, pricing_model: 'CBP', category },
  };
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
