import { request, type IncomingMessage } from 'node:http';
import { chatappApi } from '@heliograph/chatapp-api';
import { ProviderSimulator } from '@heliograph/simulators';
import {
  createTestDatabase,
  startTestService,
  TenantFactory,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import { GatewayFixture } from './gateway.fixture';

const MB = 1_000_000;
const BOUNDARY = 'a-boundary-of-the-tests';
const BEFORE = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
);
const AFTER = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

interface Answer {
  status: number;
  contentType: string;
  body: unknown;
}

describe('a media upload through the production gateway', () => {
  let database: TestDatabase;
  let tenants: TenantFactory;
  let provider: ProviderSimulator;
  let service: TestService;
  let gateway: GatewayFixture;
  let key: string;
  beforeAll(async () => {
    database = await createTestDatabase(chatappApi.migrations);
    tenants = await TenantFactory.connect(database.url);
    provider = new ProviderSimulator();
    await provider.start();
    const { accessToken, phoneNumberId, businessAccountId } = provider.account;
    service = await startTestService(chatappApi, database.url, {
      CHATAPP_GRAPH_URL: provider.url,
      CHATAPP_ACCESS_TOKEN: accessToken,
      CHATAPP_PHONE_NUMBER_ID: phoneNumberId,
      CHATAPP_BUSINESS_ACCOUNT_ID: businessAccountId,
    });
    const { id } = await tenants.organization();
    await tenants.workspace(id);
    key = await tenants.key(id);
    gateway = await GatewayFixture.start({ upstreamPort: Number(new URL(service.url).port) });
  });
  afterAll(async () => {
    await gateway.stop();
    await service.stop();
    await provider.stop();
    await tenants.close();
    await database.drop();
  });

  /**
   * Writes until a response arrives. A connection that breaks during the upload may still have delivered a response.
   */
  async function upload(fileBytes: number, hasLength: boolean): Promise<Answer> {
    const length = BEFORE.length + fileBytes + AFTER.length;
    const call = request(`http://127.0.0.1:${gateway.port}/chatapp/media`, {
      method: 'POST',
      agent: false,
      headers: {
        'X-API-Key': key,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        ...(hasLength ? { 'Content-Length': length } : {}),
      },
    });
    let isAnswered = false;
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      call.once('response', (response) => {
        isAnswered = true;
        resolve(response);
      });
      call.on('error', (error) => {
        isAnswered = true;
        reject(error);
      });
    });
    answered.catch(() => undefined);
    const chunk = Buffer.alloc(MB);
    call.write(BEFORE);
    for (let sent = 0; sent < fileBytes && !isAnswered; sent += MB) {
      if (call.write(chunk.subarray(0, Math.min(MB, fileBytes - sent)))) continue;
      await Promise.race([new Promise((resolve) => call.once('drain', resolve)), answered.catch(() => null)]);
    }
    if (!isAnswered) call.end(AFTER);
    const response = await answered;
    const received: Buffer[] = [];
    for await (const part of response) received.push(part as Buffer);
    call.destroy();
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers['content-type'] ?? '',
      body: JSON.parse(Buffer.concat(received).toString()),
    };
  }

  it.each([
    ['91 MiB', 91 * 1_024 * 1_024, true],
    ['102 MiB', 102 * 1_024 * 1_024, true],
    ['102 MiB of unknown length', 102 * 1_024 * 1_024, false],
    ['600 MB', 600 * MB, true],
    ['600 MB of unknown length', 600 * MB, false],
  ])('of %s gets 400 MEDIA_TOO_LARGE in the format of the API', async (_, fileBytes, hasLength) => {
    const { status, contentType, body } = await upload(fileBytes, hasLength);
    expect([status, body]).toEqual([
      400,
      { code: 'MEDIA_TOO_LARGE', message: expect.stringContaining('90') as string },
    ]);
    expect(contentType).toContain('application/json');
  });

  it('of 90 MiB is accepted', async () => {
    expect(await upload(90 * 1_024 * 1_024, true)).toMatchObject({
      status: 200,
      body: { id: expect.any(String) as string },
    });
  });
});
