import type { FilePath } from './file-positions';
import type { ProvisionedOrganization, ProvisioningFile } from './schema/provisioning-file';

export interface Problem {
  path: FilePath;
  message: string;
}

/** What the schema cannot see: names that point to other entries, and keys that several organizations share. */
export function checkReferences({ organizations, unboundApiKeys }: ProvisioningFile): Problem[] {
  return [
    ...organizations.flatMap((organization, index) => danglingNames(organization, ['organizations', index])),
    ...repeats(
      organizations.flatMap(({ workspaces }, i) =>
        workspaces.map(({ slug }, j) => ({ value: slug, path: ['organizations', i, 'workspaces', j, 'slug'] })),
      ),
      'belongs to another organization of this file; workspace slugs are unique over all of them',
    ),
    ...repeats(
      [
        ...organizations.flatMap(({ apiKeys }, i) =>
          apiKeys.map(({ key }, j) => ({ value: key, path: ['organizations', i, 'apiKeys', j, 'key'] })),
        ),
        ...unboundApiKeys.map(({ key }, j) => ({ value: key, path: ['unboundApiKeys', j, 'key'] })),
      ],
      'is the text of another key of this file; every key needs its own',
    ),
  ];
}

function danglingNames({ workspaces, apiKeys, sms, bots }: ProvisionedOrganization, at: FilePath): Problem[] {
  const slugs = new Set(workspaces.map(({ slug }) => slug));
  const names = new Set(sms.onboardings.map(({ name }) => name));
  const problems: Problem[] = [];
  const expect = (known: Set<string>, name: string | null, kind: string, ...path: PropertyKey[]): void => {
    if (name === null || known.has(name)) return;
    problems.push({ path: [...at, ...path], message: `the organization has no ${kind} "${name}" in this file` });
  };
  apiKeys.forEach(({ workspace }, i) => expect(slugs, workspace, 'workspace', 'apiKeys', i, 'workspace'));
  for (const list of ['senders', 'templates'] as const) {
    sms[list].forEach(({ onboarding }, i) => expect(names, onboarding, 'onboarding', 'sms', list, i, 'onboarding'));
  }
  bots?.forEach(({ workspace }, i) => expect(slugs, workspace, 'workspace', 'bots', i, 'workspace'));
  return problems;
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
