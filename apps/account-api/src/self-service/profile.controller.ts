import { Controller, Patch, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RateLimitedAs, RequireSession } from '../access/access.decorators';
import { UserRecord } from '../auth/auth.dto';
import { ApiData, ApiNoContent, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiJsonBody } from '../http/json-body';
import { CurrentUser, type AuthenticatedUser } from './authenticated-user';
import { ChangePasswordRequest, ChangeUserRequest, OneUser } from './profile.dto';
import { ProfileService } from './profile.service';

@ApiTags('Authentication')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/auth')
export class ProfileController {
  constructor(private readonly profiles: ProfileService) {}

  @Patch('user')
  @RequireSession()
  @ApiOperation({ operationId: 'changeUser', summary: 'Change your name' })
  @ApiJsonBody(ChangeUserRequest)
  @ApiData(OneUser)
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @JsonBody(ChangeUserRequest) { name }: ChangeUserRequest,
  ): Promise<OneUser> {
    return { user: UserRecord.of(await this.profiles.rename(user, name)) };
  }

  @Put('password')
  @RequireSession()
  @RateLimitedAs('stranger')
  @ApiOperation({ operationId: 'changePassword', summary: 'Change your password and end your other sessions' })
  @ApiJsonBody(ChangePasswordRequest)
  @ApiNoContent()
  @ApiErrors('AUTH_INVALID_CREDENTIALS')
  changePassword(
    @CurrentUser() user: AuthenticatedUser,
    @JsonBody(ChangePasswordRequest) body: ChangePasswordRequest,
  ): Promise<void> {
    return this.profiles.changePassword(user, body);
  }
}
