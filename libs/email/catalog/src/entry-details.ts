import type { DomainStatus } from './domains/domain.entity';
import type { EmailTemplate } from './templates/template.entity';

export interface DomainDetails {
  name: string;
  /** Without it, the status is not changed; a new domain is pending. */
  status?: DomainStatus;
  expiresAt: Date | null;
}

export interface EmailSenderDetails {
  address: string;
  name: string | null;
  isMain: boolean;
}
export type EmailSenderChanges = Partial<Pick<EmailSenderDetails, 'name' | 'isMain'>>;

export interface EmailTemplateDetails {
  slug: string;
  name: string;
  subject: string | null;
  html: string | null;
  text: string | null;
  /** The default of its emails; null: `marketing`. */
  unsubscribeScope: string | null;
}
export type EmailTemplateChanges = Partial<EmailTemplateDetails>;

/** A template without its html and text. */
export type EmailTemplateSummary = Pick<EmailTemplate, keyof typeof TEMPLATE_SUMMARY>;
export const TEMPLATE_SUMMARY = {
  id: true,
  slug: true,
  name: true,
  subject: true,
  unsubscribeScope: true,
  variables: true,
  createdAt: true,
  updatedAt: true,
} as const;
