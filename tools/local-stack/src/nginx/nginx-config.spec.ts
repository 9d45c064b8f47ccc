import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SERVICES } from '../routes';
import { nginxConfig } from './nginx-config';
import { GATEWAY_FILES } from './write-nginx-config';

describe('the production gateway', () => {
  it.each(['static', 'dynamic'] as const)(
    'matches the route table, with %s addresses: run `npm run gateway:config` if this fails',
    (addressing) => {
      const committed = readFileSync(path.join(__dirname, '../../../..', GATEWAY_FILES[addressing]), 'utf8');
      expect(committed).toBe(nginxConfig(SERVICES, addressing));
    },
  );

  it('looks names up again only if addresses are dynamic', () => {
    const resolved = nginxConfig(SERVICES, 'dynamic').match(/server [\w-]+:3000 resolve;/g);
    expect(resolved).toHaveLength(SERVICES.length);
    expect(nginxConfig(SERVICES, 'static')).not.toMatch(/ resolve;|resolver/);
  });

  it('has upstreams only for the given services', () => {
    expect(nginxConfig(['sms-api'], 'static').match(/^upstream .*$/gm)).toEqual(['upstream sms-api {']);
    expect(nginxConfig(SERVICES, 'static').match(/proxy_pass http:\/\/chatapp-hook;/g)).toHaveLength(1);
  });

  it('matches longer prefixes first', () => {
    const all = nginxConfig(SERVICES, 'static');
    expect(all.indexOf('^/api/chatapp/webhook(')).toBeLessThan(all.indexOf('^/api/chatapp('));
  });
});
