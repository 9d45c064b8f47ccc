import { Module } from '@nestjs/common';
import { RequestLogRepository } from './request-log.repository';
import { RequestRecorder } from './request-recorder';

/** Records the calls of API keys of the service. */
@Module({ providers: [RequestLogRepository, RequestRecorder], exports: [RequestLogRepository] })
export class RequestLogModule {}
