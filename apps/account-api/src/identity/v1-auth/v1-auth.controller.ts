import { Body, Controller, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import {
  AcceptsBody,
  AdmittedByService,
  fieldError,
  HttpResult,
  Public,
  RequestId,
  V1ApiErrors,
  withFields,
  V1Operation,
} from '@heliograph/service-kit';
import { SessionsService, TokenPairsService } from '@heliograph/users';
import { RateLimitedAs } from '../../access/access.decorators';
import { Authenticator } from '../../access/authenticator';
import { CurrentClient, type HttpClient } from '../../access/http-client';
import { PUBLIC_ERRORS } from '../../http/api-errors';
import { PasswordResetsService } from '../self-service/password-resets.service';
import { V1Api } from '../../developer/reference/v1-api';
import { EmailVerificationsService } from './email-verifications.service';
import { RegistrationService } from './registration.service';
import {
  V1EmailVerification,
  V1LoginRequest,
  V1LogoutRequest,
  V1Nothing,
  V1RefreshRequest,
  V1RegisterRequest,
  V1Registration,
  V1ResetPasswordRequest,
  V1Tokens,
  V1VerifyEmailRequest,
} from './v1-auth.dto';

@V1Api('v1: authentication')
@V1ApiErrors('INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', ...PUBLIC_ERRORS)
@Controller('api/v1/auth')
export class V1AuthController {
  constructor(
    private readonly registrations: RegistrationService,
    private readonly verifications: EmailVerificationsService,
    private readonly resets: PasswordResetsService,
    private readonly tokens: TokenPairsService,
    private readonly sessions: SessionsService,
    private readonly authenticator: Authenticator,
  ) {}

  @Post('register')
  @AdmittedByService()
  @Public()
  @RateLimitedAs('auth')
  @V1Operation({
    id: 'v1Register',
    summary: 'Create a user with an organization and its first workspace',
    description:
      'Sends an email to verify the address. Until then, the user can log in and read data; every write returns ' +
      '`EMAIL_NOT_VERIFIED`. If the address already belongs to a user who has verified it, the response has the same form, ' +
      'but nothing is created, and the user is notified by email. A registration whose address is not verified is replaced: ' +
      'its user, sessions and organization are no longer accessible. At most one email per minute is sent to an address; ' +
      'the email of a replacing registration follows when the minute has passed.',
    status: 201,
    response: V1Registration,
    errors: ['FORBIDDEN'],
    sample: {
      body: {
        name: 'Zoe Miller',
        email: 'zoe@elsewhere.example',
        password: 'correct horse battery staple',
        organization: 'Elsewhere',
      },
    },
  })
  register(
    @Body() request: V1RegisterRequest,
    @CurrentClient() { attempt }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<V1Registration> {
    return this.registrations.register(request, attempt.from, requestId);
  }

  @Post('verify-email')
  @Public()
  @RateLimitedAs('auth')
  @HttpCode(HttpStatus.OK)
  @ApiResponse({ status: 200, type: V1EmailVerification })
  @ApiResponse({ status: 202, type: V1Nothing })
  @V1Operation({
    id: 'v1VerifyEmail',
    summary: 'Verify an email address with a token, or request a new token',
    description:
      'If the request contains `email`, the response does not reveal whether the address is known. The verification ends all ' +
      'other sessions of the user (send the access token or the session cookie to keep its session), disables ' +
      'multi-factor authentication, and revokes the API keys, invitations, webhooks and other members of the organization ' +
      'that the registration created.',
    errors: ['NOT_FOUND'],
    sample: { body: { email: 'owner@demo.example' } },
  })
  async verifyEmail(
    @Body() { token, email }: V1VerifyEmailRequest,
    @CurrentClient() { attempt, credentials }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<V1EmailVerification | HttpResult<V1EmailVerification>> {
    if (typeof token === 'string') {
      const sessionId = await this.authenticator.sessionIdOf(credentials);
      await this.verifications.verify(token, sessionId, attempt.from, requestId);
      return { email_verified: true };
    }
    await this.verifications.request(email ?? '', requestId);
    return new HttpResult({ status: HttpStatus.ACCEPTED, body: {} });
  }

  @Post('login')
  @AdmittedByService()
  @Public()
  @RateLimitedAs('auth')
  @V1Operation({
    id: 'v1Login',
    summary: 'Log in and get an access token and a refresh token',

    description:
      'The access token is valid for 15 minutes, and the refresh token for 30 days. With multi-factor authentication, send `code` too.',
    response: V1Tokens,
    errors: ['AUTH_INVALID_CREDENTIALS', 'AUTH_MFA_REQUIRED'],
    sample: { body: { email: 'owner@demo.example', password: 'correct horse battery staple' } },
  })
  async login(
    @Body() { email, password, code }: V1LoginRequest,
    @CurrentClient() { attempt }: HttpClient,
  ): Promise<V1Tokens> {
    return V1Tokens.of(await this.tokens.login({ email, password, code: code ?? undefined, ...attempt }));
  }

  @Post('refresh')
  @Public()
  @RateLimitedAs('auth')
  @V1Operation({
    id: 'v1Refresh',
    summary: 'Exchange a refresh token for a new pair of tokens',
    description:
      'A refresh token can be used once. If a used refresh token is sent again, the login and all its tokens are revoked.',
    response: V1Tokens,
    errors: ['AUTH_SESSION_EXPIRED'],
    sample: {
      body: { refresh_token: 'rt_4yB7Qm2xW9' },
      values: { refresh_token: { create: '/api/v1/auth/login', field: 'refresh_token' } },
    },
  })
  async refresh(@Body() { refresh_token: token }: V1RefreshRequest): Promise<V1Tokens> {
    return V1Tokens.of(await this.tokens.refresh(token));
  }

  @Post('logout')
  @Public()
  @AcceptsBody({ mayBeEmpty: true })
  @RateLimitedAs('auth')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiResponse({ status: 204, description: 'The tokens of the login were revoked' })
  @V1Operation({
    id: 'v1Logout',
    summary: 'Log out and revoke all tokens of the login',
    description: 'Send the access token in the Authorization header, or the refresh token in the body.',
    errors: ['UNAUTHENTICATED', 'AUTH_SESSION_EXPIRED'],
    sample: {
      body: { refresh_token: 'rt_4yB7Qm2xW9' },
      values: { refresh_token: { create: '/api/v1/auth/login', field: 'refresh_token' } },
    },
  })
  async logout(
    @Body() { refresh_token: token }: V1LogoutRequest,
    @CurrentClient() { credentials }: HttpClient,
  ): Promise<void> {
    if (typeof token === 'string') return this.tokens.revoke(token);
    if (credentials.headers.authorization === undefined) {
      const message = 'refresh_token is required without an access token in the Authorization header.';
      throw fieldError('INVALID_REQUEST', 'refresh_token', message);
    }
    const credential = await this.authenticator.credentialOf(credentials);
    if (credential.kind === 'none') throw credential.refusal;
    if (credential.kind === 'key')
      throw new AppError('UNAUTHENTICATED', 'Send an access token instead of an API key. API keys have no login.');
    await this.sessions.revoke(credential.session.userId, credential.session.id);
  }

  @Post('reset-password')
  @AdmittedByService()
  @Public()
  @RateLimitedAs('auth')
  @HttpCode(HttpStatus.OK)
  @ApiResponse({ status: 200, type: V1Nothing })
  @ApiResponse({ status: 202, type: V1Nothing })
  @V1Operation({
    id: 'v1ResetPassword',
    summary: 'Request a password reset link, or set a new password',
    description:
      'If the request contains `email`, the response does not reveal whether the address is known. A token can be used ' +
      'once and expires after one hour. A new password revokes all sessions and tokens of the user.',
    errors: ['NOT_FOUND'],
    sample: { body: { email: 'owner@demo.example' } },
  })
  async resetPassword(
    @Body() { email, token, password }: V1ResetPasswordRequest,
    @CurrentClient() { attempt }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<V1Nothing | HttpResult<V1Nothing>> {
    if (typeof token === 'string') {
      await withFields({}, () => this.resets.finish(token, password ?? '', attempt, requestId));
      return {};
    }
    await this.resets.request(email ?? '', attempt, requestId);
    return new HttpResult({ status: HttpStatus.ACCEPTED, body: {} });
  }
}
