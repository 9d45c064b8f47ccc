import { parseEmailTemplate } from '@heliograph/email-text';
import type { ProvisioningFile, ProvisioningReport } from '@heliograph/provision';
import { findDemoKey } from './demo-key';

/** An email that can be sent with the provisioned data. */
export interface DemoEmail {
  key: string;
  from: string;
  to: string;
  template: { slug: string; variables: Record<string, string> } | null;
}

const RECIPIENT = 'ann@elsewhere.example';

/** Picks a key and a sender of a verified domain, with a template if there is one; or null. */
export function findDemoEmail({ organizations }: ProvisioningFile, report: ProvisioningReport): DemoEmail | null {
  for (const organization of organizations) {
    const key = findDemoKey(organization, report, ['email:send', 'email:read']);
    const { domains, senders, templates } = organization.email;
    const verified = domains.filter(
      ({ status, expiresAt }) => status === 'verified' && (expiresAt === null || expiresAt.getTime() > Date.now()),
    );
    const from = senders.find(({ address }) => verified.some(({ name }) => isOf(address, name)));
    if (key === null || !from) continue;
    const template = templates.find(({ subject, html, text }) => subject !== null && (html ?? text) !== null);
    return { key, from: from.address, to: RECIPIENT, template: template ? filledIn(template) : null };
  }
  return null;
}

function isOf(address: string, domain: string): boolean {
  return address.endsWith(`@${domain.toLowerCase()}`);
}

function filledIn(template: ProvisioningFile['organizations'][number]['email']['templates'][number]) {
  const { required } = parseEmailTemplate(template);
  return { slug: template.slug, variables: Object.fromEntries(required.map((name) => [name, 'Ann'])) };
}
