import { AuditedKind, targetOf } from '@heliograph/tenancy';
import type { Template } from './template.entity';

/** The audited fields of a template. */
export const AUDITED_TEMPLATE = new AuditedKind<Template>(
  'sms.template',
  targetOf,
  ({ name, onboardingId, body, dltTemplateId, isActive }) => ({ name, onboardingId, body, dltTemplateId, isActive }),
);
