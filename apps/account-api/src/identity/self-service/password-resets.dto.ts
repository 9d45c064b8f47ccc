import { ApiProperty } from '@nestjs/swagger';
import { IsNonBlankText } from '../../http/rules';
import { IsPassword } from '../auth/auth.dto';

export class RequestPasswordResetRequest {
  /** @example ann@example.com */
  @IsNonBlankText(1_000)
  email: string;
}

/** Deliberately empty: the response must not reveal whether the address belongs to a user. */
export class PasswordResetRequested {}

export class ResetPasswordRequest {
  @ApiProperty({ minLength: 8 })
  @IsPassword()
  password: string;
}
