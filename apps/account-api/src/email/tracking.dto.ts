import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsFlag, MayBeAbsent } from '../http/rules';

export class EmailTracking {
  @ApiProperty()
  opens: boolean;
  @ApiProperty()
  clicks: boolean;
}

export class OneEmailTracking {
  @ApiProperty({ description: 'A mail is followed where its workspace, its key and the send itself all allow it' })
  tracking: EmailTracking;
}

export class SetEmailTrackingRequest {
  @ApiPropertyOptional({ description: 'Left out: stays' })
  @MayBeAbsent()
  @IsFlag()
  opens?: boolean;
  @ApiPropertyOptional({ description: 'Left out: stays' })
  @MayBeAbsent()
  @IsFlag()
  clicks?: boolean;
}
