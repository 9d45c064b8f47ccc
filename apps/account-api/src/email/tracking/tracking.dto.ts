import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Optional, IsTrueOrFalse } from '../../http/rules';

export class EmailTracking {
  @ApiProperty()
  opens: boolean;
  @ApiProperty()
  clicks: boolean;
}

export class OneEmailTracking {
  @ApiProperty({ description: 'An email is tracked only if its workspace, its API key and the send itself allow it' })
  tracking: EmailTracking;
}

export class SetEmailTrackingRequest {
  @ApiPropertyOptional({ description: 'New value of the setting. It is not changed if omitted' })
  @Optional()
  @IsTrueOrFalse()
  opens?: boolean;
  @ApiPropertyOptional({ description: 'New value of the setting. It is not changed if omitted' })
  @Optional()
  @IsTrueOrFalse()
  clicks?: boolean;
}
