import { z } from 'zod';
import { ModelFailure } from './model-failure';

/** An event in a stream of chat completions. */
export type StreamPart =
  | { kind: 'text'; text: string }
  /** Tokens of the question and the answer together. */
  | { kind: 'usage'; tokens: number }
  /** A chunk without text, such as reasoning. */
  | { kind: 'sign-of-life' }
  | { kind: 'end'; reason: string };

const MAX_LINE_CHARACTERS = 256_000;
const MAX_BYTES = 4_000_000;
const MAX_TOKENS = 100_000_000;

const usage = z.object({ total_tokens: z.number().int().min(0).max(MAX_TOKENS) });
const choice = z.object({
  delta: z.object({ content: z.string().nullish() }).nullish(),
  message: z.object({ content: z.string().nullish() }).nullish(),
  finish_reason: z.string().nullish(),
});
const chunk = z.object({
  choices: z.array(choice).default([]),
  usage: usage.nullish().catch(null),
  error: z.unknown().optional(),
});

/**
 * Parses a `text/event-stream` of chat completions. Ends with `[DONE]`, or with the stream after a finish reason.
 * Throws ModelFailure: `malformed`, `cut` for a stream that ends early, `too-large`.
 */
export async function* readStream(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamPart> {
  let isEnded = false;
  for await (const line of linesOf(bytes)) {
    // Comments, event names, ids and blank lines are ignored.
    if (!line.startsWith('data:')) continue;
    const data = line.slice('data:'.length).trim();
    if (data === '[DONE]') return;
    if (data === '') continue;
    for (const part of partsOf(data)) {
      isEnded ||= part.kind === 'end';
      yield part;
    }
  }
  if (!isEnded) throw new ModelFailure('cut');
}

/** Parses the JSON response of an endpoint that does not support streaming. Throws ModelFailure. */
export async function* readWhole(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamPart> {
  let text = '';
  for await (const line of linesOf(bytes)) text += `${line}\n`;
  yield* partsOf(text);
}

function* partsOf(data: string): Generator<StreamPart> {
  const parsed = chunk.safeParse(parse(data));
  if (!parsed.success || (parsed.data.error !== undefined && parsed.data.error !== null)) {
    throw new ModelFailure('malformed');
  }
  const { choices, usage: used } = parsed.data;
  const [first] = choices;
  if (first) {
    const text = first.delta?.content ?? first.message?.content ?? '';
    yield text === '' ? { kind: 'sign-of-life' } : { kind: 'text', text };
    if (first.finish_reason) yield { kind: 'end', reason: first.finish_reason };
  }
  if (used) yield { kind: 'usage', tokens: used.total_tokens };
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let rest = '';
  for await (const part of bytes) {
    size += part.length;
    if (size > MAX_BYTES) throw new ModelFailure('too-large');
    const lines = decoder.decode(part, { stream: true }).split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) throw new ModelFailure('too-large');
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}
