import { ApiProperty } from '@nestjs/swagger';
import { IsPassword } from '../auth/auth.dto';
import { IsFilledText } from '../http/rules';

export class SecondFactor {
  @ApiProperty()
  enabled: boolean;
  @ApiProperty({ type: 'integer' })
  recoveryCodesLeft: number;
}

export class EnrollRequest {
  @ApiProperty({ description: 'The password that the person has' })
  @IsPassword()
  password: string;
}

export class Enrollment {
  @ApiProperty({ description: 'For the authenticator app, in base32' })
  secret: string;
  @ApiProperty({ description: 'The same as an otpauth:// address, for a QR code' })
  uri: string;
}

export class CodeRequest {
  @ApiProperty({ example: '123456' })
  @IsFilledText(100)
  code: string;
}

export class RecoveryCodes {
  @ApiProperty({ type: [String], description: 'Each opens the door once. They are shown this once' })
  recoveryCodes: string[];
}
