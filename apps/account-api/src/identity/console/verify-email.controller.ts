import { Body, Controller, Get, Post, Query, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, renderPage, RequestId, type HttpResult } from '@heliograph/service-kit';
import { readUserAddress, UsersService } from '@heliograph/users';
import { RateLimitedAs } from '../../access/access.decorators';
import { Authenticator } from '../../access/authenticator';
import { CurrentClient, type HttpClient } from '../../access/http-client';
import { EmailVerificationsService } from '../v1-auth/email-verifications.service';
import { ConsoleErrorFilter } from './console-errors.filter';
import { AcceptsForm, ConsoleForm } from './console-forms.dto';
import { ConsoleOriginGuard } from './console-origin.guard';
import { EMAIL_VERIFIED_PAGE, MAILED_PAGE, newVerificationPage, verifyEmailPage } from './console-pages';
import { isRefusal } from './form-problems';
import { PageQuery } from './page-query.dto';

/** The page of the link in verification emails. GET changes nothing, because mail scanners follow links. */
@ApiExcludeController()
@Public()
@RateLimitedAs('credentials')
@UseFilters(ConsoleErrorFilter)
@AcceptsForm()
@Controller('console/verify-email')
export class VerifyEmailController {
  constructor(
    private readonly users: UsersService,
    private readonly verifications: EmailVerificationsService,
    private readonly authenticator: Authenticator,
  ) {}

  @Get()
  async show(@Query() { token }: PageQuery): Promise<HttpResult<string>> {
    const user = await this.users.byVerificationToken(token);
    return renderPage(user ? verifyEmailPage(token, user.email, user.createdAt) : newVerificationPage());
  }

  @Post()
  @UseGuards(ConsoleOriginGuard)
  async verify(
    @Body() { token }: ConsoleForm,
    @CurrentClient() { attempt, credentials }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<HttpResult<string>> {
    try {
      const sessionId = await this.authenticator.sessionIdOf(credentials);
      await this.verifications.verify(token, sessionId, attempt.from, requestId);
    } catch (error) {
      if (isRefusal(error, 'NOT_FOUND')) return renderPage(newVerificationPage());
      throw error;
    }
    return renderPage(EMAIL_VERIFIED_PAGE);
  }

  @Post('link')
  @UseGuards(ConsoleOriginGuard)
  async request(@Body() { email }: ConsoleForm, @RequestId() requestId: string): Promise<HttpResult<string>> {
    if (readUserAddress(email) === null) {
      return renderPage({ ...newVerificationPage('Enter an email address, such as ann@example.com.'), status: 422 });
    }
    await this.verifications.request(email, requestId);
    return renderPage(MAILED_PAGE);
  }
}
