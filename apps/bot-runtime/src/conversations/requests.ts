import { BOT_CHANNELS, type BotChannel, type ClientContext } from '@heliograph/bot-conversations';
import { AppError, type ErrorCode } from '@heliograph/errors';
import { isJsonObject } from '@heliograph/service-kit';
import type { Action } from '../replies/reply';

/** In code points. */
export const MAX_MESSAGE_LENGTH = 4_000;
const MAX_CONTEXT_LENGTH = 2_000;
/** A visible character. */
const SHOWN = /[^\s\p{Cc}\p{Cf}]/u;
const CONTEXT_FIELDS = ['platform', 'pageUrl', 'referrer', 'language'] as const;

export interface StartRequest {
  /** Null for an id that no bot can have. */
  botId: string | null;
  channel: BotChannel;
  message: string | null;
  client: Pick<ClientContext, (typeof CONTEXT_FIELDS)[number]>;
}

export interface MessageRequest {
  message: string;
  action: Action | null;
}

type Fields = Record<string, unknown>;

/** Validates the body of a start. Null counts as absent. Throws INVALID_REQUEST, EMPTY_MESSAGE, MESSAGE_TOO_LONG. */
export function readStart(fields: Fields): StartRequest {
  const { botId, channel, message, client } = own(fields);
  if (botId !== undefined && typeof botId !== 'string') {
    throw new AppError('INVALID_REQUEST', 'botId is required: the public id of a bot.');
  }
  return {
    botId: botId !== undefined && isText(botId) ? botId : null,
    channel: readChannel(channel),
    message: message === undefined ? null : readMessageText(message),
    client: readClient(client),
  };
}

/** Validates the body of a message. Throws EMPTY_MESSAGE, MESSAGE_TOO_LONG, INVALID_ACTION. */
export function readMessage(fields: Fields): MessageRequest {
  const { message, action } = own(fields);
  return { message: readMessageText(message), action: action === undefined ? null : readAction(action) };
}

/** Validates the body of a rating. Throws INVALID_RATING, INVALID_REQUEST, MESSAGE_TOO_LONG. */
export function readFeedback(fields: Fields): { rating: number; feedback: string | null } {
  const { rating, message } = own(fields);
  if (typeof rating !== 'number' || !Number.isInteger(rating) || rating < 1 || rating > 5) {
    throw new AppError('INVALID_RATING', 'rating must be a whole number from 1 to 5.');
  }
  if (message === undefined) return { rating, feedback: null };
  const text = textOf(message, 'INVALID_REQUEST');
  return { rating, feedback: text.trim() === '' ? null : text };
}

/** The fields of a body without null values. */
function own(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function readMessageText(message: unknown): string {
  const text = textOf(message, 'EMPTY_MESSAGE');
  if (!SHOWN.test(text)) throw new AppError('EMPTY_MESSAGE', 'message is empty. Enter a text.');
  return text;
}

function textOf(value: unknown, code: ErrorCode): string {
  if (!isText(value)) {
    throw new AppError(code, 'message must be text without NUL characters and lone surrogates.');
  }
  // Checks an upper bound first, because counting the code points of a megabyte is expensive.
  if (value.length > 2 * MAX_MESSAGE_LENGTH || [...value].length > MAX_MESSAGE_LENGTH) {
    throw new AppError(
      'MESSAGE_TOO_LONG',
      `message must have at most ${MAX_MESSAGE_LENGTH} characters. Shorten or split it.`,
    );
  }
  return value;
}

function readAction(action: unknown): Action {
  if (isJsonObject(action)) {
    const { type, id, command } = action;
    if (type === 'faq' && isText(id)) return { type, id };
    if (type === 'shortcut' && isText(id) && isText(command)) return { type, id, command };
  }
  throw new AppError(
    'INVALID_ACTION',
    'action must be {type: "faq", id} or {type: "shortcut", id, command}, as in a quick reply or shortcut.',
  );
}

function readChannel(channel: unknown): BotChannel {
  if (channel === undefined) return 'web';
  const known = BOT_CHANNELS.find((name) => name === channel);
  if (!known) throw new AppError('INVALID_REQUEST', `channel must be one of ${BOT_CHANNELS.join(', ')}.`);
  return known;
}

function readClient(client: unknown): StartRequest['client'] {
  if (client === undefined) return {};
  if (!isJsonObject(client)) throw new AppError('INVALID_REQUEST', 'client must be an object.');
  const context: StartRequest['client'] = {};
  for (const name of CONTEXT_FIELDS) {
    const value = Object.hasOwn(client, name) ? client[name] : null;
    if (value === null) continue;
    if (!isText(value)) throw new AppError('INVALID_REQUEST', `client.${name} must be text without NUL characters.`);
    // Truncates at a code point boundary.
    context[name] = [...value.slice(0, 2 * MAX_CONTEXT_LENGTH)].slice(0, MAX_CONTEXT_LENGTH).join('').toWellFormed();
  }
  return context;
}

/** Text that PostgreSQL can store. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}
