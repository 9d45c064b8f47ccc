import { Client } from 'pg';

/** Nothing else moves these credits in the workspaces that buy them. */
export const CREDIT_TYPE = 'email';
export const PACKAGES = [{ key: 'email-700', credits: 700, amount: 1_999, currency: 'EUR' }] as const;

/** Makes the packages available to all organizations. */
export async function seedPackages(databaseUrl: string): Promise<void> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    for (const { key, credits, amount, currency } of PACKAGES) {
      await database.query(
        `INSERT INTO billing.credit_packages (key, credit_type, credits, amount, currency) VALUES ($1, $2, $3, $4, $5)`,
        [key, CREDIT_TYPE, credits, amount, currency],
      );
    }
  } finally {
    await database.end();
  }
}
