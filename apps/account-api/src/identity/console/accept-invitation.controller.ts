import { Body, Controller, Get, Post, Query, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { AppError } from '@heliograph/errors';
import { Public, renderPage, RequestId, type HttpResult } from '@heliograph/service-kit';
import { RateLimitedAs } from '../../access/access.decorators';
import { CurrentClient, type HttpClient } from '../../access/http-client';
import type { ReceivedInvitation } from '../invitations/joining.dto';
import { JoiningService } from '../invitations/joining.service';
import { ConsoleErrorFilter } from './console-errors.filter';
import { AcceptsForm, ConsoleForm } from './console-forms.dto';
import { ConsoleOriginGuard } from './console-origin.guard';
import { INVITATION_INVALID_PAGE, invitationPage, JOINED_PAGE, type RefusedJoin } from './console-pages';
import { isRefusal, problemOf } from './form-problems';
import { PageQuery } from './page-query.dto';

/** The page of the link in invitations. */
@ApiExcludeController()
@Public()
@RateLimitedAs('credentials')
@UseFilters(ConsoleErrorFilter)
@AcceptsForm()
@Controller('console/invitations/accept')
export class AcceptInvitationController {
  constructor(private readonly joining: JoiningService) {}

  @Get()
  async show(@Query() { token }: PageQuery): Promise<HttpResult<string>> {
    const invitation = await this.find(token);
    return renderPage(invitation ? invitationPage(token, invitation) : INVITATION_INVALID_PAGE);
  }

  @Post()
  @UseGuards(ConsoleOriginGuard)
  async accept(
    @Body() form: ConsoleForm,
    @CurrentClient() client: HttpClient,
    @RequestId() requestId: string,
  ): Promise<HttpResult<string>> {
    const { token, name, password, code } = form;
    const invitation = await this.find(token);
    if (!invitation) return renderPage(INVITATION_INVALID_PAGE);
    const { attempt, sessionToken } = client;
    try {
      const body = { name, password, ...(code === '' ? {} : { code }) };
      client.setSession(await this.joining.join(token, body, { ...attempt, sessionToken, requestId }));
    } catch (error) {
      if (isRefusal(error, 'NOT_FOUND')) return renderPage(INVITATION_INVALID_PAGE);
      if (!isRefusal(error, 'VALIDATION_ERROR', 'AUTH_INVALID_CREDENTIALS', 'AUTH_MFA_REQUIRED')) throw error;
      return renderPage(invitationPage(token, invitation, refusedJoin(error, form)));
    }
    return renderPage(JOINED_PAGE);
  }

  /** Null for an invitation that is no longer open. */
  private async find(token: string): Promise<ReceivedInvitation | null> {
    try {
      return (await this.joining.look(token)).invitation;
    } catch (error) {
      if (isRefusal(error, 'NOT_FOUND')) return null;
      throw error;
    }
  }
}

function refusedJoin(error: AppError, { name, code }: ConsoleForm): RefusedJoin {
  const kept = { name, status: error.status, needsCode: code !== '' };
  switch (error.code) {
    case 'AUTH_MFA_REQUIRED':
      return {
        ...kept,
        field: 'code',
        problem: 'Enter a code from your authenticator app, and your password again.',
        needsCode: true,
      };
    case 'AUTH_INVALID_CREDENTIALS':
      return { ...kept, field: 'password', problem: 'The password or the code is wrong. Check them and try again.' };
    default: {
      const { field, problem } = problemOf(error);
      return { ...kept, field: field === 'name' ? 'name' : 'password', problem };
    }
  }
}
