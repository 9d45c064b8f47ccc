import type { CreditType } from '@heliograph/contracts';

export interface GeneratedKey {
  /** Null for a key of no organization. */
  organization: string | null;
  name: string;
  key: string;
}

export interface Grant {
  workspace: string;
  creditType: CreditType;
  amount: number;
}

/** What a run did. Filled as organizations are committed, so that a later failure loses no generated key. */
export interface ProvisioningReport {
  applied: { organization: string; workspaces: number; apiKeys: number; smsEntries: number }[];
  unboundApiKeys: number;
  rates: number;
  granted: Grant[];
  /** Shown once: of a key only a hash is stored. */
  generated: GeneratedKey[];
  /** Parts of the file that wait for a service that this version does not have. */
  notes: string[];
}

export function emptyReport(): ProvisioningReport {
  return { applied: [], unboundApiKeys: 0, rates: 0, granted: [], generated: [], notes: [] };
}

/** The report as lines to print. */
export function showReport({
  applied,
  unboundApiKeys,
  rates,
  granted,
  generated,
  notes,
}: ProvisioningReport): string[] {
  const other = [
    ...(unboundApiKeys > 0 ? [`keys of no organization: ${unboundApiKeys}`] : []),
    ...(rates > 0 ? [`SMS rates: ${rates}`] : []),
  ];
  return [
    ...applied.map(
      ({ organization, workspaces, apiKeys, smsEntries }) =>
        `${organization} is as the file says (workspaces: ${workspaces}, API keys: ${apiKeys}, SMS entries: ${smsEntries})`,
    ),
    ...(other.length > 0 ? [`also ${other.join(', ')}`] : []),
    ...granted.map(({ workspace, creditType, amount }) => `${workspace}: granted ${amount} ${creditType} credits`),
    ...notes,
    ...showGenerated(generated),
  ];
}

/** Generated keys as lines to print; none when there are none. */
export function showGenerated(generated: readonly GeneratedKey[]): string[] {
  if (generated.length === 0) return [];
  const lines = generated.map(
    ({ organization, name, key }) => `  ${organization ?? '(no organization)'} / ${name}: ${key}`,
  );
  return ['Generated API keys. They are not shown again:', ...lines];
}
