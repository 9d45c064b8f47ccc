import { Module } from '@nestjs/common';
import { TenancyModule } from '@heliograph/tenancy';
import { ChannelCallsModule } from '../../channels/channel-calls/channel-calls.module';
import { MessageLogRepository } from './message-log.repository';
import { MessageLogService } from './message-log.service';
import { MessageStreams } from './message-streams.service';
import { V1MessageLogController } from './message-log.controller';

/** The messages of all channels: a list, a live stream, and resends. */
@Module({
  imports: [TenancyModule, ChannelCallsModule],
  controllers: [V1MessageLogController],
  providers: [MessageLogRepository, MessageLogService, MessageStreams],
})
export class MessageLogModule {}
