import { Inject, Injectable } from '@nestjs/common';
import {
  changeEntry,
  createEntry,
  given,
  putEntry,
  readEntry,
  readPage,
  removeEntry,
  type Changed,
  type Page,
  type PageOf,
} from '@heliograph/database';
import { addressKey, emailDomainOf } from '@heliograph/addresses';
import { AppError } from '@heliograph/errors';
import { KeyRing } from '@heliograph/secrets';
import { checkDisplayName } from '@heliograph/tenancy';
import type { EntityManager } from 'typeorm';
import { checkAddress, checkDomainName, checkTemplateParts, checkTemplateSlug } from './catalog-rules';
import { generateDkimKey, type DkimKey } from './domains/dkim-key';
import { EmailDomain, type DomainStatus } from './domains/domain.entity';
import { EMAIL_KEY_RING } from './domains/domain-secrets';
import {
  TEMPLATE_SUMMARY,
  type DomainDetails,
  type EmailSenderChanges,
  type EmailSenderDetails,
  type EmailTemplateChanges,
  type EmailTemplateDetails,
  type EmailTemplateSummary,
} from './entry-details';
import { becomesMain, lockSenders, refuseWithoutMain } from './senders/main-sender';
import { declaredState, newDomainValues } from './domains/new-domain';
import { EmailSender } from './senders/sender.entity';
import { EmailTemplate } from './templates/template.entity';
import { checkUnsubscribeScope } from './suppressions/unsubscribe-scope';

/**
 * Writes the catalog, for the account API and for provisioning (`put…`), which share the validation rules. Methods
 * throw VALIDATION_ERROR. An entry of another organization is NOT_FOUND.
 */
@Injectable()
export class EmailCatalogService {
  constructor(@Inject(EMAIL_KEY_RING) private readonly keys: KeyRing) {}

  /**
   * Creates a pending domain with its own DKIM key. Generate the key before the transaction, because callers may have
   * to wait for a key. Throws NAME_TAKEN.
   */
  async createDomain(
    transaction: EntityManager,
    organizationId: string,
    { name, key }: Pick<DomainDetails, 'name'> & { key: DkimKey },
  ): Promise<EmailDomain> {
    const values = { organizationId, name: checkDomainName(name), ...newDomainValues(key, this.keys) };
    const { id } = await createEntry(transaction, EmailDomain, values);
    return this.domainOf(transaction, organizationId, id);
  }

  /** Throws NOT_FOUND, and STATE_CONFLICT if the domain has senders. */
  async removeDomain(transaction: EntityManager, organizationId: string, id: string): Promise<EmailDomain> {
    const { name } = await this.domainOf(transaction, organizationId, id);
    await lockSenders(transaction, organizationId);
    if (await transaction.getRepository(EmailSender).existsBy({ organizationId, domainId: id })) {
      throw new AppError('STATE_CONFLICT', `The domain ${name} has senders. Remove them first.`);
    }
    return removeEntry(transaction, EmailDomain, { organizationId, id });
  }

  async listDomains(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
    { status }: { status?: DomainStatus } = {},
  ): Promise<PageOf<EmailDomain>> {
    return readPage(transaction, EmailDomain, page, { organizationId, status });
  }

  async domainOf(transaction: EntityManager, organizationId: string, id: string): Promise<EmailDomain> {
    return readEntry(transaction, EmailDomain, { organizationId, id });
  }

  /** Throws NAME_TAKEN for the address. */
  async createSender(
    transaction: EntityManager,
    organizationId: string,
    { address, name, isMain }: EmailSenderDetails,
  ): Promise<EmailSender> {
    await lockSenders(transaction, organizationId);
    const sender = {
      ...(await this.checkedSender(transaction, organizationId, { address, name })),
      isMain: await becomesMain(transaction, organizationId, { id: null, isMain }),
    };
    return createEntry(transaction, EmailSender, sender, 'address');
  }

  /** Throws NOT_FOUND, and STATE_CONFLICT if the main sender loses this role without a replacement. */
  async changeSender(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    { name, isMain }: EmailSenderChanges,
  ): Promise<Changed<EmailSender>> {
    if (typeof name === 'string') checkDisplayName(name, 'name');
    await lockSenders(transaction, organizationId);
    const before = await this.senderOf(transaction, organizationId, id);
    if (before.isMain && isMain === false) {
      throw new AppError('STATE_CONFLICT', 'This is the main sender. Make another sender the main sender instead.');
    }
    if (isMain === true) await becomesMain(transaction, organizationId, { id, isMain });
    return changeEntry(transaction, EmailSender, { organizationId, id }, () => ({ name, isMain }));
  }

  /** Throws NOT_FOUND, and STATE_CONFLICT for the main sender if there are others. */
  async removeSender(transaction: EntityManager, organizationId: string, id: string): Promise<EmailSender> {
    await lockSenders(transaction, organizationId);
    const sender = await this.senderOf(transaction, organizationId, id);
    if (sender.isMain) await refuseWithoutMain(transaction, sender);
    return removeEntry(transaction, EmailSender, { organizationId, id });
  }

