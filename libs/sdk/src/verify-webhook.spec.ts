import { Webhook } from 'standardwebhooks';
import { signWebhook, verifyWebhook, WebhookVerificationError } from './index';

const SECRET = `whsec_${Buffer.from('a'.repeat(32)).toString('base64')}`;
const OTHER = `whsec_${Buffer.from('b'.repeat(32)).toString('base64')}`;
const BODY = JSON.stringify({ id: 'evt_1', type: 'sms.delivered', data: { text: 'Zürich €' } });

/** Headers of the reference implementation. */
function headersOf(body = BODY, secret = SECRET, at = new Date()): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  };
}

describe('verifyWebhook', () => {
  it('accepts what the reference implementation signs, with headers of any kind', async () => {
    expect(await verifyWebhook(BODY, headersOf(), SECRET)).toMatchObject({ id: 'evt_1', type: 'sms.delivered' });
    expect(await verifyWebhook(new TextEncoder().encode(BODY), new Headers(headersOf()), SECRET)).toMatchObject({
      id: 'evt_1',
    });
    const upper = Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name.toUpperCase(), [value]]));
    await expect(verifyWebhook(BODY, upper, [OTHER, SECRET])).resolves.toBeDefined();
  });

  it('accepts one of several signatures while the secret is rotated', async () => {
    const headers = headersOf();
    const both = `${headersOf(BODY, OTHER)['webhook-signature']} v2,xx ${headers['webhook-signature']}`;
    await expect(verifyWebhook(BODY, { ...headers, 'webhook-signature': both }, SECRET)).resolves.toBeDefined();
  });

  it.each([
    ['another body', `${BODY} `, headersOf(), SECRET, 'No signature matches'],
    ['another secret', BODY, headersOf(), OTHER, 'No signature matches'],
    ['an old delivery', BODY, headersOf(BODY, SECRET, new Date(Date.now() - 400_000)), SECRET, 'seconds old'],
    ['a future delivery', BODY, headersOf(BODY, SECRET, new Date(Date.now() + 400_000)), SECRET, 'in the future'],
    ['no headers', BODY, {}, SECRET, 'webhook-id is missing'],
    ['a secret of another kind', BODY, headersOf(), 'msg_live_key', 'starts with whsec_'],
    ['a timestamp that is no number', BODY, { ...headersOf(), 'webhook-timestamp': 'now' }, SECRET, 'not a number'],
    ['a signature that is no base64', BODY, { ...headersOf(), 'webhook-signature': 'v1,*' }, SECRET, 'No signature'],
    ['a parsed body', JSON.parse(BODY) as string, headersOf(), SECRET, 'Pass the raw body'],
  ])('refuses %s', async (_, body, headers, secret, message) => {
    const failure = await verifyWebhook(body, headers, secret).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WebhookVerificationError);
    expect((failure as Error).message).toContain(message);
  });
});

describe('signWebhook', () => {
  it('signs as the platform does', async () => {
    const headers = await signWebhook(BODY, SECRET, { id: 'evt_1' });
    expect(new Webhook(SECRET).verify(BODY, headers)).toMatchObject({ id: 'evt_1' });
  });
});
