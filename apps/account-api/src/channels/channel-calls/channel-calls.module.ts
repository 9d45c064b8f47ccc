import { Module } from '@nestjs/common';
import { ChannelCalls } from './channel-calls.service';

/** Calls to the services of the channels. */
@Module({ providers: [ChannelCalls], exports: [ChannelCalls] })
export class ChannelCallsModule {}
