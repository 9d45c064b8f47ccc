import { ApiProperty } from '@nestjs/swagger';
import { IsPassword } from '../auth/auth.dto';
import { IsFilledText } from '../http/rules';

export class AskForResetRequest {
  @ApiProperty({ example: 'ann@example.com' })
  @IsFilledText(1_000)
  email: string;
}

/** Says nothing: not even whether the address is somebody's. */
export class ResetAskedFor {}

export class ResetPasswordRequest {
  @ApiProperty({ minLength: 8 })
  @IsPassword()
  password: string;
}
