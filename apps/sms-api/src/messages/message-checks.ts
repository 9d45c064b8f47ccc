import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { ErasedPersons } from '@heliograph/tenancy';
import { isTestId } from '@heliograph/database';
import { exampleNumberOf, parseRecipient, simulatedOutcomeOf, type Recipient } from '@heliograph/addresses';
import { CONFIG } from '@heliograph/service-kit';
import { Catalog, type Onboarding, type RegisteredSender, type RegisteredTemplate } from '@heliograph/sms-catalog';
import type { SmsApiConfig } from '../sms-api.config';

/** The simulated number of a person who had opted out. */
const OPTED_OUT = '30';

/** The organization that sends. */
export type Owner = Pick<Tenant, 'organizationId'>;

/** The checks of a send that do not depend on the call style. Error messages name the fields of the unversioned API. */
@Injectable()
export class MessageChecks {
  constructor(
    private readonly catalog: Catalog,
    private readonly erased: ErasedPersons,
    @Inject(CONFIG) private readonly config: SmsApiConfig,
  ) {}

  /** Throws INVALID_SENDER, SENDER_INACTIVE, ONBOARDING_NOT_APPROVED. */
  async findSender({ organizationId }: Owner, reference: string | undefined): Promise<RegisteredSender> {
    const sender = reference ? await this.catalog.sender(organizationId, reference) : null;
    if (!sender) {
      throw new AppError(
        'INVALID_SENDER',
        'from must be the id or header of one of your senders. GET /sms/senders lists them.',
      );
    }
    if (!sender.isActive)
      throw new AppError('SENDER_INACTIVE', 'This sender is inactive. Activate it or use another sender.');
    if (sender.onboarding.status !== 'approved') throw notApproved(sender.onboarding);
    return sender;
  }

  /** Throws INVALID_TEMPLATE, TEMPLATE_INACTIVE, SENDER_TEMPLATE_MISMATCH. */
  async findTemplate(
    { organizationId }: Owner,
    sender: RegisteredSender,
    reference: string,
  ): Promise<RegisteredTemplate> {
    const template = assertUsable(await this.catalog.template(organizationId, reference, sender.onboardingId));
    if (template.onboardingId !== sender.onboardingId) {
      throw new AppError(
        'SENDER_TEMPLATE_MISMATCH',
        'The sender and the template belong to different onboardings. Use a template of the onboarding of the sender.',
      );
    }
    return template;
  }

  /** The part of `findTemplate` that needs no sender. Returns null if the name is ambiguous without a sender. */
  async findTemplateWithoutSender({ organizationId }: Owner, reference: string): Promise<RegisteredTemplate | null> {
    const [first, another] = await this.catalog.templatesOfAllOnboardings(organizationId, reference);
    return another ? null : assertUsable(first ?? null);
  }

  /** True for countries whose operators only deliver registered texts from registered senders. */
  requiresDlt(country: string): boolean {
    return this.config.SMS_DLT_COUNTRIES.has(country);
  }

  /** Throws DLT_SENDER_REQUIRED, DLT_TEMPLATE_REQUIRED. Checks only the sender if the template is null. */
  assertDltIds(sender: RegisteredSender, template: RegisteredTemplate | null): void {
    const { country } = sender.onboarding;
    if (!this.requiresDlt(country)) return;
    if (!sender.dltSenderId) {
      throw new AppError(
        'DLT_SENDER_REQUIRED',
        `The sender ${sender.header} has no DLT sender id, which ${country} requires. Copy the id of the header from the DLT registry to its dltSenderId: PATCH /api/organization/sms/senders/${sender.id}.`,
      );
    }
    if (template && !template.dltTemplateId) {
      throw new AppError(
        'DLT_TEMPLATE_REQUIRED',
        `The template ${template.name} has no DLT template id, which ${country} requires. Copy the id of the template from the DLT registry to its dltTemplateId: PATCH /api/organization/sms/templates/${template.id}.`,
      );
    }
  }

  /** Throws INVALID_RECIPIENT. */
  recipientOf(sender: RegisteredSender, to: string | undefined): Recipient {
    const { country } = sender.onboarding;
    const recipient = to === undefined ? null : parseRecipient(to);
    if (recipient?.country === country) return recipient;
    const example = exampleNumberOf(country);
    throw new AppError(
      'INVALID_RECIPIENT',
      `to must be a valid phone number of ${country} in E.164 format${example ? `, such as ${example},` : ''} without spaces or dashes.`,
    );
  }

  /**
   * Throws RECIPIENT_OPTED_OUT for a person who had opted out and was erased, and for the number that simulates one in test mode.
   */
  async refuseErased({ organizationId }: Owner, { e164 }: Recipient): Promise<void> {
    const isSimulated = isTestId(organizationId) && simulatedOutcomeOf(e164) === OPTED_OUT;
    if (!isSimulated && !(await this.erased.blockedMaskOf(organizationId, { kind: 'phone', value: e164 }, 'sms')))
      return;
    throw new AppError(
      'RECIPIENT_OPTED_OUT',
      'The person with this number had opted out, and was erased at their request. Record a new opt-in of the contact before you write again.',
    );
  }
}

/** Throws INVALID_TEMPLATE, TEMPLATE_INACTIVE. */
function assertUsable(template: RegisteredTemplate | null): RegisteredTemplate {
  if (!template) {
    throw new AppError(
      'INVALID_TEMPLATE',
      'template must be the id or name of one of your templates. GET /sms/templates lists them.',
    );
  }
  if (template.isActive) return template;
  throw new AppError('TEMPLATE_INACTIVE', 'This template is inactive. Activate it or use another template.');
}

/** Says what the organization waits for, or must change. */
function notApproved({ id, name, status, rejectionReason }: Onboarding): AppError {
  const address = `/api/organization/sms/onboardings/${id}`;
  const message =
    status === 'rejected'
      ? `The onboarding ${name} of this sender was rejected: ${rejectionReason ?? 'no reason was given'}. Correct it with PATCH ${address}, then submit it again with POST ${address}/resubmit.`
      : `The onboarding ${name} of this sender is pending: the platform operator has not approved it yet. GET ${address} shows its status. Send again after the approval.`;
  return new AppError('ONBOARDING_NOT_APPROVED', message);
}
