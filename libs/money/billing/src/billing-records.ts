import { toPage, type Page, type PageOf } from '@heliograph/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Dunning } from './entities/dunning.entity';
import { Invoice } from './entities/invoice.entity';
import { StoredReceipt } from './entities/receipt.entity';
import { Subscription } from './entities/subscription.entity';

/** The workspace whose records are read. */
export interface BilledWorkspace {
  organizationId: string;
  workspaceId: string;
}

export interface InvoiceRecord extends Invoice {
  hasReceipt: boolean;
}

/** Reads the subscription, the dunning and the invoices of a workspace. */
@Injectable()
export class BillingRecords {
  constructor(
    @InjectRepository(Subscription) private readonly subscriptions: Repository<Subscription>,
    @InjectRepository(Dunning) private readonly dunnings: Repository<Dunning>,
    @InjectRepository(Invoice) private readonly invoices: Repository<Invoice>,
    @InjectRepository(StoredReceipt) private readonly receipts: Repository<StoredReceipt>,
  ) {}

  /**
   * Returns the newest active subscription, else the newest that has not ended, else the newest ended one. Null if the
   * workspace never had a subscription.
   */
  subscriptionOf({ organizationId, workspaceId }: BilledWorkspace): Promise<Subscription | null> {
    return this.subscriptions
      .createQueryBuilder('subscription')
      .where({ organizationId, workspaceId })
      .orderBy(`subscription.status NOT IN ('active', 'trialing')`)
      .addOrderBy(`subscription.status IN ('incomplete', 'canceled', 'incomplete_expired')`)
      .addOrderBy(`subscription.status <> 'incomplete'`)
      .addOrderBy('subscription.newest COLLATE "C"', 'DESC')
      .limit(1)
      .getOne();
  }

  /** The active dunning, or the last one. Null if no payment ever failed. */
  dunningOf({ organizationId, workspaceId }: BilledWorkspace): Promise<Dunning | null> {
    return this.dunnings.findOne({
      where: { organizationId, workspaceId },
      order: { endedAt: { direction: 'DESC', nulls: 'FIRST' } },
    });
  }

  /** Newest first. A cursor that is not an invoice of the workspace returns an empty page. */
  async listInvoices({ organizationId, workspaceId }: BilledWorkspace, page: Page): Promise<PageOf<InvoiceRecord>> {
    const query = this.invoices
      .createQueryBuilder('invoice')
      .where({ organizationId, workspaceId })
      .orderBy('invoice.createdAt', 'DESC')
      .addOrderBy('invoice.id', 'DESC')
      .limit(page.limit + 1);
    if (page.after !== null) {
      const last = await this.find({ organizationId, workspaceId }, page.after);
      if (!last) return { items: [], next: null };
      query.andWhere('(invoice.createdAt, invoice.id) < (:createdAt, :id)', last);
    }
    const { items, next } = toPage(await query.getMany(), page, ({ id }) => id);
    const receipts = await this.receipts.find({
      select: { invoiceId: true },
      where: { organizationId, workspaceId, invoiceId: In(items.map(({ id }) => id)) },
    });
    const withReceipt = new Set(receipts.map(({ invoiceId }) => invoiceId));
    return { items: items.map((invoice) => ({ ...invoice, hasReceipt: withReceipt.has(invoice.id) })), next };
  }

  async invoiceOf(workspace: BilledWorkspace, id: string): Promise<InvoiceRecord | null> {
    const invoice = await this.find(workspace, id);
    if (!invoice) return null;
    return { ...invoice, hasReceipt: await this.receipts.existsBy({ invoiceId: invoice.id }) };
  }

  /** Null until the invoice is paid and the receipt is created. */
  async receiptOf({ organizationId, workspaceId }: BilledWorkspace, invoiceId: string): Promise<StoredReceipt | null> {
    return mayBeId(invoiceId) ? this.receipts.findOneBy({ organizationId, workspaceId, invoiceId }) : null;
  }

  private async find({ organizationId, workspaceId }: BilledWorkspace, id: string): Promise<Invoice | null> {
    return mayBeId(id) ? this.invoices.findOneBy({ organizationId, workspaceId, id }) : null;
  }
}

/** The ids come from the processor, so only text that PostgreSQL rejects is excluded. */
function mayBeId(text: string): boolean {
  return !text.includes('\0');
}
