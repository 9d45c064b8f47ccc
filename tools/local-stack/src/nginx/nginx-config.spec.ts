import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SERVICES } from '../routes';
import { nginxConfig } from './nginx-config';

describe('the production gateway', () => {
  it('matches the route table: run `npm run gateway:config` if this fails', () => {
    const committed = readFileSync(path.join(__dirname, '../../../../deploy/nginx/gateway.conf'), 'utf8');
    expect(committed).toBe(nginxConfig(SERVICES));
  });

  it('has upstreams only for the given services', () => {
    expect(nginxConfig(['sms-api']).match(/^upstream .*$/gm)).toEqual(['upstream sms-api {']);
    expect(nginxConfig(SERVICES).match(/proxy_pass http:\/\/chatapp-hook;/g)).toHaveLength(1);
  });

  it('matches longer prefixes first', () => {
    const all = nginxConfig(SERVICES);
    expect(all.indexOf('^/api/chatapp/webhook(')).toBeLessThan(all.indexOf('^/api/chatapp('));
  });
});
