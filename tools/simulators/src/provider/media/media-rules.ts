import { refusal } from '../graph-error';

const MB = 1_024 * 1_024;
/** The limit of any upload. */
export const MAX_UPLOAD_BYTES = 100 * MB;

/** The types and sizes that the vendor documents. */
const KINDS: readonly { types: readonly string[]; maxBytes: number }[] = [
  { types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/opus'], maxBytes: 16 * MB },
  { types: ['image/jpeg', 'image/png'], maxBytes: 5 * MB },
  { types: ['image/webp'], maxBytes: 500 * 1_024 },
  { types: ['video/3gpp', 'video/mp4'], maxBytes: 16 * MB },
  {
    types: [
      'text/plain',
      'application/pdf',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    maxBytes: MAX_UPLOAD_BYTES,
  },
];

/** Throws if the vendor does not support the type or the size. */
export function checkMediaRules({ type, size }: { type: string; size: number }): void {
  const essence = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const kind = KINDS.find(({ types }) => types.includes(essence));
  if (!kind) throw refusal(100, `file must not be of the type ${type}`);
  if (size > kind.maxBytes) throw tooBig(kind.maxBytes);
}

export function tooBig(maxBytes: number): Error {
  return refusal(131053, `file must have at most ${maxBytes} bytes`);
}
