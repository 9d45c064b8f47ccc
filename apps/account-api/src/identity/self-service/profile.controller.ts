import { Body, Controller, Patch, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireSession, RateLimitedAs } from '../../access/access.decorators';
import { ApiData, ApiNoContent } from '../../http/envelope';
import { AccountApiErrors } from '../../http/api-errors';
import { CurrentUser, type AuthenticatedUser } from './authenticated-user';
import { ChangePasswordRequest, ChangeUserRequest, OneUser } from './profile.dto';
import { ProfileService } from './profile.service';

@ApiTags('Authentication')
@Controller('api/auth')
export class ProfileController {
  constructor(private readonly profiles: ProfileService) {}

  @Patch('user')
  @RequireSession()
  @ApiOperation({ operationId: 'changeUser', summary: 'Change your name' })
  @ApiData(OneUser)
  @AccountApiErrors('EMAIL_NOT_VERIFIED')
  update(@CurrentUser() user: AuthenticatedUser, @Body() { name }: ChangeUserRequest): Promise<OneUser> {
    return this.profiles.rename(user, name);
  }

  @Put('password')
  @RequireSession({ evenUnverified: true })
  @RateLimitedAs('credentials')
  @ApiOperation({ operationId: 'changePassword', summary: 'Change your password and end your other sessions' })
  @ApiNoContent()
  @AccountApiErrors('AUTH_INVALID_CREDENTIALS')
  changePassword(@CurrentUser() user: AuthenticatedUser, @Body() body: ChangePasswordRequest): Promise<void> {
    return this.profiles.changePassword(user, body);
  }
}
