import { carrierConfigList, smppCarrierConfig } from './carrier-config';

const minimal = { name: 'one', host: 'smsc.example', systemId: 'acme' };

describe('smppCarrierConfig', () => {
  it('requires a name, a host and a system id, and has defaults for the remaining fields', () => {
    expect(smppCarrierConfig.parse(minimal)).toMatchObject({
      port: 2775,
      tls: false,
      binds: 2,
      windowSize: 50,
      throughputPerSecond: null,
      countries: ['*'],
      longMessage: 'udh',
      dltTags: { entityId: 0x1400, templateId: 0x1401, chain: 0x1402, chainValue: null },
      retryStatuses: [0x58, 0x14, 0x08],
      uncertain: { policy: 'resend', maxSubmits: 3 },
    });
  });

  it('accepts TLV tags as numbers and as hexadecimal strings', () => {
    const tags = smppCarrierConfig.parse({ ...minimal, dltTags: { entityId: '0x1500', templateId: 0x1501 } }).dltTags;
    expect(tags).toMatchObject({ entityId: 0x1500, templateId: 0x1501, chain: 0x1402 });
  });

  it.each([
    ['an unknown key', { throughput: 10 }],
    ['a nested unknown key', { dltTags: { entity: 1 } }],
    ['an invalid country', { countries: ['india'] }],
    ['a window size of 0', { windowSize: 0 }],
    ['a tag out of range', { dltTags: { entityId: '0x10000' } }],
    ['a minimum back-off above the maximum', { reconnectMinMs: 10, reconnectMaxMs: 5 }],
  ])('rejects %s', (_what, wrong) => {
    expect(smppCarrierConfig.safeParse({ ...minimal, ...wrong }).success).toBe(false);
  });

  it('rejects duplicate carrier names', () => {
    expect(carrierConfigList.safeParse([minimal, { ...minimal, name: 'two' }]).success).toBe(true);
    expect(carrierConfigList.safeParse([minimal, minimal]).error?.issues[0]?.path).toEqual([1, 'name']);
  });
});
