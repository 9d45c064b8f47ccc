import { Injectable } from '@nestjs/common';
import {
  changeEntry,
  createEntry,
  isTestId,
  putEntry,
  readEntry,
  readPage,
  type Changed,
  type Page,
  type PageOf,
} from '@heliograph/database';
import type { EntityManager } from 'typeorm';
import { checkCatalogValues } from './catalog-rules';
import { approved, declared, rejected, resubmitted, submitted, type Review } from './onboarding-review';
import { Onboarding, type OnboardingStatus } from './onboarding.entity';
import { Rate } from './rate.entity';
import { Sender } from './sender.entity';
import { Template } from './template.entity';

export interface OnboardingDetails {
  name: string;
  country: string;
  status: OnboardingStatus;
  dltEntityId: string | null;
}
export type NewOnboarding = Omit<OnboardingDetails, 'status'>;
export type OnboardingChanges = Partial<Pick<OnboardingDetails, 'name' | 'dltEntityId'>>;
export type OnboardingFilter = Partial<Pick<OnboardingDetails, 'status'>>;

export interface SenderDetails {
  header: string;
  onboardingId: string;
  dltSenderId: string | null;
  isActive: boolean;
}
export type SenderChanges = Partial<Pick<SenderDetails, 'dltSenderId' | 'isActive'>>;

export interface TemplateDetails {
  name: string;
  onboardingId: string;
  body: string;
  dltTemplateId: string | null;
  isActive: boolean;
}
export type TemplateChanges = Partial<Omit<TemplateDetails, 'onboardingId'>>;

/** Filter for senders and templates. */
export type RegistrationFilter = Partial<Pick<SenderDetails, 'onboardingId' | 'isActive'>>;

/**
 * Writes the catalog. The account API and provisioning (`put…`) share the validation rules; methods throw
 * VALIDATION_ERROR. Entries of other organizations are NOT_FOUND, like unknown ids.
 */
@Injectable()
export class CatalogService {
  /** Throws NAME_TAKEN. */
  async createOnboarding(
    transaction: EntityManager,
    organizationId: string,
    { name, country, dltEntityId }: NewOnboarding,
  ): Promise<Onboarding> {
    checkCatalogValues({ name, country, dltEntityId });
    const review = reviewOf(organizationId, new Date());
    return createEntry(transaction, Onboarding, { organizationId, name, country, dltEntityId, ...review });
  }

  /** A new entity id requires a new approval. Throws NOT_FOUND, NAME_TAKEN. */
  async changeOnboarding(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    { name, dltEntityId }: OnboardingChanges,
  ): Promise<Changed<Onboarding>> {
    checkCatalogValues({ name, dltEntityId });
    return changeEntry(transaction, Onboarding, { organizationId, id }, (before) => {
      const isOtherEntity = dltEntityId !== undefined && dltEntityId !== before.dltEntityId;
      return { name, dltEntityId, ...(isOtherEntity ? reviewOf(organizationId, new Date()) : {}) };
    });
  }

  /** Submits a rejected onboarding again. Throws NOT_FOUND, STATE_CONFLICT unless it was rejected. */
  async resubmitOnboarding(
    transaction: EntityManager,
    organizationId: string,
    id: string,
  ): Promise<Changed<Onboarding>> {
    return changeEntry(transaction, Onboarding, { organizationId, id }, (before) => ({
      ...resubmitted(before, new Date()),
      ...reviewOf(organizationId, new Date()),
    }));
  }

  /** For the operator, who decides for all organizations. Throws NOT_FOUND, STATE_CONFLICT unless it is pending. */
  async approveOnboardingAcrossTenants(
    transaction: EntityManager,
    id: string,
    { dltEntityId }: { dltEntityId?: string } = {},
  ): Promise<Changed<Onboarding>> {
    checkCatalogValues({ dltEntityId });
    return changeEntry(transaction, Onboarding, { id }, (before) => ({ dltEntityId, ...approved(before, new Date()) }));
  }

  /**
   * For the operator, who decides for all organizations; also withdraws an approval. Throws NOT_FOUND, STATE_CONFLICT
   * if it is already rejected.
   */
  async rejectOnboardingAcrossTenants(
    transaction: EntityManager,
    id: string,
    rejectionReason: string,
  ): Promise<Changed<Onboarding>> {
    checkCatalogValues({ rejectionReason });
    return changeEntry(transaction, Onboarding, { id }, (before) => rejected(before, rejectionReason, new Date()));
  }

  async listOnboardings(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
    { status }: OnboardingFilter = {},
  ): Promise<PageOf<Onboarding>> {
    return readPage(transaction, Onboarding, page, { organizationId, status });
  }

  /** Pending onboardings of all organizations, for the operator. */
  async listOnboardingsAcrossTenants(
    transaction: EntityManager,
    page: Page,
    { status }: OnboardingFilter = {},
  ): Promise<PageOf<Onboarding>> {
    return readPage(transaction, Onboarding, page, { status });
  }

