import { Controller, Inject, Patch, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CountedAs, RequireSession } from '../access/access.decorators';
import { UserRecord } from '../auth/auth.dto';
import { Answers, AnswersNothing, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBody } from '../http/json-body';
import { AsOneself, type Oneself } from './oneself';
import { ChangePasswordRequest, ChangeUserRequest, OneUser } from './profile.dto';
import { ProfileService } from './profile.service';

@ApiTags('Authentication')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/auth')
export class ProfileController {
  constructor(@Inject(ProfileService) private readonly profiles: ProfileService) {}

  @Patch('user')
  @RequireSession()
  @ApiOperation({ operationId: 'changeUser', summary: 'Changes one’s own name' })
  @TakesBody(ChangeUserRequest)
  @Answers(OneUser)
  async change(
    @AsOneself() oneself: Oneself,
    @JsonBody(ChangeUserRequest) { name }: ChangeUserRequest,
  ): Promise<OneUser> {
    return { user: UserRecord.of(await this.profiles.rename(oneself, name)) };
  }

  @Put('password')
  @RequireSession()
  @CountedAs('stranger')
  @ApiOperation({ operationId: 'changePassword', summary: 'Changes one’s own password and ends the other sessions' })
  @TakesBody(ChangePasswordRequest)
  @AnswersNothing()
  @RefusesWith('AUTH_INVALID_CREDENTIALS')
  changePassword(
    @AsOneself() oneself: Oneself,
    @JsonBody(ChangePasswordRequest) asked: ChangePasswordRequest,
  ): Promise<void> {
    return this.profiles.changePassword(oneself, asked);
  }
}
