import { Dunning, Invoice } from '@heliograph/billing';
import type { MailPurpose } from '@heliograph/contracts';
import { clientOf } from '@heliograph/database';
import { CONFIG, LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import { requestMail } from '@heliograph/system-mail';
import { TenancyService, type Workspace } from '@heliograph/tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import type { BillingHookConfig } from '../billing-hook.config';
import { mailRecipients } from '../payers/mail-recipients';
import { PayersRepository } from '../payers/payers.repository';
import { openFailures, type PayerAggregate } from '../subscription-state/payer-aggregate';
import { workspaceChanges, deriveSubscriptionState } from '../subscription-state/subscription-state';
import { lockedMail, reminderMail } from './reminder-mail';
import { lockTime, nextStep, type DunningStep } from './schedule';

/** Performs dunning steps. The step, its email and the lock are committed together. */
@Injectable()
export class DunningSteps {
  private readonly taken: Counter<'step'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tenancy: TenancyService,
    private readonly payers: PayersRepository,
    @Inject(CONFIG) private readonly config: BillingHookConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.taken = new Counter({
      name: 'billing_dunning_steps_total',
      help: 'Reminders requested and workspaces locked',
      labelNames: ['step'],
      registers: [registry],
    });
  }

  /**
   * Performs the next step of a payer if it is due. Returns false if it is not due or another worker holds the lock.
   */
  async performNext(customer: string): Promise<boolean> {
    const step = await this.dataSource.transaction(async (transaction) => {
      if (!(await this.payers.tryLock(transaction, customer))) return null;
      const dunning = await transaction.getRepository(Dunning).findOneBy({ customer });
      if (!dunning?.nextStepAt || dunning.nextStepAt > new Date()) return null;
      const { firstFailureAt, stepsTaken } = dunning;
      const next = nextStep(firstFailureAt, stepsTaken, this.config.BILLING_DUNNING_DAY_SECONDS);
      if (next) await this.perform(transaction, dunning, next.step);
      return next?.step ?? null;
    });
    if (step === null) return false;
    this.taken.inc({ step: step.kind === 'lock' ? 'lock' : `day ${step.day}` });
    return true;
  }

  private async perform(transaction: EntityManager, dunning: Dunning, step: DunningStep): Promise<void> {
    const { customer, firstFailureAt, stepsTaken } = dunning;
    const repository = transaction.getRepository(Dunning);
    const workspace = await this.tenancy.workspaceOfCustomerAcrossTenants(transaction, customer);
    if (workspace?.id !== dunning.workspaceId) {
      this.log.warn({ customer }, 'dunning ended, because the customer no longer pays for the workspace');
      await repository.update(customer, { endedAt: new Date(), nextStepAt: null });
      return;
    }
    const aggregate = await this.payers.load(transaction, customer);
    if (step.kind === 'lock') await this.lock(transaction, dunning, workspace, aggregate);
    await this.mail(transaction, dunning, workspace, aggregate, step);
    const after = nextStep(firstFailureAt, stepsTaken + 1, this.config.BILLING_DUNNING_DAY_SECONDS);
    await repository.update(customer, {
      stepsTaken: stepsTaken + 1,
      nextStepAt: after?.at ?? null,
      ...(step.kind === 'lock' ? { lockedAt: new Date() } : {}),
    });
  }

  private async lock(
    transaction: EntityManager,
    { organizationId, workspaceId, correlationId }: Dunning,
    workspace: Workspace,
    aggregate: PayerAggregate,
  ): Promise<void> {
    const states = {
      before: deriveSubscriptionState(aggregate, false),
      after: deriveSubscriptionState(aggregate, true),
    };
    const changes = workspaceChanges(workspace, states, 'dunning');
    if (Object.keys(changes).length === 0) return;
    await this.tenancy.updateWorkspace(transaction, organizationId, workspaceId, changes, correlationId);
  }

  /** The reminder is about the newest unpaid invoice. */
  private async mail(
    transaction: EntityManager,
    dunning: Dunning,
    workspace: Workspace,
    aggregate: PayerAggregate,
    step: DunningStep,
  ): Promise<void> {
    const { organizationId, workspaceId, correlationId, firstFailureAt } = dunning;
    const newest = openFailures(aggregate).toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))[0];
    const invoice = await transaction
      .getRepository(Invoice)
      .findOneBy({ organizationId, workspaceId, id: newest?.invoiceId ?? '' });
    if (!invoice) throw new Error(`the dunning of ${dunning.customer} has no unpaid invoice`);
    const client = await clientOf(transaction);
    const to = await mailRecipients(client, organizationId, invoice.customerEmail);
    if (to.length === 0) {
      this.log.warn(
        { workspaceId, step: step.day },
        'reminder not sent, because neither the payer nor an owner has an email address',
      );
      return;
    }
    const notice = {
      workspaceName: workspace.displayName,
      amountDue: invoice.amountDue,
      currency: invoice.currency,
      invoiceNumber: invoice.number,
      payUrl: invoice.hostedUrl,
      issuerName: this.config.BILLING_ISSUER_NAME,
      supportEmail: this.config.BILLING_SUPPORT_EMAIL ?? null,
    };
    const lockOn = lockTime(firstFailureAt, this.config.BILLING_DUNNING_DAY_SECONDS);
    const mail = step.kind === 'lock' ? lockedMail(notice) : reminderMail({ ...notice, day: step.day, lockOn });
    const purpose: MailPurpose = step.kind === 'lock' ? 'workspace-locked' : 'payment-reminder';
    await requestMail(transaction, { purpose, to, mail, organizationId, workspaceId, correlationId });
  }
}
