import { composeMessage, type ComposedMessage } from './compose-message';
import { parseTemplate, renderTemplate } from './render-template';
import { roomInLastSegment } from './segment-count';

export interface MessagePreview extends ComposedMessage {
  /** Tokens without a value. Their placeholders stay in `body` and are counted. */
  missing: string[];
  /** Units used in the last segment, in septets (GSM 7-bit) or UTF-16 units (UCS-2). */
  unitsUsed: number;
  unitsLeft: number;
  /** Credits. */
  cost: number;
}

/**
 * Returns the text, the segments and the price of a send; `rate` is credits per segment. Throws INVALID_VARIABLES, like
 * the send, for a text that is empty or too long.
 */
export function previewMessage(body: string, variables: ReadonlyMap<string, string>, rate: number): MessagePreview {
  const template = parseTemplate(body);
  const rendered = renderTemplate(template, variables);
  const missing = 'missing' in rendered ? rendered.missing : [];
  const placeholders = missing.map((token): [string, string] => [token, `{{${token}}}`]);
  // The placeholder itself is no value of its kind.
  const kinds = template.kinds.map((kind, slot) => {
    const token = template.tokens[template.slots[slot] ?? -1];
    return token !== undefined && missing.includes(token) ? null : kind;
  });
  const composed = composeMessage({ ...template, kinds }, new Map([...variables, ...placeholders]));
  const { used, left } = roomInLastSegment(composed.body);
  return { ...composed, missing, unitsUsed: used, unitsLeft: left, cost: composed.segments * rate };
}