  async onboardingOf(transaction: EntityManager, organizationId: string, id: string): Promise<Onboarding> {
    return readEntry(transaction, Onboarding, { organizationId, id });
  }

  /** Throws NOT_FOUND for an unknown onboarding, NAME_TAKEN for an existing header. */
  async createSender(
    transaction: EntityManager,
    organizationId: string,
    { header, onboardingId, dltSenderId, isActive }: SenderDetails,
  ): Promise<Sender> {
    checkCatalogValues({ header, dltSenderId });
    await this.onboardingOf(transaction, organizationId, onboardingId);
    const sender = { organizationId, header, onboardingId, dltSenderId, isActive };
    return createEntry(transaction, Sender, sender, 'header');
  }

  /** Throws NOT_FOUND. */
  async changeSender(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    { dltSenderId, isActive }: SenderChanges,
  ): Promise<Changed<Sender>> {
    checkCatalogValues({ dltSenderId });
    return changeEntry(transaction, Sender, { organizationId, id }, () => ({ dltSenderId, isActive }));
  }

  async listSenders(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
    { onboardingId, isActive }: RegistrationFilter = {},
  ): Promise<PageOf<Sender>> {
    return readPage(transaction, Sender, page, { organizationId, onboardingId, isActive });
  }

  async senderOf(transaction: EntityManager, organizationId: string, id: string): Promise<Sender> {
    return readEntry(transaction, Sender, { organizationId, id });
  }

  /** Throws NOT_FOUND for an unknown onboarding, NAME_TAKEN for an existing name in it. */
  async createTemplate(
    transaction: EntityManager,
    organizationId: string,
    { name, onboardingId, body, dltTemplateId, isActive }: TemplateDetails,
  ): Promise<Template> {
    checkCatalogValues({ name, body, dltTemplateId });
    await this.onboardingOf(transaction, organizationId, onboardingId);
    return createEntry(transaction, Template, { organizationId, name, onboardingId, body, dltTemplateId, isActive });
  }

  /** Throws NOT_FOUND, NAME_TAKEN. */
  async changeTemplate(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    { name, body, dltTemplateId, isActive }: TemplateChanges,
  ): Promise<Changed<Template>> {
    checkCatalogValues({ name, body, dltTemplateId });
    const changes = { name, body, dltTemplateId, isActive };
    return changeEntry(transaction, Template, { organizationId, id }, () => changes);
  }

  async listTemplates(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
    { onboardingId, isActive }: RegistrationFilter = {},
  ): Promise<PageOf<Template>> {
    return readPage(transaction, Template, page, { organizationId, onboardingId, isActive });
  }

  async templateOf(transaction: EntityManager, organizationId: string, id: string): Promise<Template> {
    return readEntry(transaction, Template, { organizationId, id });
  }

  /** Updates the onboarding with this name, or creates it. */
  async putOnboarding(
    transaction: EntityManager,
    organizationId: string,
    { name, country, status, dltEntityId }: OnboardingDetails,
  ): Promise<Onboarding> {
    checkCatalogValues({ name, country, dltEntityId });
    return putEntry(transaction, Onboarding, { organizationId, name }, (existing) => ({
      country,
      dltEntityId,
      ...declared(status, existing, new Date()),
    }));
  }

  /** Updates the sender with this header, or creates it. Throws NOT_FOUND for an unknown onboarding. */
  async putSender(
    transaction: EntityManager,
    organizationId: string,
    { header, onboardingId, dltSenderId, isActive }: SenderDetails,
  ): Promise<Sender> {
    checkCatalogValues({ header, dltSenderId });
    await this.onboardingOf(transaction, organizationId, onboardingId);
    const values = { onboardingId, dltSenderId, isActive };
    return putEntry(transaction, Sender, { organizationId, header }, () => values);
  }

  /**
   * Updates the template with this name in the onboarding, or creates it. Throws NOT_FOUND for an unknown onboarding.
   */
  async putTemplate(
    transaction: EntityManager,
    organizationId: string,
    { name, onboardingId, body, dltTemplateId, isActive }: TemplateDetails,
  ): Promise<Template> {
    checkCatalogValues({ name, body, dltTemplateId });
    await this.onboardingOf(transaction, organizationId, onboardingId);
    const values = { body, dltTemplateId, isActive };
    return putEntry(transaction, Template, { organizationId, onboardingId, name }, () => values);
  }

  async putRate(transaction: EntityManager, country: string, rate: number): Promise<void> {
    checkCatalogValues({ country, rate });
    await transaction.getRepository(Rate).save({ country, rate });
  }

  /** Countries with a rate other than 1, sorted by code. */
  async listRates(transaction: EntityManager): Promise<Rate[]> {
    return transaction.getRepository(Rate).find({ order: { country: 'ASC' } });
  }
}

/** The operator approves live onboardings only: that of a test organization is approved when it is submitted. */
function reviewOf(organizationId: string, now: Date): Review {
  const review = submitted(now);
  return isTestId(organizationId) ? approved(review, now) : review;
}
