import { Invoice, StoredReceipt } from '@heliograph/billing';
import { billingReceiptDue, type EventOf } from '@heliograph/contracts';
import { clientOf } from '@heliograph/database';
import { Consumes, Relay } from '@heliograph/messaging';
import { CONFIG, LOGGER, type Logger } from '@heliograph/service-kit';
import { requestMail } from '@heliograph/system-mail';
import { Workspace } from '@heliograph/tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BillingHookConfig } from '../billing-hook.config';
import { mailRecipients } from '../payers/mail-recipients';
import { composeReceipt } from './compose-receipt';
import { receiptMail } from './receipt-mail';
import { RECEIPTS_QUEUE } from './receipts-queue';
import { renderReceipt } from './render-receipt';

const CONCURRENCY = 2;

/**
 * Creates, stores and sends the receipt of a paid invoice, exactly once. Its jobs have a separate queue, so that a failing
 * receipt does not block other work.
 */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly relay: Relay,
    @Inject(CONFIG) private readonly config: BillingHookConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Consumes(billingReceiptDue, { queue: RECEIPTS_QUEUE, concurrency: CONCURRENCY })
  async issue({ organizationId, correlationId, data }: EventOf<typeof billingReceiptDue>): Promise<void> {
    const { workspaceId, invoiceId } = data;
    if (organizationId === null) throw new Error('a paid invoice belongs to no organization');
    const { manager } = this.dataSource;
    if (await manager.existsBy(StoredReceipt, { organizationId, workspaceId, invoiceId })) return;
    const invoice = await manager.findOneByOrFail(Invoice, { organizationId, workspaceId, id: invoiceId });
    const workspace = await manager.findOneByOrFail(Workspace, { organizationId, id: workspaceId });
    const receipt = composeReceipt(invoice, workspace.displayName, this.issuer());
    const pdf = await renderReceipt(receipt);
    const filename = `receipt-${receipt.receiptNumber.replace(/[^\w.-]+/g, '-')}.pdf`;
    await this.dataSource.transaction(async (transaction) => {
      const { raw } = (await transaction
        .createQueryBuilder()
        .insert()
        .into(StoredReceipt)
        .values({ invoiceId, organizationId, workspaceId, filename, pdf })
        .orIgnore()
        .returning('invoice_id')
        .execute()) as { raw: unknown[] };
      // Another worker processed the same job. (`identifiers` also contains ignored rows.)
      if (raw.length === 0) return;
      const client = await clientOf(transaction);
      const to = await mailRecipients(client, organizationId, invoice.customerEmail);
      if (to.length === 0) {
        this.log.warn(
          { workspaceId, invoiceId },
          'receipt not sent, because neither the payer nor an owner has an email address',
        );
        return;
      }
      const attachments = [{ filename, contentType: 'application/pdf', contentBase64: pdf.toString('base64') }];
      const mail = receiptMail(receipt);
      const context = { organizationId, workspaceId, correlationId };
      await requestMail(transaction, { purpose: 'receipt', to, mail, attachments, ...context });
    });
    this.relay.wake();
  }

  private issuer() {
    const { BILLING_ISSUER_NAME, BILLING_ISSUER_ADDRESS, BILLING_SUPPORT_EMAIL } = this.config;
    return { name: BILLING_ISSUER_NAME, address: BILLING_ISSUER_ADDRESS, supportEmail: BILLING_SUPPORT_EMAIL ?? null };
  }
}
