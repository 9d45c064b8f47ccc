import { ApiProperty } from '@nestjs/swagger';
import { formatUserCode, MODES } from '@heliograph/auth';
import { SCOPES, type Integer, type Uuid } from '@heliograph/contracts';
import { IsOneOf, isStorableText, rule, V1Request } from '@heliograph/service-kit';
import { IsOptional } from 'class-validator';
import type { NewKey } from '../../developer/api-keys/api-keys.dto';
import { IsDisplayName } from '../v1-auth/v1-auth.dto';
import type { StartedDeviceLogin } from './device-logins.service';

const MAX_CODE_LENGTH = 100;

const AreScopes = () =>
  rule(
    'areScopes',
    `scopes must be a list of: ${SCOPES.join(', ')}.`,
    (value) =>
      Array.isArray(value) &&
      value.length <= SCOPES.length &&
      value.every((scope) => (SCOPES as readonly unknown[]).includes(scope)),
  );

@V1Request()
export class V1DeviceLoginRequest {
  /**
   * Name of the program and its machine. The person who approves the login sees it, and it is the proposed name of the API key.
   * @example Command line on laptop
   */
  @ApiProperty({ maxLength: 200 })
  @IsDisplayName('name')
  name: string;
  /**
   * Mode of the API key: `test` for a key that reaches no upstream and no live balance.
   * @default test
   */
  @ApiProperty({ enum: MODES })
  @IsOptional()
  @IsOneOf('mode', MODES)
  mode?: (typeof MODES)[number] | null;
  /**
   * Requested scopes of the API key. An empty list requests an unrestricted key. The person who approves the login may choose others.
   * @default []
   */
  @ApiProperty({ enum: SCOPES, isArray: true })
  @IsOptional()
  @AreScopes()
  scopes?: string[] | null;
}

export class V1DeviceLogin {
  /**
   * Secret of the program, with which it polls.
   * @example vT7yB1mQ0xK4cZ9nR2wJ6sD8fL3hG5pA
   */
  device_code: string;
  /**
   * Code that the program displays, so that the person can compare it.
   * @example WDJB-MJHT
   */
  user_code: string;
  /**
   * Page of the console on which the person enters the code.
   * @example https://console.example.com/console/device
   */
  verification_uri: string;
  /**
   * The same page with the code. The code follows `#`, so that no server receives it.
   * @example https://console.example.com/console/device#WDJB-MJHT
   */
  verification_uri_complete: string;
  /**
   * Lifetime of both codes in seconds.
   * @example 600
   */
  expires_in: Integer;
  /**
   * Shortest time between two polls in seconds.
   * @example 5
   */
  interval: Integer;

  static of({ login, deviceCode, page }: StartedDeviceLogin): V1DeviceLogin {
    const code = formatUserCode(login.userCode);
    return {
      device_code: deviceCode,
      user_code: code,
      verification_uri: page,
      verification_uri_complete: `${page}#${code}`,
      expires_in: Math.round((login.expiresAt.getTime() - login.createdAt.getTime()) / 1_000),
      interval: login.intervalSeconds,
    };
  }
}

@V1Request()
export class V1DeviceTokenRequest {
  /** The `device_code` of the login. */
  @rule(
    'isDeviceCode',
    'device_code must be the device_code of a login.',
    (value) => isStorableText(value, MAX_CODE_LENGTH) && value !== '',
  )
  device_code: string;
}

export class V1DeviceToken {
  /**
   * The complete API key, returned only in this response.
   * @example msg_test_7Hd2kQ9sLx0BvT4mWn8RzC1fYp5JgE3a
   */
  api_key: string;
  /** Id of the API key. */
  key_id: Uuid;
  /** Name that the person has given the API key. */
  name: string;
  /** Mode of the API key, as the program has requested it. */
  mode: (typeof MODES)[number];
  /** Scopes of the API key. A key with an empty list is unrestricted. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: string[];

  static of({ key, apiKey }: NewKey): V1DeviceToken {
    const { id, name, mode, scopes } = apiKey;
    return { api_key: key, key_id: id, name, mode, scopes };
  }
}
