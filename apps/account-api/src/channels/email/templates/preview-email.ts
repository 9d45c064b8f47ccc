import { htmlToText, parseEmailTemplate, renderEmailTemplate, type EmailTemplateSource } from '@heliograph/email-text';
import { AppError } from '@heliograph/errors';
import type { EmailPreview } from './templates.dto';

/**
 * Renders an email as a send would. A required variable without a value appears as its placeholder. Throws
 * INVALID_TEMPLATE, and VALIDATION_ERROR for invalid values.
 */
export function previewEmail(source: EmailTemplateSource, variables: Record<string, unknown>): EmailPreview {
  const parsed = parseEmailTemplate(source);
  const isMissing = (name: string) => !Object.hasOwn(variables, name) || (variables[name] ?? null) === null;
  const missing = parsed.required.filter(isMissing);
  const placeholders = missing.map((name) => [name, `{{ ${name} }}`]);
  const values = Object.fromEntries([...Object.entries(variables), ...placeholders]) as Record<string, unknown>;
  try {
    const { subject, html, text } = renderEmailTemplate(parsed, values);
    const shownText = text ?? (html === null ? null : htmlToText(html));
    return { subject, html, text: shownText, variables: [...parsed.variables], missing };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST') throw error;
    throw new AppError('VALIDATION_ERROR', error.message, { cause: error });
  }
}
