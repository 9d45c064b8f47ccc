import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsPassword, UserRecord } from '../auth/auth.dto';
import { IsFilledText, MayBeAbsent } from '../http/rules';

export class ChangeUserRequest {
  @ApiPropertyOptional({ example: 'Ann Example' })
  @MayBeAbsent()
  @IsFilledText(200)
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
