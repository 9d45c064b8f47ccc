import type { CreditType } from '@heliograph/contracts';

export interface GeneratedKey {
  /** Null for an unbound key. */
  organization: string | null;
  name: string;
  key: string;
}

export interface GeneratedPassword {
  email: string;
  password: string;
}

export interface Grant {
  workspace: string;
  creditType: CreditType;
  amount: number;
}

/** The result of a run. It is filled as organizations are committed, so that a later failure loses no generated key. */
export interface ProvisioningReport {
  applied: {
    organization: string;
    users: number;
    workspaces: number;
    apiKeys: number;
    smsEntries: number;
    emailEntries: number;
    consents: number;
    bots: number;
    groups: number;
    contacts: number;
  }[];
  unboundApiKeys: number;
  /** SMS. */
  rates: number;
  /** Chat-app. */
  prices: number;
  /** Packages of credits. */
  packages: number;
  granted: Grant[];
  /** Shown only once: only a hash of the key is stored. */
  generated: GeneratedKey[];
  /** Shown only once: only a hash of the password is stored. */
  passwords: GeneratedPassword[];
  /** Entries of the file that this run left unchanged or omitted. */
  notes: string[];
}

export function emptyReport(): ProvisioningReport {
  return {
    applied: [],
    unboundApiKeys: 0,
    rates: 0,
    prices: 0,
    packages: 0,
    granted: [],
    generated: [],
    passwords: [],
    notes: [],
  };
}

/** The report as lines to print. */
export function showReport({
  applied,
  unboundApiKeys,
  rates,
  prices,
  packages,
  granted,
  generated,
  passwords,
  notes,
}: ProvisioningReport): string[] {
  const other = [
    ...(unboundApiKeys > 0 ? [`unbound API keys: ${unboundApiKeys}`] : []),
    ...(rates > 0 ? [`SMS rates: ${rates}`] : []),
    ...(prices > 0 ? [`chat-app prices: ${prices}`] : []),
    ...(packages > 0 ? [`packages of credits: ${packages}`] : []),
  ];
  return [
    ...applied.map(
      ({ organization, users, workspaces, apiKeys, smsEntries, emailEntries, consents, bots, groups, contacts }) =>
        `applied organization ${organization} (users: ${users}, workspaces: ${workspaces}, API keys: ${apiKeys}, SMS entries: ${smsEntries}, email entries: ${emailEntries}, consents: ${consents}, bots: ${bots}, groups: ${groups}, contacts: ${contacts})`,
    ),
    ...(other.length > 0 ? [`applied ${other.join(', ')}`] : []),
    ...granted.map(({ workspace, creditType, amount }) => `${workspace}: granted ${amount} ${creditType} credits`),
    ...notes,
    ...showGenerated({ generated, passwords }),
  ];
}

/** The generated secrets as lines to print. */
export function showGenerated({ generated, passwords }: Pick<ProvisioningReport, 'generated' | 'passwords'>): string[] {
  const keys = generated.map(({ organization, name, key }) => `  ${organization ?? '(unbound)'} / ${name}: ${key}`);
  return [
    ...(keys.length > 0 ? ['Generated API keys. They are not shown again:', ...keys] : []),
    ...(passwords.length > 0 ? ['Generated passwords. They are not shown again:'] : []),
    ...passwords.map(({ email, password }) => `  ${email}: ${password}`),
  ];
}
