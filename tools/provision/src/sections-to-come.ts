import type { ProvisioningFile } from './schema/provisioning-file';

/** A note for each part of a file that is valid and has no service yet to give it to. */
export function notesOnSkipped({ organizations }: ProvisioningFile): string[] {
  const parts: [string, boolean][] = [['bots', organizations.some(({ bots }) => bots !== undefined)]];
  return parts
    .filter(([, present]) => present)
    .map(([part]) => `note: "${part}" is valid and was skipped: the service that it belongs to does not exist yet`);
}
