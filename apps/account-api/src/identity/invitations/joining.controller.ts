import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdmittedByService, Public, RequestId } from '@heliograph/service-kit';
import { RateLimitedAs } from '../../access/access.decorators';
import { CurrentClient, type HttpClient } from '../../access/http-client';
import { OwnOriginGuard } from '../../access/own-origin.guard';
import { LoggedIn } from '../auth/auth.dto';
import { AccountApiErrors, PUBLIC_ERRORS } from '../../http/api-errors';
import { JoinRequest, OneReceivedInvitation } from './joining.dto';
import { JoiningService } from './joining.service';
import { AccountOperation } from '../../http/envelope';

@ApiTags('Authentication')
@AccountApiErrors('NOT_FOUND', ...PUBLIC_ERRORS)
@Controller('api/auth/invitations')
export class JoiningController {
  constructor(private readonly joining: JoiningService) {}

  @Get(':token')
  @Public()
  @RateLimitedAs('credentials')
  @AccountOperation({
    id: 'getReceivedInvitation',
    summary: 'Get an invitation by the token in its link',

    description:
      'Returns the organization and the role, for the page on which a person accepts. The token is in the link of the mail.',
    response: OneReceivedInvitation,
    sample: { values: { token: { given: 'token in the link of the invitation email' } } },
  })
  look(@Param('token') token: string): Promise<OneReceivedInvitation> {
    return this.joining.look(token);
  }

  @Post(':token')
  @AdmittedByService()
  @Public()
  @UseGuards(OwnOriginGuard)
  @RateLimitedAs('credentials')
  @AccountOperation({
    id: 'acceptInvitation',
    summary: 'Accept an invitation and create a session',

    description: 'Creates the user with a name and a password, or adds an existing user, who proves the password.',
    response: LoggedIn,
    errors: ['AUTH_INVALID_CREDENTIALS', 'AUTH_MFA_REQUIRED', 'FORBIDDEN', 'NAME_TAKEN'],
    sample: {
      body: { name: 'Sam Miller', password: 'correct horse battery staple' },
      values: { token: { given: 'token in the link of the invitation email' } },
    },
  })
  async join(
    @Param('token') token: string,
    @Body() body: JoinRequest,
    @CurrentClient() client: HttpClient,
    @RequestId() requestId: string,
  ): Promise<LoggedIn> {
    const { attempt, sessionToken } = client;
    const opened = await this.joining.join(token, body, { ...attempt, sessionToken, requestId });
    client.setSession(opened);
    return LoggedIn.of(opened.session);
  }
}
