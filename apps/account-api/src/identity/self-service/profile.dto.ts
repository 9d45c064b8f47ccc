import { ApiProperty } from '@nestjs/swagger';
import { One } from '../../http/answers';
import { IsNonBlankText, Optional } from '../../http/rules';
import { IsPassword, UserRecord } from '../auth/auth.dto';

export class ChangeUserRequest {
  /** @example Ann Example */
  @Optional()
  @IsNonBlankText(200)
  name?: string;
}

export class OneUser extends One('user', UserRecord) {}

export class ChangePasswordRequest {
  @IsPassword()
  currentPassword: string;

  @ApiProperty({ minLength: 8 })
  @IsPassword()
  newPassword: string;
}
