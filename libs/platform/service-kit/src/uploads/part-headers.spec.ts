import { PartHeaders } from './part-headers';

const form = (...parts: [headers: string, content: string][]) =>
  Buffer.from(
    `${parts.map(([headers, content]) => `--b\r\n${headers}\r\n\r\n${content}\r\n`).join('')}--b--\r\n${'e'.repeat(9_000)}`,
  );
const header = (size: number): string => `X: ${'x'.repeat(size - 3 - '\r\n'.length)}`;

describe('the headers of parts', () => {
  const isAccepted = (body: Buffer, chunkSize: number): boolean => {
    const headers = PartHeaders.of('multipart/form-data; boundary="b"')!;
    for (let start = 0; start < body.length; start += chunkSize) {
      if (!headers.accept(body.subarray(start, start + chunkSize))) return false;
    }
    return true;
  };

  it.each([1, 2, 3, 5, 7, 4_099, 100_000])('are measured in chunks of %d bytes', (chunkSize) => {
    const long = '--b \r\n-- '.repeat(1_000);
    for (const [parts, expected] of [
      [[[header(4_096), 'text']], true],
      [[[header(4_097), 'text']], false],
      [
        [
          ['A: b', long],
          [header(4_096), ''],
        ],
        true,
      ],
      [
        [
          ['A: b', long],
          [header(4_097), ''],
        ],
        false,
      ],
      [
        [
          ['A: b', ''],
          ['A: b', '\r\n\r\n'],
          [header(4_097), ''],
        ],
        false,
      ],
      [
        [
          ['A: b', 'a'.repeat(9_000)],
          ['A: b', `${'\r\n'.repeat(4_000)}`],
        ],
        true,
      ],
    ] as [[string, string][], boolean][]) {
      expect(isAccepted(form(...parts), chunkSize)).toBe(expected);
    }
  });

  it.each([
    ['multipart/form-data; boundary=b', true],
    ['multipart/form-data; charset=utf-8; Boundary="b"', true],
    ['multipart/form-data', false],
    ['form-data', false],
  ])('need a boundary: %s', (contentType, expected) => {
    expect(PartHeaders.of(contentType) !== null).toBe(expected);
  });
});
