import { parse } from 'content-type';
import { AppError } from '@heliograph/errors';
import { FORM_TYPE, type BodyFormats } from './input-formats';

const JSON_TYPE = 'application/json';
const UTF_8 = { pattern: /^utf-?8$/i, name: 'UTF-8' };
const JSON_SUFFIX = /^application\/[\w!#$&^.+-]+\+json$/;

/**
 * Returns the media type of a body in lower case and without parameters; empty if the request names none.
 * Throws INVALID_REQUEST if the route does not accept the type, or its charset is not UTF-8.
 */
export function acceptedBodyType(header: string | undefined, format: BodyFormats): string {
  if (header === undefined) return '';
  if (header === JSON_TYPE && !format.bytes) return header;
  let type: string;
  let charset: string | undefined;
  try {
    ({
      type,
      parameters: { charset },
    } = parse(header));
  } catch (error) {
    throw refused('is malformed', format, error);
  }
  if (!accepts(type, format)) throw refused('is not accepted here', format);
  const { pattern, name } = format.charset ?? UTF_8;
  if (charset !== undefined && !pattern.test(charset)) {
    throw new AppError('INVALID_REQUEST', `The charset of the body is not supported. Send ${name}.`);
  }
  return type;
}

function accepts(type: string, format: BodyFormats): boolean {
  const types = acceptedTypes(format);
  return types === null || types.includes(type) || (types.includes(JSON_TYPE) && JSON_SUFFIX.test(type));
}

function refused(why: string, format: BodyFormats, cause?: unknown): AppError {
  const types = acceptedTypes(format);
  const advice = types ? ` Send ${types.join(' or ')}.` : '';
  return new AppError('INVALID_REQUEST', `The Content-Type ${why}.${advice}`, { cause });
}

/** `null` if the route accepts every type. */
function acceptedTypes({ bytes, form, mediaTypes }: BodyFormats): readonly string[] | null {
  if (mediaTypes) return mediaTypes;
  if (bytes) return null;
  return form ? [JSON_TYPE, FORM_TYPE] : [JSON_TYPE];
}
