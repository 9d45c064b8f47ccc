import { toPage, type Page, type PageOf } from '@heliograph/database';
import type { ClientBase, Pool } from 'pg';
import type { InvoiceLine, InvoiceStatus } from './entities/invoice.entity';

export interface SubscriptionRecord {
  subscriptionId: string;
  /** As the processor calls it. */
  status: string;
  plan: string;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
}

export interface DunningRecord {
  firstFailureAt: Date;
  /** Of four. */
  remindersSent: number;
  /** When the next reminder is sent, or after the last one the workspace locked; null: neither. */
  nextStepAt: Date | null;
  lockedAt: Date | null;
  /** Null while it goes on. */
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

/** The newest that has not ended, whichever the standing follows, else the newest. Null: the workspace never had one. */
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

/** The one that goes on, else the last. Null: every payment came. */
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

/** Newest first. A cursor that is no invoice of the workspace gives an empty page. */
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

/** Null until the invoice is paid and its receipt made, a moment later. */
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

/** The processor chooses its ids, so any text may be one that PostgreSQL can be asked for. */
function mayBeId(text: string): boolean {
  return !text.includes('\0');
}
