import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';

export class EventsQuery {
  @ApiPropertyOptional({
    description:
      'Id of the last message that the client has received. Without it, the stream starts after the newest message',
  })
  @IsOptional()
  @IsString()
  after?: string;
}
