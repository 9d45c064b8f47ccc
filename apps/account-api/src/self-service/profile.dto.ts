import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsPassword, UserRecord } from '../auth/auth.dto';
import { IsNonBlankText, Optional } from '../http/rules';

export class ChangeUserRequest {
  @ApiPropertyOptional({ example: 'Ann Example' })
  @Optional()
  @IsNonBlankText(200)
  name?: string;
}

export class OneUser {
  @ApiProperty()
  user: UserRecord;
}

export class ChangePasswordRequest {
  @ApiProperty()
  @IsPassword()
  currentPassword: string;

  @ApiProperty({ minLength: 8 })
  @IsPassword()
  newPassword: string;
}
