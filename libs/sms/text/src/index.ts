export { composeMessage, composeText, type ComposedMessage } from './compose-message';
export { encodeGsm7, septetCount } from './gsm7';
export { fixedLength, matchTemplate, type TemplateMatch } from './match-template';
export { previewMessage, type MessagePreview } from './preview-message';
export { parseTemplate, type ParsedTemplate } from './render-template';
export { countSegments, MAX_BODY_UNITS, MAX_SEGMENTS, splitSegments, type SmsEncoding } from './segment-count';
