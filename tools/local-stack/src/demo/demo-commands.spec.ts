import { readFileSync } from 'node:fs';
import path from 'node:path';
import { emptyReport, readProvisioningFile } from '@heliograph/provision';
import { findDemoCall } from './demo-call';
import { findDemoChat } from './demo-chat';
import { demoChatCommands, demoCommands } from './demo-commands';
import { findDemoEmail } from './demo-email';

const demoFile = readFileSync(path.join(__dirname, '../../demo.yaml'), 'utf8');
const read = (yaml: string) => readProvisioningFile(yaml, 'file.yaml').file;

describe('the demo call', () => {
  it('is found in the demo file', () => {
    expect(findDemoCall(read(demoFile), emptyReport())).toEqual({
      organization: 'demo',
      key: 'msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001',
      from: 'DEMOIN',
      to: '+918123456789',
      template: 'otp',
      variables: { code: '123456' },
    });
  });

  it('is null if nothing can be sent', () => {
    expect(findDemoCall(read(''), emptyReport())).toBeNull();
    expect(findDemoCall(read('organizations: [{ slug: acme }]'), emptyReport())).toBeNull();
  });
});

describe('the demo email', () => {
  const organization = (email: string, keys = '[{ name: all, key: msg_live_0123456789abcdefghijABCDEFGHIJ01 }]') =>
    read(`organizations: [{ slug: acme, apiKeys: ${keys}, email: ${email} }]`);
  const SENDER = 'senders: [{ address: hello@Acme.example }]';

  it('is found in the demo file', () => {
    expect(findDemoEmail(read(demoFile), emptyReport())).toEqual({
      key: 'msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001',
      from: 'hello@demo.example',
      to: 'ann@elsewhere.example',
      template: { slug: 'welcome', variables: { name: 'Ann' } },
    });
  });

  it('does not need a template', () => {
    const file = organization(`{ domains: [{ name: acme.example, status: verified }], ${SENDER} }`);
    expect(findDemoEmail(file, emptyReport())).toMatchObject({ from: 'hello@acme.example', template: null });
  });

  it.each([
    ['no domain', `{ ${SENDER} }`],
    ['a domain that is not verified', `{ domains: [{ name: acme.example, status: pending }], ${SENDER} }`],
    [
      'a domain whose verification has expired',
      `{ domains: [{ name: acme.example, status: verified, expiresAt: 2020-01-01T00:00:00Z }], ${SENDER} }`,
    ],
    ['a domain with the same suffix', `{ domains: [{ name: cme.example, status: verified }], ${SENDER} }`],
  ])('is null with %s', (_what, email) => {
    expect(findDemoEmail(organization(email), emptyReport())).toBeNull();
  });

  it.each([
    ['has no permission to send', "scopes: ['email:read']"],
    ['has the role viewer', 'role: viewer'],
    ['is revoked', 'revoked: true'],
    ['is expired', 'expiresAt: 2020-01-01T00:00:00Z'],
  ])('is null with a key that %s', (_what, mark) => {
    const keys = `[{ name: k, key: msg_live_0123456789abcdefghijABCDEFGHIJ01, ${mark} }]`;
    const email = `{ domains: [{ name: acme.example, status: verified }], ${SENDER} }`;
    expect(findDemoEmail(organization(email, keys), emptyReport())).toBeNull();
  });
});

describe('the demo chat message', () => {
  const organization = (more: string) => read(`organizations: [{ slug: acme, ${more} }]`);
  const KEYS = 'apiKeys: [{ name: all, key: msg_live_0123456789abcdefghijABCDEFGHIJ01 }]';

  it('is found in the demo file', () => {
    expect(findDemoChat(read(demoFile), emptyReport())).toEqual({
      key: 'msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001',
      to: '+919812345678',
    });
  });

  it('is null without a permitted key or after an opt-out', () => {
    expect(findDemoChat(organization('apiKeys: []'), emptyReport())).toBeNull();
    expect(findDemoChat(organization(KEYS.replace(' }', ", scopes: ['sms:send'] }")), emptyReport())).toBeNull();
    const consent = "chatapp: { consents: [{ number: '+919812345678', status: opted_out }] }";
    expect(findDemoChat(organization(KEYS), emptyReport())).not.toBeNull();
    expect(findDemoChat(organization(`${KEYS}, ${consent}`), emptyReport())).toBeNull();
  });

  it('responds to an inbound message in one line', () => {
    const lines = demoChatCommands('http://gateway', 'http://control', { key: 'k', to: '+1' });
    expect(lines).toHaveLength(1);
    expect(lines[0]![1]).toMatch(
      /^curl .*http:\/\/control\/platform\/inbound.* && curl .*http:\/\/gateway\/chatapp\/send/,
    );
  });
});

describe('demoCommands', () => {
  it('quotes shell and XML characters', () => {
    const call = { organization: 'o', key: 'k', from: "A'B", to: '+1', template: 'a & b', variables: { x: '<1>' } };
    const [json, query, , xml] = demoCommands('http://localhost:1', call).map(([, line]) => line);
    expect(json).toContain(`"from":"A'\\''B"`);
    expect(query).toContain(`--data-urlencode 'var.x=<1>'`);
    expect(xml).toContain('<template>a &#38; b</template>');
    expect(xml).toContain('<x>&#60;1&#62;</x>');
  });
});
