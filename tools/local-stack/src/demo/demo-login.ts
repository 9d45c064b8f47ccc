import type { ProvisioningFile } from '@heliograph/provision';

/** A user who can sign in to the console. */
export interface DemoLogin {
  email: string;
  password: string;
}

/** Picks the first owner with a password in the file, or null. */
export function findDemoLogin({ organizations }: ProvisioningFile): DemoLogin | null {
  for (const { users } of organizations) {
    const owner = users.find(({ role, password }) => role === 'owner' && password !== undefined);
    if (owner?.password !== undefined) return { email: owner.email, password: owner.password };
  }
  return null;
}
