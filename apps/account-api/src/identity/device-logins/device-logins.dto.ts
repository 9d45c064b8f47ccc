import { ApiProperty, OmitType } from '@nestjs/swagger';
import { formatUserCode, MODES, readUserCode, type DeviceLogin } from '@heliograph/auth';
import { SCOPES, type Timestamp } from '@heliograph/contracts';
import { rule } from '@heliograph/service-kit';
import { CreateKeyRequest } from '../../developer/api-keys/api-keys.dto';
import { One } from '../../http/answers';

const IsUserCode = () =>
  rule(
    'isUserCode',
    'must be the code that the device displays, such as WDJB-MJHT',
    (value) => typeof value === 'string' && readUserCode(value) !== null,
  );

export class DeviceLoginQuery {
  /**
   * Code that the device displays, in any case, with or without the hyphen.
   * @example WDJB-MJHT
   */
  @IsUserCode()
  userCode: string;
}

export class DeviceLoginRecord {
  /**
   * Code that the device displays.
   * @example WDJB-MJHT
   */
  userCode: string;
  /**
   * Name of the program and its machine, which the program has chosen.
   * @example Command line on laptop
   */
  name: string;
  /** Requested mode of the API key. */
  mode: (typeof MODES)[number];
  /** Requested scopes. An empty list requests an unrestricted key. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: string[];
  /** IP address that started the login. */
  ipAddress: string | null;
  createdAt: Timestamp;
  expiresAt: Timestamp;

  static of({ userCode, name, mode, scopes, ipAddress, createdAt, expiresAt }: DeviceLogin): DeviceLoginRecord {
    return {
      userCode: formatUserCode(userCode),
      name,
      mode,
      scopes,
      ipAddress,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
  }
}

export class OneDeviceLogin extends One('deviceLogin', DeviceLoginRecord) {}

/** The API key that the device gets. The device has chosen its mode. */
export class ApproveDeviceRequest extends OmitType(CreateKeyRequest, ['mode']) {
  /**
   * Code that the device displays, in any case, with or without the hyphen.
   * @example WDJB-MJHT
   */
  @IsUserCode()
  userCode: string;
}
