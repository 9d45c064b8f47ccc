import { CreditPackage } from '@heliograph/billing';
import type { EntityManager } from 'typeorm';
import type { ProvisionedPackage } from '../schema/credit-packages';

/** Existing purchases keep their price. */
export async function applyCreditPackages(
  packages: readonly ProvisionedPackage[],
  transaction: EntityManager,
): Promise<void> {
  if (packages.length > 0) await transaction.getRepository(CreditPackage).upsert([...packages], ['key']);
}
