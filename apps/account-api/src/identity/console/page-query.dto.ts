import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';

/** The query string of a link in an email. Mail programs and trackers may add parameters. */
export class PageQuery {
  @ApiProperty({ required: false })
  @IsOptional()
  token: string = '';
}
