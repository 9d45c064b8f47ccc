import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { addressKey } from '@heliograph/addresses';
import {
  EmailCatalog,
  isSending,
  type RegisteredEmailSender,
  type RegisteredEmailTemplate,
} from '@heliograph/email-catalog';
import { renderEmailTemplate } from '@heliograph/email-text';
import { AppError } from '@heliograph/errors';
import { ErasedPersons } from '@heliograph/tenancy';

/** The content in a request. It replaces the corresponding parts of the template, if there is one. */
export interface GivenContent {
  subject?: string | null | undefined;
  html?: string | null | undefined;
  text?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

export interface Content {
  subject: string;
  html: string | null;
  text: string | null;
}

/** The checks of a send that do not depend on the API version. Error messages name the fields of the unversioned API. */
@Injectable()
export class SendChecks {
  constructor(
    private readonly catalog: EmailCatalog,
    private readonly erased: ErasedPersons,
  ) {}

  /** Throws INVALID_TEMPLATE. */
  async findTemplate(
    { organizationId }: Pick<Tenant, 'organizationId'>,
    reference: string,
  ): Promise<RegisteredEmailTemplate> {
    const template = await this.catalog.template(organizationId, reference);
    if (template) return template;
    throw new AppError(
      'INVALID_TEMPLATE',
      'template must be the id or slug of one of your templates. GET /email/templates lists them.',
    );
  }

  /** Throws SUBJECT_REQUIRED, BODY_REQUIRED. */
  assertParts(given: GivenContent, template: RegisteredEmailTemplate | null): void {
    if (!(given.subject || template?.subject))
      throw new AppError('SUBJECT_REQUIRED', 'subject is required unless the template has a subject.');
    if (!(given.html || given.text || template?.html || template?.text)) {
      throw new AppError('BODY_REQUIRED', 'html or text is required unless the template has a body.');
    }
  }

  /** Throws SUBJECT_REQUIRED, BODY_REQUIRED, MISSING_VARIABLES, INVALID_REQUEST. */
  contentOf(given: GivenContent, template: RegisteredEmailTemplate | null): Content {
    this.assertParts(given, template);
    // Only the parts of the template that are used are rendered, so that unused parts do not require variables.
    const wanted = (['subject', 'html', 'text'] as const).filter((part) => !given[part]);
    const rendered = template && renderEmailTemplate(template.parsed, given.variables ?? {}, wanted);
    return {
      subject: given.subject || rendered?.subject || '',
      html: given.html || rendered?.html || null,
      text: given.text || rendered?.text || null,
    };
  }

  /** Finds a sender by address; `null` finds the main sender. Throws SENDER_NOT_VERIFIED, DOMAIN_NOT_VERIFIED. */
  async findSender(
    { organizationId }: Pick<Tenant, 'organizationId'>,
    from: string | null,
  ): Promise<RegisteredEmailSender> {
    const sender =
      from === null ? await this.catalog.mainSender(organizationId) : await this.catalog.sender(organizationId, from);
    if (!sender) {
      throw new AppError(
        'SENDER_NOT_VERIFIED',
        from === null
          ? 'from is required because the organization has no main sender. Send the address of one of your senders.'
          : 'from is not one of your senders. GET /email/senders lists them.',
      );
    }
    if (!isSending(sender.domain, new Date())) {
      throw new AppError(
        'DOMAIN_NOT_VERIFIED',
        `The domain ${sender.domain.name} is not verified. Publish its DNS records and verify the domain.`,
      );
    }
    if (!(await this.catalog.canSign(sender.domain.id))) {
      throw new AppError(
        'SENDER_NOT_VERIFIED',
        `Mail from ${sender.address} cannot be signed: the service cannot decrypt the DKIM key of ${sender.domain.name}. ` +
          'Nothing was sent or charged. Report this to the operator, or use a sender of another domain.',
      );
    }
    return sender;
  }

  /** Replaces the addresses of erased persons who had opted out with masks, which `email.accept` skips. */
  maskErased(organizationId: string, to: string[]): Promise<string[]> {
    return Promise.all(
      to.map(async (address) => {
        const person = { kind: 'email', value: addressKey(address) } as const;
        return (await this.erased.blockedMaskOf(organizationId, person, 'email')) ?? address;
      }),
    );
  }
}
