import { getExampleNumber, type CountryCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import type { ProvisioningFile, ProvisioningReport } from '@heliograph/provision';
import { findDemoKey } from './demo-key';

/** An SMS that can be sent with the provisioned data. */
export interface DemoCall {
  organization: string;
  key: string;
  from: string;
  to: string;
  template: string;
  variables: Record<string, string>;
}

const TOKEN = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** Picks a key, a sender and a template that fit together, or null. */
export function findDemoCall({ organizations }: ProvisioningFile, report: ProvisioningReport): DemoCall | null {
  for (const organization of organizations) {
    const { slug, sms } = organization;
    const key = findDemoKey(organization, report, ['sms:send', 'sms:read']);
    if (key === null) continue;
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
