export { composeMessage, composeText, type ComposedMessage } from './compose-message';
export { decodeGsm7, encodeGsm7, isGsm7, septetCount } from './gsm7';
export { fixedLength, matchTemplate, type TemplateMatch } from './match-template';
export { previewMessage, type MessagePreview } from './preview-message';
export { parseTemplate, renderTemplate, type ParsedTemplate, type RenderedTemplate } from './render-template';
export {
  chooseEncoding,
  countSegments,
  MAX_BODY_UNITS,
  MAX_SEGMENTS,
  splitSegments,
  type SmsEncoding,
} from './segment-count';
