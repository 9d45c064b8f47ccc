/** Media type of an attached mail. */
export const MAIL_TYPE = 'message/rfc822';
const ONE_CLICK_HEADER = /^list-unsubscribe(?:-post)?$/i;

/** Whether an attachment of this media type is a mail, which is attached without a transfer encoding (RFC 2046, 5.2.1). */
export function isMail(contentType: string): boolean {
  return contentType.toLowerCase() === MAIL_TYPE;
}

/** Whether a header is one of the two headers of one-click unsubscribe, `List-Unsubscribe` and `List-Unsubscribe-Post` (RFC 8058). */
export function isOneClickHeader(name: string): boolean {
  return ONE_CLICK_HEADER.test(name);
}
