import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CreditPackage, Purchase } from '@heliograph/billing';
import { isId, newId, toPage } from '@heliograph/database';
import { CONFIG, fieldError, v1List, v1NotFound, pageOf, type V1List } from '@heliograph/service-kit';
import { WorkspaceDirectory, AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { IsNull, LessThan, Repository } from 'typeorm';
import type { AccountApiConfig } from '../../account-api.config';
import type { Caller } from '../../access/caller';
import { CONSOLE_PATHS } from '../../console/paths';
import { publicBaseUrl } from '../../identity/mails/links';
import { CheckoutService } from './checkout.service';
import { readReturnUrl } from './return-url';
import { V1Purchase, type V1PurchaseRequest, type V1PurchasesQuery } from './v1-credits.dto';

/** The processor accepts at most 24 hours after its own time. */
const LIFETIME_MS = 23 * 3_600_000;

const PURCHASE = new AuditedKind<Purchase>(
  'purchase',
  ({ id, organizationId, workspaceId }) => ({ id, organizationId, workspaceId }),
  ({ package: key, quantity, creditType, credits, amount, currency }) => ({
    package: key,
    quantity,
    creditType,
    credits,
    amount,
    currency,
  }),
);

/** Purchases of credits. billing-hook adds the credits when the payment processor reports the payment. */
@Injectable()
export class V1PurchasesService {
  constructor(
    @InjectRepository(Purchase) private readonly purchases: Repository<Purchase>,
    @InjectRepository(CreditPackage) private readonly packages: Repository<CreditPackage>,
    private readonly workspaces: WorkspaceDirectory,
    private readonly checkouts: CheckoutService,
    private readonly unitOfWork: UnitOfWork,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  /**
   * Stores the purchase before the checkout is created, so that payments of unknown purchases are impossible. Throws
   * BILLING_NOT_CONFIGURED, INVALID_REQUEST, NOT_FOUND, NO_WORKSPACE, SERVICE_UNAVAILABLE.
   */
  create(write: Write, caller: Caller, request: V1PurchaseRequest): Promise<V1Purchase> {
    return this.unitOfWork.once(write, async () => {
      this.checkouts.processorOf(caller.organizationId);
      const pages = {
        successUrl: this.pageOf('success_url', request.success_url, CONSOLE_PATHS.purchaseCompleted),
        cancelUrl: this.pageOf('cancel_url', request.cancel_url, CONSOLE_PATHS.purchaseCanceled),
      };
      const purchase = await this.plan(caller, request);
      await this.purchases.insert(purchase);
      try {
        const { id: checkoutId, url: checkoutUrl } = await this.checkouts.create(purchase, pages);
        const change = { kind: PURCHASE, done: 'created', answer: V1Purchase.of };
        return await this.unitOfWork.change(write, change, async (transaction) => {
          await transaction.getRepository(Purchase).update(purchase.id, { checkoutId, checkoutUrl });
          return { after: { ...purchase, checkoutId, checkoutUrl } };
        });
      } catch (error) {
        // Nobody has got the payment page. If it is paid all the same, the purchase is still known by its id. A purchase with a
        // checkout was committed although its commit seemed to fail: the repeated call gets its answer.
        await this.purchases.update(
          { id: purchase.id, status: 'pending', checkoutId: IsNull() },
          { status: 'expired' },
        );
        throw error;
      }
    });
  }

  async list({ organizationId, boundWorkspaceId }: Caller, query: V1PurchasesQuery): Promise<V1List<V1Purchase>> {
    const owner = { organizationId, workspaceId: boundWorkspaceId };
    const workspaceId = await this.workspaces.chosen(owner, query.workspace_id);
    const { status } = query;
    const { limit, after } = pageOf(query);
    const rows = await this.purchases.find({
      where: {
        organizationId,
        ...(workspaceId ? { workspaceId } : {}),
        ...(status ? { status } : {}),
        ...(after === null ? {} : { id: LessThan(after) }),
      },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    const page = toPage(rows, { limit, after }, ({ id }) => id);
    return v1List(page, V1Purchase.of);
  }

  /** Throws NOT_FOUND. */
  async get({ organizationId, boundWorkspaceId }: Caller, id: string): Promise<V1Purchase> {
    const where = { id, organizationId, ...(boundWorkspaceId ? { workspaceId: boundWorkspaceId } : {}) };
    const purchase = isId(id) ? await this.purchases.findOneBy(where) : null;
    if (!purchase) throw v1NotFound('purchase');
    return V1Purchase.of(purchase);
  }

  private async plan({ organizationId, boundWorkspaceId }: Caller, request: V1PurchaseRequest): Promise<Purchase> {
    const offer = await this.packages.findOneBy({ key: request.package });
    if (offer?.creditType !== request.credit_type) {
      const message = `package must be the key of an available package of ${request.credit_type} credits.`;
      throw fieldError('INVALID_REQUEST', 'package', message);
    }
    const owner = { organizationId, workspaceId: boundWorkspaceId };
    const workspaceId =
      (await this.workspaces.chosen(owner, request.workspace_id)) ?? (await this.workspaces.sending(owner)).id;
    const quantity = request.quantity ?? 1;
    const { key, creditType, credits, amount, currency } = offer;
    const now = new Date();
    return {
      id: newId(),
      organizationId,
      workspaceId,
      status: 'pending',
      package: key,
      quantity,
      creditType,
      currency,
      credits: credits * quantity,
      amount: amount * quantity,
      checkoutId: null,
      checkoutUrl: null,
      paymentId: null,
      amountRefunded: 0,
      creditsRefunded: 0,
      creditsNotRecovered: 0,
      creditsFrozen: 0,
      creditsFreezeDue: 0,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
      paidAt: null,
    };
  }

  private pageOf(field: string, given: string | null | undefined, ownPath: string): string {
    const { PUBLIC_ORIGINS = [] } = this.config;
    const base = publicBaseUrl(this.config);
    return readReturnUrl(field, given ?? `${base}${ownPath}`, [...PUBLIC_ORIGINS, new URL(base).origin]);
  }
}
