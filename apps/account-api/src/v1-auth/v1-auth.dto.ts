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

const IsDisplayName = (field: string) =>
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
  @ApiProperty({ maxLength: 200, description: 'Name of the user' })
  @IsDisplayName('name')
  name: string;
  @ApiProperty({ example: 'ann@example.com' })
  @IsEmail()
  email: string;
  @ApiProperty({
    minLength: MIN_NEW_PASSWORD_LENGTH,
    maxLength: MAX_NEW_PASSWORD_LENGTH,
    description:
      'Password. It must not be a common password, the email address, `name` or `organization`, or one of these with a few ' +
      'digits or symbols added',
  })
  @IsNewPassword()
  password: string;
  @ApiProperty({ maxLength: 200, description: 'Name of the organization' })
  @IsDisplayName('organization')
  organization: string;
}

@V1Request()
export class V1VerifyEmailRequest {
  @ApiProperty({ required: false, nullable: true, type: String, description: 'Token of the link in the email' })
  @ValidateIf((request: V1VerifyEmailRequest) => given(request.token) || !given(request.email))
  @rule('isToken', 'token must be the token of the link in the email. To get a new link, send email instead.', isToken)
  token?: string | null;
  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    description: 'Email address. If the request contains no token, a new link is sent to this address',
  })
  @IsOptional()
  @IsEmail()
  email?: string | null;
}

@V1Request()
export class V1LoginRequest {
  @ApiProperty({ example: 'ann@example.com' })
  @IsCredential('email')
  email: string;
  @ApiProperty()
  @IsCredential('password', MAX_PASSWORD_LENGTH)
  password: string;
  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    description:
      'Code from the authenticator app, or a recovery code. Required if multi-factor authentication is enabled',
  })
  @IsOptional()
  @IsCredential('code', MAX_CODE_LENGTH)
  code?: string | null;
}

@V1Request()
export class V1RefreshRequest {
  @ApiProperty()
  @IsCredential('refresh_token')
  refresh_token: string;
}

@V1Request()
export class V1LogoutRequest {
  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    description: 'Refresh token. Required if the Authorization header contains no access token',
  })
  @IsOptional()
  @IsCredential('refresh_token')
  refresh_token?: string | null;
}

@V1Request()
export class V1ResetPasswordRequest {
  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    description: 'Email address. If the request contains no token, a reset link is sent to this address',
  })
  @ValidateIf((request: V1ResetPasswordRequest) => given(request.email) || !given(request.token))
  @IsEmail()
  email?: string | null;
  @ApiProperty({ required: false, nullable: true, type: String, description: 'Token of the link in the email' })
  @IsOptional()
  @rule('isToken', 'token must be the token of the link in the email.', isToken)
  token?: string | null;
  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    minLength: MIN_NEW_PASSWORD_LENGTH,
    maxLength: MAX_NEW_PASSWORD_LENGTH,
    description: 'New password. Required if the request contains a token',
  })
  @ValidateIf((request: V1ResetPasswordRequest) => given(request.token))
  @IsNewPassword()
  password?: string | null;
}

export class V1User {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  name: string;
  @ApiProperty()
  email: string;
  @ApiProperty()
  email_verified: boolean;

  static of({ id, name, email, emailVerifiedAt }: User): V1User {
    return { id, name, email, email_verified: emailVerifiedAt !== null };
  }
}

class V1Organization {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  name: string;
  @ApiProperty()
  slug: string;
}

class V1Workspace {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  slug: string;
}

export class V1Registration {
  @ApiProperty()
  user: V1User;
  @ApiProperty()
  organization: V1Organization;
  @ApiProperty()
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
  @ApiProperty({
    required: false,
    description: 'Verified email address. Only present after a verification with a token',
  })
  email_verified?: boolean;
}

/** Deliberately empty: the response must not reveal whether an address is known. */
export class V1Nothing {}

export class V1Tokens {
  @ApiProperty()
  access_token: string;
  @ApiProperty({ enum: ['Bearer'] })
  token_type: 'Bearer';
  @ApiProperty({ type: 'integer', description: 'Lifetime of the access token in seconds' })
  expires_in: number;
  @ApiProperty({ description: 'Refresh token. It can be exchanged once for a new pair of tokens' })
  refresh_token: string;
  @ApiProperty({ type: 'integer', description: 'Lifetime of the refresh token in seconds' })
  refresh_expires_in: number;
  @ApiProperty()
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
