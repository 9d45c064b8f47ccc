import { composeMessage, type ComposedMessage } from './compose-message';
import { parseTemplate, renderTemplate } from './render-template';
import { roomInLastSegment } from './segment-count';

export interface MessagePreview extends ComposedMessage {
  /** Tokens without a value: in `body` they stand as placeholders, and are counted as such. */
  missing: string[];
  /** Of the last segment, in septets for GSM 7-bit and in UTF-16 units for UCS-2. */
  unitsUsed: number;
  unitsLeft: number;
  /** Credits. */
  cost: number;
}

/**
 * What a send of this template would put on the air and cost; `rate` is credits per segment. Throws INVALID_VARIABLES,
 * as the send does, for a text that is empty or too long.
 */
export function previewMessage(body: string, variables: ReadonlyMap<string, string>, rate: number): MessagePreview {
  const template = parseTemplate(body);
  const rendered = renderTemplate(template, variables);
  const missing = 'missing' in rendered ? rendered.missing : [];
  const placeholders = missing.map((token): [string, string] => [token, `{{${token}}}`]);
  const composed = composeMessage(template, new Map([...variables, ...placeholders]));
  const { used, left } = roomInLastSegment(composed.body);
  return { ...composed, missing, unitsUsed: used, unitsLeft: left, cost: composed.segments * rate };
}
