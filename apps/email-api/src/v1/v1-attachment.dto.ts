import { ApiProperty } from '@nestjs/swagger';
import { isStorableText, rule } from '@heliograph/service-kit';
import { IsOptional } from 'class-validator';
import { isMail, MAIL_TYPE } from '../sending/mail-parts';
import type { MailAttachment } from '../sending/sent-message';

export const MAX_ATTACHMENTS = 20;
const MAX_FILENAME_LENGTH = 255;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/i;
/** Composite media types. Only a complete mail can be attached, because the others have rules of their own (RFC 2046, 5). */
const COMPOSITE_TYPE = /^(?:multipart|message)\//i;
/** Transfer encodings must not be applied to an attached mail (RFC 2046, 5.2.1), and not all servers transport 8 bits. */
const NOT_SEVEN_BIT = /[^\x01-\x7f]|[^\r\n]{999}/;
const DEFAULT_TYPE = 'application/octet-stream';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export class V1Attachment {
  @ApiProperty({ maxLength: MAX_FILENAME_LENGTH })
  @rule(
    'is_filename',
    `$property must be a file name of 1 to ${MAX_FILENAME_LENGTH} characters without a path.`,
    (value) => isStorableText(value, MAX_FILENAME_LENGTH) && value.trim() !== '' && !/[\p{Cc}/\\]/u.test(value),
  )
  filename: string;

  /**
   * Media type. `multipart/*` and `message/*` are not allowed, except `message/rfc822`: a complete mail in 7-bit ASCII.
   * @default application/octet-stream
   */
  @IsOptional()
  @rule(
    'is_attachable',
    `$property must not be multipart/* or message/*, except ${MAIL_TYPE}. Send the file as ${DEFAULT_TYPE}.`,
    (value) => !COMPOSITE_TYPE.test(String(value)) || isMail(String(value)),
  )
  @rule(
    'is_media_type',
    '$property must be a media type such as application/pdf.',
    (value) => typeof value === 'string' && MEDIA_TYPE.test(value),
  )
  content_type?: string;

  /** Content of the file in Base64. */
  @ApiProperty({ format: 'byte' })
  @rule<V1Attachment>(
    'is_seven_bit',
    `$property of a ${MAIL_TYPE} attachment must be 7-bit ASCII with lines of at most 998 characters: encode the parts of ` +
      `the attached mail with base64 or quoted-printable, or send the file as ${DEFAULT_TYPE}.`,
    (value, { content_type: type }) =>
      !isMail(String(type)) || !NOT_SEVEN_BIT.test(Buffer.from(String(value), 'base64').toString('latin1')),
  )
  @rule(
    'is_base64',
    '$property must be base64 with padding and without line breaks.',
    (value) => typeof value === 'string' && value !== '' && value.length % 4 === 0 && BASE64.test(value),
  )
  content: string;
}

/** Converts attachments to their stored form. */
export function storedAttachments(given: readonly V1Attachment[] | null | undefined): MailAttachment[] | null {
  if (!given || given.length === 0) return null;
  return given.map(({ filename, content_type: type, content }) => ({
    filename,
    contentType: type ?? DEFAULT_TYPE,
    contentBase64: content,
  }));
}
