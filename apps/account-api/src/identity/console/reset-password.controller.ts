import { Body, Controller, Get, Post, Query, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, renderPage, RequestId, type HttpResult } from '@heliograph/service-kit';
import { readUserAddress, UsersService, type User } from '@heliograph/users';
import { RateLimitedAs } from '../../access/access.decorators';
import { CurrentClient, type HttpClient } from '../../access/http-client';
import { PasswordResetsService } from '../self-service/password-resets.service';
import { ConsoleErrorFilter } from './console-errors.filter';
import { AcceptsForm, ConsoleForm } from './console-forms.dto';
import { ConsoleOriginGuard } from './console-origin.guard';
import { MAILED_PAGE, PASSWORD_CHANGED_PAGE, requestResetPage, resetPasswordPage } from './console-pages';
import { isRefusal, problemOf } from './form-problems';
import { PageQuery } from './page-query.dto';

/** The page of the link in password reset emails, and the form that requests one. */
@ApiExcludeController()
@Public()
@RateLimitedAs('credentials')
@UseFilters(ConsoleErrorFilter)
@AcceptsForm()
@Controller('console/reset-password')
export class ResetPasswordController {
  constructor(
    private readonly users: UsersService,
    private readonly resets: PasswordResetsService,
  ) {}

  @Get()
  async show(@Query() { token }: PageQuery): Promise<HttpResult<string>> {
    if (token === '') return renderPage(requestResetPage({}));
    const user = await this.find(token);
    return renderPage(user ? resetPasswordPage(token, user.email) : requestResetPage({ isLinkInvalid: true }));
  }

  @Post()
  @UseGuards(ConsoleOriginGuard)
  async reset(
    @Body() { token, password }: ConsoleForm,
    @CurrentClient() { attempt }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<HttpResult<string>> {
    const user = await this.find(token);
    if (!user) return renderPage(requestResetPage({ isLinkInvalid: true }));
    try {
      await this.resets.finish(token, password, attempt, requestId);
    } catch (error) {
      if (isRefusal(error, 'NOT_FOUND')) return renderPage(requestResetPage({ isLinkInvalid: true }));
      if (isRefusal(error, 'VALIDATION_ERROR')) {
        return renderPage(resetPasswordPage(token, user.email, problemOf(error).problem));
      }
      throw error;
    }
    return renderPage(PASSWORD_CHANGED_PAGE);
  }

  @Post('link')
  @UseGuards(ConsoleOriginGuard)
  async request(
    @Body() { email }: ConsoleForm,
    @CurrentClient() { attempt }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<HttpResult<string>> {
    if (readUserAddress(email) === null) {
      return renderPage(requestResetPage({ problem: 'Enter an email address, such as ann@example.com.' }));
    }
    await this.resets.request(email, attempt, requestId);
    return renderPage(MAILED_PAGE);
  }

  /** Null for a link that is no longer valid. */
  private async find(token: string): Promise<User | null> {
    try {
      return await this.users.byResetToken(token);
    } catch (error) {
      if (isRefusal(error, 'NOT_FOUND')) return null;
      throw error;
    }
  }
}
