import { getExampleNumber, type CountryCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import type { ProvisioningFile, ProvisioningReport } from '@heliograph/provision';

/** A send that works with what was provisioned. */
export interface DemoCall {
  organization: string;
  key: string;
  from: string;
  to: string;
  template: string;
  variables: Record<string, string>;
}

const TOKEN = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** Picks a key, a sender and a template that go together; null when the file has no such three. */
export function findDemoCall({ organizations }: ProvisioningFile, { generated }: ProvisioningReport): DemoCall | null {
  for (const { slug, apiKeys, sms } of organizations) {
    const usable = apiKeys.find(
      ({ scopes, revoked, expiresAt }) =>
        !revoked &&
        (expiresAt === null || expiresAt.getTime() > Date.now()) &&
        (scopes.length === 0 || (['sms:send', 'sms:read'] as const).every((scope) => scopes.includes(scope))),
    );
    const made = generated.find(({ organization, name }) => organization === slug && name === usable?.name);
    const key = usable?.key ?? made?.key;
    if (key === undefined) continue;
    for (const { name, country } of sms.onboardings.filter(({ status }) => status === 'approved')) {
      const sender = sms.senders.find((entry) => entry.onboarding === name && entry.active);
      const template = sms.templates.find(
        ({ onboarding, active, body }) => onboarding === name && active && !body.includes('{#var#}'),
      );
      const to = getExampleNumber(country as CountryCode, examples)?.number;
      if (!sender || !template || to === undefined) continue;
      const tokens = [...template.body.matchAll(TOKEN)].map(([, token]) => [token, '123456']);
      const variables = Object.fromEntries(tokens) as Record<string, string>;
      return { organization: slug, key, from: sender.header, to, template: template.name, variables };
    }
  }
  return null;
}
