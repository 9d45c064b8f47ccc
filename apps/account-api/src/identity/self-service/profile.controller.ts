import { Body, Controller, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireSession, RateLimitedAs } from '../../access/access.decorators';
import { AccountOperation, ApiNoContent } from '../../http/envelope';
import { CurrentUser, type AuthenticatedUser } from './authenticated-user';
import { ChangePasswordRequest, ChangeUserRequest, OneUser } from './profile.dto';
import { ProfileService } from './profile.service';

@ApiTags('Authentication')
@Controller('api/auth')
export class ProfileController {
  constructor(private readonly profiles: ProfileService) {}

  @Patch('user')
  @RequireSession()
  @AccountOperation({
    id: 'changeUser',
    summary: 'Change your name',

    description: 'The name is shown to other members, in invitations and in the audit log.',
    response: OneUser,
    errors: ['EMAIL_NOT_VERIFIED'],
  })
  update(@CurrentUser() user: AuthenticatedUser, @Body() { name }: ChangeUserRequest): Promise<OneUser> {
    return this.profiles.rename(user, name);
  }

  @Put('password')
  @RequireSession({ evenUnverified: true })
  @RateLimitedAs('credentials')
  @ApiNoContent()
  @AccountOperation({
    id: 'changePassword',
    summary: 'Change your password and end your other sessions',

    description: 'Requires the current password. The session of the call continues.',
    errors: ['AUTH_INVALID_CREDENTIALS'],
  })
  changePassword(@CurrentUser() user: AuthenticatedUser, @Body() body: ChangePasswordRequest): Promise<void> {
    return this.profiles.changePassword(user, body);
  }
}
