import type { ProvisioningFile } from './schema/provisioning-file';

/** A note for each part of a file that is valid and has no service yet to give it to. */
export function notesOnSkipped({ organizations, platform }: ProvisioningFile): string[] {
  const parts: [string, boolean][] = [
    ['chatapp', organizations.some(({ chatapp }) => chatapp !== undefined)],
    ['bots', organizations.some(({ bots }) => bots !== undefined)],
    ['platform.chatapp.prices', platform.chatapp !== undefined],
  ];
  return parts
    .filter(([, present]) => present)
    .map(([part]) => `note: "${part}" is valid and was skipped: the service that it belongs to does not exist yet`);
}
