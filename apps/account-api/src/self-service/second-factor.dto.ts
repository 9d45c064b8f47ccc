import { ApiProperty } from '@nestjs/swagger';
import { IsNonBlankText } from '../http/rules';
import { IsPassword } from '../auth/auth.dto';

export class SecondFactor {
  @ApiProperty()
  enabled: boolean;
  @ApiProperty({ type: 'integer' })
  recoveryCodesLeft: number;
}

export class EnrollRequest {
  @ApiProperty({ description: 'Current password' })
  @IsPassword()
  password: string;
}

export class Enrollment {
  @ApiProperty({ description: 'Secret for the authenticator app, in base32' })
  secret: string;
  @ApiProperty({ description: 'The secret as an otpauth:// URI, for a QR code' })
  uri: string;
}

export class CodeRequest {
  @ApiProperty({ example: '123456' })
  @IsNonBlankText(100)
  code: string;
}

export class RecoveryCodes {
  @ApiProperty({ type: [String], description: 'Single-use recovery codes, shown only in this response' })
  recoveryCodes: string[];
}
