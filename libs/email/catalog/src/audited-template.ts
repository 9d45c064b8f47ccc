import { AuditedKind, excerptOf, targetOf } from '@heliograph/unit-of-work';
import type { EmailTemplate } from './template.entity';

/** The audited fields of a template. Long bodies are audited as their length and digest. */
export const AUDITED_EMAIL_TEMPLATE = new AuditedKind<EmailTemplate>(
  'email.template',
  targetOf,
  ({ slug, name, subject, html, text, unsubscribeScope }) => ({
    ...{ slug, name, subject, html: excerptOf(html), text: excerptOf(text), unsubscribeScope },
  }),
);
