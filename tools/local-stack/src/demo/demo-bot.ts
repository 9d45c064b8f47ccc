import type { ProvisioningFile } from '@heliograph/provision';

/** A published bot. */
export interface DemoBot {
  publicId: string;
  name: string;
}

/** Picks the first active and published bot of the file, or null. */
export function findDemoBot({ organizations }: ProvisioningFile): DemoBot | null {
  for (const { bots } of organizations) {
    const bot = bots?.find(({ status, version }) => status === 'active' && version !== undefined);
    if (bot) return { publicId: bot.publicId, name: bot.name };
  }
  return null;
}
