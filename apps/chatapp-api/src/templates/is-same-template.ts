import type { TemplateComponent } from '@heliograph/chatapp-catalog';

/**
 * Whether two notations describe the same template, compared by components and texts. The provider adds defaults, and
 * all texts of authentication templates, so those are ignored.
 */
export function isSameTemplate(sent: readonly TemplateComponent[], found: readonly TemplateComponent[]): boolean {
  if (sent.length !== found.length) return false;
  return sent.every(({ type, text }) => {
    const other = found.find((component) => component.type.toUpperCase() === type);
    return other !== undefined && (text === undefined || text === other.text);
  });
}