  async listSenders(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
    { domainId }: { domainId?: string } = {},
  ): Promise<PageOf<EmailSender>> {
    return readPage(transaction, EmailSender, page, { organizationId, domainId });
  }

  async senderOf(transaction: EntityManager, organizationId: string, id: string): Promise<EmailSender> {
    return readEntry(transaction, EmailSender, { organizationId, id });
  }

  /** Throws NAME_TAKEN for the slug, INVALID_TEMPLATE. */
  async createTemplate(
    transaction: EntityManager,
    organizationId: string,
    { slug, name, subject, html, text, unsubscribeScope }: EmailTemplateDetails,
  ): Promise<EmailTemplate> {
    const details = { slug, name, subject, html, text, unsubscribeScope };
    const template = { organizationId, ...details, variables: checkTemplate(details) };
    return createEntry(transaction, EmailTemplate, template, 'slug');
  }

  /** Throws NOT_FOUND, NAME_TAKEN for the slug, INVALID_TEMPLATE. */
  async changeTemplate(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    { slug, name, subject, html, text, unsubscribeScope }: EmailTemplateChanges,
  ): Promise<Changed<EmailTemplate>> {
    return changeEntry(
      transaction,
      EmailTemplate,
      { organizationId, id },
      (before) => {
        const changes = given({ slug, name, subject, html, text, unsubscribeScope });
        return { ...changes, variables: checkTemplate({ ...before, ...changes }) };
      },
      'slug',
    );
  }

  async removeTemplate(transaction: EntityManager, organizationId: string, id: string): Promise<EmailTemplate> {
    return removeEntry(transaction, EmailTemplate, { organizationId, id });
  }

  async listTemplates(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
  ): Promise<PageOf<EmailTemplateSummary>> {
    return readPage(transaction, EmailTemplate, page, { organizationId }, TEMPLATE_SUMMARY);
  }

  async templateOf(transaction: EntityManager, organizationId: string, id: string): Promise<EmailTemplate> {
    return readEntry(transaction, EmailTemplate, { organizationId, id });
  }

  /**
   * Finds the domain by its name. A status declared by the operator is not changed by checks, and several organizations
   * may have the same verified name.
   */
  async putDomain(
    transaction: EntityManager,
    organizationId: string,
    { name, status, expiresAt }: DomainDetails,
  ): Promise<EmailDomain> {
    const key = { organizationId, name: checkDomainName(name) };
    const existing = await transaction.getRepository(EmailDomain).findOneBy(key);
    const made = existing ? {} : newDomainValues(await generateDkimKey(), this.keys);
    const declared = declaredState(status, existing, new Date());
    const { id } = await putEntry(transaction, EmailDomain, key, () => ({ ...made, ...declared, expiresAt }));
    return this.domainOf(transaction, organizationId, id);
  }

  /** Finds the sender by its address. The main sender keeps this role until another sender requests it. */
  async putSender(
    transaction: EntityManager,
    organizationId: string,
    { address, name, isMain }: EmailSenderDetails,
  ): Promise<EmailSender> {
    await lockSenders(transaction, organizationId);
    const values = await this.checkedSender(transaction, organizationId, { address, name });
    const key = { organizationId, addressKey: values.addressKey };
    const existing = await transaction.getRepository(EmailSender).findOneBy(key);
    const isNowMain = await becomesMain(transaction, organizationId, { id: existing?.id ?? null, isMain });
    return putEntry(transaction, EmailSender, key, () => ({ ...values, isMain: isNowMain }));
  }

  /** Finds the template by its slug. Throws INVALID_TEMPLATE. */
  async putTemplate(
    transaction: EntityManager,
    organizationId: string,
    { slug, name, subject, html, text, unsubscribeScope }: EmailTemplateDetails,
  ): Promise<EmailTemplate> {
    const variables = checkTemplate({ slug, name, subject, html, text, unsubscribeScope });
    const values = { name, subject, html, text, unsubscribeScope, variables };
    return putEntry(transaction, EmailTemplate, { organizationId, slug }, () => values);
  }

  private async checkedSender(
    transaction: EntityManager,
    organizationId: string,
    { address, name }: Pick<EmailSenderDetails, 'address' | 'name'>,
  ): Promise<Pick<EmailSender, 'organizationId' | 'domainId' | 'address' | 'addressKey' | 'name'>> {
    if (name !== null) checkDisplayName(name, 'name');
    const sent = checkAddress(address);
    const domainName = emailDomainOf(sent);
    const domain = await transaction.getRepository(EmailDomain).findOneBy({ organizationId, name: domainName });
    if (!domain) {
      throw new AppError(
        'VALIDATION_ERROR',
        `address: ${domainName} is not one of your domains. Add it first, or use an address on one of your domains.`,
      );
    }
    return { organizationId, domainId: domain.id, address: sent, addressKey: addressKey(sent), name };
  }
}

/** Returns the names of the variables. */
function checkTemplate({ slug, name, subject, html, text, unsubscribeScope }: EmailTemplateDetails): string[] {
  checkTemplateSlug(slug);
  checkDisplayName(name, 'name');
  checkUnsubscribeScope(unsubscribeScope);
  return checkTemplateParts({ subject, html, text });
}
