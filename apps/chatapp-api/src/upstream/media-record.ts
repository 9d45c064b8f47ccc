import { z } from 'zod';

/** The provider's record of a file. */
export interface MediaRecord {
  id: string;
  /** Valid for five minutes; requires the access token. */
  url: string;
  mimeType: string;
  sha256: string;
  sizeBytes: number;
}

const record = z.object({
  id: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }),
  mime_type: z.string().min(1).max(255),
  sha256: z.string().max(128).default(''),
  // The provider sends the size as a string.
  file_size: z.coerce.number().int().min(0),
});

/** Null for an invalid record. */
export function readMediaRecord(json: unknown): MediaRecord | null {
  const parsed = record.safeParse(json);
  if (!parsed.success) return null;
  const { id, url, mime_type, sha256, file_size } = parsed.data;
  return { id, url, mimeType: mime_type, sha256, sizeBytes: file_size };
}
