export { assertValues, composeMessage, composeText, type ComposedMessage } from './compose-message';
export { encodeGsm7, septetCount } from './gsm7';
export { closestTemplate } from './closest-template';
export { fixedLength, matchTemplate, withLineFeeds } from './match-template';
export { PLACEHOLDER_KINDS, PLACEHOLDERS_DESCRIPTION } from './placeholder-kinds';
export { previewMessage, type MessagePreview } from './preview-message';
export { missingTokens, parseTemplate, type ParsedTemplate } from './render-template';
export { countSegments, MAX_BODY_UNITS, MAX_SEGMENTS, splitSegments, type SmsEncoding } from './segment-count';
