import fc from 'fast-check';
import { ROUTES_BY_LENGTH } from '../routes';
import { findRoute } from './find-route';

describe('findRoute', () => {
  it.each([
    ['/sms', 'sms-api'],
    ['/sms/send', 'sms-api'],
    ['/sms?to=1', 'sms-api'],
    ['/sms/', 'sms-api'],
    ['/sms/send?x=/../y', 'sms-api'],
    ['/api/sms/send', 'sms-api'],
    ['/api/me', 'sms-api'],
    ['/api/v1/sms/send', 'sms-api'],
    ['/api/v1/email/send', 'email-api'],
    ['/api/v1/chat/conversations', 'bot-runtime'],
    ['/c/acme-help', 'bot-runtime'],
    ['/chatapp/send', 'chatapp-api'],
    ['/api/chatapp/webhook', 'chatapp-hook'],
    ['/api/chatapp/webhook/', 'chatapp-hook'],
    ['/api/chatapp/webhooks', 'chatapp-api'],
    ['/api/v1/webhooks/1/logs', 'account-api'],
    ['/api/v1/openapi.json', 'account-api'],
    ['/console', 'account-api'],
    ['/console/login', 'account-api'],
    ['/docs', 'account-api'],
    ['/docs/sms-api/openapi.json', 'account-api'],
    ['/api/webhooks/payments', 'billing-hook'],
    ['/chatapp/templates/a.b', 'chatapp-api'],
    ['/chatapp/templates/...', 'chatapp-api'],
    ['/chatapp/media/a%2Fb', 'chatapp-api'],
  ])('routes %s to %s', (target, service) => {
    expect(findRoute(target)?.service).toBe(service);
  });

  it.each([
    '/',
    '',
    '*',
    '/smsx',
    '/sms.json',
    '/SMS/send',
    '/%73ms/send',
    '//sms/send',
    '/api',
    '/api/v1',
    '/api/v2/sms',
    '/api/webhooks',
    '/sms/../email/send',
    '/sms/..',
    '/sms/.',
    '/sms/./send',
    '/sms/%2e%2e/email',
    '/sms/.%2E/email',
    '/sms\\..\\email',
    '/sms/..%5cemail',
    'http://elsewhere/sms/send',
  ])('does not route %s', (target) => {
    expect(findRoute(target)).toBeNull();
  });

  it('routes a path only to the service of its prefix', () => {
    const piece = fc.constantFrom(
      'sms',
      'api',
      'v1',
      'chatapp',
      'webhook',
      '..',
      '.',
      '%2e',
      '',
      'x',
      'email',
      '\\',
      'c',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const path = `/${pieces.join('/')}`;
        const route = findRoute(path);
        if (route === null) return;
        const resolved = new URL(path, 'http://host').pathname;
        const owners = ROUTES_BY_LENGTH.filter(({ prefix }) => `${resolved}/`.startsWith(`${prefix}/`));
        expect(owners[0]?.service).toBe(route.service);
      }),
    );
  });
});
