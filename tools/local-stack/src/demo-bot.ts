import type { ProvisioningFile } from '@heliograph/provision';

/** A bot that visitors reach. */
export interface DemoBot {
  publicId: string;
  name: string;
}

/** Picks the first bot of the file that is active and published; null when there is none. */
export function findDemoBot({ organizations }: ProvisioningFile): DemoBot | null {
  for (const { bots } of organizations) {
    const bot = bots?.find(({ status, version }) => status === 'active' && version !== undefined);
    if (bot) return { publicId: bot.publicId, name: bot.name };
  }
  return null;
}
