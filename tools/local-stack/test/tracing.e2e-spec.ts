import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@heliograph/testing';
import { AllServices } from './all-services';

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  service: string;
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<ReceivedSpan, 'service'>[] }[];
  }[];
}

/** A collector that keeps what it receives (OTLP over HTTP, JSON). */
class Collector {
  readonly spans: ReceivedSpan[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') this.add(JSON.parse(Buffer.concat(chunks).toString()) as ExportRequest);
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  ofTrace(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private add({ resourceSpans }: ExportRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const { spans } of scopeSpans) this.spans.push(...spans.map((span) => ({ ...span, service })));
    }
  }
}

/** `parent > child` in the names of spans. */
function linksOf(spans: readonly ReceivedSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, service, name }) => [spanId, `${service} ${name}`]));
  return spans
    .map(({ parentSpanId = '', service, name }) => `${names.get(parentSpanId) ?? 'caller'} > ${service} ${name}`)
    .sort();
}

describe('the trace of a message', () => {
  const collector = new Collector();
  let services: AllServices;
  beforeAll(async () => {
    process.env['OTEL_BSP_SCHEDULE_DELAY'] = '100';
    services = await AllServices.start({ OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(), LOG_LEVEL: 'info' });
  });
  afterAll(async () => {
    delete process.env['OTEL_BSP_SCHEDULE_DELAY'];
    await services?.stop();
    await collector.stop();
  });

  const newTrace = (): { traceId: string; headers: Record<string, string>; requestId: string } => {
    const traceId = randomBytes(16).toString('hex');
    const requestId = `order-${randomUUID()}`;
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
    return { traceId, requestId, headers: { traceparent, 'X-Request-Id': requestId } };
  };
  const untilLinked = (traceId: string, expected: string[]): Promise<string[]> =>
    until(`the trace contains ${expected.join(', ')}`, () => {
      const links = linksOf(collector.ofTrace(traceId)).map((link) =>
        link.replaceAll(/(?:sms|email|billing|chatapp|account|bot)-\w+ publish/g, 'relay publish'),
      );
      return expected.every((link) => links.includes(link)) && links;
    });

  it('leads an SMS from the request over outbox and broker to the carrier, its receipt and the event log', async () => {
    const { traceId, headers, requestId } = newTrace();
    // Another organization used the same id, which only its callers know.
    const foreign = newTrace();
    await services.database.query('INSERT INTO messaging.request_traces VALUES (gen_random_uuid(), $1, $2)', [
      requestId,
      foreign.headers['traceparent'],
    ]);
    const sent = (await services.post(
      'sms-api',
      '/api/v1/sms/send',
      { to: '+919811100001', message: 'Your code is 1' },
      headers,
    )) as {
      data?: { id: string };
      id?: string;
    };
    const id = sent.id ?? sent.data?.id ?? '';
    await untilLinked(traceId, [
      'caller > sms-api POST',
      'sms-api POST > relay publish sms.queued',
      'relay publish sms.queued > sms-api process sms-api.send-single',
      'relay publish sms.queued > account-api process account-api.webhooks',
      'sms-api process sms-api.send-single > sms-api submit_sm',
      'sms-api POST > sms-api deliver_sm',
      'sms-api POST > relay publish sms.delivered',
      'relay publish sms.delivered > account-api process account-api.webhooks',
    ]);
    const timeline = await until('the timeline is complete', async () => {
      const found = (await services.get('account-api', `/api/v1/messages/${id}/timeline`)) as { status?: string };
      return found.status === 'delivered' && found;
    });
    expect(timeline).toMatchObject({ id, trace_id: traceId });
    expect(collector.ofTrace(foreign.traceId)).toEqual([]);
    const lines = services.logLines
      .map((line) => JSON.parse(line) as { requestId?: string; traceId?: string; msg: string })
      .filter((line) => line.requestId === requestId);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    expect(lines.filter((line) => line.traceId !== traceId)).toEqual([]);
  });

  it('leads an email from the request to the mail server', async () => {
    const { traceId, headers } = newTrace();
    const mail = { to: ['ann@example.com'], from: 'hello@watched.example', subject: 'Hi', text: 'Hi' };
    await services.post('email-api', '/api/v1/email/send', mail, headers);
    await untilLinked(traceId, [
      'caller > email-api POST',
      'email-api POST > relay publish email.due',
      'relay publish email.due > email-api process email-api.send-single',
      'email-api process email-api.send-single > email-api submit mail',
      'email-api POST > relay publish email.sent',
    ]);
  });

  it('is not recorded if the caller does not record it', async () => {
    const { traceId, headers } = newTrace();
    const unsampled = { ...headers, traceparent: headers['traceparent']!.replace(/01$/, '00') };
    await services.post('sms-api', '/api/v1/sms/send', { to: '+919811100002', message: 'Your code is 2' }, unsampled);
    const later = newTrace();
    await services.post(
      'sms-api',
      '/api/v1/sms/send',
      { to: '+919811100003', message: 'Your code is 3' },
      later.headers,
    );
    await untilLinked(later.traceId, ['sms-api POST > sms-api deliver_sm']);
    expect(collector.ofTrace(traceId)).toEqual([]);
    const stored = await services.database.query('SELECT FROM messaging.request_traces WHERE traceparent LIKE $1', [
      `%${traceId}%`,
    ]);
    expect(stored).toEqual([]);
  });
});
