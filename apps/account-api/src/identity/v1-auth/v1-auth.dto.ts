import type { Integer, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';
import { isStorableText, rule, V1Request } from '@heliograph/service-kit';
import { checkDisplayName, type Organization, type Workspace } from '@heliograph/tenancy';
import {
  ACCESS_TOKEN_SECONDS,
  MAX_PASSWORD_LENGTH,
  readUserAddress,
  REFRESH_TOKEN_SECONDS,
  type TokenPair,
  type User,
} from '@heliograph/users';

const MIN_NEW_PASSWORD_LENGTH = 8;
const MAX_NEW_PASSWORD_LENGTH = 200;
const MAX_CREDENTIAL_LENGTH = 1_000;
const MAX_CODE_LENGTH = 100;

export const IsDisplayName = (field: string) =>
  rule(
    'isDisplayName',
    `${field} must be a string of 1 to 200 characters without links, line breaks and control characters.`,
    (value) => isStorableText(value, 200) && isSafeName(value, field),
  );

const IsEmail = () =>
  rule(
    'isEmail',
    'email must be a single email address, such as ann@example.com.',
    (value) => isStorableText(value, MAX_CREDENTIAL_LENGTH) && readUserAddress(value) !== null,
  );

const IsNewPassword = () =>
  rule(
    'isNewPassword',
    `password must be a string of ${MIN_NEW_PASSWORD_LENGTH} to ${MAX_NEW_PASSWORD_LENGTH} characters.`,
    (value) => isStorableText(value, MAX_NEW_PASSWORD_LENGTH) && value.length >= MIN_NEW_PASSWORD_LENGTH,
  );

const IsCredential = (field: string, maxLength = MAX_CREDENTIAL_LENGTH) =>
  rule(
    'isCredential',
    `${field} must be a string of 1 to ${maxLength} characters.`,
    (value) => isStorableText(value, maxLength) && value !== '',
  );

@V1Request()
export class V1RegisterRequest {
  /** Name of the user. */
  @ApiProperty({ maxLength: 200 })
  @IsDisplayName('name')
  name: string;
  /** @example ann@example.com */
  @IsEmail()
  email: string;
  /**
   * Password. It must not be a common password, the email address, `name` or `organization`, or one of these with a few digits or symbols
   * added.
   */
  @ApiProperty({ minLength: MIN_NEW_PASSWORD_LENGTH, maxLength: MAX_NEW_PASSWORD_LENGTH })
  @IsNewPassword()
  password: string;
  /** Name of the organization. */
  @ApiProperty({ maxLength: 200 })
  @IsDisplayName('organization')
  organization: string;
}

@V1Request()
export class V1VerifyEmailRequest {
  /** Token of the link in the email. */
  @ValidateIf((request: V1VerifyEmailRequest) => given(request.token) || !given(request.email))
  @rule('isToken', 'token must be the token of the link in the email. To get a new link, send email instead.', isToken)
  token?: string | null;
  /** Email address. If the request contains no token, a new link is sent to this address. */
  @IsOptional()
  @IsEmail()
  email?: string | null;
}

@V1Request()
export class V1LoginRequest {
  /** @example ann@example.com */
  @IsCredential('email')
  email: string;
  @IsCredential('password', MAX_PASSWORD_LENGTH)
  password: string;
  /** Code from the authenticator app, or a recovery code. Required if multi-factor authentication is enabled. */
  @IsOptional()
  @IsCredential('code', MAX_CODE_LENGTH)
  code?: string | null;
}

@V1Request()
export class V1RefreshRequest {
  @IsCredential('refresh_token')
  refresh_token: string;
}

@V1Request()
export class V1LogoutRequest {
  /** Refresh token. Required if the Authorization header contains no access token. */
  @IsOptional()
  @IsCredential('refresh_token')
  refresh_token?: string | null;
}

@V1Request()
export class V1ResetPasswordRequest {
  /** Email address. If the request contains no token, a reset link is sent to this address. */
  @ValidateIf((request: V1ResetPasswordRequest) => given(request.email) || !given(request.token))
  @IsEmail()
  email?: string | null;
  /** Token of the link in the email. */
  @IsOptional()
  @rule('isToken', 'token must be the token of the link in the email.', isToken)
  token?: string | null;
  /** New password. Required if the request contains a token. */
  @ApiProperty({ minLength: MIN_NEW_PASSWORD_LENGTH, maxLength: MAX_NEW_PASSWORD_LENGTH })
  @ValidateIf((request: V1ResetPasswordRequest) => given(request.token))
  @IsNewPassword()
  password?: string | null;
}

export class V1User {
  id: Uuid;
  name: string;
  email: string;
  email_verified: boolean;

  static of({ id, name, email, emailVerifiedAt }: User): V1User {
    return { id, name, email, email_verified: emailVerifiedAt !== null };
  }
}

class V1Organization {
  id: Uuid;
  name: string;
  slug: string;
}

class V1Workspace {
  id: Uuid;
  slug: string;
}

export class V1Registration {
  user: V1User;
  organization: V1Organization;
  workspace: V1Workspace;

  static of(user: User, { id, name, slug }: Organization, workspace: Workspace): V1Registration {
    return {
      user: V1User.of(user),
      organization: { id, name, slug },
      workspace: { id: workspace.id, slug: workspace.slug },
    };
  }
}

export class V1EmailVerification {
  /** Verified email address. Only present after a verification with a token. */
  email_verified?: boolean;
}

/** Deliberately empty: the response must not reveal whether an address is known. */
export class V1Nothing {}

export class V1Tokens {
  access_token: string;
  token_type: 'Bearer';
  /** Lifetime of the access token in seconds. */
  expires_in: Integer;
  /** Refresh token. It can be exchanged once for a new pair of tokens. */
  refresh_token: string;
  /** Lifetime of the refresh token in seconds. */
  refresh_expires_in: Integer;
  user: V1User;

  static of({ accessToken, refreshToken, user }: TokenPair): V1Tokens {
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: refreshToken,
      refresh_expires_in: REFRESH_TOKEN_SECONDS,
      user: V1User.of(user),
    };
  }
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isToken(value: unknown): boolean {
  return isStorableText(value, MAX_CREDENTIAL_LENGTH) && value !== '';
}

function isSafeName(value: string, field: string): boolean {
  try {
    checkDisplayName(value, field);
    return true;
  } catch {
    return false;
  }
}
