import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';

export class EventsQuery {
  @ApiPropertyOptional({ description: 'Id of the last message that the client has' })
  @IsOptional()
  @IsString()
  after?: string;
}
