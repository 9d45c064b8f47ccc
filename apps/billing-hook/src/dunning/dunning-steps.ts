import { Dunning, Invoice } from '@heliograph/billing';
import { mailRequested, type MailPurpose } from '@heliograph/contracts';
import { clientOf } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { LOGGER, METRICS, type Logger } from '@heliograph/platform';
import { TenancyService, type Workspace } from '@heliograph/tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import type { BillingHookSettings } from '../billing-hook.config';
import { BILLING_HOOK_SETTINGS } from '../billing-hook.tokens';
import { mailRecipients } from '../mail-recipients';
import { PayersRepository } from '../settling/payers.repository';
import type { Registers } from '../standing/registers';
import { changesTo, deriveStanding } from '../standing/standing';
import { lockedMail, reminderMail } from './reminder-mail';
import { lockTime, nextStep, type DunningStep } from './schedule';

/** Takes the steps of a dunning: the step, its mail and the lock are committed together. */
@Injectable()
export class DunningSteps {
  private readonly taken: Counter<'step'>;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(TenancyService) private readonly tenancy: TenancyService,
    @Inject(PayersRepository) private readonly payers: PayersRepository,
    @Inject(BILLING_HOOK_SETTINGS) private readonly settings: BillingHookSettings,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.taken = new Counter({
      name: 'billing_dunning_steps_total',
      help: 'Reminders asked for and workspaces locked',
      labelNames: ['step'],
      registers: [registry],
    });
  }

  /** Takes a payer's next step if its time has come. False: it has not, or another worker is at it. */
  async takeNext(customer: string): Promise<boolean> {
    const step = await this.dataSource.transaction(async (transaction) => {
      if (!(await this.payers.tryLock(transaction, customer))) return null;
      const dunning = await transaction.getRepository(Dunning).findOneBy({ customer });
      if (!dunning?.nextStepAt || dunning.nextStepAt > new Date()) return null;
      const { firstFailureAt, stepsTaken } = dunning;
      const next = nextStep(firstFailureAt, stepsTaken, this.settings.BILLING_DUNNING_DAY_SECONDS);
      if (next) await this.take(transaction, dunning, next.step);
      return next?.step ?? null;
    });
    if (step === null) return false;
    this.taken.inc({ step: step.kind === 'lock' ? 'lock' : `day ${step.day}` });
    return true;
  }

  private async take(transaction: EntityManager, dunning: Dunning, step: DunningStep): Promise<void> {
    const { customer, firstFailureAt, stepsTaken } = dunning;
    const repository = transaction.getRepository(Dunning);
    const workspace = await this.tenancy.workspaceOfCustomerAcrossTenants(transaction, customer);
    if (workspace?.id !== dunning.workspaceId) {
      this.log.warn({ customer }, 'a dunning ends: the customer does not pay for that workspace any more');
      await repository.update(customer, { endedAt: new Date(), nextStepAt: null });
      return;
    }
    const registers = await this.payers.load(transaction, customer);
    if (step.kind === 'lock') await this.lock(transaction, dunning, workspace, registers);
    await this.mail(transaction, dunning, workspace, registers, step);
    const after = nextStep(firstFailureAt, stepsTaken + 1, this.settings.BILLING_DUNNING_DAY_SECONDS);
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
    registers: Registers,
  ): Promise<void> {
    const standings = { before: deriveStanding(registers, false), after: deriveStanding(registers, true) };
    const changes = changesTo(workspace, standings, 'dunning');
    if (Object.keys(changes).length === 0) return;
    await this.tenancy.updateWorkspace(transaction, organizationId, workspaceId, changes, correlationId);
  }

  /** About the newest of the invoices that were not paid. */
  private async mail(
    transaction: EntityManager,
    dunning: Dunning,
    workspace: Workspace,
    { failures }: Registers,
    step: DunningStep,
  ): Promise<void> {
    const { organizationId, workspaceId, correlationId, firstFailureAt } = dunning;
    const newest = failures.toSorted((a, b) => (a.moment < b.moment ? 1 : -1))[0];
    const invoice = await transaction
      .getRepository(Invoice)
      .findOneBy({ organizationId, workspaceId, id: newest?.invoiceId ?? '' });
    if (!invoice) throw new Error(`the dunning of ${dunning.customer} has no invoice to remind of`);
    const client = clientOf(transaction);
    const to = await mailRecipients(client, organizationId, invoice.customerEmail);
    if (to.length === 0) {
      this.log.warn({ workspaceId, step: step.day }, 'a reminder reaches nobody: no address of a payer, no owner');
      return;
    }
    const notice = {
      workspaceName: workspace.displayName,
      amountDue: invoice.amountDue,
      currency: invoice.currency,
      invoiceNumber: invoice.number,
      payUrl: invoice.hostedUrl,
      issuerName: this.settings.BILLING_ISSUER_NAME,
      supportEmail: this.settings.BILLING_SUPPORT_EMAIL ?? null,
    };
    const lockOn = lockTime(firstFailureAt, this.settings.BILLING_DUNNING_DAY_SECONDS);
    const text = step.kind === 'lock' ? lockedMail(notice) : reminderMail({ ...notice, day: step.day, lockOn });
    const purpose: MailPurpose = step.kind === 'lock' ? 'workspace-locked' : 'payment-reminder';
    const data = { purpose, to, ...text, attachments: [] };
    await addToOutbox(client, [composeEvent(mailRequested, { organizationId, workspaceId, correlationId, data })]);
  }
}
