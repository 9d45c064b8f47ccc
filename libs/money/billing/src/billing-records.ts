import { toPage, type Page, type PageOf } from '@heliograph/database';
import type { ClientBase, Pool } from 'pg';
import type { InvoiceLine, InvoiceStatus } from './entities/invoice.entity';

export interface SubscriptionRecord {
  subscriptionId: string;
  /** Status as reported by the processor. */
  status: string;
  plan: string;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
}

export interface DunningRecord {
  firstFailureAt: Date;
  /** At most 4. */
  remindersSent: number;
  /** Time of the next reminder or of the lock of the workspace; null if no step remains. */
  nextStepAt: Date | null;
  lockedAt: Date | null;
  /** Null while the dunning is active. */
  endedAt: Date | null;
}

/** Amounts are minor units of the currency. */
export interface InvoiceRecord {
  id: string;
  number: string | null;
  status: InvoiceStatus;
  currency: string;
  amountDue: number;
  amountPaid: number;
  subtotal: number;
  tax: number | null;
  total: number;
  customerName: string | null;
  customerEmail: string | null;
  lines: InvoiceLine[];
  hostedUrl: string | null;
  createdAt: Date;
  paidAt: Date | null;
  hasReceipt: boolean;
}

export interface ReceiptFile {
  filename: string;
  pdf: Buffer;
}

const OF_WORKSPACE = 'organization_id = $1 AND workspace_id = $2';

const INVOICE_COLUMNS = `
  id, number, status, currency, amount_due AS "amountDue", amount_paid AS "amountPaid", subtotal, tax, total,
  customer_name AS "customerName", customer_email AS "customerEmail", lines, hosted_url AS "hostedUrl",
  created_at AS "createdAt", paid_at AS "paidAt",
  EXISTS (SELECT FROM billing.receipts AS r WHERE r.invoice_id = i.id) AS "hasReceipt"`;

/** Prefers active subscriptions over ended ones, then the newest. Null if the workspace never had a subscription. */
export async function subscriptionOf(
  database: ClientBase | Pool,
  organizationId: string,
  workspaceId: string,
): Promise<SubscriptionRecord | null> {
  const { rows } = await database.query<SubscriptionRecord>(
    `SELECT subscription_id AS "subscriptionId", status, plan, current_period_end AS "currentPeriodEnd",
       cancel_at_period_end AS "cancelAtPeriodEnd"
     FROM billing.subscriptions WHERE ${OF_WORKSPACE}
     ORDER BY status IN ('canceled', 'incomplete_expired'), newest COLLATE "C" DESC LIMIT 1`,
    [organizationId, workspaceId],
  );
  return rows[0] ?? null;
}

/** The active dunning, or the last one. Null if no payment ever failed. */
export async function dunningOf(
  database: ClientBase | Pool,
  organizationId: string,
  workspaceId: string,
): Promise<DunningRecord | null> {
  const { rows } = await database.query<DunningRecord>(
    `SELECT first_failure_at AS "firstFailureAt", least(steps_taken, 4) AS "remindersSent",
       next_step_at AS "nextStepAt", locked_at AS "lockedAt", ended_at AS "endedAt"
     FROM billing.dunnings WHERE ${OF_WORKSPACE} ORDER BY ended_at DESC NULLS FIRST LIMIT 1`,
    [organizationId, workspaceId],
  );
  return rows[0] ?? null;
}

/** Newest first. A cursor that is not an invoice of the workspace returns an empty page. */
export async function listInvoices(
  database: ClientBase | Pool,
  organizationId: string,
  workspaceId: string,
  page: Page,
): Promise<PageOf<InvoiceRecord>> {
  if (page.after !== null && !mayBeId(page.after)) return { items: [], next: null };
  const { rows } = await database.query<InvoiceRecord>(
    `SELECT ${INVOICE_COLUMNS} FROM billing.invoices AS i WHERE ${OF_WORKSPACE}
       AND ($3::text IS NULL OR (created_at, id) <
         (SELECT created_at, id FROM billing.invoices WHERE ${OF_WORKSPACE} AND id = $3))
     ORDER BY created_at DESC, id DESC LIMIT $4`,
    [organizationId, workspaceId, page.after, page.limit + 1],
  );
  return toPage(rows, page, ({ id }) => id);
}

export async function invoiceOf(
  database: ClientBase | Pool,
  organizationId: string,
  workspaceId: string,
  invoiceId: string,
): Promise<InvoiceRecord | null> {
  if (!mayBeId(invoiceId)) return null;
  const { rows } = await database.query<InvoiceRecord>(
    `SELECT ${INVOICE_COLUMNS} FROM billing.invoices AS i WHERE ${OF_WORKSPACE} AND id = $3`,
    [organizationId, workspaceId, invoiceId],
  );
  return rows[0] ?? null;
}

/** Null until the invoice is paid and the receipt is created. */
export async function receiptOf(
  database: ClientBase | Pool,
  organizationId: string,
  workspaceId: string,
  invoiceId: string,
): Promise<ReceiptFile | null> {
  if (!mayBeId(invoiceId)) return null;
  const { rows } = await database.query<ReceiptFile>(
    `SELECT filename, pdf FROM billing.receipts WHERE ${OF_WORKSPACE} AND invoice_id = $3`,
    [organizationId, workspaceId, invoiceId],
  );
  return rows[0] ?? null;
}

/** The ids come from the processor, so only text that PostgreSQL rejects is excluded. */
function mayBeId(text: string): boolean {
  return !text.includes('\0');
}
