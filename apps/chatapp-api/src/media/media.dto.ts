import { ApiProperty } from '@nestjs/swagger';

export class MediaUploaded {
  @ApiProperty({ description: 'Media id, for media.id of a send' })
  id: string;
}

export class MediaLookup {
  @ApiProperty({ format: 'uri', description: 'Download link, valid for five minutes without an API key' })
  url: string;
  @ApiProperty({ example: 'image/jpeg' })
  mime_type: string;
  @ApiProperty({ description: 'Hexadecimal' })
  sha256: string;
  @ApiProperty({ type: 'integer', description: 'Bytes' })
  file_size: number;
  @ApiProperty()
  id: string;
  @ApiProperty({ example: 'chatapp' })
  messaging_product: string;
}
