import type { FilePath } from './file-positions';
import type { ProvisioningFile } from './schema/provisioning-file';

export interface Problem {
  path: FilePath;
  message: string;
}

/** The existing names of a deployment, by organization slug. */
export type KnownNames = ReadonlyMap<string, Record<'workspaces' | 'onboardings' | 'groups', ReadonlySet<string>>>;

/** References to entries that are neither in the file nor in the deployment. */
export function danglingReferences({ organizations }: ProvisioningFile, deployed: KnownNames): Problem[] {
  return organizations.flatMap(({ slug, workspaces, apiKeys, sms, bots, groups, contacts }, index) => {
    const known = deployed.get(slug);
    const slugs = new Set([...workspaces.map((workspace) => workspace.slug), ...(known?.workspaces ?? [])]);
    const names = new Set([...sms.onboardings.map(({ name }) => name), ...(known?.onboardings ?? [])]);
    const groupNames = new Set([...groups.map(({ name }) => name), ...(known?.groups ?? [])]);
    const problems: Problem[] = [];
    const expect = (among: Set<string>, name: string | null, kind: string, ...path: PropertyKey[]): void => {
      if (name === null || among.has(name)) return;
      problems.push({ path: ['organizations', index, ...path], message: `${slug} has no ${kind} "${name}"` });
    };
    apiKeys.forEach(({ workspace }, i) => expect(slugs, workspace, 'workspace', 'apiKeys', i, 'workspace'));
    for (const list of ['senders', 'templates'] as const) {
      sms[list].forEach(({ onboarding }, i) => expect(names, onboarding, 'onboarding', 'sms', list, i, 'onboarding'));
    }
    bots.forEach(({ workspace }, i) => expect(slugs, workspace, 'workspace', 'bots', i, 'workspace'));
    contacts.forEach((contact, i) =>
      contact.groups.forEach((name, j) => expect(groupNames, name, 'group', 'contacts', i, 'groups', j)),
    );
    return problems;
  });
}

/** Duplicates of values that must be unique over all organizations. */
export function repeatedAcrossOrganizations({ organizations, unboundApiKeys }: ProvisioningFile): Problem[] {
  return [
    ...repeats(
      organizations.flatMap(({ workspaces }, i) =>
        workspaces.map(({ slug }, j) => ({ value: slug, path: ['organizations', i, 'workspaces', j, 'slug'] })),
      ),
      'is used twice; workspace slugs are unique over all organizations',
    ),
    ...repeats(
      [
        ...organizations.flatMap(({ apiKeys }, i) =>
          apiKeys.map(({ key }, j) => ({ value: key, path: ['organizations', i, 'apiKeys', j, 'key'] })),
        ),
        ...unboundApiKeys.map(({ key }, j) => ({ value: key, path: ['unboundApiKeys', j, 'key'] })),
      ],
      'is used twice; API keys must be unique',
    ),
    ...repeats(
      organizations.flatMap(({ bots }, i) =>
        bots.map(({ publicId }, j) => ({ value: publicId, path: ['organizations', i, 'bots', j, 'publicId'] })),
      ),
      'is used twice; public ids of bots are unique over all organizations',
    ),
  ];
}

function repeats(values: { value: string | undefined; path: FilePath }[], message: string): Problem[] {
  const seen = new Set<string>();
  return values.flatMap(({ value, path }) => {
    if (value === undefined) return [];
    const repeated = seen.has(value);
    seen.add(value);
    return repeated ? [{ path, message }] : [];
  });
}
