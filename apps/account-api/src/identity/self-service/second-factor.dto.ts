import type { Integer } from '@heliograph/contracts';
import { IsNonBlankText } from '../../http/rules';
import { IsPassword } from '../auth/auth.dto';

export class SecondFactor {
  enabled: boolean;
  recoveryCodesLeft: Integer;
}

export class EnrollRequest {
  /** Current password. */
  @IsPassword()
  password: string;
}

export class Enrollment {
  /** Secret for the authenticator app, in base32. */
  secret: string;
  /** The secret as an otpauth:// URI, for a QR code. */
  uri: string;
}

export class CodeRequest {
  /** @example "123456" */
  @IsNonBlankText(100)
  code: string;
}

export class RecoveryCodes {
  /** Single-use recovery codes, shown only in this response. */
  recoveryCodes: string[];
}
