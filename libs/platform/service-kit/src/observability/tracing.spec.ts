import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createTracing, parseTraceparent, Tracing } from './tracing';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const SETTINGS = { OTEL_SDK_DISABLED: false, BUILD_VERSION: '1', ROLE: 'all' } as const;
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };

describe('the header traceparent', () => {
  it.each([
    [`00-${TRACE_ID}-${SPAN_ID}-01`, 1],
    [`00-${TRACE_ID}-${SPAN_ID}-00`, 0],
    [`cc-${TRACE_ID}-${SPAN_ID}-01-what-the-future-brings`, 1],
  ])('%s is continued', (header, traceFlags) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE_ID, spanId: SPAN_ID, traceFlags });
  });

  it.each([
    undefined,
    '',
    `00-${TRACE_ID}-${SPAN_ID}`,
    `00-${TRACE_ID}-${SPAN_ID}-01-more`,
    `ff-${TRACE_ID}-${SPAN_ID}-01`,
    `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
  ])('%s is ignored', (header) => {
    expect(parseTraceparent(header)).toBeNull();
  });
});

describe('tracing', () => {
  it('is off without an endpoint, or if it is disabled', async () => {
    const options = { kind: 'server', parent: undefined } as const;
    for (const settings of [SETTINGS, { ...SETTINGS, ...ENDPOINT, OTEL_SDK_DISABLED: true }]) {
      const tracing = await createTracing(settings, 'one');
      expect([tracing.isOn, tracing.start('GET', options)]).toEqual([false, null]);
    }
  });

  it('begins a trace with a request, and continues that of the caller', async () => {
    const tracing = await createTracing({ ...SETTINGS, ...ENDPOINT }, 'one');
    const parent = `00-${TRACE_ID}-${SPAN_ID}-01`;
    const continued = tracing.start('GET', { kind: 'server', parent });
    expect(continued).toMatchObject({ traceId: TRACE_ID, isSampled: true });
    expect(continued?.traceparent).not.toBe(parent);
    const begun = tracing.start('GET', { kind: 'server', parent: 'no header' });
    expect(parseTraceparent(begun?.traceparent)).toMatchObject({ traceId: begun?.traceId });
    expect(begun?.traceId).not.toBe(TRACE_ID);
    expect(tracing.start('submit', { kind: 'client', parent: undefined })).toBeNull();
  });

  it('knows the span of a request until its end, also if another request has the same id', async () => {
    const tracing = new Tracing(null);
    const stored: string[] = [];
    tracing.store = ({ requestId }, traceparent) => Promise.resolve(void stored.push(`${requestId} ${traceparent}`));
    const request = { organizationId: 'one', requestId: 'order-1' };
    const span = (traceparent: string) => ({ traceId: '', traceparent, isSampled: true, end: () => undefined });
    const first = span('first');
    const second = span('second');
    await tracing.startRequest(request, first);
    await tracing.startRequest(request, second);
    tracing.endRequest(request, first);
    expect(tracing.ofRequest('one', 'order-1')).toBe('second');
    expect(tracing.ofRequest('two', 'order-1')).toBeUndefined();
    tracing.endRequest(request, second);
    expect([tracing.ofRequest('one', 'order-1'), stored]).toEqual([undefined, ['order-1 first', 'order-1 second']]);
  });

  it('is the only reason to load the SDK: no source imports it at the start', () => {
    const root = path.join(__dirname, '../../../../..');
    const files = ['apps', 'libs'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true }).map((file) => path.join(root, folder, String(file))),
    );
    const importing = files
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
      .filter((file) => /^import (?!type )[^;]*'@opentelemetry\//m.test(readFileSync(file, 'utf8')));
    expect(importing).toEqual([]);
  });
});
