export {
  parseEmailTemplate,
  renderEmailTemplate,
  type EmailTemplateSource,
  type ParsedEmailTemplate,
  type RenderedEmail,
} from './email-template';
export { htmlToText } from './html-to-text';
export { MAX_PART_LENGTH } from './parse-part';
export { subjectFault } from './subject';
export { findUnsubscribeTags, MAX_UNSUBSCRIBE_LINKS, splitAtUnsubscribeTags } from './unsubscribe-url';
