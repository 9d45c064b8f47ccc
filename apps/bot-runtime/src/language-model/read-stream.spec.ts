import fc from 'fast-check';
import { readStream, type StreamPart } from './read-stream';

async function* bytesOf(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(typeof part === 'string' ? Buffer.from(part) : part);
}
const read = async (...parts: (string | Uint8Array)[]): Promise<StreamPart[]> => {
  const read: StreamPart[] = [];
  for await (const part of readStream(bytesOf(...parts))) read.push(part);
  return read;
};
const text = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const STOP = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
const textOf = (parts: StreamPart[]): string => parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

describe('a stream of chat completions', () => {
  it('is parsed for any division into chunks', async () => {
    const whole = Buffer.from(`: hi\r\n\r\nevent: x\r\n${text('Grüße 👋 ')}${text('नमस्ते')}${STOP}data: [DONE]\n\n`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 12 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const parts = await read(...at.slice(1).map((to, index) => whole.subarray(at[index], to)));
        expect(textOf(parts)).toBe('Grüße 👋 नमस्ते');
        expect(parts.at(-1)).toEqual({ kind: 'end', reason: 'stop' });
      }),
    );
  });

  it('reports its usage, in a separate chunk or in the last one, and ignores invalid usage', async () => {
    const used = (usage: unknown) => `data: ${JSON.stringify({ choices: [], usage })}\n`;
    expect(await read(STOP, used({ total_tokens: 7 }))).toContainEqual({ kind: 'usage', tokens: 7 });
    for (const usage of [null, {}, { total_tokens: -1 }, { total_tokens: 'x' }, 7]) {
      expect(await read(STOP, used(usage))).toHaveLength(2);
    }
  });

  it.each([
    ['malformed', ['data: {"choices": [\n']],
    ['malformed', ['data: nonsense\n']],
    ['malformed', ['data: []\n']],
    ['malformed', [text('a'), 'data: {"error":{"message":"overloaded"}}\n']],
    ['malformed', ['data: {"choices":[{"delta":{"content":7}}]}\n']],
    ['cut', []],
    ['cut', [text('a')]],
    ['cut', ['nonsense without a field\n']],
    ['too-large', [`data: ${'x'.repeat(300_000)}`]],
    ['too-large', Array.from({ length: 50 }, () => `: ${'x'.repeat(100_000)}\n`)],
  ])('is %s', async (reason, parts) => {
    await expect(read(...parts)).rejects.toMatchObject({ reason });
  });
});
