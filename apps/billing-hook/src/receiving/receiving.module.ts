import { Module } from '@nestjs/common';
import { EventStore } from './event-store';
import { PaymentsController } from './payments.controller';
import { ReceiveService } from './receive.service';

@Module({ controllers: [PaymentsController], providers: [EventStore, ReceiveService] })
export class ReceivingModule {}
