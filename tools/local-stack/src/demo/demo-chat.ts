import type { ProvisioningFile, ProvisioningReport } from '@heliograph/provision';
import { findDemoKey } from './demo-key';

/** A chat message that can be sent with the provisioned data. */
export interface DemoChat {
  key: string;
  to: string;
}

const RECIPIENT = '+919812345678';

/** Picks an API key that may send to the recipient, or null. */
export function findDemoChat({ organizations }: ProvisioningFile, report: ProvisioningReport): DemoChat | null {
  for (const organization of organizations) {
    const { consents } = organization.chatapp;
    if (consents.some(({ number, status }) => number === RECIPIENT && status === 'opted_out')) continue;
    const key = findDemoKey(organization, report, ['chatapp:send', 'chatapp:read']);
    if (key !== null) return { key, to: RECIPIENT };
  }
  return null;
}
