import type { Integer, Uri } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { LinkProof } from '@heliograph/secrets';
import type { FormFields } from '@heliograph/service-kit';
import { IsString } from 'class-validator';

/** The multipart form of an upload. */
export class MediaUpload {
  @ApiProperty({ type: 'string', format: 'binary' })
  file: unknown;
}

export class MediaUploaded {
  /** Id of the file, to be sent as `media.id`. */
  id: string;
}

export class MediaLookup {
  /** Download link. It requires no API key and is valid for five minutes. */
  url: Uri;
  /** @example image/jpeg */
  mime_type: string;
  /** SHA-256 hash of the file, in hexadecimal. */
  sha256: string;
  /** Size of the file in bytes. */
  file_size: Integer;
  id: string;
  /** @example chatapp */
  messaging_product: string;
}

/** The query string of a download link. */
export class LinkQuery implements LinkProof {
  @IsString()
  expires: string;
  @IsString()
  signature: string;
}

/** Replaces a missing or repeated parameter with an empty string, which makes the link invalid. */
export function normalizeLink(parameters: FormFields): LinkProof {
  const only = (name: string): string => {
    const values = parameters.get(name) ?? [];
    return values.length === 1 ? (values[0] ?? '') : '';
  };
  return { expires: only('expires'), signature: only('signature') };
}
