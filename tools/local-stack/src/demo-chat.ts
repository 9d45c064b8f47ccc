import type { ProvisioningFile, ProvisioningReport } from '@heliograph/provision';
import { findDemoKey } from './demo-key';

/** A chat message that arrives with what was provisioned. */
export interface DemoChat {
  key: string;
  to: string;
}

const RECIPIENT = '+919812345678';

/** Picks a key of an organization that may write to the recipient; null without one. */
export function findDemoChat({ organizations }: ProvisioningFile, report: ProvisioningReport): DemoChat | null {
  for (const organization of organizations) {
    const { consents } = organization.chatapp;
    if (consents.some(({ number, status }) => number === RECIPIENT && status === 'opted_out')) continue;
    const key = findDemoKey(organization, report, ['chatapp:send', 'chatapp:read']);
    if (key !== null) return { key, to: RECIPIENT };
  }
  return null;
}
