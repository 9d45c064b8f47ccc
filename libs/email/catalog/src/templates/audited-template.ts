import { AuditedKind, excerptOf, targetOf } from '@heliograph/tenancy';
import type { EmailTemplate } from './template.entity';

/** The fields of a template in the audit log. The log contains the length and the digest of long bodies instead of their text. */
export const AUDITED_EMAIL_TEMPLATE = new AuditedKind<EmailTemplate>(
  'email.template',
  targetOf,
  ({ slug, name, subject, html, text, unsubscribeScope }) => ({
    slug,
    name,
    subject,
    html: excerptOf(html),
    text: excerptOf(text),
    unsubscribeScope,
  }),
);
