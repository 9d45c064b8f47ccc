import { ApiProperty } from '@nestjs/swagger';

export class MediaUploaded {
  @ApiProperty({ description: 'What a send takes as media.id' })
  id: string;
}

export class MediaLookup {
  @ApiProperty({ format: 'uri', description: 'Where the file can be fetched for five minutes, without a key' })
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
