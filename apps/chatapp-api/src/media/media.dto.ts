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
  @ApiProperty({ description: 'Id of the file, to be sent as `media.id`' })
  id: string;
}

export class MediaLookup {
  @ApiProperty({ format: 'uri', description: 'Download link. It requires no API key and is valid for five minutes' })
  url: string;
  @ApiProperty({ example: 'image/jpeg' })
  mime_type: string;
  @ApiProperty({ description: 'SHA-256 hash of the file, in hexadecimal' })
  sha256: string;
  @ApiProperty({ type: 'integer', description: 'Size of the file in bytes' })
  file_size: number;
  @ApiProperty()
  id: string;
  @ApiProperty({ example: 'chatapp' })
  messaging_product: string;
}

/** The query string of a download link. */
export class LinkQuery implements LinkProof {
  @ApiProperty()
  @IsString()
  expires: string;
  @ApiProperty()
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
