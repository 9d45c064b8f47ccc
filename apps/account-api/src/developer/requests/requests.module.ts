import { Module } from '@nestjs/common';
import { KeysModule } from '@heliograph/auth';
import { V1RequestsController } from './requests.controller';
import { RequestsRetention } from './requests-retention.service';
import { RequestsService } from './requests.service';

/** The request log. */
@Module({
  imports: [KeysModule],
  controllers: [V1RequestsController],
  providers: [RequestsRetention, RequestsService],
})
export class RequestsModule {}
