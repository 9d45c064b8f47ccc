import type { TemplateComponent } from '@heliograph/chatapp-catalog';

/**
 * Whether two notations are the same template: the parts and their words. The upstream fills in the rest, and all the
 * words of templates for authentication.
 */
export function isSameTemplate(sent: readonly TemplateComponent[], found: readonly TemplateComponent[]): boolean {
  if (sent.length !== found.length) return false;
  return sent.every(({ type, text }) => {
    const other = found.find((component) => component.type.toUpperCase() === type);
    return other !== undefined && (text === undefined || text === other.text);
  });
}
